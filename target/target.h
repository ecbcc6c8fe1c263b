/* target/target.h: the target database. A target is a CPU row plus features,
 * written arch:cpu+feature+feature      (x86_64:x86-64-v4+avx512bf16) in one
 * canonical spelling that is part of every cache key. Plain C, no LLVM, no
 * environment, no threads. */
#ifndef TRIREME_TARGET_TARGET_H
#define TRIREME_TARGET_TARGET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRIREME_TARGET_TEXT = 256,
  TRIREME_TARGET_FEATURES = 512,
  TRIREME_TARGET_ERROR = 512
};

typedef enum trireme_arch {
  TRIREME_ARCH_x86_64,
  TRIREME_ARCH_riscv64,
  TRIREME_ARCH_aarch64,
} trireme_arch;

/* One row of target/cpus. */
typedef struct trireme_cpu {
  const char *id;
  trireme_arch arch;
  const char *llvm_cpu;
  const char *llvm_features; /* "+a,-b" on top of what the CPU name implies */
  uint32_t vector_bits;      /* of one vector register */
  uint32_t vector_registers;
  uint32_t max_group; /* registers one operation may group (RISC-V LMUL) */
  uint32_t
      mask_bits; /* narrowest element with masked loads and stores; 0 = none */
  uint32_t has_fma;
  uint32_t has_f16;    /* converts between f16 and f32 */
  uint32_t has_scalef; /* multiplies vectors by powers of two: AVX-512 */
  uint32_t vlen_bits;  /* RISC-V, else 0 */
  const char *summary;
} trireme_cpu;

typedef struct trireme_target {
  char text[TRIREME_TARGET_TEXT]; /* canonical */
  const trireme_cpu *cpu;
  uint64_t features;  /* bits of abi/cpu_features.inc */
  const char *triple; /* LLVM */
  char llvm_features[TRIREME_TARGET_FEATURES]; /* the row's and the target's */
  uint32_t vector_bits;
  uint32_t vlen_bits;
} trireme_target;

/* Resolves "arch:cpu+feature", "cpu+feature", or "host". Returns 0, or -1 with
 * a message of at most TRIREME_TARGET_ERROR bytes that lists what is known. */
int trireme_target_resolve(const char *text, trireme_target *out, char *error);

/* The best target for the machine this runs on. */
int trireme_target_host(trireme_target *out, char *error);

/* Number of rows and row i, for listings. */
size_t trireme_target_count(void);
const trireme_cpu *trireme_target_row(size_t i);
const char *trireme_arch_name(trireme_arch arch);

/* target/detect: id of the CPU row and feature bits of this machine. */
void trireme_detect_host(const char **cpu, uint64_t *features);

#ifdef __cplusplus
}
#endif
#endif
