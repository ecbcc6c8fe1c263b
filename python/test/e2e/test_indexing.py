"""Addresses that are computed or loaded: gathers, scatters, hashes, far and wrapping offsets."""

import mmap
import tempfile

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int64]


def values(rng, shape, dtype, at_end=True):
    return guarded_copy((rng.standard_normal(shape) * 20).astype(dtype), at_end)


@triton.jit
def gather_rows_kernel(x_ptr, ids_ptr, out_ptr, count, rows, width, BM: tl.constexpr,
                       BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    ids = tl.load(ids_ptr + m, mask=m < count, other=-1)
    good = (ids >= 0) & (ids < rows)
    inside = (m[:, None] < count) & (n[None, :] < width)
    x = tl.load(x_ptr + ids[:, None] * width + n[None, :], mask=inside & good[:, None], other=0)
    tl.store(out_ptr + m[:, None] * width + n[None, :], x, mask=inside)


@triton.jit
def scatter_rows_kernel(x_ptr, ids_ptr, out_ptr, count, rows, width, BM: tl.constexpr,
                        BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    ids = tl.load(ids_ptr + m, mask=m < count, other=-1)
    good = (ids >= 0) & (ids < rows)
    inside = (m[:, None] < count) & (n[None, :] < width)
    x = tl.load(x_ptr + m[:, None] * width + n[None, :], mask=inside)
    tl.store(out_ptr + ids[:, None] * width + n[None, :], x, mask=inside & good[:, None])


@cases(dtype=DTYPES, ids_dtype=[np.int32, np.int64, np.int16], width=[1, 16, 37],
       tile=[(1, 64), (8, 16), (32, 4)], at_end=[True, False])
def test_rows_by_index(dtype, ids_dtype, width, tile, at_end):
    """Ids out of range are masked off: nothing is read or written for them."""
    rows, count = 23, 41
    rng = np.random.default_rng(width)
    grid = (triton.cdiv(count, tile[0]), triton.cdiv(width, tile[1]))
    info = np.iinfo(ids_dtype)
    ids = rng.integers(0, rows, count)
    ids[[3, 9, 20, 40]] = [-1, rows, info.max, info.min]
    ids = guarded_copy(ids.astype(ids_dtype), at_end)
    good = (ids >= 0) & (ids < rows)
    x, out = values(rng, (rows, width), dtype, at_end), guarded((count, width), dtype, at_end)
    gather_rows_kernel[grid](x, ids, out, count, rows, width, BM=tile[0], BN=tile[1])
    expected = np.where(good[:, None], x[np.where(good, ids, 0)], np.zeros(1, dtype))
    np.testing.assert_array_equal(out, expected)

    ids[:rows] = rng.permutation(rows)
    ids[rows:] = -1
    ids[[0, 5]] = info.max, rows
    good = (ids >= 0) & (ids < rows)
    source, target = values(rng, (count, width), dtype, at_end), x.copy()
    scatter_rows_kernel[grid](source, ids, x, count, rows, width, BM=tile[0], BN=tile[1])
    target[ids[good]] = source[good]
    np.testing.assert_array_equal(x, target)


@triton.jit
def hashed_kernel(table_ptr, out_ptr, n, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    """Three rounds of a linear congruential generator say which element is read."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = i.to(tl.uint32)
    for _ in range(3):
        h = h * 1664525 + 1013904223
        h = h ^ (h >> 15)
    total = tl.load(table_ptr + h % SIZE, mask=i < n) + tl.load(table_ptr + (h >> 7) % SIZE, mask=i < n)
    tl.store(out_ptr + i, total, mask=i < n)


@pytest.mark.parametrize("size", [1, 64, 1000])
def test_hashed_indices(size, at_end):
    n = 333
    table = values(np.random.default_rng(0), size, np.float32, at_end)
    out = guarded(n, np.float32, at_end)
    hashed_kernel[(triton.cdiv(n, 128),)](table, out, n, SIZE=size, BLOCK=128)
    h = np.arange(n, dtype=np.uint32)
    for _ in range(3):
        h = h * np.uint32(1664525) + np.uint32(1013904223)
        h ^= h >> np.uint32(15)
    np.testing.assert_array_equal(out, table[h % size] + table[(h >> np.uint32(7)) % size])


def sparse(count, dtype):
    """Zeros that take no memory until they are written."""
    with tempfile.TemporaryFile() as file:
        file.truncate(count * np.dtype(dtype).itemsize)
        return np.frombuffer(mmap.mmap(file.fileno(), 0), dtype)


@triton.jit
def far_kernel(x_ptr, out_ptr, far: tl.int64, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + (far + i), mask=mask)
    tl.store(x_ptr + (far + n + i), x + 1, mask=mask)
    tl.store(out_ptr + i, tl.load((x_ptr + far) + i, mask=mask), mask=mask)


@triton.jit
def far_rows_kernel(x_ptr, out_ptr, stride, N: tl.constexpr, BLOCK: tl.constexpr):
    """The row's offset passes 2**31 where the row number is widened first."""
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + row * N + i, tl.load(x_ptr + row * stride + i, mask=i < N), mask=i < N)


def test_offsets_beyond_32_bits():
    memory = sparse(2**32 + 4096, np.int8)
    n = 21
    for far in (2**31 - 10, 2**31 + 5, 2**32 - 7, 2**32 + 100):
        memory[far:far + n] = np.arange(n)
        out = guarded(n, np.int8)
        far_kernel[(1,)](memory, out, far, n, BLOCK=32)
        np.testing.assert_array_equal(memory[far + n:far + 2 * n], np.arange(n) + 1)
        np.testing.assert_array_equal(out, np.arange(n))
    stride = 1_073_741_829
    for row in range(4):
        memory[row * stride:row * stride + n] = np.arange(n) + 30 * row
    out = guarded((4, n), np.int8)
    far_rows_kernel[(4,)](memory, out, stride, N=n, BLOCK=32)
    np.testing.assert_array_equal(out, np.arange(n) + 30 * np.arange(4)[:, None])


def test_elements_beyond_32_bits_of_bytes():
    """The index fits 32 bits, the byte does not."""
    memory = sparse(2**30 + 64, np.float64)
    memory[2**30 - 5:2**30 + 5] = np.arange(10)
    out = guarded(10, np.float64)
    far_kernel[(1,)](memory, out, 2**30 - 5, 10, BLOCK=16)
    np.testing.assert_array_equal(out, np.arange(10))
    np.testing.assert_array_equal(memory[2**30 + 5:2**30 + 15], np.arange(10) + 1)


@triton.jit
def wrapping_kernel(x_ptr, out_ptr, start, n, BLOCK: tl.constexpr):
    """start + i wraps in 32 bits: the second half of the block lies before x_ptr."""
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + (start + i), mask=i < n), mask=i < n)


def test_32_bit_offsets_wrap():
    n = 40
    memory = sparse(2**32, np.int8)
    middle = memory[2**31:]
    memory[-20:] = np.arange(20)
    memory[:20] = np.arange(20) + 50
    out = guarded(n, np.int8)
    wrapping_kernel[(1,)](middle, out, 2**31 - 20, n, BLOCK=64)
    np.testing.assert_array_equal(out, [*range(20), *range(50, 70)])


@triton.jit
def big_values_kernel(x_ptr, out_ptr, scalar, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, x // 3)
    tl.store(out_ptr + N + i, x % 1000)
    tl.store(out_ptr + 2 * N + i, x >> 1)
    tl.store(out_ptr + 3 * N + i, tl.where(x > scalar, 1, 0))
    tl.store(out_ptr + 4 * N + i, tl.maximum(x, scalar))
    tl.store(out_ptr + 5 * N + i, x.to(tl.float64).to(tl.uint64))
    tl.store(out_ptr + 6 * N + i, tl.zeros([N], tl.uint64) + tl.max(x, axis=0))
    tl.store(out_ptr + 7 * N + i, tl.umulhi(x, x))


def test_unsigned_values_beyond_63_bits():
    top = 2**63
    x = np.array([0, 1, top - 1, top, top + 1, top + 2048, 2**64 - 2**12, 2**64 - 1], np.uint64)
    scalar = top + 5
    out = guarded((8, 8), np.uint64)
    big_values_kernel[(1,)](guarded_copy(x), out, scalar, 8)
    exact = [int(v) for v in x]
    np.testing.assert_array_equal(out, np.array([
        [v // 3 for v in exact], [v % 1000 for v in exact], [v >> 1 for v in exact],
        [int(v > scalar) for v in exact], [max(v, scalar) for v in exact],
        [min(int(float(v)), 2**64 - 1) for v in exact], [2**64 - 1] * 8,
        [v * v >> 64 for v in exact]], np.uint64))


@triton.jit
def large_block_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + i, y / tl.sum(tl.where(i < n, y, 0.0), axis=0), mask=i < n)


@pytest.mark.parametrize("n", [1, 1_000_003, 2**20])
def test_largest_block(n, at_end):
    x = values(np.random.default_rng(0), n, np.float32, at_end)
    out = guarded(n, np.float32, at_end)
    large_block_kernel[(1,)](x, out, n, BLOCK=2**20)
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max())
    assert_close(out, e / e.sum(), np.float32, n, ulps=float(np.ptp(wide)) + 4)


def _many_source():
    names = [f"a{k}" for k in range(60)]
    total = " + ".join(names)
    return (f"def many_kernel(x_ptr, y_ptr, out_ptr, n, {', '.join(names)}):\n"
            "    i = tl.program_id(0)\n"
            "    x = tl.load(x_ptr + i, mask=i < n)\n"
            f"    tl.store(out_ptr + i, x * ({total}) + tl.load(y_ptr + i, mask=i < n), mask=i < n)\n")


def test_sixty_four_arguments(tmp_path):
    path = tmp_path / "many.py"
    path.write_text("import triton\nimport triton.language as tl\n\n\n@triton.jit\n" + _many_source())
    space: dict = {"__name__": "many"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    x, y, out = guarded_copy(np.arange(5.0)), guarded_copy(np.arange(5.0) * 7), guarded(5, np.float64)
    numbers = [k if k % 2 else k + 0.5 for k in range(60)]
    space["many_kernel"][(8,)](x, y, out, 5, *numbers)
    np.testing.assert_array_equal(out, x * sum(numbers) + y)


@triton.jit
def convolution_kernel(x_ptr, w_ptr, out_ptr, C, H, W, OC, OH, OW, STRIDE: tl.constexpr,
                       PAD: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                       BK: tl.constexpr):
    """A product whose left operand's addresses are computed from (pixel, channel, tap)."""
    image = tl.program_id(2)
    pixel = tl.program_id(0) * BM + tl.arange(0, BM)
    oc = tl.program_id(1) * BN + tl.arange(0, BN)
    oy, ox = pixel // OW, pixel % OW
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, C * K * K, BK):
        r = start + tl.arange(0, BK)
        c, tap = r // (K * K), r % (K * K)
        y = oy[:, None] * STRIDE - PAD + (tap // K)[None, :]
        x = ox[:, None] * STRIDE - PAD + (tap % K)[None, :]
        inside = (y >= 0) & (y < H) & (x >= 0) & (x < W) & (c[None, :] < C) & (oy[:, None] < OH)
        a = tl.load(x_ptr + image * C * H * W + c[None, :] * H * W + y * W + x, mask=inside, other=0.0)
        b = tl.load(w_ptr + oc[None, :] * C * K * K + r[:, None],
                    mask=(oc[None, :] < OC) & (r[:, None] < C * K * K), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(out_ptr + image * OC * OH * OW + oc[None, :] * OH * OW + pixel[:, None], acc,
             mask=(oc[None, :] < OC) & (pixel[:, None] < OH * OW))


@cases(dtype=[np.float32, np.float16], stride=[1, 2], pad=[0, 1, 2], kernel=[1, 3, 5],
       shape=[(1, 3, 9, 11, 4), (2, 5, 6, 5, 17)], at_end=[True, False])
def test_convolution_of_channels(dtype, stride, pad, kernel, shape, at_end):
    B, C, H, W, OC = shape
    rng = np.random.default_rng(C)
    x = guarded_copy(rng.standard_normal((B, C, H, W)).astype(dtype), at_end)
    w = guarded_copy(rng.standard_normal((OC, C, kernel, kernel)).astype(dtype), at_end)
    OH, OW = ((n + 2 * pad - kernel) // stride + 1 for n in (H, W))
    out = guarded((B, OC, OH, OW), np.float32, at_end)
    convolution_kernel[(triton.cdiv(OH * OW, 16), triton.cdiv(OC, 16), B)](
        x, w, out, C, H, W, OC, OH, OW, STRIDE=stride, PAD=pad, K=kernel, BM=16, BN=16, BK=16)
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), (2, 3))
    windows = windows[:, :, ::stride, ::stride]
    total = lambda a, b: np.einsum("bcyxij,ocij->boyx", a, b)  # noqa: E731
    assert_close(out, total(windows, w.astype(np.float64)), np.float32, C * kernel * kernel,
                 magnitude=total(np.abs(windows), np.abs(w.astype(np.float64))) + 1e-30)


@triton.jit
def product_as_index_kernel(p, out, N: tl.constexpr):
    y = tl.broadcast_to(tl.load(p), [N])
    tl.store(out + tl.arange(0, N), tl.load(p + (tl.umulhi(y, y) & (N - 1))))


def test_upper_half_of_a_product_as_index():
    p, out = guarded_copy(np.arange(64, dtype=np.int32)), guarded(64, np.int32)
    p[0] = -77
    product_as_index_kernel[(1,)](p, out, 64)
    assert (out == p[((2**32 - 77)**2 >> 32) & 63]).all()


@triton.jit
def one_lane_kernel(x, p, LANE: tl.constexpr):
    at = tl.arange(0, 8)[:, None] * 4 + tl.arange(0, 4)[None, :]
    tl.store(p + at, tl.load(x + at), mask=(at & 3) == LANE)


@pytest.mark.parametrize("to", [np.int8, np.int16, np.int32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32])
@pytest.mark.parametrize("lane", [0, 3])
def test_masks_of_one_lane_leave_the_others(dtype, to, lane):
    """Narrowing stores whose mask is known while compiling."""
    x, p = guarded_copy(np.arange(32).astype(dtype)), guarded_copy(np.full(32, 77, to))
    one_lane_kernel[(1,)](x, p, lane)
    expected = np.full(32, 77, np.float64)
    expected[lane::4] = np.arange(32)[lane::4]
    np.testing.assert_array_equal(p.astype(np.float64), expected)
