"""What loops and branches carry: pointers, tiles that swap and rotate, blocks of masks."""

import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from tolerance import assert_close


@triton.jit
def nested_pointers_kernel(x_ptr, out_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    """The outer loop moves a pointer block down, the inner one moves a copy along."""
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    down = x_ptr + m[:, None] * columns + n[None, :]
    target = out_ptr + m
    for r in range(0, rows, BM):
        along = down
        total = tl.zeros([BM], tl.float32)
        for c in range(0, columns, BN):
            inside = (r + m[:, None] < rows) & (c + n[None, :] < columns)
            total += tl.sum(tl.load(along, mask=inside, other=0.0), axis=1)
            along += BN
        tl.store(target, total, mask=r + m < rows)
        down += BM * columns
        target += BM


@pytest.mark.parametrize("shape", [(1, 1), (8, 16), (19, 50), (3, 0)], ids=str)
def test_pointers_in_nested_loops(shape, at_end):
    rng = np.random.default_rng(0)
    x = guarded_copy(rng.integers(-9, 9, shape).astype(np.float32), at_end)
    out = guarded(shape[0], np.float32, at_end)
    nested_pointers_kernel[(1,)](x, out, *shape, BM=4, BN=16)
    np.testing.assert_array_equal(out, x.sum(1))


@triton.jit
def rotating_tiles_kernel(x_ptr, out_ptr, rounds, N: tl.constexpr):
    """Three tiles change places each round; one of them is changed on the way."""
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a, b, c = (tl.load(x_ptr + i), tl.load(x_ptr + N * N + i), tl.load(x_ptr + 2 * N * N + i))
    for k in range(rounds):
        a, b, c = b, c, tl.trans(a) + k
    tl.store(out_ptr + i, a)
    tl.store(out_ptr + N * N + i, b)
    tl.store(out_ptr + 2 * N * N + i, c)


@pytest.mark.parametrize("n", [2, 16])
@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 10])
def test_tiles_that_rotate(n, rounds):
    x = guarded_copy(np.arange(3 * n * n, dtype=np.float32).reshape(3, n, n))
    out = guarded(x.shape, np.float32)
    rotating_tiles_kernel[(1,)](x, out, rounds, n)
    a, b, c = x
    for k in range(rounds):
        a, b, c = b, c, a.T + k
    np.testing.assert_array_equal(out, [a, b, c])


@triton.jit
def shifted_tile_kernel(x_ptr, out_ptr, rounds, N: tl.constexpr):
    """Each element of the next tile comes from another element of the last: a running sum."""
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    kept = x
    for _ in range(rounds):
        summed = tl.cumsum(x, axis=0)
        x, kept = tl.flip(summed) % 1000, x + kept
    tl.store(out_ptr + i, x)
    tl.store(out_ptr + N + i, kept)


@pytest.mark.parametrize("rounds", [0, 1, 4])
def test_tile_computed_from_all_of_the_last(rounds):
    n = 64
    x = guarded_copy(np.arange(n, dtype=np.int32))
    out = guarded((2, n), np.int32)
    shifted_tile_kernel[(1,)](x, out, rounds, n)
    now, kept = x, x
    for _ in range(rounds):
        now, kept = np.cumsum(now)[::-1] % 1000, now + kept
    np.testing.assert_array_equal(out, [now, kept])


@triton.jit
def newton_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Square roots by iteration until no lane moves; `if` inside the loop changes the step."""
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    y = x * 0 + 1.0
    rounds = 0
    active = i < n
    while tl.max(active.to(tl.int32), axis=0) > 0:
        if rounds % 2 == 0:
            new = (y + x / y) / 2
            damp = 1.0
        else:
            new = y - (y * y - x) / (2 * y)
            damp = 1.0 + rounds * 0.0
        moved = tl.abs(new - y) > 1e-5 * y
        y = tl.where(active, new * damp, y)
        active = active & moved
        rounds += 1
    tl.store(out_ptr + i, y, mask=i < n)
    tl.store(out_ptr + n, rounds)


@pytest.mark.parametrize("n", [1, 30, 64])
def test_while_and_if_that_carry_blocks(n):
    x = guarded_copy(np.linspace(0.5, 200, n).astype(np.float32))
    out = guarded(n + 1, np.float32)
    newton_kernel[(1,)](x, out, n, BLOCK=64)
    assert_close(out[:n], np.sqrt(x.astype(np.float64)), ulps=4)
    assert 3 < out[n] < 40


@triton.jit
def search_kernel(sorted_ptr, wanted_ptr, out_ptr, n, count, BLOCK: tl.constexpr):
    """Binary search, all lanes at once, carrying both bounds."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    wanted = tl.load(wanted_ptr + i, mask=i < count, other=0)
    low = tl.zeros([BLOCK], tl.int32)
    high = tl.zeros([BLOCK], tl.int32) + n
    while tl.max(high - low, axis=0) > 0:
        middle = (low + high) // 2
        value = tl.load(sorted_ptr + middle, mask=low < high, other=0)
        right = (value < wanted) & (low < high)
        low = tl.where(right, middle + 1, low)
        high = tl.where(right, high, tl.where(low < high, middle, high))
        high = tl.maximum(low, high)
    tl.store(out_ptr + i, low, mask=i < count)


@pytest.mark.parametrize("n", [1, 17, 1000])
def test_binary_search(n, at_end):
    rng = np.random.default_rng(n)
    table = guarded_copy(np.sort(rng.integers(0, 500, n)).astype(np.int64), at_end)
    wanted = guarded_copy(rng.integers(-5, 510, 77), at_end)
    out = guarded(77, np.int32, at_end)
    search_kernel[(3,)](table, wanted, out, n, 77, BLOCK=32)
    np.testing.assert_array_equal(out, np.searchsorted(table, wanted))


@triton.jit
def choose_pointer_kernel(a_ptr, b_ptr, out_ptr, rounds, N: tl.constexpr):
    """A branch picks the pointer that the next round reads."""
    i = tl.arange(0, N)
    source = a_ptr + i
    total = tl.zeros([N], tl.int32)
    for k in range(rounds):
        x = tl.load(source)
        total = total * 3 + x
        if tl.sum(x, axis=0) % 2 == 0:
            source = b_ptr + (N - 1 - i)
        else:
            source = a_ptr + i
    tl.store(out_ptr + i, total)


@pytest.mark.parametrize("rounds", [0, 1, 2, 5])
@pytest.mark.parametrize("even", [True, False])
def test_pointer_chosen_in_a_branch(rounds, even):
    n = 16
    a = guarded_copy(np.arange(n, dtype=np.int32) + (0 if even else np.eye(1, n, dtype=np.int32)[0]))
    b = guarded_copy(np.arange(n, dtype=np.int32) * 7 + np.eye(1, n, dtype=np.int32)[0])
    out = guarded(n, np.int32)
    choose_pointer_kernel[(1,)](a, b, out, rounds, n)
    source, total = a, np.zeros(n, np.int32)
    for _ in range(rounds):
        total = total * 3 + source
        source = b[::-1] if source.sum() % 2 == 0 else a
    np.testing.assert_array_equal(out, total)


@triton.jit
def linked_kernel(next_ptr, value_ptr, out_ptr):
    """Follows a list; the address of each load comes from the load before."""
    at = tl.program_id(0)
    total = 0
    while at >= 0:
        total = total * 2 + tl.load(value_ptr + at)
        at = tl.load(next_ptr + at)
    tl.store(out_ptr + tl.program_id(0), total)


def test_linked_list():
    rng = np.random.default_rng(5)
    order = rng.permutation(20)
    following = np.full(20, -1, np.int32)
    following[order[:-1]] = order[1:]
    value = rng.integers(0, 3, 20).astype(np.int32)
    out = guarded(20, np.int32)
    linked_kernel[(20,)](guarded_copy(following), guarded_copy(value), out)
    for start in range(20):
        at, total = start, 0
        while at >= 0:
            total, at = total * 2 + value[at], following[at]
        assert out[start] == total


@triton.jit
def tuple_state_kernel(out_ptr, rounds, N: tl.constexpr):
    """A tuple carried as one name; a mask carried as a block."""
    i = tl.arange(0, N)
    state = (i, i * 2, i % 2 == 0)
    for k in range(rounds):
        a, b, odd = state
        state = (tl.where(odd, b, a + k), a, ~odd)
    tl.store(out_ptr + i, state[0])
    tl.store(out_ptr + N + i, state[1])
    tl.store(out_ptr + 2 * N + i, state[2])


@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_tuple_with_mask(rounds):
    n = 32
    out = guarded((3, n), np.int32)
    tuple_state_kernel[(1,)](out, rounds, n)
    i = np.arange(n)
    a, b, odd = i, i * 2, i % 2 == 0
    for k in range(rounds):
        a, b, odd = np.where(odd, b, a + k), a, ~odd
    np.testing.assert_array_equal(out, [a, b, odd])


@triton.jit
def nested_branches_kernel(out_ptr, x_ptr, a, b, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    if a > 0:
        if b > 0:
            x = tl.flip(x)
            s = tl.sum(x, axis=0)
        else:
            s = tl.max(x, axis=0)
        for k in range(b):
            if k % 2 == 0:
                x, s = x + s, s - 1
    else:
        s = 0
        while s < b:
            x = x * 2
            s += 1
    tl.store(out_ptr + i, x + s)


@pytest.mark.parametrize("a", [0, 5])
@pytest.mark.parametrize("b", [-1, 0, 3])
def test_nested_branches(a, b):
    n = 16
    start = np.arange(n, dtype=np.int32)
    out = guarded(n, np.int32)
    nested_branches_kernel[(1,)](out, guarded_copy(start), a, b, n)
    x, s = start, 0
    if a > 0:
        x, s = (x[::-1], int(x.sum())) if b > 0 else (x, int(x.max()))
        for k in range(b):
            if k % 2 == 0:
                x, s = x + s, s - 1
    else:
        while s < b:
            x, s = x * 2, s + 1
    np.testing.assert_array_equal(out, x + s)
