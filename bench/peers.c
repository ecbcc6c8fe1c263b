/* Loops to compare with, as one writes them by hand: built with -O3 for this machine. */
#include <math.h>
#include <stddef.h>
#include <string.h>

void gelu_erff(const float *x, float *out, size_t n) {
  for (size_t i = 0; i < n; ++i)
    out[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
}

/* Sums of columns: whole rows are added, so that every access is consecutive; columns go
 * in strips whose sums stay in the first-level cache. */
void sum_columns(const float *restrict x, float *restrict out, size_t rows, size_t columns) {
  enum { STRIP = 1024 };
  for (size_t first = 0; first < columns; first += STRIP) {
    size_t count = columns - first < STRIP ? columns - first : STRIP;
    float *restrict sums = out + first;
    memset(sums, 0, count * sizeof *sums);
    size_t r = 0;
    for (; r + 4 <= rows; r += 4) {
      const float *a = x + r * columns + first, *b = a + columns, *c = b + columns, *d = c + columns;
      for (size_t i = 0; i < count; ++i)
        sums[i] += (a[i] + b[i]) + (c[i] + d[i]);
    }
    for (; r < rows; ++r)
      for (size_t i = 0; i < count; ++i)
        sums[i] += x[r * columns + first + i];
  }
}

/* Square tiles, so that the lines written stay in the cache until they are full. */
void transpose(const float *restrict x, float *restrict out, size_t rows, size_t columns) {
  enum { TILE = 16 };
  for (size_t r = 0; r < rows; r += TILE)
    for (size_t c = 0; c < columns; c += TILE)
      for (size_t i = r; i < r + TILE && i < rows; ++i)
        for (size_t j = c; j < c + TILE && j < columns; ++j)
          out[j * rows + i] = x[i * columns + j];
}
