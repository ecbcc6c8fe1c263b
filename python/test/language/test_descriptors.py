"""Tensor descriptors and block pointers as values of kernels, against numpy."""

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error, still_works
from guarded import guarded, guarded_copy
from language.ttir import ttir_of

SHAPES = pytest.mark.parametrize("shape", [(16, 16), (5, 33), (17, 1), (64, 40)], ids=str)


@triton.jit
def twice(out, x_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BM, BN])
    o = tl.make_tensor_descriptor(out, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    row = tl.program_id(0) * BM
    for column in range(0, N, BN):
        o.store([row, column], x.load([row, column]) * 2)


@SHAPES
@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.float64], ids=lambda d: np.dtype(d).name)
def test_load_and_store(shape, dtype, at_end):
    x = guarded_copy((np.random.default_rng(4).standard_normal(shape) * 20).astype(dtype), at_end)
    out = guarded(shape, dtype, at_end)
    twice[(triton.cdiv(shape[0], 8),)](out, x, *shape, BM=8, BN=16)
    np.testing.assert_array_equal(out, 2 * x)


@triton.jit
def shifted(out, x_ptr, M, N, dm, dn, BM: tl.constexpr, BN: tl.constexpr, PADDING: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BM, BN], padding_option=PADDING)
    tile = tl.load_tensor_descriptor(x, [dm, dn])
    tl.store(out + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], tile)


@pytest.mark.parametrize("padding", ["zero", "nan"])
@pytest.mark.parametrize("at", [(0, 0), (-3, 2), (2, -5), (9, 0), (0, 11), (-8, -16), (2**31 - 1, 0)])
def test_outside_reads_as_padding(at, padding):
    x = guarded_copy(np.random.default_rng(0).standard_normal((10, 12)).astype(np.float32))
    out = guarded((8, 16), np.float32)
    shifted[(1,)](out, x, 10, 12, *at, 8, 16, padding)
    fill = np.nan if padding == "nan" else 0
    expected = np.full((8, 16), fill, np.float32)
    for i in range(8):
        for j in range(16):
            if 0 <= i + at[0] < 10 and 0 <= j + at[1] < 12:
                expected[i, j] = x[i + at[0], j + at[1]]
    np.testing.assert_array_equal(out, expected)


@triton.jit
def outside_store(out, M, N, dm, dn, BM: tl.constexpr, BN: tl.constexpr):
    o = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    value = tl.full([BM, BN], 7, tl.int64)
    tl.store_tensor_descriptor(o, [dm, dn], value)


@pytest.mark.parametrize("at", [(0, 0), (-3, 2), (2, -5), (9, 0), (40, 40)])
def test_outside_is_not_written(at):
    out = guarded_copy(np.zeros((10, 12), np.float32))
    outside_store[(1,)](out, 10, 12, *at, 8, 16)
    expected = np.zeros((10, 12), np.float32)
    rows, columns = slice(max(at[0], 0), at[0] + 8), slice(max(at[1], 0), at[1] + 16)
    if at[0] < 10 and at[1] < 12:
        expected[rows, columns] = 7
    np.testing.assert_array_equal(out, expected)


@triton.jit
def by_rank(out, x, n, RANK: tl.constexpr):
    if RANK == 1:
        a = tl.make_tensor_descriptor(x, [n], [1], [16])
        b = tl.make_tensor_descriptor(out, [n], [1], [16])
        b.store([0], a.load([0]))
    elif RANK == 3:
        a = tl.make_tensor_descriptor(x, [3, 3, n], [3 * n, n, 1], [2, 4, 16])
        b = tl.make_tensor_descriptor(out, [3, 3, n], [3 * n, n, 1], [2, 4, 16])
        b.store([1, 1, 0], a.load([1, 1, 0]))
    else:
        a = tl.make_tensor_descriptor(x, [2, 1, 2, 3, n], [6 * n, 6 * n, 3 * n, n, 1],
                                      [1, 1, 2, 2, 16])
        b = tl.make_tensor_descriptor(out, [2, 1, 2, 3, n], [6 * n, 6 * n, 3 * n, n, 1],
                                      [1, 1, 2, 2, 16])
        tile = tl.reshape(a.load([1, 0, 0, 1, 0]), [4, 16]) + 1
        b.store([1, 0, 0, 1, 0], tile.reshape([1, 1, 2, 2, 16]))


@pytest.mark.parametrize("shape", [(13,), (3, 3, 13), (2, 1, 2, 3, 13)], ids=str)
def test_ranks(shape):
    x = guarded_copy(np.random.default_rng(1).standard_normal(shape).astype(np.float32))
    out = guarded_copy(np.zeros(shape, np.float32))
    by_rank[(1,)](out, x, 13, len(shape))
    expected = np.zeros(shape, np.float32)
    part = {1: np.s_[:], 3: np.s_[1:3, 1:3], 5: np.s_[1:2, :, :, 1:3]}[len(shape)]
    expected[part] = x[part] + (len(shape) == 5)
    np.testing.assert_array_equal(out, expected)


@triton.jit
def sum_of(desc, i, COUNT: tl.constexpr):
    tl.static_assert(desc.block_type.shape[1] == 16)
    total = tl.zeros(desc.block_shape, desc.dtype)
    for j in range(COUNT):
        total += desc.load([i, j * desc.block_shape[1]])
    return desc, total


@triton.jit
def pick(which, x, y):
    if which > 0:
        chosen = x
    else:
        chosen = y
    return chosen


@triton.jit
def carried(out, x_ptr, y_ptr, M, N, which):
    a = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [4, 16])
    b = tl.make_tensor_descriptor(y_ptr, [M, N], [N, 1], [4, 16])
    chosen = pick(which, a, b)
    total = tl.zeros([4, 16], tl.float32)
    for _ in range(3):
        chosen, part = sum_of(chosen, 0, 2)
        total += part
        a, b = b, a
        chosen = a
    i = tl.arange(0, 4)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(out + i, total)
    tl.store(out + 64, chosen.shape[0] * 1000 + chosen.shape[1])
    tl.store(out + 65, chosen.strides[0] * 10 + chosen.strides[1])


@pytest.mark.parametrize("which", [0, 5])
def test_through_calls_branches_and_loops(which):
    x, y = (guarded_copy(np.random.default_rng(s).standard_normal((4, 32)).astype(np.float32))
            for s in (1, 2))
    out = guarded(66, np.float32)
    carried[(1,)](out, x, y, 4, 32, which)
    first = x if which > 0 else y
    parts = [v[:, :16] + v[:, 16:] for v in (first, y, x)]
    np.testing.assert_allclose(out[:64].reshape(4, 16), parts[0] + parts[1] + parts[2], rtol=1e-6,
                               atol=1e-6)
    np.testing.assert_array_equal(out[64:], [4032, 321])


@triton.jit
def rows(out, x_ptr, index, M, N, column, WHAT: tl.constexpr):
    i = tl.load(index + tl.arange(0, 16))
    at = tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :]
    if WHAT == "gather":
        x = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [1, 32])
        tl.store(out + at, x.gather(i, column))
    else:
        o = tl.make_tensor_descriptor(out, [M, N], [N, 1], [1, 32])
        o.scatter(tl.load(x_ptr + at), i, column)


@pytest.mark.parametrize("dtype", [np.int32, np.int16], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("column", [0, 7, -3])
def test_gather_and_scatter(dtype, column):
    index = np.array([3, 0, 19, 7, -1, 5, 20, 11, 2, 1, 4, 6, 8, 9, 10, 1000], dtype)
    x = guarded_copy(np.random.default_rng(1).standard_normal((20, 36)).astype(np.float32))
    out = guarded((16, 32), np.float32)
    rows[(1,)](out, x, guarded_copy(index), 20, 36, column, "gather")
    padded = np.zeros((20, 36 + 64), np.float32)
    padded[:, 32:68] = x
    expected = np.array([padded[i, 32 + column:64 + column] if 0 <= i < 20 else np.zeros(32)
                         for i in index])
    np.testing.assert_array_equal(out, expected)
    y = guarded_copy(np.zeros((20, 36), np.float32))
    value = guarded_copy(np.arange(512, dtype=np.float32).reshape(16, 32) + 1)
    rows[(1,)](y, value, guarded_copy(index), 20, 36, column, "scatter")
    padded[:] = 0
    for i, line in zip(index, value):
        if 0 <= i < 20:
            padded[i, 32 + column:64 + column] = line
    np.testing.assert_array_equal(y, padded[:, 32:68])


@triton.jit
def atomics(p, n):
    d = tl.make_tensor_descriptor(p, [n, n], [n, 1], [4, 4])
    one = tl.full([4, 4], 1, tl.int32)
    d.atomic_add([0, 0], one)
    d.atomic_min([0, 0], one)
    d.atomic_max([0, 0], one)
    d.atomic_and([0, 0], one)
    d.atomic_or([0, 0], one)
    d.atomic_xor([0, 0], one)


def test_atomics_in_ttir():
    """Each is one operation on the block's pointers under the mask of its bounds."""
    text = ttir_of(atomics, {"p": "*i32", "n": "i32"})
    for kind in ("add", "min", "max", "and", "or", "xor"):
        assert f"tt.atomic_rmw {kind}, acq_rel, gpu, " in text, text
    assert text.count("tt.atomic_rmw") == 6 and text.count("arith.cmpi") >= 12


@triton.jit
def block_pointer_methods(out, x_ptr, n):
    x = tl.make_block_ptr(x_ptr, [n], [1], [0], [16], [0])
    o = tl.make_block_ptr(out, [n], [1], [0], [16], [0])
    while tl.condition(x.offsets[0] < n):
        o.store(tl.load(x, boundary_check=[0]) + 1, boundary_check=[0])
        x = x.advance([16])
        o = tl.advance(o, (16,))


def test_block_pointer_methods():
    x = guarded_copy(np.arange(37, dtype=np.float32))
    out = guarded(37, np.float32)
    block_pointer_methods[(1,)](out, x, 37)
    np.testing.assert_array_equal(out, x + 1)


# -- mistakes ----------------------------------------------------------------------------


@triton.jit
def mistake(p, n, wide, WHAT: tl.constexpr):
    if WHAT == "last stride":
        tl.make_tensor_descriptor(p, [n, n], [n, n], [16, 16])
    elif WHAT == "narrow":
        tl.make_tensor_descriptor(p, [n, n], [n, 1], [16, 2])
    elif WHAT == "rank":
        tl.make_tensor_descriptor(p, [n] * 6, [n, n, n, n, n, 1], [16] * 6)
    elif WHAT == "strides":
        tl.make_tensor_descriptor(p, [n, n], [1], [16, 16])
    elif WHAT == "block":
        tl.make_tensor_descriptor(p, [n, n], [n, 1], [16])
    elif WHAT == "power":
        tl.make_tensor_descriptor(p, [n, n], [n, 1], [16, 24])
    elif WHAT == "padding":
        tl.make_tensor_descriptor(p, [n, n], [n, 1], [16, 16], "one")
    elif WHAT == "nan":
        tl.make_tensor_descriptor(p.to(tl.pi32_t), [n, n], [n, 1], [16, 16], "nan")
    elif WHAT == "base":
        tl.make_tensor_descriptor(n, [n, n], [n, 1], [16, 16])
    elif WHAT == "float shape":
        tl.make_tensor_descriptor(p, [n * 1.5, n], [n, 1], [16, 16])
    else:
        d = tl.make_tensor_descriptor(p, [n, n], [n, 1], [16, 16])
        if WHAT == "wide":
            d.load([wide, 0])
        elif WHAT == "offsets":
            d.load([0])
        elif WHAT == "value":
            d.store([0, 0], tl.zeros([16, 8], tl.float32))
        elif WHAT == "gather block":
            d.gather(tl.arange(0, 16), 0)
        elif WHAT == "not a descriptor":
            tl.load_tensor_descriptor(p, [0, 0])
        else:
            e = tl.make_tensor_descriptor(p, [n, n], [n, 1], [1, 4 if WHAT == "columns" else 16])
            if WHAT == "rows":
                e.gather(tl.arange(0, 4), 0)
            elif WHAT == "row type":
                e.gather(tl.arange(0, 8).to(tl.int64), 0)
            elif WHAT == "columns":
                e.gather(tl.arange(0, 8), 0)
            else:
                e.scatter(tl.zeros([8, 8], tl.float32), tl.arange(0, 8), 0)


@pytest.mark.parametrize("what,message", [
    ("last stride", "Tensor descriptor last dim must be 1 but got"),
    ("narrow", "Descriptor block shape must have at least 16 bytes in the last dimension, but got "
     "2 * 4 = 8 bytes"),
    ("rank", "Expected 1 <= ndim <= 5 but got 6 dimensions"),
    ("strides", "Expected 2 strides but got 1"), ("block", "Expected 2 block_shape but got 1"),
    ("power", "Shape element 1 must be a power of 2"), ("padding", "Padding option one not supported"),
    ("nan", "Padding option `nan` is not supported"), ("base", "Expected `base` to be a pointer type"),
    ("float shape", "the shape of a descriptor are integer scalars, got fp32"),
    ("wide", "only support 32 bit offsets, got int64"), ("offsets", "expected 2 offsets, got 1"),
    ("value", "writes blocks of shape [16, 16], the value has shape [16, 8]"),
    ("gather block", "gather needs a descriptor of blocks [1, N], got [16, 16]"),
    ("not a descriptor", "expected a descriptor made by tl.make_tensor_descriptor"),
    ("rows", "descriptor gather must have at least 8 rows, but got 4"),
    ("row type", "gather needs x_offsets of int16 or int32, got int64"),
    ("columns", "descriptor gather of fp32 must have at least 8 columns, but got 4"),
    ("scatter value", "writes blocks of shape [8, 16], the value has shape [8, 8]"),
])
def test_mistakes(what, message):
    with compile_error(message, "", cause=(TypeError, ValueError)):
        mistake[(1,)](np.zeros(64, np.float32), 7, 2**40, what)


def test_allocator_is_accepted():
    triton.set_allocator(lambda size, align, stream: None)
    with pytest.raises(TypeError, match="an allocator is a function"):
        triton.set_allocator(None)
    still_works()
