"""Normalisation and softmax in the forms people write them, forward and backward."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

EPS = 1e-5
HALF = [np.float16, ml_dtypes.bfloat16]


def normal(rng, shape, dtype=np.float32, at_end=True):
    return guarded_copy(rng.standard_normal(shape).astype(dtype), at_end)


@triton.jit
def online_softmax_kernel(x_ptr, out_ptr, stride, n, BLOCK: tl.constexpr):
    """The largest value and the sum are kept for each lane and joined at the end."""
    row = tl.program_id(0)
    high = tl.full([BLOCK], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + i, mask=i < n, other=-float("inf")).to(tl.float32)
        new = tl.maximum(high, x)
        safe = tl.where(new == -float("inf"), 0.0, new)
        total = total * tl.exp(high - safe) + tl.exp(x - safe)
        high = new
    highest = tl.max(high, axis=0)
    total = tl.sum(total * tl.exp(high - highest), axis=0)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + i, mask=i < n).to(tl.float32)
        tl.store(out_ptr + row * stride + i, tl.exp(x - highest) / total, mask=i < n)


@cases(dtype=[np.float32, *HALF], n=[1, 15, 64, 100, 333], pad=[0, 5], block=[16, 64, 256],
       at_end=[True, False])
def test_online_softmax(dtype, n, pad, block, at_end):
    x = normal(np.random.default_rng(n), (3, n + pad), dtype, at_end)[:, :n]
    out = guarded((3, n + pad), dtype, at_end)[:, :n]
    online_softmax_kernel[(3,)](x, out, n + pad, n, BLOCK=block)
    wide = x.astype(np.float64)
    spread = np.abs(wide - wide.max(1, keepdims=True)).max() + 8
    e = np.exp(wide - wide.max(1, keepdims=True))
    assert_close(out, e / e.sum(1, keepdims=True), np.float32, n, ulps=spread)


@triton.jit
def softmax_backward_kernel(y_ptr, dy_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    y = tl.load(y_ptr + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    dx = y * (dy - tl.sum(y * dy, axis=0))
    tl.store(dx_ptr + row * n + i, dx, mask=i < n)


@pytest.mark.parametrize("n", [5, 64, 90])
def test_softmax_backward(n, at_end):
    rng = np.random.default_rng(n)
    y = np.exp(rng.standard_normal((4, n)))
    y = guarded_copy((y / y.sum(1, keepdims=True)).astype(np.float32), at_end)
    dy, dx = normal(rng, (4, n), at_end=at_end), guarded((4, n), np.float32, at_end)
    softmax_backward_kernel[(4,)](y, dy, dx, n, BLOCK=triton.next_power_of_2(n))
    wide, wide_dy = y.astype(np.float64), dy.astype(np.float64)
    exact = wide * (wide_dy - (wide * wide_dy).sum(1, keepdims=True))
    size = wide * (np.abs(wide_dy) + np.abs(wide * wide_dy).sum(1, keepdims=True))
    assert_close(dx, exact, np.float32, n, magnitude=size)


@triton.jit
def layer_norm_forward_kernel(x_ptr, w_ptr, b_ptr, y_ptr, mean_ptr, rstd_ptr, n, eps,
                              BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    centred = tl.where(i < n, x - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    w, b = tl.load(w_ptr + i, mask=i < n), tl.load(b_ptr + i, mask=i < n)
    tl.store(y_ptr + row * n + i, centred * rstd * w + b, mask=i < n)


@triton.jit
def row_gradient(x_ptr, dy_ptr, dx_ptr, w, mean_ptr, rstd_ptr, row, n, i):
    """Stores dx of a row; gives the row's terms of the gradients of weight and bias."""
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    rstd = tl.load(rstd_ptr + row)
    scaled = tl.where(i < n, (x - tl.load(mean_ptr + row)) * rstd, 0.0)
    wdy = w * dy
    along, level = tl.sum(scaled * wdy, axis=0) / n, tl.sum(wdy, axis=0) / n
    tl.store(dx_ptr + row * n + i, (wdy - scaled * along - level) * rstd, mask=i < n)
    return dy * scaled, dy


@triton.jit
def partial_backward_kernel(x_ptr, w_ptr, dy_ptr, mean_ptr, rstd_ptr, dx_ptr, dw_ptr, db_ptr,
                            rows, n, BLOCK: tl.constexpr):
    """Each program takes every num_programs-th row and keeps its own sums."""
    i = tl.arange(0, BLOCK)
    w = tl.load(w_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    dw, db = tl.zeros([BLOCK], tl.float32), tl.zeros([BLOCK], tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        dw_row, db_row = row_gradient(x_ptr, dy_ptr, dx_ptr, w, mean_ptr, rstd_ptr, row, n, i)
        dw += dw_row
        db += db_row
    tl.store(dw_ptr + tl.program_id(0) * n + i, dw, mask=i < n)
    tl.store(db_ptr + tl.program_id(0) * n + i, db, mask=i < n)


@triton.jit
def sum_partial_kernel(part_ptr, out_ptr, parts, n, BM: tl.constexpr, BN: tl.constexpr):
    i = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], tl.float32)
    for start in range(0, parts, BM):
        m = start + tl.arange(0, BM)
        total += tl.load(part_ptr + m[:, None] * n + i[None, :],
                         mask=(m[:, None] < parts) & (i[None, :] < n), other=0.0)
    tl.store(out_ptr + i, tl.sum(total, axis=0), mask=i < n)


class LayerNorm:
    """Operands, forward results and exact gradients of one layer norm."""

    def __init__(self, rows, n, dtype, at_end=True):
        rng = np.random.default_rng(n)
        self.x, self.dy = (normal(rng, (rows, n), dtype, at_end) for _ in range(2))
        self.w, self.b = (normal(rng, n, dtype, at_end) for _ in range(2))
        self.y, self.dx = (guarded((rows, n), dtype, at_end) for _ in range(2))
        self.mean, self.rstd = guarded(rows, np.float32), guarded(rows, np.float32)
        self.rows, self.n = rows, n
        x, w, dy = (v.astype(np.float64) for v in (self.x, self.w, self.dy))
        self.exact_rstd = 1 / np.sqrt(x.var(1) + EPS)
        self.scaled = (x - x.mean(1, keepdims=True)) * self.exact_rstd[:, None]
        wdy = w * dy
        along, level = (self.scaled * wdy).mean(1), wdy.mean(1)
        self.exact_dx = (wdy - self.scaled * along[:, None] - level[:, None]) \
            * self.exact_rstd[:, None]
        self.size_dx = (np.abs(wdy) + np.abs(self.scaled) * np.abs(self.scaled * wdy).mean(1)[:, None]
                        + np.abs(wdy).mean(1)[:, None]) * self.exact_rstd[:, None]

    def forward(self):
        layer_norm_forward_kernel[(self.rows,)](
            self.x, self.w, self.b, self.y, self.mean, self.rstd, self.n, EPS,
            BLOCK=triton.next_power_of_2(self.n))

    def check_backward(self, dw, db):
        dy = self.dy.astype(np.float64)
        terms = self.rows + self.n
        # The error of mean and rstd, of n terms each, goes into every product.
        assert_close(self.dx, self.exact_dx, np.float32, terms, magnitude=2 * self.size_dx)
        assert_close(dw, (dy * self.scaled).sum(0), np.float32, terms,
                     magnitude=2 * (np.abs(dy) * (np.abs(self.scaled) + 1)).sum(0))
        assert_close(db, dy.sum(0), np.float32, terms, magnitude=np.abs(dy).sum(0))


@cases(dtype=[np.float32, *HALF], n=[3, 64, 200], rows=[1, 17], parts=[1, 4],
       at_end=[True, False])
def test_layer_norm_with_partial_sums(dtype, n, rows, parts, at_end):
    case = LayerNorm(rows, n, dtype, at_end)
    case.forward()
    exact = case.scaled * case.w.astype(np.float64) + case.b.astype(np.float64)
    assert_close(case.y, exact, np.float32, n, magnitude=np.abs(exact) + 4 * np.abs(case.scaled) + 4)
    assert_close(case.rstd, case.exact_rstd, np.float32, n)
    dw_parts, db_parts = (guarded((parts, n), np.float32, at_end) for _ in range(2))
    partial_backward_kernel[(parts,)](
        case.x, case.w, case.dy, case.mean, case.rstd, case.dx, dw_parts, db_parts, rows, n,
        BLOCK=triton.next_power_of_2(n))
    dw, db = guarded(n, np.float32, at_end), guarded(n, np.float32, at_end)
    for part, total in ((dw_parts, dw), (db_parts, db)):
        sum_partial_kernel[(triton.cdiv(n, 32),)](part, total, parts, n, BM=8, BN=32)
    case.check_backward(dw, db)


@triton.jit
def welford_step(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    count = count_a + count_b
    share = tl.where(count == 0.0, 0.0, count_b / tl.maximum(count, 1.0))
    delta = mean_b - mean_a
    return mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share, count


@triton.jit
def variance_kernel(x_ptr, mean_ptr, variance_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr,
                    AXIS: tl.constexpr):
    """Three values a lane are carried over the tiles and reduced along one axis."""
    outer: tl.constexpr = BM if AXIS == 1 else BN
    inner: tl.constexpr = BN if AXIS == 1 else BM
    kept, gone = (M, N) if AXIS == 1 else (N, M)
    at = tl.program_id(0) * outer + tl.arange(0, outer)
    mean, m2, count = (tl.zeros([BM, BN], tl.float32), tl.zeros([BM, BN], tl.float32),
                       tl.zeros([BM, BN], tl.float32))
    for start in range(0, gone, inner):
        over = start + tl.arange(0, inner)
        m, n = (at[:, None], over[None, :]) if AXIS == 1 else (over[:, None], at[None, :])
        inside = (m < M) & (n < N)
        x = tl.load(x_ptr + m * N + n, mask=inside, other=0.0)
        mean, m2, count = welford_step(mean, m2, count, x, 0.0, tl.where(inside, 1.0, 0.0))
    mean, m2, count = tl.reduce((mean, m2, count), AXIS, welford_step)
    tl.store(mean_ptr + at, mean, mask=at < kept)
    tl.store(variance_ptr + at, m2 / count, mask=at < kept)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(1, 40), (40, 33), (100, 7)], ids=str)
def test_variance_along_an_axis(axis, shape, at_end):
    rng = np.random.default_rng(9)
    x = guarded_copy((50 + rng.standard_normal(shape)).astype(np.float32), at_end)
    kept, terms = shape[1 - axis], shape[axis]
    mean, variance = guarded(kept, np.float32, at_end), guarded(kept, np.float32, at_end)
    tile = (16, 8)
    variance_kernel[(triton.cdiv(kept, tile[1 - axis]),)](x, mean, variance, *shape, BM=16, BN=8,
                                                          AXIS=axis)
    wide = x.astype(np.float64)
    assert_close(mean, wide.mean(axis), np.float32, terms)
    # The steps' means are rounded at 50: what that puts into a deviation of about 1.
    assert_close(variance, wide.var(axis), np.float32, terms, magnitude=50 * (wide.var(axis) + 1))


@triton.jit
def group_norm_kernel(x_ptr, w_ptr, out_ptr, C, S, eps, G: tl.constexpr, BC: tl.constexpr,
                      BS: tl.constexpr):
    """One program a group of channels, as one tile; sums over all of it."""
    image, group = tl.program_id(0), tl.program_id(1)
    size = C // G
    c, s = tl.arange(0, BC), tl.arange(0, BS)
    inside = (c[:, None] < size) & (s[None, :] < S)
    at = image * C * S + (group * size + c[:, None]) * S + s[None, :]
    x = tl.load(x_ptr + at, mask=inside, other=0.0)
    count = size * S
    mean = tl.sum(x) / count
    centred = tl.where(inside, x - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred) / count + eps)
    w = tl.load(w_ptr + group * size + c, mask=c < size)
    tl.store(out_ptr + at, centred * scale * w[:, None], mask=inside)


@pytest.mark.parametrize("shape", [(2, 6, 10, 3), (1, 8, 33, 2)], ids=str)
def test_group_norm(shape, at_end):
    B, C, S, G = shape
    rng = np.random.default_rng(S)
    x, w = normal(rng, (B, C, S), at_end=at_end), normal(rng, C, at_end=at_end)
    out = guarded((B, C, S), np.float32, at_end)
    group_norm_kernel[(B, G)](x, w, out, C, S, EPS, G=G, BC=4, BS=64)
    wide = x.astype(np.float64).reshape(B, G, -1)
    scaled = (wide - wide.mean(2, keepdims=True)) / np.sqrt(wide.var(2, keepdims=True) + EPS)
    exact = scaled.reshape(B, C, S) * w[:, None]
    assert_close(out, exact, np.float32, S * C // G, magnitude=np.abs(exact) + np.abs(w[:, None]))
