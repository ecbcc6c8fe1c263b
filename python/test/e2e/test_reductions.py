"""Reductions over rows, columns and three dimensions: each operation, dtype and axis."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

FLOATS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
INTS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def values(shape, dtype, seed=3):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return guarded_copy(rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True))
    return guarded_copy(rng.standard_normal(shape).astype(dtype))


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def reduce_3d_kernel(x_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,
                     AXIS: tl.constexpr, WHAT: tl.constexpr):
    a, b, c = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    x = tl.load(x_ptr + a[:, None, None] * B * C + b[None, :, None] * C + c[None, None, :])
    if WHAT == "sum":
        r = tl.sum(x, axis=AXIS, keep_dims=True)
    elif WHAT == "max":
        r = tl.max(x, axis=AXIS, keep_dims=True)
    elif WHAT == "min":
        r = tl.min(x, axis=AXIS, keep_dims=True)
    elif WHAT == "xor":
        r = tl.xor_sum(x, axis=AXIS, keep_dims=True)
    elif WHAT == "or":
        r = tl.reduce_or(x, AXIS, keep_dims=True)
    else:
        r = tl.reduce(x, AXIS, product, keep_dims=True)
    EA: tl.constexpr = r.shape[0]
    EB: tl.constexpr = r.shape[1]
    EC: tl.constexpr = r.shape[2]
    a, b, c = tl.arange(0, EA), tl.arange(0, EB), tl.arange(0, EC)
    tl.store(out_ptr + a[:, None, None] * EB * EC + b[None, :, None] * EC + c[None, None, :], r)


def reduced_type(what, dtype):
    """Integers below 32 bits are added and compared in 32, small floats compared in f32."""
    kind, size = np.dtype(dtype).kind, np.dtype(dtype).itemsize
    if what in ("sum", "max", "min") and kind in "iu" and size < 4:
        return np.int32 if kind == "i" else np.uint32
    if what in ("max", "min") and size == 2:
        return np.float32
    return dtype


def check(out, x, what, axis, dtype):
    """Against numpy; ``out`` has the reduced dimensions kept."""
    if np.dtype(dtype).kind in "iu":
        wide = x.astype(out.dtype)
        ufunc = {"sum": np.add, "max": np.maximum, "min": np.minimum, "xor": np.bitwise_xor,
                 "or": np.bitwise_or, "product": np.multiply}[what]
        exact = ufunc.reduce(wide, axis=axis, dtype=out.dtype, keepdims=True)
        np.testing.assert_array_equal(out, exact)
        return
    wide = x.astype(np.float64)
    terms = x.size // out.size
    if what == "product":
        exact = np.prod(wide, axis=axis, keepdims=True)
        assert_close(out, exact, dtype, terms, magnitude=np.abs(exact), ulps=terms)
    elif what == "sum":
        magnitude = np.abs(wide).sum(axis, keepdims=True)
        assert_close(out, wide.sum(axis, keepdims=True), dtype, terms, magnitude=magnitude)
    else:
        np.testing.assert_array_equal(out, getattr(wide, what)(axis, keepdims=True))


SHAPES = [(4, 8, 16), (1, 2, 64), (32, 1, 4), (2, 16, 1), (8, 4, 8)]


@cases(dtype=FLOATS + INTS, shape=SHAPES, axis=[0, 1, 2, -1, None],
       what=["sum", "max", "min", "product"])
def test_three_dimensions(dtype, shape, axis, what):
    x = values(shape, dtype)
    if what == "product" and np.dtype(dtype).kind not in "iu":
        x[...] = np.exp2(x.astype(np.float64) / 4).astype(dtype)  # stays in range
    kept = tuple(1 if axis is None or k == axis % 3 else n for k, n in enumerate(shape))
    out = guarded(kept, reduced_type(what, dtype))
    reduce_3d_kernel[(1,)](x, out, *shape, axis, what)
    check(out, x, what, axis, dtype)


@cases(dtype=INTS, shape=SHAPES[:3], axis=[0, 1, 2], what=["xor", "or"])
def test_bits(dtype, shape, axis, what):
    x = values(shape, dtype)
    kept = tuple(1 if k == axis else n for k, n in enumerate(shape))
    out = guarded(kept, dtype)
    reduce_3d_kernel[(1,)](x, out, *shape, axis, what)
    check(out, x, what, axis, dtype)


@triton.jit
def masked_tile_kernel(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr,
                       AXIS: tl.constexpr):
    """Sums over one axis of a matrix, a tile at a time."""
    outer: tl.constexpr = BM if AXIS == 1 else BN
    inner: tl.constexpr = BN if AXIS == 1 else BM
    kept, gone = (M, N) if AXIS == 1 else (N, M)
    at = tl.program_id(0) * outer + tl.arange(0, outer)
    total = tl.zeros([outer], tl.float32)
    for start in range(0, gone, inner):
        over = start + tl.arange(0, inner)
        m, n = (at[:, None], over[None, :]) if AXIS == 1 else (over[:, None], at[None, :])
        x = tl.load(x_ptr + m * N + n, mask=(m < M) & (n < N), other=0.0)
        total += tl.sum(x.to(tl.float32), axis=AXIS)
    tl.store(out_ptr + at, total, mask=at < kept)


@cases(dtype=[np.float32, np.float16, ml_dtypes.bfloat16], axis=[0, 1],
       shape=[(1, 1), (7, 100), (100, 7), (33, 65), (64, 0)], tile=[(16, 32), (8, 8), (64, 4)],
       at_end=[True, False])
def test_rows_and_columns(dtype, axis, shape, tile, at_end):
    x = guarded_copy(np.random.default_rng(1).standard_normal(shape).astype(dtype), at_end)
    kept = shape[1 - axis]
    out = guarded(kept, np.float32, at_end)
    masked_tile_kernel[(triton.cdiv(kept, tile[1 - axis]),)](
        x, out, *shape, BM=tile[0], BN=tile[1], AXIS=axis)
    wide = x.astype(np.float64)
    assert_close(out, wide.sum(axis), np.float32, max(shape[axis], 1),
                 magnitude=np.abs(wide).sum(axis))


@triton.jit
def extremum_kernel(x_ptr, value_ptr, index_ptr, n, BLOCK: tl.constexpr, LARGEST: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    worst = -float("inf") if LARGEST else float("inf")
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=worst)
    if LARGEST:
        value, index = tl.max(x, axis=0, return_indices=True)
    else:
        value, index = tl.min(x, axis=0, return_indices=True)
    tl.store(value_ptr + row, value)
    tl.store(index_ptr + row, index)


@pytest.mark.parametrize("largest", [True, False], ids=["largest", "smallest"])
@pytest.mark.parametrize("block", [1, 8, 64, 256])
def test_first_of_equal_extrema(largest, block):
    n = max(1, block - 3)
    rows = 40
    x = guarded_copy(np.random.default_rng(2).integers(-3, 4, (rows, n)).astype(np.float32))
    x[0] = 5  # all equal
    value, index = guarded(rows, np.float32), guarded(rows, np.int32)
    extremum_kernel[(rows,)](x, value, index, n, BLOCK=block, LARGEST=largest)
    np.testing.assert_array_equal(index, x.argmax(1) if largest else x.argmin(1))
    np.testing.assert_array_equal(value, x.max(1) if largest else x.min(1))


@pytest.mark.parametrize("largest", [True, False], ids=["largest", "smallest"])
@pytest.mark.parametrize("block", [2, 8, 64, 256])
def test_extremum_passes_nan_over(largest, block):
    """As the value alone does: whichever lanes hold NaN, the rest is compared."""
    rng = np.random.default_rng(4)
    rows = 64
    x = guarded_copy(rng.standard_normal((rows, block)).astype(np.float32))
    x[rng.random(x.shape) < 0.4] = np.nan
    x[np.arange(rows), rng.integers(0, block, rows)] = rng.standard_normal(rows)
    x[0] = 1.0
    x[0, 0] = np.nan
    x[1] = 1.0
    x[1, -1] = np.nan
    value, index = guarded(rows, np.float32), guarded(rows, np.int32)
    extremum_kernel[(rows,)](x, value, index, block, BLOCK=block, LARGEST=largest)
    np.testing.assert_array_equal(index, np.nanargmax(x, 1) if largest else np.nanargmin(x, 1))
    np.testing.assert_array_equal(value, np.nanmax(x, 1) if largest else np.nanmin(x, 1))


@triton.jit
def nan_kernel(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.store(out_ptr, tl.max(x, axis=0))
    tl.store(out_ptr + 1, tl.min(x, axis=0))
    tl.store(out_ptr + 2, tl.sum(x, axis=0))


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
def test_nan_in_values(dtype):
    """The largest and the smallest pass NaN over, unless nothing else is there."""
    x = guarded_copy(np.arange(32).astype(dtype))
    x[[0, 7, 31]] = np.nan
    out = guarded(3, dtype)
    nan_kernel[(1,)](x, out, 32)
    np.testing.assert_array_equal(out.astype(np.float64), [30, 1, np.nan])
    x[...] = np.nan
    nan_kernel[(1,)](x, out, 32)
    assert np.isnan(out.astype(np.float64)).all()


@triton.jit
def keep_right(a, b):
    return b


@triton.jit
def keep_left(a, b):
    return a


@triton.jit
def affine(scale_a, shift_a, scale_b, shift_b):
    """First x * a, then x * b: the order matters."""
    return scale_a * scale_b, shift_a * scale_b + shift_b


@triton.jit
def ordered_kernel(scale_ptr, shift_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr,
                   AXIS: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    scale, shift = tl.load(scale_ptr + i), tl.load(shift_ptr + i)
    all_scale, all_shift = tl.reduce((scale, shift), AXIS, affine)
    kept: tl.constexpr = N if AXIS == 0 else M
    o = tl.arange(0, kept)
    tl.store(out_ptr + o, all_scale)
    tl.store(out_ptr + kept + o, all_shift)
    tl.store(out_ptr + 2 * kept + o, tl.reduce(shift, AXIS, keep_left))
    tl.store(out_ptr + 3 * kept + o, tl.reduce(shift, AXIS, keep_right))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(1, 32), (16, 8), (64, 2), (4, 128)], ids=str)
def test_operands_keep_their_order(axis, shape):
    rng = np.random.default_rng(6)
    scale = guarded_copy(rng.integers(0, 2**32, shape, dtype=np.uint32))
    shift = guarded_copy(rng.integers(0, 2**32, shape, dtype=np.uint32))
    kept = shape[1 - axis]
    out = guarded((4, kept), np.uint32)
    ordered_kernel[(1,)](scale, shift, out, *shape, AXIS=axis)
    lines = (scale.T, shift.T) if axis == 0 else (scale, shift)
    for k, (a, b) in enumerate(zip(*lines)):
        total, rest = 1, 0
        for s, t in zip(a.tolist(), b.tolist()):
            total, rest = total * s % 2**32, (rest * s + t) % 2**32
        assert (out[0, k], out[1, k]) == (total, rest)
        assert (out[2, k], out[3, k]) == (b[0], b[-1])


@triton.jit
def shares_kernel(x_ptr, out_ptr, rows, columns, row_stride, column_stride, M: tl.constexpr,
                  N: tl.constexpr, AXIS: tl.constexpr, HOW: tl.constexpr):
    i, j = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    inside = (i < rows) & (j < columns)
    x = tl.load(x_ptr + i * row_stride + j * column_stride, mask=inside, other=-float("inf"))
    e = tl.exp(x)
    if HOW == "sum":
        total = tl.sum(e, axis=AXIS, keep_dims=True)
    elif HOW == "right":
        total = tl.reduce(e, AXIS, keep_right, keep_dims=True)
    else:
        tl.store(x_ptr + i * row_stride + j * column_stride, e * 0, mask=inside)
        total = tl.sum(e, axis=AXIS, keep_dims=True)
    tl.store(out_ptr + i * columns + j, e / total, mask=inside)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("layout,how", [
    *((layout, how) for layout in ("rows", "columns", "reversed")
      for how in ("sum", "right", "store between")), ("wraps", "sum"), ("wraps", "store between")])
def test_what_is_summed_is_used_again(layout, how, axis):
    """The reduction's loops compute the exponentials and keep them."""
    rows, columns = (16, 32) if how == "right" else (1, 21) if layout == "wraps" else (13, 21)
    x = values((rows, columns), np.float32)
    exact = np.exp(x.astype(np.float64))
    stride = (columns, 1)
    if layout == "columns":
        x, stride = guarded_copy(np.ascontiguousarray(x.T)).T, (1, rows)
    elif layout == "reversed":
        x, stride = guarded_copy(np.ascontiguousarray(x[::-1, ::-1]))[::-1, ::-1], (-columns, -1)
    elif layout == "wraps":  # masked-off rows leave 32 bits: addresses in their exact form
        stride = (2**28, 1)
    out = guarded((rows, columns), np.float32)
    shares_kernel[(1,)](x, out, rows, columns, *stride, M=16, N=32, AXIS=axis, HOW=how)
    total = exact.take([-1], axis) if how == "right" else exact.sum(axis, keepdims=True)
    assert_close(out, exact / total, terms=exact.shape[axis], ulps=4)


@triton.jit
def truths_kernel(x_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]) > 5
    kept: tl.constexpr = N if AXIS == 0 else M
    o = tl.arange(0, kept)
    tl.store(out_ptr + o, tl.xor_sum(x, AXIS))
    tl.store(out_ptr + kept + o, tl.reduce_or(x, AXIS))


@pytest.mark.parametrize("axis", [0, 1])
def test_blocks_of_truth_values(axis):
    x = guarded_copy(np.random.default_rng(1).integers(0, 8, (16, 32), dtype=np.int32))
    out = guarded((2, x.shape[1 - axis]), np.int32)
    truths_kernel[(1,)](x, out, *x.shape, AXIS=axis)
    expected = [np.logical_xor.reduce(x > 5, axis), np.logical_or.reduce(x > 5, axis)]
    np.testing.assert_array_equal(out, expected)
