"""Rows, columns, transposes and products."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from tolerance import assert_close

FLOATS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
NAMES = dict(ids=lambda d: np.dtype(d).name)


@triton.jit
def softmax_kernel(out_ptr, x_ptr, out_stride, x_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * x_stride + offsets, mask=mask, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * out_stride + offsets, e / tl.sum(e, axis=0), mask=mask)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], **NAMES)
@pytest.mark.parametrize("columns", [1, 3, 8, 17, 64, 100, 255, 256])
def test_softmax(dtype, columns, at_end):
    rng = np.random.default_rng(columns)
    x = guarded_copy((3 * rng.standard_normal((5, columns))).astype(dtype), at_end)
    out = guarded(x.shape, dtype, at_end)
    softmax_kernel[(5,)](out, x, columns, columns, columns, BLOCK=triton.next_power_of_2(columns))
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(1, keepdims=True))
    # exp's argument is rounded: its error is relative to the argument's size.
    spread = float(np.abs(wide - wide.max(1, keepdims=True)).max()) + 4
    assert_close(out, e / e.sum(1, keepdims=True), np.float32, columns, ulps=spread)


@triton.jit
def row_sum_kernel(x_ptr, out_ptr, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + offsets, mask=offsets < columns, other=0.0)
    tl.store(out_ptr + row, tl.sum(total, axis=0))


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.int32], **NAMES)
@pytest.mark.parametrize("columns", [0, 1, 31, 32, 33, 500])
def test_row_sum(dtype, columns, at_end):
    rng = np.random.default_rng(columns)
    values = rng.integers(-9, 9, (6, columns)) if dtype == np.int32 else rng.standard_normal((6, columns))
    x = guarded_copy(values.astype(dtype), at_end)
    out = guarded(6, np.float32, at_end)
    row_sum_kernel[(6,)](x, out, columns, columns, BLOCK=32)
    wide = x.astype(np.float64)
    assert_close(out, wide.sum(1), np.float32, max(columns, 1), magnitude=np.abs(wide).sum(1))


@triton.jit
def transpose_kernel(x_ptr, out_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (m[:, None] < rows) & (n[None, :] < columns)
    x = tl.load(x_ptr + m[:, None] * columns + n[None, :], mask=mask)
    out_mask = (n[:, None] < columns) & (m[None, :] < rows)
    tl.store(out_ptr + n[:, None] * rows + m[None, :], tl.trans(x), mask=out_mask)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int8, np.int64], **NAMES)
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (16, 16), (17, 33), (40, 64)])
def test_transpose(dtype, shape, at_end):
    rng = np.random.default_rng(4)
    x = guarded_copy((rng.standard_normal(shape) * 50).astype(dtype), at_end)
    out = guarded(shape[::-1], dtype, at_end)
    grid = (triton.cdiv(shape[0], 16), triton.cdiv(shape[1], 32))
    transpose_kernel[grid](x, out, *shape, BM=16, BN=32)
    np.testing.assert_array_equal(out, x.T)


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, am, ak, bk, bn, cm, cn, BM: tl.constexpr,
                  BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr = tl.float32):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_ptrs = a_ptr + m[:, None] * am + k[None, :] * ak
    b_ptrs = b_ptr + k[:, None] * bk + n[None, :] * bn
    acc = tl.zeros((BM, BN), dtype=ACC)
    for start in range(0, K, BK):
        inside = k < K - start
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & inside[None, :], other=0)
        b = tl.load(b_ptrs, mask=inside[:, None] & (n[None, :] < N), other=0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * ak
        b_ptrs += BK * bk
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c_ptr + m[:, None] * cm + n[None, :] * cn, acc, mask=mask)


SHAPES = [(1, 1, 1), (16, 16, 16), (33, 17, 9), (64, 64, 64), (65, 70, 40), (5, 100, 1), (32, 48, 0)]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], **NAMES)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: "x".join(map(str, s)))
@pytest.mark.parametrize("order", ["nn", "tn", "nt"])
def test_matmul(dtype, shape, order, at_end):
    M, N, K = shape
    rng = np.random.default_rng(5)
    make = lambda r, c, t: guarded_copy(  # noqa: E731
        rng.standard_normal((c, r) if t else (r, c)).astype(dtype), at_end)
    a, b = make(M, K, order[0] == "t"), make(K, N, order[1] == "t")
    a, b = (a.T if order[0] == "t" else a), (b.T if order[1] == "t" else b)
    c = guarded((M, N), np.float32, at_end)
    e = a.itemsize
    matmul_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](
        a, b, c, M, N, K, a.strides[0] // e, a.strides[1] // e, b.strides[0] // e,
        b.strides[1] // e, N, 1, BM=32, BN=32, BK=16)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    assert_close(c, wide_a @ wide_b, np.float32, max(K, 1),
                 magnitude=np.abs(wide_a) @ np.abs(wide_b))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: "x".join(map(str, s)))
def test_matmul_f64(shape, at_end):
    M, N, K = shape
    rng = np.random.default_rng(6)
    a, b = (guarded_copy(rng.standard_normal(s), at_end) for s in ((M, K), (K, N)))
    c = guarded((M, N), np.float64, at_end)
    matmul_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](
        a, b, c, M, N, K, K, 1, N, 1, N, 1, BM=32, BN=32, BK=16, ACC=tl.float64)
    wide_a, wide_b = a.astype(np.longdouble), b.astype(np.longdouble)
    assert_close(c, (wide_a @ wide_b).astype(np.float64), np.float64, max(K, 1),
                 magnitude=np.abs(a) @ np.abs(b))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: "x".join(map(str, s)))
def test_matmul_int8(shape, at_end):
    M, N, K = shape
    rng = np.random.default_rng(7)
    a, b = (guarded_copy(rng.integers(-128, 128, s, dtype=np.int8), at_end)
            for s in ((M, K), (K, N)))
    c = guarded((M, N), np.int32, at_end)
    matmul_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](
        a, b, c, M, N, K, K, 1, N, 1, N, 1, BM=32, BN=32, BK=16, ACC=tl.int32)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32))


@pytest.mark.parametrize("dtype", [np.float32, np.float16], **NAMES)
def test_matmul_propagates_nan_and_inf(dtype):
    a, b = np.ones((32, 32), dtype), np.ones((32, 32), dtype)
    a[3, 5], a[7, 2], b[9, 11] = np.nan, np.inf, -np.inf
    c = guarded((32, 32), np.float32)
    matmul_kernel[(1, 1)](a, b, c, 32, 32, 32, 32, 1, 32, 1, 32, 1, BM=32, BN=32, BK=16)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


@triton.jit
def large_scratch(x_ptr, out_ptr, N: tl.constexpr, COUNT: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros([N], tl.float64)
    for k in tl.static_range(COUNT):
        x = tl.load(x_ptr + k + i).to(tl.float64)
        total += tl.cumsum(x, axis=0) / tl.sum(x, axis=0)
    tl.store(out_ptr + i, total)


def test_scratch_has_a_limit():
    x, out = np.ones((1 << 20) + 64), np.zeros(1 << 20)
    with pytest.raises(triton.CompilationError, match="large_scratch.*scratch.*67108864|scratch"):
        large_scratch[(1,)](x, out, N=1 << 20, COUNT=64)
    large_scratch[(1,)](x, out, N=1 << 10, COUNT=4)
    np.testing.assert_allclose(out[:1024], 4 * np.arange(1, 1025) / 1024, rtol=1e-15)
