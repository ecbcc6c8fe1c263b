/* LaunchTestKernels.c: images as the compiler would emit them, written by hand. Built
 * into the test and, for the loader, into a shared object that exports trireme_image. */
#include "abi/kernel.h"

#define BLOCK 64

struct add_args {
  const float *x, *y;
  float *out;
  int32_t n;
};

static int stopped(const trireme_thread *thread) {
  return __atomic_load_n((const int32_t *)thread->stop, __ATOMIC_RELAXED);
}

static int32_t add(const void *args, const trireme_grid *grid, uint64_t begin, uint64_t end,
                   trireme_thread *thread) {
  const struct add_args *a = (const struct add_args *)args;
  (void)grid;
  for (uint64_t p = begin; p < end; ++p) {
    if (stopped(thread))
      return 1;
    thread->program = p;
    for (int64_t i = (int64_t)p * BLOCK; i < (int64_t)(p + 1) * BLOCK && i < a->n; ++i)
      a->out[i] = a->x[i] + a->y[i];
  }
  return 0;
}

/* out[p] = x + 1000 y + 1000000 z, through scratch */
static int32_t ids(const void *args, const trireme_grid *grid, uint64_t begin, uint64_t end,
                   trireme_thread *thread) {
  int64_t *out = *(int64_t *const *)args;
  for (uint64_t p = begin; p < end; ++p) {
    if (stopped(thread))
      return 1;
    thread->program = p;
    int64_t *scratch = (int64_t *)thread->scratch;
    uint64_t x = p % grid->dim[0], y = p / grid->dim[0] % grid->dim[1];
    scratch[1023] = (int64_t)(x + 1000 * y + 1000000 * (p / grid->dim[0] / grid->dim[1]));
    out[p] = scratch[1023];
  }
  return 0;
}

/* writes at argument 0 plus argument 1 bytes in program argument 2 */
struct wild_args {
  char *base;
  int64_t offset;
  int64_t program;
};
static int32_t wild(const void *args, const trireme_grid *grid, uint64_t begin, uint64_t end,
                    trireme_thread *thread) {
  const struct wild_args *a = (const struct wild_args *)args;
  (void)grid;
  for (uint64_t p = begin; p < end; ++p) {
    if (stopped(thread))
      return 1;
    thread->program = p;
    if ((int64_t)p == a->program)
      *(volatile char *)(a->base + a->offset) = 1;
  }
  return 0;
}

/* out[0] = 1/3 under the rounding mode the kernel finds; out[1] = half the least normal */
static int32_t mode(const void *args, const trireme_grid *grid, uint64_t begin, uint64_t end,
                    trireme_thread *thread) {
  float *out = *(float *const *)args;
  volatile float one = 1, three = 3, least = 1.17549435e-38f, half = 0.5f;
  (void)grid, (void)begin, (void)end, (void)thread;
  out[0] = one / three;
  out[1] = least * half;
  return 0;
}

/* out[0] = first word of the scratch as found */
static int32_t peek(const void *args, const trireme_grid *grid, uint64_t begin, uint64_t end,
                    trireme_thread *thread) {
  (void)grid, (void)begin, (void)end;
  **(uint64_t *const *)args = *(uint64_t *)thread->scratch;
  return 0;
}

/* prints two numbers a program, and asserts that none is argument 1 */
struct told_args {
  const int32_t *numbers;
  int32_t never;
};
static int32_t told(const void *args, const trireme_grid *grid, uint64_t begin, uint64_t end,
                    trireme_thread *thread) {
  const struct told_args *a = (const struct told_args *)args;
  const int64_t shape[1] = {2};
  (void)grid;
  for (uint64_t p = begin; p < end; ++p) {
    if (stopped(thread))
      return 1;
    thread->program = p;
    const int32_t *block = a->numbers + 2 * p;
    int32_t other[2] = {a->never, a->never};
    uint8_t differ[2] = {block[0] != a->never, block[1] != a->never};
    thread->services->check(thread, "unlucky", "told.py:7", "i32", differ, block, other, shape,
                            1);
    thread->services->print(thread, " x: ", "i32", block, shape, 1, 0);
  }
  return 0;
}

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define IMAGE(sym, fn, label, scratch, bytes, params)                                        \
  const trireme_image sym = {sizeof(trireme_image), TRIREME_ABI_VERSION, fn, label, "test",  \
                             0, 0, scratch, bytes, COUNT(params), params}

static const trireme_param add_params[] = {
    {"x_ptr", "*fp32", 0, 2},
    {"y_ptr", "*fp32", 8, 2},
    {"out_ptr", "*fp32", 16, 1},
    {"n", "i32", 24, 0}};
static const trireme_param one_param[] = {{"out", "*i64", 0, 1}};
static const trireme_param wild_params[] = {
    {"base", "*i8", 0, 1}, {"offset", "i64", 8, 0}, {"program", "i64", 16, 0}};
static const trireme_param told_params[] = {{"numbers", "*i32", 0, 2}, {"never", "i32", 8, 0}};

/* The type has the same name as the exported constant: C needs a label for the latter. */
extern const trireme_image add_image __asm__("trireme_image");
IMAGE(add_image, add, "add", 0, 28, add_params);
IMAGE(ids_image, ids, "ids", 8192, 8, one_param);
IMAGE(wild_image, wild, "wild", 0, 24, wild_params);
IMAGE(mode_image, mode, "mode", 0, 8, one_param);
IMAGE(peek_image, peek, "peek", 64, 8, one_param);
IMAGE(greedy_image, peek, "greedy", (64ull << 20) + 1, 8, one_param);
IMAGE(told_image, told, "told", 0, 12, told_params);
