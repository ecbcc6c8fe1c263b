"""Element-wise kernels over dtypes, lengths around the vector, strides and layouts."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from conftest import ALL
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

FLOATS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
# Around 1, 4, 8, 16, 32 and 64 lanes, and the block.
LENGTHS = sorted({0, 1, *(n + d for n in (4, 8, 16, 32, 64, 128, 256) for d in (-1, 0, 1)), 1000})


def values(rng, n, dtype):
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
    return rng.standard_normal(n).astype(dtype)


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@pytest.mark.parametrize("dtype", FLOATS + INTS, ids=lambda d: np.dtype(d).name)
def test_vector_add(dtype, at_end):
    rng = np.random.default_rng(1)
    for n in LENGTHS:
        x, y = (guarded_copy(values(rng, n, dtype), at_end) for _ in range(2))
        out = guarded(n, dtype, at_end)
        add_kernel[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
        expected = x + y if np.dtype(dtype).kind in "iu" else (
            x.astype(np.float64) + y.astype(np.float64))
        assert_close(out, expected)


@pytest.mark.parametrize("shift", [1, 3])
def test_vector_add_unaligned(shift, at_end):
    rng = np.random.default_rng(2)
    for n in LENGTHS:
        x, y = (guarded_copy(values(rng, n, np.float32), at_end, shift) for _ in range(2))
        out = guarded(n, np.float32, at_end, shift + 1)
        add_kernel[(triton.cdiv(n, 128),)](x, y, out, n, BLOCK=128)
        np.testing.assert_array_equal(out, x + y)


@triton.jit
def axpy_kernel(a, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, a * tl.load(x_ptr + offsets, mask=mask) + y, mask=mask)


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32], ids=lambda d: np.dtype(d).name)
def test_axpy_in_place(dtype, at_end):
    rng = np.random.default_rng(3)
    a = 3 if dtype == np.int32 else 2.5
    for n in LENGTHS:
        x, y = (guarded_copy(values(rng, n, dtype), at_end) for _ in range(2))
        exact = a * x.astype(np.float64) + y.astype(np.float64) if dtype != np.int32 else 3 * x + y
        size = None if dtype == np.int32 else np.abs(a * x.astype(np.float64)) + np.abs(y)
        axpy_kernel[(triton.cdiv(n, 64),)](a, x, y, n, BLOCK=64)
        assert_close(y, exact, magnitude=size)
        axpy_kernel[(triton.cdiv(n, 64),)](a, y, y, n, BLOCK=64)  # both arguments one array


@triton.jit
def shift_kernel(p, n, distance, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(p + offsets + distance, tl.load(p + offsets, mask=mask), mask=mask)


@pytest.mark.parametrize("distance", [-33, -16, -5, -1, 0, 1, 2, 7, 8, 31, 64])
def test_shifted_copy_in_place(distance, at_end):
    """The block is loaded before it is stored, however the two overlap."""
    for n in (0, 1, 5, 16, 17, 100, 255, 256):
        start = max(0, -distance)
        memory = guarded_copy(np.arange(n + abs(distance), dtype=np.float32), at_end)
        expected = memory.copy()
        expected[start + distance:start + distance + n] = memory[start:start + n].copy()
        shift_kernel[(1,)](memory[start:], n, distance, BLOCK=256)
        np.testing.assert_array_equal(memory, expected)


@triton.jit
def strided_kernel(x_ptr, out_ptr, n, x_stride, out_stride, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets * x_stride, mask=mask)
    tl.store(out_ptr + offsets * out_stride, x + 1, mask=mask)


@pytest.mark.parametrize("x_stride", [1, 2, 3, -1, -2, 0])
@pytest.mark.parametrize("out_stride", [1, 2, -1, -3])
def test_strides(x_stride, out_stride, at_end):
    for n in (0, 1, 7, 8, 9, 33, 100) if not ALL else LENGTHS:
        def line(stride):
            extent = abs(stride) * (n - 1) + 1 if n else 0
            flat = guarded_copy(np.arange(extent, dtype=np.float32), at_end)
            return flat[::stride] if stride else flat

        x, out = line(x_stride), line(out_stride)
        strided_kernel[(triton.cdiv(n, 32),)](x, out, n, x_stride, out_stride, BLOCK=32)
        expected = np.broadcast_to(x[:1], n) + 1 if x_stride == 0 and n else x[:n] + 1
        np.testing.assert_array_equal(out[:n], expected)


@triton.jit
def two_strided_kernel(x_ptr, y_ptr, out_ptr, n, x_stride, y_stride, out_stride,
                       BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * x_stride, mask=i < n)
    y = tl.load(y_ptr + i * y_stride, mask=i < n)
    tl.store(out_ptr + i * out_stride, x * 2 - y, mask=i < n)


def line(values, stride, at_end, shift):
    """Memory up to the guard, and the values in it ``stride`` elements apart (0: the first)."""
    if stride == 0:
        memory = guarded_copy(values[:1], at_end, shift)
        return memory, memory
    extent = abs(stride) * (len(values) - 1) + 1 if len(values) else 0
    memory = guarded_copy(np.full(extent, 77).astype(values.dtype), at_end, shift)
    memory[::stride] = values
    return memory, memory[::stride]


@cases(dtype=FLOATS + INTS[:4], n=[0, 1, 8, 31, 255, 1000], x_stride=[1, 2, -1, 0],
       y_stride=[1, 3, -2], out_stride=[1, 2, -1], shift=[0, 1], block=[1, 16, 256],
       at_end=[True, False])
def test_two_operands(dtype, n, x_stride, y_stride, out_stride, shift, block, at_end):
    rng = np.random.default_rng(n)
    (_, x), (_, y) = (line(values(rng, n, dtype), s, at_end, shift) for s in (x_stride, y_stride))
    memory, out = line(values(rng, n, dtype), out_stride, at_end, shift)
    two_strided_kernel[(triton.cdiv(n, block),)](x, y, out, n, x_stride, y_stride, out_stride,
                                                 BLOCK=block)
    x = np.broadcast_to(x, n) if x_stride == 0 and n else x
    if np.dtype(dtype).kind in "iu":
        np.testing.assert_array_equal(out, x + x - y)
    else:
        x, y = x.astype(np.float64), y.astype(np.float64)
        assert_close(out, 2 * x - y, magnitude=np.abs(2 * x) + np.abs(y))
    out[...] = 77
    assert (memory == 77).all()  # nothing was written between


@triton.jit
def two_dimensional_kernel(x_ptr, out_ptr, M, N, xm, xn, om, on, BM: tl.constexpr,
                           BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    n = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    inside = (m < M) & (n < N)
    x = tl.load(x_ptr + m * xm + n * xn, mask=inside)
    tl.store(out_ptr + m * om + n * on, x + x, mask=inside)


def plane(shape, dtype, layout, at_end):
    """An array of this shape whose elements lie as ``layout`` says."""
    M, N = shape
    if layout == "rows":
        return guarded(shape, dtype, at_end)
    if layout == "columns":
        return guarded((N, M), dtype, at_end).T
    if layout == "padded":
        return guarded((M, N + 3), dtype, at_end)[:, :N]
    if layout == "every other":
        return guarded((M, 2 * N), dtype, at_end)[:, ::2]
    return guarded(shape, dtype, at_end)[::-1, ::-1]


LAYOUTS = ["rows", "columns", "padded", "every other", "backwards"]


@cases(dtype=FLOATS + INTS[:4], shape=[(1, 1), (3, 5), (16, 16), (17, 33), (64, 7), (2, 200)],
       layout=LAYOUTS, out_layout=LAYOUTS, block=[(1, 32), (16, 16), (8, 64)],
       at_end=[True, False])
def test_two_dimensions(dtype, shape, layout, out_layout, block, at_end):
    x, out = plane(shape, dtype, layout, at_end), plane(shape, dtype, out_layout, at_end)
    x[...] = values(np.random.default_rng(5), shape, dtype)
    steps = [s // x.itemsize for s in x.strides + out.strides]
    grid = (triton.cdiv(shape[0], block[0]), triton.cdiv(shape[1], block[1]))
    two_dimensional_kernel[grid](x, out, *shape, *steps, BM=block[0], BN=block[1])
    np.testing.assert_array_equal(out, x + x)


def test_two_negative_views_of_one_buffer():
    memory = guarded_copy(np.arange(201, dtype=np.float32))
    x, out = memory[99::-1], memory[200:100:-1]
    strided_kernel[(4,)](x, out, 100, -1, -1, BLOCK=32)
    np.testing.assert_array_equal(memory[200:100:-1], np.arange(99, -1, -1) + 1.0)
    overlapping = guarded_copy(np.arange(150, dtype=np.float32))
    expected = overlapping.copy()
    source = overlapping[99::-1].copy()
    expected[149:49:-1] = source + 1
    strided_kernel[(1,)](overlapping[99::-1], overlapping[149:49:-1], 100, -1, -1, BLOCK=128)
    np.testing.assert_array_equal(overlapping, expected)


@triton.jit
def scalar_kernel(p, a, b, flag):
    pid = tl.program_id(0)
    value = a * pid + b
    if flag:
        value = value - 1
    tl.store(p + pid, value)


def test_scalar_only():
    out = guarded(17, np.int32)
    scalar_kernel[(17,)](out, 3, 5, True)
    np.testing.assert_array_equal(out, 3 * np.arange(17) + 4)
    scalar_kernel[(17,)](out, 3, 5, False)
    np.testing.assert_array_equal(out, 3 * np.arange(17) + 5)


def test_empty_grids():
    out = np.zeros(4, np.int32)
    for grid in [(0,), (0, 3), (3, 0), (2, 2, 0)]:
        scalar_kernel[grid](out, 3, 5, True)
    assert not out.any()


@triton.jit
def three_axes_kernel(out):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    nx, ny = tl.num_programs(0), tl.num_programs(1)
    tl.store(out + (z * ny + y) * nx + x, x + 100 * y + 10000 * z + 1000000 * tl.num_programs(2))


def test_grid_axes():
    out = guarded((3, 4, 5), np.int32)
    three_axes_kernel[(5, 4, 3)](out)
    z, y, x = np.indices((3, 4, 5))
    np.testing.assert_array_equal(out, x + 100 * y + 10000 * z + 3000000)


@triton.jit
def mark_kernel(out):
    pid = tl.program_id(0)
    tl.store(out + pid, tl.load(out + pid) + 1)


def test_more_than_a_million_programs():
    out = guarded_copy(np.zeros(1_200_001, np.uint8))
    mark_kernel[(1_200_001,)](out)
    assert (out == 1).all()


@triton.jit
def special_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0)
    tl.store(out_ptr + offsets, -x, mask=offsets < n)
    tl.store(out_ptr + n + offsets, tl.abs(x), mask=offsets < n)
    tl.store(out_ptr + 2 * n + offsets, tl.where(x > 0, x, x * 2), mask=offsets < n)


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
def test_special_floats(dtype):
    x = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 6e-8, -6e-8], dtype)
    out = guarded(3 * x.size, dtype)
    special_kernel[(1,)](x, out, x.size, BLOCK=16)
    wide = x.astype(np.float64)
    expected = np.concatenate([-wide, np.abs(wide), np.where(wide > 0, wide, wide * 2)])
    got = out.astype(np.float64)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    assert same.all(), (got, expected)
    number = ~np.isnan(expected)
    assert (np.signbit(got) == np.signbit(expected))[number].all()
