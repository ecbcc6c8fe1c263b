"""Scans along each axis, gathers, histograms: against numpy, operands in their order."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

FLOATS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
INTS = [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64]
SHAPES = [(2, 4, 16), (1, 64, 1), (16, 2, 2), (4, 1, 32)]


def values(shape, dtype):
    rng = np.random.default_rng(8)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return guarded_copy(rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True))
    return guarded_copy(rng.standard_normal(shape).astype(dtype))


@triton.jit
def offsets(A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    return a[:, None, None] * B * C + b[None, :, None] * C + c[None, None, :]


@triton.jit
def cumulative_kernel(x_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,
                      AXIS: tl.constexpr, REVERSE: tl.constexpr, WHAT: tl.constexpr):
    at = offsets(A, B, C)
    x = tl.load(x_ptr + at)
    if WHAT == "sum":
        tl.store(out_ptr + at, tl.cumsum(x, axis=AXIS, reverse=REVERSE))
    else:
        tl.store(out_ptr + at, tl.cumprod(x, axis=AXIS, reverse=REVERSE))


@cases(dtype=FLOATS + INTS, shape=SHAPES, axis=[0, 1, 2, -1], reverse=[False, True],
       what=["sum", "product"])
def test_cumulative(dtype, shape, axis, reverse, what):
    """Sums of integers below 32 bits are of 32 bits, products of the type; bf16 gives f32."""
    x = values(shape, dtype)
    small = np.dtype(dtype).kind in "iu" and np.dtype(dtype).itemsize < 4 and what == "sum"
    kind = {"i": np.int32, "u": np.uint32}[np.dtype(dtype).kind] if small else (
        np.float32 if dtype == ml_dtypes.bfloat16 else dtype)
    out = guarded(shape, kind)
    cumulative_kernel[(1,)](x, out, *shape, axis, reverse, what)
    turn = (lambda v: np.flip(v, axis)) if reverse else (lambda v: v)
    run = np.cumsum if what == "sum" else np.cumprod
    if np.dtype(dtype).kind in "iu":
        np.testing.assert_array_equal(out, turn(run(turn(x.astype(kind)), axis, dtype=kind)))
        return
    wide = x.astype(np.float64)
    terms = shape[axis]
    exact = turn(run(turn(wide), axis))
    size = turn(np.cumsum(turn(np.abs(wide)), axis)) if what == "sum" else np.abs(exact)
    assert_close(out, exact, kind, terms, magnitude=size, ulps=terms if what == "product" else 0)


@triton.jit
def affine(scale_a, shift_a, scale_b, shift_b):
    return scale_a * scale_b, shift_a * scale_b + shift_b


@triton.jit
def left(a, b):
    return a


@triton.jit
def larger(value_a, index_a, value_b, index_b):
    take = value_a >= value_b
    return tl.where(take, value_a, value_b), tl.where(take, index_a, index_b)


@triton.jit
def recurrence_kernel(scale_ptr, shift_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr,
                      C: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    at = offsets(A, B, C)
    size: tl.constexpr = A * B * C
    scale, shift = tl.load(scale_ptr + at), tl.load(shift_ptr + at)
    s, t = tl.associative_scan((scale, shift), AXIS, affine, reverse=REVERSE)
    tl.store(out_ptr + at, s)
    tl.store(out_ptr + size + at, t)
    tl.store(out_ptr + 2 * size + at, tl.associative_scan(shift, AXIS, left, reverse=REVERSE))
    v, i = tl.associative_scan((shift, at), AXIS, larger, reverse=REVERSE)
    tl.store(out_ptr + 3 * size + at, v)
    tl.store(out_ptr + 4 * size + at, i)


@cases(shape=SHAPES, axis=[0, 1, 2], reverse=[False, True])
def test_scans_of_several_values(shape, axis, reverse):
    """A linear recurrence, the first element, the largest so far with its place."""
    rng = np.random.default_rng(6)
    scale, shift = (guarded_copy(rng.integers(0, 2**32, shape, dtype=np.uint32)) for _ in range(2))
    out = guarded((5, *shape), np.uint32)
    recurrence_kernel[(1,)](scale, shift, out, *shape, axis, reverse)
    place = np.arange(scale.size).reshape(shape)
    got, scale, shift, place = (np.moveaxis(x, k, -1) for x, k in
                                ((out, axis + 1), (scale, axis), (shift, axis), (place, axis)))
    order = -1 if reverse else 1
    for index in np.ndindex(scale.shape[:-1]):
        total, rest, best = 1, 0, None
        first = int(shift[index][::order][0])
        lines = zip(scale[index][::order].tolist(), shift[index][::order].tolist(),
                    place[index][::order].tolist())
        for k, (s, t, p) in enumerate(lines):
            total, rest = total * s % 2**32, (rest * s + t) % 2**32
            best = (t, p) if best is None or t > best[0] else best
            assert got[(slice(None), *index)][:, ::order][:, k].tolist() == [total, rest, first, *best]


@triton.jit
def gather_kernel(x_ptr, index_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,
                  IA: tl.constexpr, IB: tl.constexpr, IC: tl.constexpr, AXIS: tl.constexpr):
    x = tl.load(x_ptr + offsets(A, B, C))
    index = tl.load(index_ptr + offsets(IA, IB, IC))
    tl.store(out_ptr + offsets(IA, IB, IC), tl.gather(x * 2, index, AXIS))


@cases(dtype=[np.float32, np.float16, np.int8, np.uint64], shape=SHAPES, axis=[0, 1, 2], count=[1, 4, 32],
       index_dtype=[np.int32, np.int64, np.int8])
def test_gather(dtype, shape, axis, count, index_dtype):
    x = guarded_copy(np.random.default_rng(0).integers(0, 50, shape).astype(dtype))
    wanted = tuple(count if k == axis else n for k, n in enumerate(shape))
    index = np.random.default_rng(count).integers(0, shape[axis], wanted).astype(index_dtype)
    out = guarded(wanted, dtype)
    gather_kernel[(1,)](x, guarded_copy(index), out, *shape, *wanted, axis)
    expected = np.take_along_axis(x.astype(np.int64) * 2, index.astype(np.int64), axis)
    np.testing.assert_array_equal(out, expected.astype(dtype))


@triton.jit
def permute_kernel(x_ptr, out_ptr, rounds, N: tl.constexpr):
    """Each round gathers from the result of the one before."""
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    for k in range(rounds):
        x = tl.gather(x, (i * 5 + k) % N, 0) + k
    tl.store(out_ptr + i, x)


@pytest.mark.parametrize("rounds", [0, 1, 4])
def test_gather_of_a_carried_block(rounds):
    n = 32
    x = np.arange(n, dtype=np.int32)
    out = guarded(n, np.int32)
    permute_kernel[(1,)](guarded_copy(x), out, rounds, n)
    for k in range(rounds):
        x = x[(np.arange(n) * 5 + k) % n] + k
    np.testing.assert_array_equal(out, x)


@triton.jit
def histogram_kernel(x_ptr, out_ptr, n, N: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    bins = tl.arange(0, BINS)
    tl.store(out_ptr + bins, tl.histogram(x, BINS, mask=i < n))
    tl.store(out_ptr + BINS + bins, tl.cumsum(tl.histogram(x % BINS, BINS, mask=i < n), axis=0))


@cases(dtype=[np.int32, np.uint32, np.int64, np.uint8], n=[0, 1, 60, 256], bins=[1, 2, 16, 128])
def test_histogram(dtype, n, bins):
    x = guarded_copy(np.random.default_rng(n).integers(0, 100, n).astype(dtype))
    out = guarded((2, bins), np.int32)
    histogram_kernel[(1,)](x, out, n, N=256, BINS=bins)
    np.testing.assert_array_equal(out[0], [(x == k).sum() for k in range(bins)])
    rest = x.astype(np.int64) % bins
    np.testing.assert_array_equal(out[1], np.cumsum([(rest == k).sum() for k in range(bins)]))
