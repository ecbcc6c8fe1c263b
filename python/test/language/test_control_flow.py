"""if, for, while, calls, tuples and constants in kernels."""

import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy


def launch(kernel, size, *args, dtype=np.float32, grid=(1,), **meta):
    out = guarded(size, dtype)
    kernel[grid](out, *args, **meta)
    return out


@triton.jit
def early_return(out, n):
    tl.store(out, 1.0)
    if n > 5:
        tl.store(out, 2.0)
        return
    elif n < 0:
        tl.store(out, 3.0)
        return
    tl.store(out, 4.0)


def test_early_return():
    assert [launch(early_return, 1, n)[0] for n in (6, -1, 3)] == [2.0, 3.0, 4.0]


@triton.jit
def pick(a, b, which):
    if which == 0:
        return a
    if which == 1:
        return b
    return a + b


@triton.jit
def call_with_returns(out, which, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, pick(i * 1.0, i * 2.0, which))


@pytest.mark.parametrize("which,factor", [(0, 1), (1, 2), (2, 3)])
def test_function_with_several_returns(which, factor):
    np.testing.assert_array_equal(launch(call_with_returns, 16, which, BLOCK=16),
                                  factor * np.arange(16))


@triton.jit
def nested_loops(out, n, m):
    total = 0
    for i in range(n):
        for j in range(i, m, 2):
            if (i + j) % 3 == 0:
                total += i * j
            else:
                total -= 1
    tl.store(out, total)


@pytest.mark.parametrize("n,m", [(0, 0), (1, 1), (5, 9), (7, 3)])
def test_nested_loops(n, m):
    total = 0
    for i in range(n):
        for j in range(i, m, 2):
            total += i * j if (i + j) % 3 == 0 else -1
    assert launch(nested_loops, 1, n, m, dtype=np.int32)[0] == total


@triton.jit
def count_down(out, n, STEP: tl.constexpr):
    position = 0
    for i in range(n, 0, STEP):
        tl.store(out + position, i)
        position += 1
    tl.store(out + position, -1)


@pytest.mark.parametrize("n,step", [(10, -3), (9, -3), (1, -1), (0, -1), (7, -2)])
def test_negative_step(n, step):
    expected = [*range(n, 0, step), -1]
    out = launch(count_down, len(expected), n, dtype=np.int32, STEP=step)
    np.testing.assert_array_equal(out, expected)


@triton.jit
def collatz(out, n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    tl.store(out, steps)


def test_while():
    assert launch(collatz, 1, 27, dtype=np.int32)[0] == 111


@triton.jit
def halve_until_small(out, x_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    rounds = 0
    while tl.max(x, axis=0) > 1.0:
        x = x / 2
        rounds += 1
    tl.store(out + i, x)
    tl.store(out + BLOCK, rounds)


def test_while_that_carries_a_block():
    x = guarded_copy(np.linspace(0, 100, 32, dtype=np.float32))
    out = launch(halve_until_small, 33, x, BLOCK=32)
    np.testing.assert_array_equal(out[:32], x / 128)
    assert out[32] == 7


@triton.jit
def swap_blocks(out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = i * 1.0, i * 10.0
    for _ in range(n):
        a, b = b, a + b
    tl.store(out + i, a)
    tl.store(out + BLOCK + i, b)


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_loop_that_swaps_blocks(n):
    a, b = np.arange(16.0), np.arange(16.0) * 10
    for _ in range(n):
        a, b = b, a + b
    np.testing.assert_array_equal(launch(swap_blocks, 32, n, BLOCK=16), np.concatenate([a, b]))


@triton.jit
def branch_on_block_value(out, x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    if tl.sum(x, axis=0) > n:
        y = x + 1
        z = 3
    else:
        y = x - 1
        z = 4
    tl.store(out + i, y * z)


@pytest.mark.parametrize("n", [0, 1000])
def test_if_that_defines_blocks(n):
    x = guarded_copy(np.arange(16, dtype=np.float32))
    expected = (x + 1) * 3 if x.sum() > n else (x - 1) * 4
    np.testing.assert_array_equal(launch(branch_on_block_value, 16, x, n, BLOCK=16), expected)


@triton.jit
def ternaries(out, n, FLAG: tl.constexpr):
    a = 1.0 if n > 3 else 2.0
    b = 10.0 if FLAG else 20.0
    tl.store(out, a + b)


@pytest.mark.parametrize("n,flag,expected", [(4, True, 11), (3, True, 12), (4, False, 21)])
def test_conditional_expression(n, flag, expected):
    assert launch(ternaries, 1, n, FLAG=flag)[0] == expected


@triton.jit
def unrolled(out, N: tl.constexpr):
    total = 0
    for i in tl.static_range(N):
        if i % 2 == 0:
            total += i
        tl.store(out + i, total)


def test_static_range():
    np.testing.assert_array_equal(launch(unrolled, 6, dtype=np.int32, N=6), [0, 0, 2, 2, 6, 6])


@triton.jit
def min_max_sum(x):
    return tl.min(x, axis=0), tl.max(x, axis=0), tl.sum(x, axis=0)


@triton.jit
def tuples(out, x_ptr, BLOCK: tl.constexpr):
    low, *rest = min_max_sum(tl.load(x_ptr + tl.arange(0, BLOCK)))
    pair = (low, rest[0])
    first, second = pair
    tl.store(out, first)
    tl.store(out + 1, second)
    tl.store(out + 2, rest[1])
    tl.store(out + 3, len(pair + (1, 2)))


def test_tuples():
    x = guarded_copy(np.arange(5, 21, dtype=np.float32))
    np.testing.assert_array_equal(launch(tuples, 4, x, BLOCK=16), [5, 20, x.sum(), 4])


SCALE = tl.constexpr(4)


@triton.constexpr_function
def double(n):
    return 2 * n


@triton.jit
def constants(out, N: tl.constexpr, WIDE: tl.constexpr = False):
    size: tl.constexpr = double(N) + SCALE
    shape: tl.constexpr = triton.next_power_of_2(size)
    block = tl.zeros([shape], tl.float32) + size
    if WIDE:
        block += 100
    tl.store(out, tl.sum(block, axis=0) / shape)


def test_constants():
    assert launch(constants, 1, N=5)[0] == 14
    assert launch(constants, 1, N=5, WIDE=True)[0] == 114


def test_changed_global_is_refused():
    global SCALE
    launch(constants, 1, N=5)
    kept = SCALE
    try:
        SCALE = tl.constexpr(5)
        with pytest.raises(RuntimeError, match="SCALE has changed since we compiled this kernel"):
            launch(constants, 1, N=5)
    finally:
        SCALE = kept
    launch(constants, 1, N=5)


@triton.jit
def apply(f: tl.constexpr, x):
    return f(x)


@triton.jit
def square(x):
    return x * x


@triton.jit
def higher_order(out, f: tl.constexpr):
    tl.store(out, apply(f, 7.0))


def test_function_as_argument():
    assert launch(higher_order, 1, f=square)[0] == 49


@triton.jit
def recursive(n: tl.constexpr):
    if n <= 1:
        return 1
    else:
        return n * recursive(n - 1)


@triton.jit
def factorial(out, n: tl.constexpr):
    tl.store(out, recursive(n))


def test_recursion_over_a_constant():
    assert launch(factorial, 1, dtype=np.int32, n=6)[0] == 720


@triton.jit(noinline=True)
def separate(x, y):
    return x * 2 + y


@triton.jit
def calls_noinline(out, n):
    tl.store(out, separate(n, 1) + separate(3, n))


def test_noinline():
    assert launch(calls_noinline, 1, 5, dtype=np.int32)[0] == 22


@triton.jit
def optional(out, bias_ptr, n):
    value = n
    if bias_ptr is not None:
        value += tl.load(bias_ptr)
    tl.store(out, value)


def test_none_argument():
    assert launch(optional, 1, None, 5)[0] == 5
    assert launch(optional, 1, guarded_copy(np.float32([3])), 5)[0] == 8


@triton.jit
def logic(out, a, b):
    tl.store(out, 1 if a > 0 and b > 0 else 0)
    tl.store(out + 1, 1 if a > 0 or b > 0 else 0)
    tl.store(out + 2, 1 if not a > 0 else 0)


@pytest.mark.parametrize("a,b", [(0, 0), (2, 0), (0, 2), (2, 2)])
def test_logic(a, b):
    expected = [a > 0 and b > 0, a > 0 or b > 0, not a > 0]
    np.testing.assert_array_equal(launch(logic, 3, a, b, dtype=np.int32), expected)


@triton.jit
def carried_pointer(out, x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pointers = x_ptr + i
    total = tl.zeros([BLOCK], tl.float32)
    for _ in range(n):
        total += tl.load(pointers)
        pointers += BLOCK
    tl.store(out + i, total)


def test_carried_pointers():
    x = guarded_copy(np.arange(80, dtype=np.float32))
    np.testing.assert_array_equal(launch(carried_pointer, 16, x, 5, BLOCK=16),
                                  x.reshape(5, 16).sum(0))
