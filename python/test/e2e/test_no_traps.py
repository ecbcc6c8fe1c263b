"""No operation traps and none gives an undefined value, on any target, in any lane.

x // 0 = -1, x % 0 = x, INT_MIN // -1 = INT_MIN, INT_MIN % -1 = 0; a shift by the width or
more gives 0 or the sign; float to int saturates and NaN gives 0; integers wrap; lanes of
a masked load without `other` are 0.
"""

import numpy as np
import pytest
import triton
import triton.language as tl
from executors import ARM, RISCV, X86, empty, needs, run
from guarded import guarded_copy

TARGETS = [*X86, *RISCV, *ARM]


@pytest.fixture(params=TARGETS)
def target(request):
    needs(request.param)
    return request.param


@triton.jit
def integer_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x // y, mask=mask)
    tl.store(out_ptr + n + offsets, x % y, mask=mask)
    tl.store(out_ptr + 2 * n + offsets, x << y, mask=mask)
    tl.store(out_ptr + 3 * n + offsets, x >> y, mask=mask)
    tl.store(out_ptr + 4 * n + offsets, x + y, mask=mask)
    tl.store(out_ptr + 5 * n + offsets, x * y, mask=mask)
    tl.store(out_ptr + 6 * n + offsets, x - y, mask=mask)


@triton.jit
def integer_scalar_kernel(x_ptr, y_ptr, out_ptr, n):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + i)
    tl.store(out_ptr + i, x // y)
    tl.store(out_ptr + n + i, x % y)
    tl.store(out_ptr + 2 * n + i, x << y)
    tl.store(out_ptr + 3 * n + i, x >> y)
    tl.store(out_ptr + 4 * n + i, x + y)
    tl.store(out_ptr + 5 * n + i, x * y)
    tl.store(out_ptr + 6 * n + i, x - y)


def integers(dtype):
    info = np.iinfo(dtype)
    bits = info.bits
    edges = [0, 1, 2, 3, 7, bits - 1, bits, bits + 1, 2 * bits, info.max, info.max - 1, info.min,
             info.min + 1]
    if info.min < 0:
        edges += [-1, -2, -7]
    edges = np.array(sorted({e for e in edges if info.min <= e <= info.max}), dtype)
    x, y = np.meshgrid(edges, edges)
    return x.ravel(), y.ravel()


def expected_integers(x, y):
    info = np.iinfo(x.dtype)
    bits = info.bits
    rows = [[] for _ in range(7)]
    for a, b in zip(x.tolist(), y.tolist()):
        if b == 0:
            quotient, rest = -1, a
        else:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            rest = a - quotient * b
        amount = b & ((1 << bits) - 1)
        left = a << amount if amount < bits else 0
        right = a >> min(amount, bits) if info.min < 0 else (a >> amount if amount < bits else 0)
        for row, value in zip(rows, (quotient, rest, left, right, a + b, a * b, a - b)):
            value &= (1 << bits) - 1
            row.append(value - (1 << bits) if info.min < 0 and value >> (bits - 1) else value)
    return np.array(rows, x.dtype)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32,
                                   np.int64, np.uint64], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("kind", ["vector", "scalar"])
def test_integers(dtype, kind, target):
    x, y = (guarded_copy(v) for v in integers(dtype))
    out = empty((7, x.size), dtype)
    if kind == "vector":
        block = triton.next_power_of_2(x.size)
        run(integer_kernel, (1,), x, y, out, x.size, target=target, BLOCK=block)
    else:
        run(integer_scalar_kernel, (x.size,), x, y, out, x.size, target=target)
    np.testing.assert_array_equal(out, expected_integers(x, y))


@triton.jit
def convert_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def convert_scalar_kernel(x_ptr, out_ptr):
    i = tl.program_id(0)
    tl.store(out_ptr + i, tl.load(x_ptr + i))


@pytest.mark.parametrize("source", [np.float16, np.float32, np.float64],
                         ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("to", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64,
                                np.uint64], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("kind", ["vector", "scalar"])
def test_float_to_int(source, to, kind, target):
    info = np.iinfo(to)
    with np.errstate(over="ignore"):
        x = np.array([0.0, -0.0, 0.5, -0.5, 0.999, -0.999, 1.0, -1.0, 1.5, -1.5, 100.7, -100.7,
                      127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 2.0**31, -2.0**31,
                      2.0**31 - 1, 2.0**32, 2.0**63, -2.0**63, 2.0**64, 1e30, -1e30, np.inf,
                      -np.inf, np.nan]).astype(source)
    exact = []
    for value in x.astype(np.float64).tolist():
        if value != value:
            exact.append(0)
        elif value in (float("inf"), float("-inf")):
            exact.append(info.max if value > 0 else info.min)
        else:
            exact.append(min(max(int(value), info.min), info.max))
    x = guarded_copy(x)
    out = empty(x.size, to)
    if kind == "vector":
        run(convert_kernel, (1,), x, out, x.size, target=target, BLOCK=64)
    else:
        run(convert_scalar_kernel, (x.size,), x, out, target=target)
    np.testing.assert_array_equal(out, np.array(exact, to))


@triton.jit
def masked_lanes_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = tl.load(y_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x // y + x % (y + 1) + tl.sum(x, axis=0))


def test_masked_lanes_are_zero_and_do_not_trap(target):
    """Lanes beyond n divide 0 by 0: -1, and add nothing to the sum."""
    for n in (0, 1, 5, 8, 13, 32):
        x = guarded_copy(np.arange(1, n + 1, dtype=np.int32))
        y = guarded_copy(np.full(n, 2, np.int32))
        out = empty(32, np.int32)
        run(masked_lanes_kernel, (1,), x, y, out, n, target=target, BLOCK=32)
        expected = np.full(32, -1)
        expected[:n] = x // 2 + x % 3
        np.testing.assert_array_equal(out, expected + x.sum())
