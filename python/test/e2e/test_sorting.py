"""Sorting networks, with and without a payload, and what is built on them."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from conftest import ALL
from guarded import guarded, guarded_copy
from pairwise import cases

DTYPES = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int8, np.uint8, np.int32,
          np.uint32, np.int64, np.uint64]


def values(rng, shape, dtype):
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return guarded_copy(rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True))
    return guarded_copy(rng.standard_normal(shape).astype(dtype))


@triton.jit
def sort_kernel(x_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr, DESCENDING: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out_ptr + at, tl.sort(tl.load(x_ptr + at), descending=DESCENDING))


@cases(dtype=DTYPES, shape=[(1, 1), (1, 64), (4, 8)] + [(2, 1024)] * ALL, descending=[False, True],
       few=[False, True])
def test_rows_sorted(dtype, shape, descending, few):
    x = values(np.random.default_rng(1), shape, dtype)
    if few:
        x[...] = x.ravel()[0]
        x[:, ::3] = np.dtype(dtype).type(1)
    out = guarded(shape, dtype)
    sort_kernel[(1,)](x, out, *shape, descending)
    expected = np.sort(x, axis=1)
    np.testing.assert_array_equal(out, expected[:, ::-1] if descending else expected)


@triton.jit
def top_kernel(x_ptr, out_ptr, n, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=-float("inf"))
    tl.store(out_ptr + row * K + tl.arange(0, K), tl.topk(x, K))


@pytest.mark.parametrize("k", [1, 2, 8, 32])
@pytest.mark.parametrize("n", [32, 50, 64])
def test_largest_k(k, n, at_end):
    x = guarded_copy(np.random.default_rng(k).standard_normal((5, n)).astype(np.float32), at_end)
    out = guarded((5, k), np.float32, at_end)
    top_kernel[(5,)](x, out, n, N=triton.next_power_of_2(n), K=k)
    np.testing.assert_array_equal(out, np.sort(x, axis=1)[:, ::-1][:, :k])


@triton.jit
def exchange(key, load, N: tl.constexpr, STRIDE: tl.constexpr, SPAN: tl.constexpr):
    """Compares elements ``STRIDE`` apart; runs of ``SPAN`` alternate in direction."""
    i = tl.arange(0, N)
    upper = (i // STRIDE) % 2
    pair: tl.constexpr = [N // (2 * STRIDE), 2, STRIDE]
    place = tl.arange(0, 2)[None, :, None]
    k, p = tl.reshape(key, pair), tl.reshape(load, pair)
    other_k = tl.reshape(tl.broadcast_to(tl.sum(k * (1 - place), 1, keep_dims=True) * place
                                         + tl.sum(k * place, 1, keep_dims=True) * (1 - place), pair),
                         [N])
    other_p = tl.reshape(tl.broadcast_to(tl.sum(p * (1 - place), 1, keep_dims=True) * place
                                         + tl.sum(p * place, 1, keep_dims=True) * (1 - place), pair),
                         [N])
    descends = (i // SPAN) % 2
    keep_small = upper == descends
    smaller = (key < other_k) | ((key == other_k) & (load < other_p))
    take = smaller != keep_small
    return tl.where(take, other_k, key), tl.where(take, other_p, load)


@triton.jit
def sort_pairs_kernel(key_ptr, out_ptr, index_ptr, n, N: tl.constexpr, LOG: tl.constexpr):
    """A bitonic network on integer keys that carries indices; ties by index, so stable."""
    i = tl.arange(0, N)
    key = tl.load(key_ptr + i, mask=i < n, other=2**30)
    load = i
    for s in tl.static_range(LOG):
        for t in tl.static_range(s + 1):
            key, load = exchange(key, load, N, 2**(s - t), 2**(s + 1))
    tl.store(out_ptr + i, key, mask=i < n)
    tl.store(index_ptr + i, load, mask=i < n)


@pytest.mark.parametrize("n", [1, 13, 32, 50, 128] if ALL else [1, 13])
def test_bitonic_network_with_payload(n, at_end):
    size = triton.next_power_of_2(n)
    key = guarded_copy(np.random.default_rng(n).integers(-9, 9, n).astype(np.int32), at_end)
    out, index = guarded(n, np.int32, at_end), guarded(n, np.int32, at_end)
    sort_pairs_kernel[(1,)](key, out, index, n, N=size, LOG=size.bit_length() - 1)
    np.testing.assert_array_equal(index, np.argsort(key, kind="stable"))
    np.testing.assert_array_equal(out, np.sort(key))


@triton.jit
def unique_kernel(x_ptr, out_ptr, count_ptr, N: tl.constexpr):
    """Sort, mark the first of each run, write it where the running count says."""
    i = tl.arange(0, N)
    x = tl.sort(tl.load(x_ptr + i))
    tl.store(out_ptr + i, x)
    before = tl.load(out_ptr + i - 1, mask=i > 0, other=0)
    first = ((i == 0) | (x != before)).to(tl.int32)
    tl.store(out_ptr + i, -1)
    tl.store(out_ptr + tl.cumsum(first, axis=0) - 1, x, mask=first > 0)
    tl.store(count_ptr, tl.sum(first, axis=0))


@pytest.mark.parametrize("n", [1, 16, 128])
def test_unique(n):
    x = guarded_copy(np.random.default_rng(n).integers(0, 40, n).astype(np.int32))
    out, count = guarded(n, np.int32), guarded(1, np.int32)
    unique_kernel[(1,)](x, out, count, n)
    expected = np.unique(x)
    assert count[0] == expected.size
    np.testing.assert_array_equal(out[:count[0]], expected)
    assert (out[count[0]:] == -1).all()


@triton.jit
def nucleus_kernel(p_ptr, out_ptr, n, top, N: tl.constexpr):
    """Keeps the most probable tokens whose sum reaches ``top``, and scales them to one."""
    row = tl.program_id(0)
    i = tl.arange(0, N)
    p = tl.load(p_ptr + row * n + i, mask=i < n, other=0.0)
    ordered = tl.sort(p, descending=True)
    before = tl.cumsum(ordered, axis=0) - ordered
    least = tl.min(tl.where(before < top, ordered, 2.0), axis=0)
    kept = tl.where(p >= least, p, 0.0)
    tl.store(out_ptr + row * n + i, kept / tl.sum(kept, axis=0), mask=i < n)


def test_nucleus():
    n, rows = 50, 6
    # Multiples of 1/1024: sums are exact.
    rng = np.random.default_rng(3)
    p = np.array([rng.multinomial(1024, np.ones(n) / n) for _ in range(rows)]) / 1024
    out = guarded((rows, n), np.float32)
    nucleus_kernel[(rows,)](guarded_copy(p.astype(np.float32)), out, n, 0.75, N=64)
    for row, got in zip(p, out):
        ordered = np.sort(row)[::-1]
        least = ordered[np.cumsum(ordered) - ordered < 0.75].min()
        kept = np.where(row >= least, row, 0)
        np.testing.assert_array_equal(got, (kept.astype(np.float32) / np.float32(kept.sum())))
