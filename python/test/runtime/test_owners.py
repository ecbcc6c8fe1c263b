"""Which arguments share memory: a kernel that reads by index and stores fuses both only
where the launch proves different allocations, and is right everywhere."""

import mmap

import numpy as np
import pytest
import triton
import triton.language as tl

N = 64


@triton.jit
def take_kernel(x_ptr, index_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + tl.load(index_ptr + i))
    tl.store(out_ptr + i, x + 1)


@triton.jit
def take_rows_kernel(x_ptr, index_ptr, out_ptr, N: tl.constexpr, WIDTH: tl.constexpr):
    i, c = tl.arange(0, N)[:, None], tl.arange(0, WIDTH)[None, :]
    x = tl.load(x_ptr + tl.load(index_ptr + i) * WIDTH + c)
    tl.store(out_ptr + i * WIDTH + c, x + 1)


def index():
    return np.random.default_rng(0).integers(0, N, N).astype(np.int32)


def owned():
    return np.zeros(2 * N, np.float32)


def from_buffer():
    return np.frombuffer(bytearray(8 * N), np.float32)


def mapped():
    return np.frombuffer(mmap.mmap(-1, 8 * N), np.float32)


def of_torch():
    return pytest.importorskip("torch").zeros(2 * N).numpy()


MAKERS = [owned, from_buffer, mapped, of_torch]


@pytest.mark.parametrize("make", MAKERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shift", [-5, 0, 1, 8, 17, N])
def test_views_of_one_buffer(make, shift):
    whole = make()
    start = max(0, -shift)
    x, out = whole[start:start + N], whole[start + shift:start + shift + N]
    x[:] = np.arange(N)
    expected = whole.copy()
    taken = x[index()] + 1
    expected[start + shift:start + shift + N] = taken
    take_kernel[(1,)](x, index(), out, N=N)
    np.testing.assert_array_equal(whole, expected)


@pytest.mark.parametrize("wrap", [lambda a: a[::1], lambda a: a.reshape(2, -1)[0], lambda a: a.view(np.int32).view(np.float32)])
def test_views_of_views(wrap):
    whole = owned()
    whole[:] = np.arange(2 * N)
    x, out = whole, wrap(whole)
    taken = whole[index()] + 1
    take_kernel[(1,)](x, index(), out, N=N)
    np.testing.assert_array_equal(whole[:N], taken)


def test_torch_and_numpy_of_one_memory():
    torch = pytest.importorskip("torch")
    whole = owned()
    whole[:] = np.arange(2 * N)
    taken = whole[index()] + 1
    take_kernel[(1,)](torch.from_numpy(whole), index(), whole, N=N)
    np.testing.assert_array_equal(whole[:N], taken)
    tensor = torch.arange(2 * N, dtype=torch.float32)
    taken = tensor.numpy()[index()] + 1
    take_kernel[(1,)](tensor, index(), tensor.numpy(), N=N)
    np.testing.assert_array_equal(tensor.numpy()[:N], taken)
    tensor = torch.arange(2 * N, dtype=torch.float32)
    take_kernel[(1,)](tensor, index(), tensor[8:], N=N)
    np.testing.assert_array_equal(tensor.numpy()[8:8 + N], np.arange(2 * N)[index()] + 1)


@pytest.mark.parametrize("make", MAKERS, ids=lambda f: f.__name__)
def test_different_arrays(make):
    x, out = make(), make()
    x[:] = np.arange(2 * N)
    kernel = take_kernel[(1,)](x, index(), out, N=N)
    np.testing.assert_array_equal(out[:N], x[index()] + 1)
    assert not out[N:].any()
    assert kernel.entry.metadata["kernel"]["flags"] & 1  # asks for owners


def test_rows_and_many_arguments():
    table = np.arange(N * 32, dtype=np.float32)
    rows = index()[:16]
    out = np.zeros(16 * 32, np.float32)
    take_rows_kernel[(1,)](table, rows, out, N=16, WIDTH=32)
    expected = table.reshape(N, 32)[rows] + 1
    np.testing.assert_array_equal(out.reshape(16, 32), expected)
    take_rows_kernel[(1,)](table, rows, table[64:], N=16, WIDTH=32)
    np.testing.assert_array_equal(table[64:64 + 16 * 32].reshape(16, 32), expected)


def test_no_one_asks_where_ranges_tell():
    @triton.jit
    def copy_kernel(x_ptr, out_ptr, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out_ptr + i, tl.load(x_ptr + i))

    kernel = copy_kernel[(1,)](owned(), owned(), N=N)
    assert not kernel.entry.metadata["kernel"]["flags"] & 1
