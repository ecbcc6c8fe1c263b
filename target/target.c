/* target/target.c: look-up in the tables. */
#include "target/target.h"

#include <stdio.h>
#include <string.h>

static const trireme_cpu rows[] = {
#define TRIREME_CPU(id, arch, cpu, features, bits, registers, group, mask,     \
                    fma, f16, scalef, vlen, summary)                           \
  {id,     TRIREME_ARCH_##arch,                                                \
   cpu,    features,                                                           \
   bits,   registers,                                                          \
   group,  mask,                                                               \
   fma,    f16,                                                                \
   scalef, vlen,                                                               \
   summary},
#include "target/cpus/aarch64.inc"
#include "target/cpus/riscv.inc"
#include "target/cpus/x86.inc"
#undef TRIREME_CPU
};

static const struct feature {
  trireme_arch arch;
  const char *name, *llvm;
  unsigned bit;
} features[] = {
#define TRIREME_FEATURE(arch, name, llvm, bit)                                 \
  {TRIREME_ARCH_##arch, #name, llvm, bit},
#include "abi/cpu_features.inc"
#undef TRIREME_FEATURE
};

enum {
  ROWS = sizeof(rows) / sizeof(rows[0]),
  FEATURES = sizeof(features) / sizeof(features[0])
};

size_t trireme_target_count(void) { return ROWS; }
const trireme_cpu *trireme_target_row(size_t i) {
  return i < ROWS ? &rows[i] : NULL;
}

const char *trireme_arch_name(trireme_arch arch) {
  switch (arch) {
  case TRIREME_ARCH_x86_64:
    return "x86_64";
  case TRIREME_ARCH_riscv64:
    return "riscv64";
  case TRIREME_ARCH_aarch64:
    return "aarch64";
  }
  return "";
}

static const char *triple_of(trireme_arch arch) {
  switch (arch) {
  case TRIREME_ARCH_x86_64:
    return "x86_64-unknown-linux-gnu";
  case TRIREME_ARCH_riscv64:
    return "riscv64-unknown-linux-gnu";
  case TRIREME_ARCH_aarch64:
    return "aarch64-unknown-linux-gnu";
  }
  return "";
}

/* Edit distance of short names, for "did you mean". */
static unsigned distance(const char *a, size_t n, const char *b) {
  unsigned row[64];
  size_t m = strlen(b), i, j;
  if (n >= 63 || m >= 63)
    return 99;
  for (j = 0; j <= m; ++j)
    row[j] = (unsigned)j;
  for (i = 1; i <= n; ++i) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (j = 1; j <= m; ++j) {
      unsigned above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
      if (above + 1 < best)
        best = above + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      diagonal = above;
      row[j] = best;
    }
  }
  return row[m];
}

static void append(char *to, size_t room, const char *text) {
  size_t used = strlen(to);
  if (used + 1 < room)
    snprintf(to + used, room - used, "%s", text);
}

static int unknown_cpu(const char *name, size_t length, char *error) {
  unsigned best = 99;
  const char *guess = NULL;
  for (size_t i = 0; i < ROWS; ++i) {
    unsigned d = distance(name, length, rows[i].id);
    if (d < best) {
      best = d;
      guess = rows[i].id;
    }
  }
  snprintf(error, TRIREME_TARGET_ERROR, "unknown CPU '%.*s'", (int)length,
           name);
  if (guess && best <= 3) {
    append(error, TRIREME_TARGET_ERROR, "; did you mean '");
    append(error, TRIREME_TARGET_ERROR, guess);
    append(error, TRIREME_TARGET_ERROR, "'?");
  }
  append(error, TRIREME_TARGET_ERROR, "; known:");
  for (size_t i = 0; i < ROWS; ++i) {
    append(error, TRIREME_TARGET_ERROR, " ");
    append(error, TRIREME_TARGET_ERROR, rows[i].id);
  }
  return -1;
}

static const trireme_cpu *find_cpu(const char *name, size_t length) {
  for (size_t i = 0; i < ROWS; ++i)
    if (strlen(rows[i].id) == length && memcmp(rows[i].id, name, length) == 0)
      return &rows[i];
  return NULL;
}

/* Fills `out` from a row and feature bits. */
static void complete(const trireme_cpu *cpu, uint64_t bits,
                     trireme_target *out) {
  memset(out, 0, sizeof *out);
  out->cpu = cpu;
  out->features = bits;
  out->triple = triple_of(cpu->arch);
  out->vector_bits = cpu->vector_bits;
  out->vlen_bits = cpu->vlen_bits;
  snprintf(out->text, sizeof out->text, "%s:%s", trireme_arch_name(cpu->arch),
           cpu->id);
  snprintf(out->llvm_features, sizeof out->llvm_features, "%s",
           cpu->llvm_features);
  for (size_t i = 0; i < FEATURES; ++i) {
    unsigned vlen = 0;
    if (features[i].arch != cpu->arch || !(bits >> features[i].bit & 1))
      continue;
    append(out->text, sizeof out->text, "+");
    append(out->text, sizeof out->text, features[i].name);
    if (out->llvm_features[0])
      append(out->llvm_features, sizeof out->llvm_features, ",");
    append(out->llvm_features, sizeof out->llvm_features, "+");
    append(out->llvm_features, sizeof out->llvm_features, features[i].llvm);
    /* A longer vector register changes what code is fixed to. */
    if (cpu->arch == TRIREME_ARCH_riscv64 &&
        sscanf(features[i].name, "zvl%ub", &vlen) == 1 && vlen > out->vlen_bits)
      out->vlen_bits = out->vector_bits = vlen;
  }
}

int trireme_target_host(trireme_target *out, char *error) {
  const char *id = NULL;
  uint64_t bits = 0;
  trireme_detect_host(&id, &bits);
  const trireme_cpu *cpu = id ? find_cpu(id, strlen(id)) : NULL;
  if (!cpu) {
    snprintf(
        error, TRIREME_TARGET_ERROR,
        "this machine has no vector extension that kernels are compiled for");
    return -1;
  }
  complete(cpu, bits, out);
  return 0;
}

int trireme_target_resolve(const char *text, trireme_target *out, char *error) {
  if (strcmp(text, "host") == 0)
    return trireme_target_host(out, error);
  const char *colon = strchr(text, ':');
  const char *name = colon ? colon + 1 : text;
  size_t length = strcspn(name, "+");
  const trireme_cpu *cpu = find_cpu(name, length);
  if (!cpu)
    return unknown_cpu(name, length, error);
  const char *arch = trireme_arch_name(cpu->arch);
  if (colon && (strlen(arch) != (size_t)(colon - text) ||
                memcmp(arch, text, strlen(arch)))) {
    snprintf(error, TRIREME_TARGET_ERROR,
             "CPU '%s' is of architecture %s, not '%.*s'", cpu->id, arch,
             (int)(colon - text), text);
    return -1;
  }
  uint64_t bits = 0;
  for (const char *at = name + length; *at == '+';) {
    size_t n = strcspn(++at, "+");
    const struct feature *found = NULL;
    for (size_t i = 0; i < FEATURES; ++i)
      if (features[i].arch == cpu->arch && strlen(features[i].name) == n &&
          memcmp(features[i].name, at, n) == 0)
        found = &features[i];
    if (!found) {
      snprintf(error, TRIREME_TARGET_ERROR,
               "unknown feature '%.*s' of %s; known:", (int)n, at, arch);
      for (size_t i = 0; i < FEATURES; ++i)
        if (features[i].arch == cpu->arch) {
          append(error, TRIREME_TARGET_ERROR, " ");
          append(error, TRIREME_TARGET_ERROR, features[i].name);
        }
      return -1;
    }
    bits |= (uint64_t)1 << found->bit;
    at += n;
  }
  complete(cpu, bits, out);
  return 0;
}
