"""The kernels of `breadth.py`, as people write them."""

import triton
import triton.language as tl


@triton.jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, 0.5 * x * (1 + tl.erf(x * 0.70710678)), mask=i < n)


@triton.jit
def layer_norm(x_ptr, w_ptr, b_ptr, out_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    mean = tl.sum(x, 0) / n
    centred = tl.where(i < n, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, 0) / n + eps)
    w, b = tl.load(w_ptr + i, mask=i < n), tl.load(b_ptr + i, mask=i < n)
    tl.store(out_ptr + row * n + i, centred * scale * w + b, mask=i < n)


@triton.jit
def cross_entropy(x_ptr, label_ptr, loss_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=-float("inf"))
    largest = tl.max(x, 0)
    total = tl.sum(tl.exp(x - largest), 0)
    chosen = tl.load(x_ptr + row * n + tl.load(label_ptr + row))
    tl.store(loss_ptr + row, tl.log(total) + largest - chosen)


@triton.jit
def sum_columns(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), tl.float32)
    for first in range(0, rows, ROWS):
        r = first + tl.arange(0, ROWS)
        x = tl.load(x_ptr + r[:, None] * columns + c[None, :],
                    mask=(r < rows)[:, None] & (c < columns)[None, :], other=0.0)
        total += tl.sum(x, 0)
    tl.store(out_ptr + c, total, mask=c < columns)


@triton.jit
def transpose(x_ptr, out_ptr, rows, columns, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = (r < rows)[:, None] & (c < columns)[None, :]
    x = tl.load(x_ptr + r[:, None] * columns + c[None, :], mask=inside)
    tl.store(out_ptr + c[:, None] * rows + r[None, :], tl.trans(x), mask=tl.trans(inside))


@triton.jit
def embedding(ids_ptr, table_ptr, out_ptr, n, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, WIDTH)
    ids = tl.load(ids_ptr + r, mask=r < n, other=0)
    x = tl.load(table_ptr + ids[:, None] * WIDTH + c[None, :], mask=(r < n)[:, None])
    tl.store(out_ptr + r[:, None] * WIDTH + c[None, :], x, mask=(r < n)[:, None])


@triton.jit
def embedding_row(ids_ptr, table_ptr, out_ptr, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, WIDTH)
    tl.store(out_ptr + row * WIDTH + c, tl.load(table_ptr + tl.load(ids_ptr + row) * WIDTH + c))


@triton.jit
def random(out_ptr, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.rand(seed, i), mask=i < n)


@triton.jit
def normal(out_ptr, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.randn(seed, i), mask=i < n)


@triton.jit
def count(x_ptr, bins_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.atomic_add(bins_ptr + x, 1, mask=i < n)


@triton.jit
def histogram(x_ptr, bins_ptr, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.atomic_add(bins_ptr + tl.arange(0, BINS), tl.histogram(x, BINS, mask=i < n))


@triton.jit
def one_element(out_ptr):
    tl.store(out_ptr + tl.program_id(0), 1.0)
