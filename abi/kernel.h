/* abi/kernel.h: what a compiled kernel and whoever calls it agree on.
 *
 * Plain C, included by the compiler (as documentation of the layouts it emits),
 * by the runtime and by applications that link kernels. Fields are only ever
 * appended; each struct begins with its size and version so that either side
 * may be older.
 *
 * A kernel is one function that runs the programs [begin, end) of a grid,
 * counted linearly with axis 0 fastest. It owns nothing on its frames: the
 * runtime may leave it by longjmp. */
#ifndef TRIREME_ABI_KERNEL_H
#define TRIREME_ABI_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRIREME_ABI_VERSION 1u

/* The grid of one launch: the number of programs along each axis. */
typedef struct trireme_grid {
  uint32_t size;    /* sizeof(trireme_grid) of the caller */
  uint32_t version; /* TRIREME_ABI_VERSION */
  uint32_t dim[3];  /* programs along axis 0, 1, 2; unused axes are 1 */
  uint32_t reserved;
} trireme_grid;

struct trireme_services;

/* What one worker thread lends to the kernel for the length of a call. */
typedef struct trireme_thread {
  uint32_t size;    /* sizeof(trireme_thread) of the caller */
  uint32_t version; /* TRIREME_ABI_VERSION */
  /* Scratch of at least trireme_image.scratch_bytes, aligned to 64 bytes;
   * contents are undefined on entry and need not survive from one program to
   * the next. */
  void *scratch;
  /* Nonzero: stop before the next program. Read once a program. */
  const volatile int32_t *stop;
  /* Linear id of the program that is running; written by the kernel before
   * each. */
  uint64_t program;
  /* Set by the kernel's assert call before it returns; see runtime/debug. */
  void *fault;
  /* Opaque to the kernel: handed back to runtime functions that the kernel
   * calls. */
  void *runtime;
  /* Functions of the runtime; set for kernels that call any. */
  const struct trireme_services *services;
} trireme_thread;

/* Functions of the runtime that kernels call. A block is handed over as the
 * address of its elements in row-major order, its shape (null and rank 0 for a
 * scalar) and the spelling of its element type ("fp32", "u8"; u1 takes a
 * byte). */
typedef struct trireme_services {
  uint32_t size;    /* sizeof(trireme_services) of the runtime */
  uint32_t version; /* TRIREME_ABI_VERSION */
  /* Prints one record; without a type the prefix alone. */
  void (*print)(trireme_thread *thread, const char *prefix, const char *type,
                const void *data, const int64_t *shape, uint32_t rank,
                uint32_t hex);
  /* Returns if no byte of `condition` is 0; else ends the launch and does not
   * return. `place` is "file:line"; `left` and `right`, which may be null, are
   * what the condition compared. */
  void (*check)(trireme_thread *thread, const char *message, const char *place,
                const char *type, const uint8_t *condition, const void *left,
                const void *right, const int64_t *shape, uint32_t rank);
} trireme_services;

/* Runs programs [begin, end). Returns 0, or nonzero when it stopped early. */
typedef int32_t (*trireme_kernel_fn)(const void *args, const trireme_grid *grid,
                                     uint64_t begin, uint64_t end,
                                     trireme_thread *thread);

/* Arguments are packed into one block in parameter order, each at the next
 * offset that is a multiple of its own size: pointers 8 bytes, i1 and i8 1,
 * i16/f16/bf16 2, i32/f32 4, i64/f64 8. constexpr parameters take no room.
 * After the last argument, if trireme_image.flags has TRIREME_IMAGE_OWNERS,
 * follows one byte per pointer parameter: the caller's number of the allocation
 * it points into (two pointers with different nonzero numbers never overlap; 0
 * = not known). */
enum {
  TRIREME_IMAGE_OWNERS = 1u
                         << 0, /* reads the owner bytes after the arguments */
  TRIREME_IMAGE_ORDERED = 1u << 1, /* has atomics or volatile accesses: programs
                                      of a range run strictly in order */
  TRIREME_IMAGE_PRINTS = 1u << 2,  /* may write to the standard output */
};

/* One parameter as the image sees it. */
typedef struct trireme_param {
  const char *name;
  const char
      *type; /* "*fp32", "i32", "u1", "fp16"...: Triton's signature spelling */
  uint32_t offset; /* byte offset in the argument block */
  uint32_t flags;  /* bit 0: the kernel may write through it; bit 1: may read */
} trireme_param;

/* Every kernel image exports exactly one of these under the name
 * `trireme_image`. */
typedef struct trireme_image {
  uint32_t size;    /* sizeof(trireme_image) of the compiler */
  uint32_t version; /* TRIREME_ABI_VERSION */
  trireme_kernel_fn entry;
  const char *name;   /* the kernel's name as the user wrote it */
  const char *target; /* canonical target string it was compiled for */
  uint32_t vlen_bits; /* RISC-V: exact VLEN it needs at least; else 0 */
  uint32_t flags;
  uint64_t scratch_bytes; /* per thread */
  uint32_t args_bytes;
  uint32_t num_params;
  const trireme_param *params;
} trireme_image;

#ifdef __cplusplus
}
#endif
#endif
