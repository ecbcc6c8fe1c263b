"""Tensor descriptors that the host makes and passes to kernels."""

from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def copy_kernel(source, target, row, column):
    target.store([0, 0], source.load([row, column]))


def block_of(array, row, column, block, padding=0):
    """The block at a place of an array; what lies outside is padding."""
    result = np.full(block, padding, array.dtype)
    rows, columns = (np.arange(n) + at for n, at in zip(block, (row, column)))
    inside = ((rows >= 0) & (rows < array.shape[0]))[:, None] \
        & ((columns >= 0) & (columns < array.shape[1]))[None, :]
    found = array[np.clip(rows, 0, array.shape[0] - 1)[:, None],
                  np.clip(columns, 0, array.shape[1] - 1)[None, :]]
    result[inside] = found[inside]
    return result


@pytest.mark.parametrize("place", [(0, 0), (5, 8), (-3, -2), (30, 60), (100, 0)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int8,
                                   np.uint8, np.int16, np.int32, np.uint32, np.int64])
def test_blocks_at_any_place(dtype, place):
    x = guarded_copy((np.arange(32 * 64) % 101).reshape(32, 64).astype(dtype))
    block = (4, 16)
    out = guarded(block, dtype)
    copy_kernel[(1,)](TensorDescriptor.from_tensor(x, block), TensorDescriptor.from_tensor(out, block),
                      *place)
    np.testing.assert_array_equal(out, block_of(x, *place, block))


def test_padding_with_nan():
    x, out = guarded_copy(np.ones((8, 16), np.float32)), guarded((4, 16), np.float32)
    source = TensorDescriptor.from_tensor(x, [4, 16], padding="nan")
    copy_kernel[(1,)](source, TensorDescriptor.from_tensor(out, [4, 16]), 6, 4)
    np.testing.assert_array_equal(out, block_of(x, 6, 4, (4, 16), np.nan))


def test_part_of_an_array():
    """Rows of 64 elements of which the first 40 are the tensor."""
    whole = guarded_copy(np.arange(16 * 64, dtype=np.int32).reshape(16, 64))
    out = guarded((4, 16), np.int32)
    source = TensorDescriptor(whole, [16, 40], [64, 1], [4, 16])
    copy_kernel[(1,)](source, TensorDescriptor.from_tensor(out, [4, 16]), 12, 32)
    np.testing.assert_array_equal(out, block_of(whole[:, :40], 12, 32, (4, 16)))


def test_other_blocks_make_another_kernel():
    x = guarded_copy(np.arange(64, dtype=np.float32).reshape(8, 8))
    kernels = set()
    for block in ((8, 8), (2, 4), (4, 4), (2, 4)):
        out = guarded(block, np.float32)
        kernels.add(copy_kernel[(1,)](TensorDescriptor.from_tensor(x, block),
                                      TensorDescriptor.from_tensor(out, block), 0, 0))
        np.testing.assert_array_equal(out, x[:block[0], :block[1]])
    assert len(kernels) == 3


class Pair(NamedTuple):
    name: str
    tensor: TensorDescriptor


@triton.jit
def tuples_kernel(several, pair, more):
    total = several[0].load([0, 0]) + several[1][0].load([0, 0]) + several[1][1]
    pair.tensor.store([0, 0], total * more)


def test_descriptors_in_tuples():
    a, b = (guarded_copy(np.full((2, 4), n, np.float32)) for n in (1, 2))
    out = guarded((2, 4), np.float32)
    a_desc, b_desc, out_desc = (TensorDescriptor.from_tensor(t, [2, 4]) for t in (a, b, out))
    for _ in range(2):
        tuples_kernel[(1,)]((a_desc, (b_desc, 3)), Pair("out", out_desc), 10)
        assert (out == 60).all()
        out[:] = 0


@triton.jit
def product_kernel(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
    c.store([m, n], acc.to(c.dtype))


def test_product_by_descriptors():
    rng = np.random.default_rng(0)
    a = guarded_copy(rng.integers(-4, 4, (40, 36)).astype(np.float32))
    b = guarded_copy(rng.integers(-4, 4, (36, 44)).astype(np.float32))
    c = guarded((40, 44), np.float32)
    blocks = {"a": [16, 8], "b": [8, 16], "c": [16, 16]}
    product_kernel[(3, 3)](*(TensorDescriptor.from_tensor(t, blocks[n])
                             for n, t in (("a", a), ("b", b), ("c", c))), 36, 16, 16, 8)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("change,message", [
    ({"strides": [8]}, "rank mismatch"), ({"block_shape": [4]}, "rank mismatch"),
    ({"shape": [], "strides": [], "block_shape": []}, "rank must not be zero"),
    ({"shape": [1] * 6, "strides": [4] * 5 + [1], "block_shape": [1] * 6}, "more than 5"),
    ({"strides": [7, 1]}, "strides must be 16-byte aligned"),
    ({"strides": [8, 2]}, "Last dimension must be contiguous"),
    ({"shape": [0, 8]}, "shape must be positive"), ({"padding": "one"}, "Illegal value for padding"),
    ({"round_f32_to_tf32": True}, "only supported for float32"),
    ({"padding": "nan"}, "only supported for floating point"),
])
def test_mistakes(change, message):
    arguments = {"base": np.zeros((8, 8), np.int32), "shape": [8, 8], "strides": [8, 1],
                 "block_shape": [4, 4]}
    with pytest.raises(AssertionError, match=message):
        TensorDescriptor(**{**arguments, **change})


def test_blocks_are_powers_of_two():
    with pytest.raises(ValueError, match="Shape element 1 must be a power of 2, got 6"):
        TensorDescriptor.from_tensor(np.zeros((8, 8), np.int32), [4, 6])


def test_odd_addresses_are_refused():
    with pytest.raises(AssertionError, match="base must be 16-byte aligned"):
        TensorDescriptor(np.zeros(65, np.int32)[1:], [64], [1], [16])


def test_too_small_blocks_are_refused_by_the_kernel():
    x = np.zeros((8, 8), np.int32)
    with pytest.raises(triton.errors.CompilationError, match="at least 16 bytes"):
        copy_kernel[(1,)](*[TensorDescriptor.from_tensor(x, [8, 2])] * 2, 0, 0)


def test_torch_tensors():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = torch.arange(64, dtype=torch.bfloat16).reshape(8, 8)
    out = torch.zeros(4, 8, dtype=torch.bfloat16)
    copy_kernel[(1,)](TensorDescriptor.from_tensor(x, [4, 8]),
                      TensorDescriptor.from_tensor(out, [4, 8]), 2, 0)
    assert torch.equal(out, x[2:6])
