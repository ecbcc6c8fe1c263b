"""Matrix-vector, batched and block-pointer products, and what people fuse into them."""

import math

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

NARROW = [np.float32, np.float16, ml_dtypes.bfloat16]


def normal(rng, shape, dtype=np.float32, at_end=True):
    return guarded_copy(rng.standard_normal(shape).astype(dtype), at_end)


def check(out, a, b, dtype=np.float32, extra=0.0, epilogue=lambda x: x):
    """``epilogue`` has a slope of at most 1; ``extra`` is what is added to the product."""
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    size = np.abs(wide_a) @ np.abs(wide_b) + np.abs(extra) + 1
    assert_close(out, epilogue(wide_a @ wide_b + extra), dtype, max(a.shape[-1], 1), magnitude=size)


@triton.jit
def matrix_vector_kernel(a_ptr, x_ptr, y_ptr, M, N, am, an, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros([BM], tl.float32)
    for start in range(0, N, BN):
        n = start + tl.arange(0, BN)
        a = tl.load(a_ptr + m[:, None] * am + n[None, :] * an,
                    mask=(m[:, None] < M) & (n[None, :] < N), other=0.0)
        x = tl.load(x_ptr + n, mask=n < N, other=0.0)
        total += tl.sum(a.to(tl.float32) * x.to(tl.float32)[None, :], axis=1)
    tl.store(y_ptr + m, total, mask=m < M)


@cases(dtype=NARROW, shape=[(1, 1), (5, 100), (64, 32), (100, 7), (33, 0)],
       transposed=[False, True], tile=[(1, 64), (16, 16), (32, 8)], at_end=[True, False])
def test_matrix_vector(dtype, shape, transposed, tile, at_end):
    M, N = shape
    rng = np.random.default_rng(M)
    a = normal(rng, (N, M) if transposed else (M, N), dtype, at_end)
    a = a.T if transposed else a
    x, y = normal(rng, N, dtype, at_end), guarded(M, np.float32, at_end)
    steps = (1, M) if transposed else (N, 1)
    matrix_vector_kernel[(triton.cdiv(M, tile[0]),)](a, x, y, M, N, *steps, BM=tile[0], BN=tile[1])
    check(y, a, x)


@triton.jit
def block_pointer_kernel(a_ptr, b_ptr, c_ptr, M, N, K, am, ak, bk, bn, BM: tl.constexpr,
                         BN: tl.constexpr, BK: tl.constexpr, PADDING: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    a = tl.make_block_ptr(a_ptr, (M, K), (am, ak), (row, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (bk, bn), (0, column), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc += tl.dot(tl.load(a, boundary_check=(0, 1), padding_option=PADDING),
                      tl.load(b, boundary_check=(0, 1), padding_option=PADDING))
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (row, column), (BM, BN), (1, 0))
    tl.store(c, acc.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@cases(dtype=NARROW, shape=[(16, 16, 16), (33, 40, 20), (1, 7, 50), (70, 3, 1), (64, 64, 64)],
       order=["nn", "tn", "nt"], tile=[(16, 16, 16), (32, 64, 8)], at_end=[True, False])
def test_block_pointers(dtype, shape, order, tile, at_end):
    M, N, K = shape
    rng = np.random.default_rng(K)
    a = normal(rng, (K, M) if order[0] == "t" else (M, K), dtype, at_end)
    b = normal(rng, (N, K) if order[1] == "t" else (K, N), dtype, at_end)
    a, b = a.T if order[0] == "t" else a, b.T if order[1] == "t" else b
    c = guarded((M, N), dtype, at_end)
    steps = [s // a.itemsize for s in a.strides + b.strides]
    block_pointer_kernel[(triton.cdiv(M, tile[0]), triton.cdiv(N, tile[1]))](
        a, b, c, M, N, K, *steps, BM=tile[0], BN=tile[1], BK=tile[2], PADDING="zero")
    check(c, a, b)


def test_block_pointers_pad_with_nan():
    """What lies past K is NaN then, and shows in the product."""
    a, b = (guarded_copy(np.ones((16, 16), np.float32)) for _ in range(2))
    c = guarded((16, 16), np.float32)
    block_pointer_kernel[(1, 1)](a, b, c, 16, 16, 16, 16, 1, 16, 1, BM=16, BN=16, BK=16,
                                 PADDING="nan")
    assert (c == 16).all()
    block_pointer_kernel[(1, 1)](a, b, c, 16, 16, 15, 16, 1, 16, 1, BM=16, BN=16, BK=16,
                                 PADDING="nan")
    assert np.isnan(c).all()


@triton.jit
def batched_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BB: tl.constexpr, BM: tl.constexpr,
                   BN: tl.constexpr, BK: tl.constexpr, BATCH: tl.constexpr):
    """``BB`` products a program, as one product of three-dimensional blocks."""
    e = tl.program_id(0) * BB + tl.arange(0, BB)[:, None, None]
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    n = tl.program_id(2) * BN + tl.arange(0, BN)
    acc = tl.zeros((BB, BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + e * M * K + m[None, :, None] * K + k[None, None, :],
                    mask=(e < BATCH) & (m[None, :, None] < M) & (k[None, None, :] < K), other=0.0)
        b = tl.load(b_ptr + e * K * N + k[None, :, None] * N + n[None, None, :],
                    mask=(e < BATCH) & (k[None, :, None] < K) & (n[None, None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + e * M * N + m[None, :, None] * N + n[None, None, :], acc,
             mask=(e < BATCH) & (m[None, :, None] < M) & (n[None, None, :] < N))


@cases(dtype=NARROW, shape=[(1, 16, 16, 16), (3, 20, 9, 33), (5, 1, 40, 17)], together=[1, 2, 4],
       at_end=[True, False])
def test_batched(dtype, shape, together, at_end):
    B, M, N, K = shape
    rng = np.random.default_rng(B)
    a, b = normal(rng, (B, M, K), dtype, at_end), normal(rng, (B, K, N), dtype, at_end)
    c = guarded((B, M, N), np.float32, at_end)
    batched_kernel[(triton.cdiv(B, together), triton.cdiv(M, 16), triton.cdiv(N, 16))](
        a, b, c, M, N, K, BB=together, BM=16, BN=16, BK=16, BATCH=B)
    check(c, a, b)


@triton.jit
def activation(x, WHAT: tl.constexpr):
    if WHAT == "relu":
        return tl.maximum(x, 0.0)
    elif WHAT == "silu":
        return x * tl.sigmoid(x)
    elif WHAT == "gelu":
        return 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))
    else:
        return x


@triton.jit
def linear_kernel(x_ptr, w_ptr, bias_ptr, residual_ptr, out_ptr, M, N, K, BM: tl.constexpr,
                  BN: tl.constexpr, BK: tl.constexpr, WHAT: tl.constexpr):
    """activation(x @ w.T + bias) + residual; weights lie as rows of outputs."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :],
                    mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + n[:, None] * K + k[None, :],
                    mask=(n[:, None] < N) & (k[None, :] < K), other=0.0)
        acc = tl.dot(x, tl.trans(w), acc)
    if bias_ptr is not None:
        acc += tl.load(bias_ptr + n, mask=n < N, other=0.0)[None, :]
    out = activation(acc, WHAT)
    inside = (m[:, None] < M) & (n[None, :] < N)
    at = m[:, None] * N + n[None, :]
    if residual_ptr is not None:
        out += tl.load(residual_ptr + at, mask=inside, other=0.0)
    tl.store(out_ptr + at, out.to(out_ptr.dtype.element_ty), mask=inside)


def exact_activation(x, what):
    if what == "relu":
        return np.maximum(x, 0)
    if what == "silu":
        return x / (1 + np.exp(-x))
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / np.sqrt(2))) if what == "gelu" else x


@cases(dtype=NARROW, shape=[(1, 64, 64), (20, 33, 50), (64, 16, 7)],
       what=["none", "relu", "silu", "gelu"], bias=[True, False], residual=[True, False])
def test_linear_layer(dtype, shape, what, bias, residual):
    M, N, K = shape
    rng = np.random.default_rng(N)
    x, w = normal(rng, (M, K), dtype), normal(rng, (N, K), dtype)
    b = normal(rng, N, dtype) if bias else None
    r = normal(rng, (M, N), dtype) if residual else None
    out = guarded((M, N), dtype)
    linear_kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, b, r, out, M, N, K, BM=16,
                                                            BN=16, BK=16, WHAT=what)
    added = 0.0 if r is None else r.astype(np.float64)
    check(out, x, w.T, extra=0.0 if b is None else b.astype(np.float64)[None, :],
          epilogue=lambda y: exact_activation(y, what) + added)


@triton.jit
def split_k_kernel(a_ptr, b_ptr, part_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
                   BK: tl.constexpr):
    """Program (., ., s) multiplies every num_programs(2)-th slice of K."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    split = tl.program_id(2)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(split * BK, K, BK * tl.num_programs(2)):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + (m[:, None] % M) * K + k[None, :], mask=k[None, :] < K, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + (n[None, :] % N), mask=k[:, None] < K, other=0.0)
        acc += tl.dot(a, b)
    tl.store(part_ptr + split * M * N + m[:, None] * N + n[None, :], acc,
             mask=(m[:, None] < M) & (n[None, :] < N))


@pytest.mark.parametrize("splits", [1, 3])
def test_split_k(splits, at_end):
    M, N, K = 20, 37, 90
    rng = np.random.default_rng(1)
    a, b = normal(rng, (M, K), at_end=at_end), normal(rng, (K, N), at_end=at_end)
    parts = guarded((splits, M, N), np.float32, at_end)
    split_k_kernel[(2, 3, splits)](a, b, parts, M, N, K, BM=16, BN=16, BK=16)
    check(parts.sum(0), a, b)


@triton.jit
def small_product_kernel(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """out_dtype f16: rounded once from the f32 sum."""
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n[None, :])
    tl.store(c_ptr + m[:, None] * N + n[None, :], tl.dot(a, b, out_dtype=tl.float16))


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 16, 4), (8, 1, 16), (2, 4, 128), (32, 32, 1)],
                         ids=str)
def test_small_products_to_f16(shape):
    M, N, K = shape
    rng = np.random.default_rng(2)
    a, b = normal(rng, (M, K), np.float16), normal(rng, (K, N), np.float16)
    c = guarded((M, N), np.float16)
    small_product_kernel[(1,)](a, b, c, *shape)
    check(c, a, b)


@triton.jit
def wrapped_columns_kernel(a_ptr, b_ptr, c_ptr, N, shift, stride, M: tl.constexpr,
                           BN: tl.constexpr, K: tl.constexpr):
    """Column j of a tile is column (start + j + shift) % N, which keeps the sign of the left."""
    m, k = tl.arange(0, M), tl.arange(0, K)
    n = (tl.program_id(0) * BN + tl.arange(0, BN) + shift) % N
    a = tl.load(a_ptr + m[:, None] * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * stride + n[None, :])
    j = tl.program_id(0) * BN + tl.arange(0, BN)
    tl.store(c_ptr + m[:, None] * (BN * tl.num_programs(0)) + j[None, :], tl.dot(a, b))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("shift", [0, 3, -5, -64, 1000, -2**31, 2**31 - 64])
@pytest.mark.parametrize("N", [1, 7, 32, 33, 40, 64, 96])
def test_tiles_that_wrap_around(N, shift, dtype):
    """Consecutive columns where the tile does not reach the edge, any other way where it does."""
    M, BN, K, tiles = 16, 32, 16, 2
    rng = np.random.default_rng(9)
    a, b = normal(rng, (M, K), dtype), normal(rng, (K, 2 * N - 1), dtype)
    c = guarded((M, BN * tiles), np.float32)
    wrapped_columns_kernel[(tiles,)](a, b[:, N - 1:], c, N, shift, 2 * N - 1, M, BN, K)
    columns = (np.arange(BN * tiles) + shift + 2**31) % 2**32 - 2**31  # in 32 bits
    check(c, a, b[:, N - 1 + np.fmod(columns, N)])


@triton.jit
def few_rows_kernel(a_ptr, b_ptr, c_ptr, K, N, M: tl.constexpr, BN: tl.constexpr,
                    BK: tl.constexpr, START: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, BN), tl.arange(0, BK)
    acc = tl.full((M, BN), START, c_ptr.dtype.element_ty)
    for step in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * K + (step + k)[None, :], mask=(step + k)[None, :] < K,
                    other=0)
        b = tl.load(b_ptr + (step + k)[:, None] * N + n[None, :],
                    mask=((step + k)[:, None] < K) & (n[None, :] < N), other=0)
        acc = tl.dot(a, b, acc, out_dtype=c_ptr.dtype.element_ty)
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc, mask=n[None, :] < N)


@pytest.mark.parametrize("dtypes", [(np.float32, np.float32), (np.float16, np.float32),
                                    (np.float16, np.float16), (np.int8, np.int32)], ids=str)
@pytest.mark.parametrize("M", [1, 2, 4])
@pytest.mark.parametrize("N,BK", [(2048, 16), (1500, 8), (2048, 2), (2047, 1)])
def test_few_long_rows(M, N, BK, dtypes):
    """B goes by as a stream of rows; C is read and written for every few of them."""
    from_type, to_type = dtypes
    K, BN = 45, 2048
    rng = np.random.default_rng(4)
    if from_type == np.int8:
        a, b = (guarded_copy(rng.integers(-128, 128, s, dtype=np.int8)) for s in ((M, K), (K, N)))
    else:
        a, b = normal(rng, (M, K), from_type), normal(rng, (K, N), from_type)
    c = guarded((M, N), to_type)
    few_rows_kernel[(1,)](a, b, c, K, N, M, BN, BK, START=3)
    if to_type == np.int32:
        np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32) + 3)
    else:
        exact = a.astype(np.float64) @ b.astype(np.float64) + 3
        magnitude = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64)) + 3
        # An f16 accumulator is rounded once a step.
        terms = K if to_type == np.float32 else -(-K // BK)
        assert_close(c, exact, to_type, terms=terms, magnitude=magnitude)
