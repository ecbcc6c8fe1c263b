"""Atomics: every operation and element type, and values before that some order explains."""

from collections import Counter

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from triton.runtime.jit import native

INTS = [np.int32, np.uint32, np.int64, np.uint64]
WIDE = [np.float32, np.float64]
NARROW = [np.float16, ml_dtypes.bfloat16]
ALLOWED = {"add": INTS + WIDE + NARROW, "max": INTS + WIDE, "min": INTS + WIDE, "and": INTS,
           "or": INTS, "xor": INTS, "xchg": INTS + WIDE,
           "cas": INTS + WIDE + NARROW + [np.int16, np.uint16]}
OPERATIONS = [(op, dtype) for op, dtypes in ALLOWED.items() for dtype in dtypes]


@pytest.fixture
def threads():
    yield native().set_num_threads
    native().set_num_threads(0)


def bits(x):
    return x.view(f"u{x.dtype.itemsize}")


def combine(op, old, value, expected):
    """What the location holds afterwards, element by element."""
    if op == "cas":
        return np.where(bits(old) == bits(expected), value, old)
    if op == "xchg":
        return value
    if op in ("max", "min"):
        # -0.0 lies below 0.0
        above = (old > value) | ((old == value) & ~np.signbit(old) & np.signbit(value))
        return np.where(above == (op == "max"), old, value)
    return {"add": np.add, "and": np.bitwise_and, "or": np.bitwise_or,
            "xor": np.bitwise_xor}[op](old, value)


def explained_by_an_order(first, last, steps):
    """Whether the steps (from, to) can be made one after the other, from first to last.

    They are edges of a graph; an order is a trail that uses each once (Euler 1736).
    """
    surplus = Counter()
    following = {}
    for source, target in steps:
        surplus[source] += 1
        surplus[target] -= 1
        following.setdefault(source, []).append(target)
    surplus[first] -= 1
    surplus[last] += 1
    reached, waiting = set(), [first]
    while waiting:
        state = waiting.pop()
        if state not in reached:
            reached.add(state)
            waiting += following.get(state, [])
    return not any(surplus.values()) and set(following) <= reached


def test_the_check_of_orders():
    assert explained_by_an_order(0, 3, [(1, 3), (0, 1)])
    assert explained_by_an_order(5, 5, [(5, 5), (5, 7), (7, 5)])
    assert not explained_by_an_order(0, 3, [(1, 3), (0, 2)])
    assert not explained_by_an_order(0, 1, [(0, 1), (0, 1)])  # a lost update
    assert not explained_by_an_order(0, 0, [(1, 2), (2, 1)])


@triton.jit
def apply(p, value, expected, mask, OP: tl.constexpr, SEM: tl.constexpr, SCOPE: tl.constexpr):
    if OP == "add":
        return tl.atomic_add(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "max":
        return tl.atomic_max(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "min":
        return tl.atomic_min(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "and":
        return tl.atomic_and(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "or":
        return tl.atomic_or(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "xor":
        return tl.atomic_xor(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "xchg":
        return tl.atomic_xchg(p, value, mask=mask, sem=SEM, scope=SCOPE)
    else:
        return tl.atomic_cas(p, expected, value, sem=SEM, scope=SCOPE)


@triton.jit
def block_kernel(p, at_ptr, value_ptr, expected_ptr, mask_ptr, old_ptr, OP: tl.constexpr,
                 SEM: tl.constexpr, SCOPE: tl.constexpr, OLD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value, expected = tl.load(value_ptr + i), tl.load(expected_ptr + i)
    mask = tl.load(mask_ptr + i) != 0
    old = apply(p + tl.load(at_ptr + i), value, expected, mask, OP, SEM, SCOPE)
    if OLD:
        tl.store(old_ptr + i, old, mask=mask)


@triton.jit
def scalar_kernel(p, at_ptr, value_ptr, expected_ptr, mask_ptr, old_ptr, OP: tl.constexpr,
                  SEM: tl.constexpr, SCOPE: tl.constexpr, OLD: tl.constexpr, BLOCK: tl.constexpr):
    for i in range(tl.program_id(0) * BLOCK, (tl.program_id(0) + 1) * BLOCK):
        value, expected = tl.load(value_ptr + i), tl.load(expected_ptr + i)
        mask = tl.load(mask_ptr + i) != 0
        old = apply(p + tl.load(at_ptr + i), value, expected, mask, OP, SEM, SCOPE)
        if OLD:
            tl.store(old_ptr + i, old, mask=mask)


def operands(rng, op, dtype, n):
    """Few different values, exact in every type, so that sums have no order."""
    if op == "cas":
        return rng.integers(0, 4, n).astype(dtype)
    if op == "add":
        # 256 of them stay below 256, up to where bf16 holds every integer.
        return (rng.random(n) < 0.5).astype(dtype)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        values = rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
        values[::3] = rng.integers(0, 9, values[::3].size)
        return values
    return np.where(rng.random(n) < 0.2, rng.choice([0.0, -0.0], n), rng.integers(-9, 9, n)).astype(dtype)


def attempt(op, dtype, kernel, places, masked, block, old=True, sem=None, scope=None):
    rng = np.random.default_rng(places)
    n = 256
    start = operands(rng, op, dtype, places)
    memory, before = guarded_copy(start), guarded(n, dtype)
    value, expected = operands(rng, op, dtype, n), operands(rng, op, dtype, n)
    at = rng.integers(0, places, n)
    mask = rng.random(n) < 0.7 if masked and op != "cas" else np.ones(n, bool)
    at_memory = np.where(mask, at, 2**40)  # masked lanes point nowhere
    kernel[(n // block,)](memory, guarded_copy(at_memory), guarded_copy(value),
                          guarded_copy(expected), guarded_copy(mask.astype(np.int8)), before,
                          OP=op, SEM=sem, SCOPE=scope, OLD=old, BLOCK=block)
    if op in ("add", "max", "min", "and", "or", "xor"):
        final = start.copy()
        for k in np.nonzero(mask)[0]:
            final[at[k]:at[k] + 1] = combine(op, final[at[k]:at[k] + 1], value[k:k + 1], None)
        np.testing.assert_array_equal(bits(memory), bits(final))
    if not old:
        return
    after = combine(op, before, value, expected).astype(dtype)
    for place in range(places):
        here = np.nonzero((at == place) & mask)[0]
        steps = list(zip(bits(before)[here].tolist(), bits(after)[here].tolist()))
        assert explained_by_an_order(int(bits(start)[place]), int(bits(memory)[place]), steps), place


@cases(operation=OPERATIONS, form=[block_kernel, scalar_kernel], old=[True, False], block=[1, 32])
def test_operation(operation, form, old, block, threads):
    for count, places, masked in ((1, 3, True), (8, 1, False), (8, 40, True), (2, 1000, False)):
        threads(count)
        attempt(*operation, form, places, masked, block, old)


@cases(op=list(ALLOWED), sem=["relaxed", "acquire", "release", "acq_rel"],
       scope=["cta", "gpu", "sys"], form=[block_kernel, scalar_kernel])
def test_orders_and_scopes(op, sem, scope, form, threads):
    threads(8)
    attempt(op, np.int32, form, 5, True, 16, True, sem, scope)


@triton.jit
def broadcast_kernel(p, x_ptr, M: tl.constexpr, N: tl.constexpr):
    """A whole row goes to one address; one value goes to a whole row."""
    m, n = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * M * N + m * N + n)
    tl.atomic_add(p + m + n * 0, x)
    tl.atomic_max(p + M + (n + m * 0), pid)


def test_blocks_that_broadcast(threads):
    M, N, programs = 8, 16, 20
    x = np.random.default_rng(0).integers(-9, 9, (programs, M, N)).astype(np.int32)
    for count in (1, 4):
        threads(count)
        p = guarded_copy(np.zeros(M + N, np.int32))
        broadcast_kernel[(programs,)](p, guarded_copy(x), M, N)
        np.testing.assert_array_equal(p, [*x.sum((0, 2)), *[programs - 1] * N])


@triton.jit
def sum_kernel(x_ptr, total_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(total_ptr, tl.sum(x, axis=0))


@pytest.mark.parametrize("dtype", WIDE + NARROW, ids=lambda d: np.dtype(d).name)
def test_sum_of_all_programs(dtype, threads):
    """Small integers: every order of additions gives the same sum in every type."""
    x = np.random.default_rng(1).integers(-1, 2, 999).astype(dtype)
    for count in (1, 8):
        threads(count)
        total = guarded_copy(np.zeros(1, dtype))
        sum_kernel[(triton.cdiv(999, 16),)](guarded_copy(x), total, 999, BLOCK=16)
        assert float(total[0]) == x.astype(np.float64).sum()


@triton.jit
def narrow_neighbours_kernel(p, N: tl.constexpr):
    """Elements of 16 bits: neighbours in one word are changed by different programs."""
    tl.atomic_add(p + tl.program_id(0) % N, 1.0)


@pytest.mark.parametrize("dtype", NARROW, ids=lambda d: np.dtype(d).name)
def test_narrow_elements_leave_their_neighbours_alone(dtype, threads, at_end):
    threads(8)
    for n in (1, 3, 7):
        p = guarded_copy(np.arange(n).astype(dtype), at_end)
        narrow_neighbours_kernel[(100 * n,)](p, N=n)
        np.testing.assert_array_equal(p.astype(np.float64), np.arange(n) + 100.0)


@triton.jit
def extremes_kernel(p, x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.atomic_max(p + tl.zeros([BLOCK], tl.int32), x, mask=i < n)
    tl.atomic_min(p + 1 + tl.zeros([BLOCK], tl.int32), x, mask=i < n)


@pytest.mark.parametrize("dtype", WIDE, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("start,x,high,low", [
    ((-0.0, 0.0), [0.0], 0.0, 0.0), ((0.0, -0.0), [-0.0], 0.0, -0.0), ((-0.0, 0.0), [-0.0], -0.0, -0.0),
    ((-5.0, 5.0), [-0.0, 0.0, -0.0], 0.0, -0.0), ((-3.0, -3.0), [-4.0, -2.0], -2.0, -4.0),
    ((1.0, 1.0), [np.inf, -np.inf], np.inf, -np.inf), ((-1e-40, 1e-40), [1e-42, -1e-42], 1e-42, -1e-42),
    ((-np.inf, np.inf), [7.0], 7.0, 7.0)], ids=str)
def test_extremes_and_signs_of_zero(dtype, start, x, high, low):
    p = guarded_copy(np.array(start, dtype))
    extremes_kernel[(1,)](p, guarded_copy(np.array(x, dtype)), len(x), BLOCK=8)
    np.testing.assert_array_equal(bits(p), bits(np.array([high, low], dtype)))


@triton.jit
def refused_kernel(p, OP: tl.constexpr):
    apply(p, 1, 1, None, OP, None, None)


@pytest.mark.parametrize("op,dtype", [
    *((op, d) for op in ALLOWED for d in (np.int8, np.uint8, np.int16) if d not in ALLOWED[op]),
    *((op, d) for op in ("max", "min", "xchg") for d in NARROW),
    *((op, np.float32) for op in ("and", "or", "xor"))],
    ids=lambda v: v if isinstance(v, str) else np.dtype(v).name)
def test_element_types_refused(op, dtype):
    with pytest.raises(triton.CompilationError, match=f"atomic_{op}.*support"):
        refused_kernel[(1,)](guarded_copy(np.zeros(1, dtype)), op)
