/* target/detect: which row and features this machine has. */
#include "target/target.h"

#if defined(__x86_64__)

void trireme_detect_host(const char **cpu, uint64_t *features) {
  uint64_t bits = 0;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    *cpu = "x86-64-v4";
    if (__builtin_cpu_supports("avx512bf16"))
      bits |= 1u << 2;
    if (__builtin_cpu_supports("avx512vnni"))
      bits |= 1u << 3;
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    *cpu = "x86-64-v3";
  } else {
    *cpu = "x86-64-v2";
  }
  *features = bits;
}

#elif defined(__aarch64__)

void trireme_detect_host(const char **cpu, uint64_t *features) {
  *cpu = "armv8.2-a";
  *features = 0;
}

#elif defined(__riscv)

#include <stdio.h>
#include <string.h>

/* vlenb is readable from user mode wherever V is there; hwprobe has no key for
 * it. */
static unsigned long vlen_bytes(void) {
  unsigned long vlenb = 0;
  FILE *info = fopen("/proc/cpuinfo", "r");
  char line[1024];
  int hasVector = 0;
  while (info && fgets(line, sizeof line, info)) {
    const char *isa = strstr(line, "rv64");
    if (isa && (strchr(isa + 4, 'v') || strstr(isa, "_v")))
      hasVector = 1;
  }
  if (info)
    fclose(info);
  if (hasVector)
    __asm__ volatile(
        ".option push\n.option arch, +v\ncsrr %0, vlenb\n.option pop"
        : "=r"(vlenb));
  return vlenb;
}

void trireme_detect_host(const char **cpu, uint64_t *features) {
  unsigned long vlenb = vlen_bytes();
  *features = 0;
  *cpu = vlenb ? "rv64gcv" : NULL;
  if (vlenb >= 128)
    *features |= 1u << 4;
  else if (vlenb >= 64)
    *features |= 1u << 3;
  else if (vlenb >= 32)
    *features |= 1u << 2;
}

#endif
