"""Block operations take effect in program order, however their addresses overlap."""

import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases


@triton.jit
def store_then_load_kernel(p, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(p + i, i * 1.0)
    reversed_values = tl.load(p + (N - 1 - i))
    tl.store(p + i, reversed_values * 10)
    tl.store(out + i, tl.load(p + i) + reversed_values)


def test_store_then_load_through_another_map():
    n = 64
    p, out = guarded(n, np.float32), guarded(n, np.float32)
    store_then_load_kernel[(1,)](p, out, n)
    backwards = np.arange(n)[::-1]
    np.testing.assert_array_equal(p, backwards * 10)
    np.testing.assert_array_equal(out, backwards * 11)


@triton.jit
def two_shifted_stores_kernel(p, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(p + i)
    tl.store(p + i + 1, x + 1)
    tl.store(p + i + 2, x + 2)


def test_overlapping_shifted_stores():
    n = 64
    memory = guarded_copy(np.arange(n + 2, dtype=np.float32) * 100)
    expected, x = memory.copy(), memory[:n].copy()
    expected[1:n + 1] = x + 1
    expected[2:n + 2] = x + 2
    two_shifted_stores_kernel[(1,)](memory, n)
    np.testing.assert_array_equal(memory, expected)


@triton.jit
def address(i, MAP: tl.constexpr, N: tl.constexpr):
    if MAP == "same":
        return i
    elif MAP == "reversed":
        return N - 1 - i
    elif MAP == "rotated":
        return (i + 5) % N
    elif MAP == "transposed":
        return i % 8 * (N // 8) + i // 8
    elif MAP == "halves":
        return i // 2
    elif MAP == "shifted":
        return tl.minimum(i + 1, N - 1)
    else:
        return (i * 37 + 11) % N


def positions(name, n):
    i = np.arange(n)
    return {"same": i, "reversed": n - 1 - i, "rotated": (i + 5) % n,
            "transposed": i % 8 * (n // 8) + i // 8, "halves": i // 2,
            "shifted": np.minimum(i + 1, n - 1), "hashed": (i * 37 + 11) % n}[name]


MAPS = ["same", "reversed", "rotated", "transposed", "halves", "shifted", "hashed"]
ONE_TO_ONE = ["same", "reversed", "rotated", "transposed", "hashed"]


@triton.jit
def load_both_sides_kernel(p, q, out, N: tl.constexpr, READ: tl.constexpr, WRITE: tl.constexpr,
                           AGAIN: tl.constexpr):
    """The first load is used before and after a store to what it may have read."""
    i = tl.arange(0, N)
    before = tl.load(p + address(i, READ, N))
    tl.store(q + address(i, WRITE, N), before * 2 + 1)
    after = tl.load(p + address(i, AGAIN, N))
    tl.store(out + i, before * 1000 + after)
    tl.store(out + N + i, before - tl.sum(after, axis=0))


@cases(read=MAPS, write=ONE_TO_ONE, again=MAPS, n=[8, 64, 256],
       distance=[None, 0, 1, 8, -3], at_end=[True, False])
def test_load_on_both_sides_of_a_store(read, write, again, n, distance, at_end):
    """``distance``: where the written array begins in the read one; None: elsewhere."""
    memory = guarded_copy(np.arange(n + 16, dtype=np.float32), at_end)
    p, out = memory[8:8 + n], guarded((2, n), np.float32)
    q = guarded(n, np.float32) if distance is None else memory[8 + distance:8 + distance + n]
    model = memory.copy()
    before = model[8:8 + n][positions(read, n)]
    load_both_sides_kernel[(1,)](p, q, out, n, read, write, again)
    target = q if distance is None else model[8 + distance:8 + distance + n]
    target[positions(write, n)] = before * 2 + 1
    after = model[8:8 + n][positions(again, n)]
    np.testing.assert_array_equal(memory, model)
    np.testing.assert_array_equal(out[0], before * 1000 + after)
    np.testing.assert_array_equal(out[1], before - after.sum())


@triton.jit
def in_place_kernel(p, n, N: tl.constexpr, MAP: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(p + i, mask=i < n)
    tl.store(p + (n - 1 - i if MAP == "reverse" else (i + 3) % n), x, mask=i < n)


@pytest.mark.parametrize("n", [1, 2, 15, 16, 33, 100, 128])
@pytest.mark.parametrize("what", ["reverse", "rotate"])
def test_in_place_permutation(n, what, at_end):
    p = guarded_copy(np.arange(n, dtype=np.int32), at_end)
    in_place_kernel[(1,)](p, n, N=128, MAP=what)
    expected = np.arange(n)[::-1] if what == "reverse" else np.roll(np.arange(n), 3)
    np.testing.assert_array_equal(p, expected)


@triton.jit
def in_place_transpose_kernel(p, n, BLOCK: tl.constexpr):
    r, c = tl.arange(0, BLOCK)[:, None], tl.arange(0, BLOCK)[None, :]
    inside = (r < n) & (c < n)
    x = tl.load(p + r * n + c, mask=inside)
    tl.store(p + c * n + r, x, mask=inside)


@triton.jit
def in_place_product_kernel(a_ptr, b_ptr, N: tl.constexpr):
    """The product takes the place of its left factor, then of its right one."""
    r, c = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    tl.store(a_ptr + r * N + c, tl.dot(tl.load(a_ptr + r * N + c), tl.load(b_ptr + r * N + c)))
    tl.store(b_ptr + r * N + c, tl.dot(tl.load(a_ptr + r * N + c), tl.load(b_ptr + r * N + c)))


@pytest.mark.parametrize("n", [1, 7, 16])
def test_in_place_transpose(n, at_end):
    x = np.arange(n * n, dtype=np.int16).reshape(n, n)
    p = guarded_copy(x, at_end)
    in_place_transpose_kernel[(1,)](p, n, BLOCK=16)
    np.testing.assert_array_equal(p, x.T)


@pytest.mark.parametrize("n", [4, 16, 64])
def test_in_place_product(n):
    rng = np.random.default_rng(n)
    x, y = (rng.integers(-3, 4, (n, n)).astype(np.float32) for _ in range(2))
    a, b = guarded_copy(x), guarded_copy(y)
    in_place_product_kernel[(1,)](a, b, n)
    np.testing.assert_array_equal(a, x @ y)
    np.testing.assert_array_equal(b, x @ y @ y)


@triton.jit
def recurrence_kernel(p, rounds, N: tl.constexpr, STEP: tl.constexpr):
    """Each round reads what the round before wrote, ``STEP`` elements on."""
    i = tl.arange(0, N)
    for k in range(rounds):
        left = tl.load(p + k * STEP + i)
        right = tl.load(p + k * STEP + i + 1)
        tl.store(p + (k + 1) * STEP + i, left + right)


@pytest.mark.parametrize("step", [0, 1, 3, 16])
@pytest.mark.parametrize("n", [1, 16, 64])
def test_rounds_that_read_the_round_before(n, step, at_end):
    rounds = 5
    memory = guarded_copy(np.arange(n + 1 + step * rounds, dtype=np.int32), at_end)
    model = memory.copy()
    for k in range(rounds):
        at = k * step
        model[at + step:at + step + n] = model[at:at + n] + model[at + 1:at + 1 + n]
    recurrence_kernel[(1,)](memory, rounds, n, step)
    np.testing.assert_array_equal(memory, model)


@triton.jit
def two_types_kernel(words_ptr, bytes_ptr, out_ptr, N: tl.constexpr):
    """Words and bytes are the same memory."""
    i = tl.arange(0, N)
    tl.store(words_ptr + i, i * 257)
    low = tl.load(bytes_ptr + i * 4)
    tl.store(bytes_ptr + i * 4 + 2, low)
    tl.store(out_ptr + i, tl.load(words_ptr + i))


def test_one_memory_of_two_types():
    n = 32
    words, out = guarded(n, np.int32), guarded(n, np.int32)
    two_types_kernel[(1,)](words, words.view(np.uint8), out, n)
    i = np.arange(n)
    np.testing.assert_array_equal(out, i * 257 + (i << 16))


@triton.jit
def conditional_store_kernel(p, out, flag, N: tl.constexpr):
    i = tl.arange(0, N)
    before = tl.load(p + i)
    if flag > 0:
        tl.store(p + (N - 1 - i), before + 100)
    tl.store(out + i, before + tl.load(p + i))


@pytest.mark.parametrize("flag", [0, 2])
def test_store_in_a_branch(flag):
    n = 32
    p, out = guarded_copy(np.arange(n, dtype=np.float32)), guarded(n, np.float32)
    conditional_store_kernel[(1,)](p, out, flag, n)
    i = np.arange(n)
    np.testing.assert_array_equal(out, i + (n - 1 - i + 100 if flag else i))


@triton.jit
def two_roots_kernel(x_ptr, y_ptr, a_ptr, b_ptr, n, BLOCK: tl.constexpr):
    """Two stores that may overlap each other and the loads that feed the second."""
    i = tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + i, mask=i < n), tl.load(y_ptr + i, mask=i < n)
    tl.store(a_ptr + i, x + y, mask=i < n)
    tl.store(b_ptr + i, x - y + tl.load(x_ptr + i, mask=i < n), mask=i < n)


@cases(n=[1, 16, 37, 100], y=[-40, 0, 1, 17], a=[-40, 0, 1, -1, 16], b=[-40, 0, 1, -1, 5])
def test_stores_that_may_overlap_all_that_is_read(n, y, a, b):
    """Operands at distances from x, of which any two may be one array."""
    memory = guarded_copy(np.random.default_rng(n).integers(0, 99, n + 80).astype(np.float32))
    model = memory.copy()

    def view(of, distance):
        return of[48 + distance:48 + distance + n]

    two_roots_kernel[(1,)](view(memory, 0), view(memory, y), view(memory, a), view(memory, b), n,
                           BLOCK=128)
    left, right = view(model, 0).copy(), view(model, y).copy()
    view(model, a)[...] = left + right
    view(model, b)[...] = left - right + view(model, 0).copy()
    np.testing.assert_array_equal(memory, model)


@triton.jit
def read_in_a_loop_kernel(p, out, times, N: tl.constexpr, HOW: tl.constexpr):
    i = tl.arange(0, N)
    y = i * 0
    if HOW == "store before":
        x = tl.load(p + i)
        tl.store(p + i, i + 100)
        for _ in range(times):
            y = y + x
    elif HOW == "store inside":
        x = tl.load(p + i)
        for _ in range(times):
            tl.store(p + i, i + 100)
            y = y + x
    elif HOW == "load inside":
        for _ in range(times):
            x = tl.load(p + i)
            y = y + x
            tl.store(p + i, i + 100)
    elif HOW == "while":
        x = tl.load(p + i)
        tl.store(p + i, i + 100)
        while times > 0:
            y = y + x
            times -= 1
    else:
        if times > 0:
            x = tl.load(p + i)
            y = y + x
            tl.store(p + i, i + 100)
    tl.store(out + i, y)


@pytest.mark.parametrize("times", [0, 1, 3])
@pytest.mark.parametrize("how", ["store before", "store inside", "load inside", "while", "branch"])
def test_a_loop_uses_what_was_loaded_before_a_store(how, times):
    p, out, i = guarded_copy(np.arange(64, dtype=np.int32)), guarded(64, np.int32), np.arange(64)
    read_in_a_loop_kernel[(1,)](p, out, times, 64, how)
    if how == "load inside" and times > 0:
        np.testing.assert_array_equal(out, i + (times - 1) * (i + 100))
    else:
        np.testing.assert_array_equal(out, min(times, 1 if how == "branch" else times) * i)


@triton.jit
def read_again_kernel(p, out, N: tl.constexpr, HOW: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(p + i)
    if HOW == "reduced":
        total = tl.sum(x, 0)
        most, where = tl.max(x, 0, return_indices=True)
    tl.store(p + i, i + 100)
    if HOW == "converted":
        y = x.to(tl.float32)
        tl.store(out + i, y)
        tl.store(out + N + i, y)
    elif HOW == "index":
        tl.store(out + i, tl.load(p + (x & 31)))
        tl.store(out + N + i, x)
    else:
        tl.store(out + i, x * 0 + tl.max(x - total, 0) + where)
        tl.store(out + N + i, x * 0 + most)


@pytest.mark.parametrize("how", ["converted", "index", "reduced"])
def test_what_is_made_of_a_load_does_not_see_a_later_store(how):
    n = 64
    p, out, i = guarded_copy(np.arange(n, dtype=np.int32)), guarded(2 * n, np.int32), np.arange(n)
    read_again_kernel[(1,)](p, out, n, how)
    first, second = {"converted": (i, i), "index": (100 + (i & 31), i),
                     "reduced": (n - 1 - i.sum() + n - 1 + 0 * i, n - 1 + 0 * i)}[how]
    np.testing.assert_array_equal(out, np.concatenate([first, second]))
