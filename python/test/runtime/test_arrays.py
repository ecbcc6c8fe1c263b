"""What can be an array: numpy, torch, data_ptr(), buffers, interfaces, DLPack."""

import array
import ctypes

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(x_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * 2, mask=mask)


def double(x, n=10):
    double_kernel[(triton.cdiv(n, 16),)](x, n, BLOCK=16)


def test_numpy_views():
    base = np.arange(40, dtype=np.float32).reshape(4, 10)
    double(base[2])
    np.testing.assert_array_equal(base[2], 2 * np.arange(20, 30))
    np.testing.assert_array_equal(base[[0, 1, 3]].ravel(), np.r_[0:20, 30:40])


@pytest.mark.parametrize("code,kind", [("f", "f4"), ("d", "f8"), ("i", "i4"), ("B", "u1"),
                                       ("q", "i8"), ("H", "u2")])
def test_buffer_protocol(code, kind):
    x = array.array(code, range(10))
    double(x)
    assert list(x) == list(range(0, 20, 2))
    raw = (ctypes.c_double * 10)(*range(10))
    double(raw)
    assert list(raw) == [2.0 * i for i in range(10)]


def test_bytearray_and_memoryview():
    x = bytearray(range(10))
    double(x)
    assert list(x) == list(range(0, 20, 2))
    double(memoryview(x)[2:6], 4)
    assert list(x) == [0, 2, 8, 12, 16, 20, 12, 14, 16, 18]
    with pytest.raises(ValueError, match="read-only"):
        double(bytes(range(10)))


class Interface:
    def __init__(self, values):
        self.values = values

    @property
    def __array_interface__(self):
        return self.values.__array_interface__


class Pointer:
    def __init__(self, values, dtype):
        self.values, self.dtype = values, dtype

    def data_ptr(self):
        return self.values.ctypes.data


class Packed:
    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **kwargs):
        return self.values.__dlpack__()


@pytest.mark.parametrize("wrap", [Interface, Packed, lambda v: Pointer(v, v.dtype),
                                  lambda v: Pointer(v, "float32"), lambda v: Pointer(v, tl.float32)],
                         ids=["interface", "dlpack", "numpy-dtype", "text", "tl-dtype"])
def test_other_objects(wrap):
    x = np.arange(10, dtype=np.float32)
    double(wrap(x))
    np.testing.assert_array_equal(x, 2 * np.arange(10))


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16, np.uint64, np.int8])
def test_element_types(dtype):
    x = np.arange(10).astype(dtype)
    double(x)
    np.testing.assert_array_equal(x.astype(np.float64), 2.0 * np.arange(10))


def test_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.uint8):
        x = torch.arange(10).to(dtype)
        double(x)
        assert torch.equal(x, (2 * torch.arange(10)).to(dtype))
    x = torch.arange(20.0).reshape(2, 10)
    double(x[1])
    assert x[1].tolist() == [2.0 * i for i in range(10, 20)]
    meta = torch.empty(10, device="meta")
    with pytest.raises(ValueError, match="meta"):
        double(meta)


def test_reinterpret():
    x = np.arange(10, dtype=np.float32)
    double(triton.reinterpret(x.view(np.int32), tl.float32))
    np.testing.assert_array_equal(x, 2 * np.arange(10))
    with pytest.raises(TypeError, match="Cannot reinterpret"):
        triton.reinterpret(3, tl.float32)


@triton.jit
def scalars_kernel(out, i, f, b, big, small: tl.float16, wide: tl.float64, byte: tl.uint8):
    tl.store(out, i)
    tl.store(out + 1, f)
    tl.store(out + 2, 10.0 if b else 20.0)
    tl.store(out + 3, (big >> 40).to(tl.float64))
    tl.store(out + 4, small)
    tl.store(out + 5, wide)
    tl.store(out + 6, byte)


def test_scalars():
    out = np.zeros(7, np.float64)
    scalars_kernel[(1,)](out, -5, 0.1, True, 2**63 + 2**41, 0.1, 0.1, 200)
    expected = [-5, np.float32(0.1), 10, (2**63 + 2**41) >> 40, np.float16(0.1), 0.1, 200]
    np.testing.assert_array_equal(out, np.array(expected, np.float64))
    scalars_kernel[(1,)](out, np.int64(7), np.float64(0.5), np.bool_(False), 2**40, 1, 2, np.uint8(3))
    np.testing.assert_array_equal(out, [7, 0.5, 20, 1, 1, 2, 3])
