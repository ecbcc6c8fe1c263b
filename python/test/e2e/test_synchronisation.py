"""Programs that meet in memory: locks, flags, counters, look-back."""

import numpy as np
import pytest
import triton
import triton.language as tl
from e2e.test_norms import LayerNorm, row_gradient
from guarded import guarded, guarded_copy
from tolerance import assert_close
from triton.runtime.jit import native


@pytest.fixture(params=[1, 4], ids=lambda n: f"{n}-threads")
def threads(request):
    native().set_num_threads(request.param)
    yield request.param
    native().set_num_threads(0)


@triton.jit
def locked_update_kernel(lock_ptr, p, seen_ptr, N: tl.constexpr):
    """Nothing is lost, though the update is a plain load and a plain store."""
    i = tl.arange(0, N)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    before = tl.load(p + i)
    tl.store(p + i, before + i)
    order = tl.load(p + N)
    tl.store(p + N, order + 1)
    tl.store(seen_ptr + tl.program_id(0), order)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@pytest.mark.parametrize("n", [1, 32])
def test_spin_lock(n, threads):
    programs = 300
    lock, p = guarded_copy(np.zeros(1, np.int32)), guarded_copy(np.zeros(n + 1, np.int32))
    seen = guarded(programs, np.int32)
    locked_update_kernel[(programs,)](lock, p, seen, n)
    np.testing.assert_array_equal(p, [*np.arange(n) * programs, programs])
    np.testing.assert_array_equal(np.sort(seen), np.arange(programs))
    assert lock[0] == 0


@triton.jit
def locked_backward_kernel(x_ptr, w_ptr, dy_ptr, mean_ptr, rstd_ptr, dx_ptr, dw_ptr, db_ptr,
                           lock_ptr, rows, n, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    """A row a program; its terms go to one of GROUPS rows of sums, each behind a lock.

    The first to come stores, the later ones add: a count beside the lock says which.
    """
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    w = tl.load(w_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    dw, db = row_gradient(x_ptr, dy_ptr, dx_ptr, w, mean_ptr, rstd_ptr, row, n, i)
    group = row % GROUPS
    lock, count = lock_ptr + group, lock_ptr + GROUPS + group
    dw_ptrs, db_ptrs = dw_ptr + group * n + i, db_ptr + group * n + i
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        dw += tl.load(dw_ptrs, mask=i < n)
        db += tl.load(db_ptrs, mask=i < n)
    tl.store(dw_ptrs, dw, mask=i < n)
    tl.store(db_ptrs, db, mask=i < n)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@pytest.mark.parametrize("n", [3, 100])
def test_layer_norm_with_locks(n, threads):
    rows, groups = 45, 4
    case = LayerNorm(rows, n, np.float32)
    case.forward()
    locks = guarded_copy(np.zeros(2 * groups, np.int32))
    dw, db = (guarded((groups, n), np.float32) for _ in range(2))  # nothing is cleared before
    locked_backward_kernel[(rows,)](
        case.x, case.w, case.dy, case.mean, case.rstd, case.dx, dw, db, locks, rows, n,
        GROUPS=groups, BLOCK=triton.next_power_of_2(n))
    case.check_backward(dw.sum(0), db.sum(0))
    np.testing.assert_array_equal(locks, [0] * groups + [1] * groups)


@triton.jit
def atomic_backward_kernel(x_ptr, w_ptr, dy_ptr, mean_ptr, rstd_ptr, dx_ptr, dw_ptr, db_ptr, n,
                           BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    w = tl.load(w_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    dw, db = row_gradient(x_ptr, dy_ptr, dx_ptr, w, mean_ptr, rstd_ptr, row, n, i)
    tl.atomic_add(dw_ptr + i, dw, mask=i < n, sem="relaxed")
    tl.atomic_add(db_ptr + i, db, mask=i < n, sem="relaxed")


def test_layer_norm_with_atomics(threads, at_end):
    rows, n = 45, 100
    case = LayerNorm(rows, n, np.float32, at_end)
    case.forward()
    dw, db = (guarded_copy(np.zeros(n, np.float32), at_end) for _ in range(2))
    atomic_backward_kernel[(rows,)](case.x, case.w, case.dy, case.mean, case.rstd, case.dx, dw, db,
                                    n, BLOCK=128)
    case.check_backward(dw, db)


@triton.jit
def chained_scan_kernel(x_ptr, out_ptr, sum_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    """Each program waits for the sum of all before it, adds its own, and passes it on."""
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    before = tl.zeros([], tl.int64)
    if pid > 0:
        while tl.atomic_add(flag_ptr + pid - 1, 0, sem="acquire") == 0:
            pass
        before = tl.load(sum_ptr + pid - 1)
    tl.store(sum_ptr + pid, before + tl.sum(x, axis=0))
    tl.atomic_xchg(flag_ptr + pid, 1, sem="release")
    tl.store(out_ptr + i, before + tl.cumsum(x, axis=0), mask=i < n)


@triton.jit
def look_back_kernel(x_ptr, out_ptr, state_ptr, n, BLOCK: tl.constexpr):
    """Decoupled: walks back over sums of single blocks until it meets one of all before.

    A state is one word, sum * 4 + (0: nothing, 1: of the block, 2: of all up to here).
    """
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    own = tl.sum(x, axis=0)
    tl.atomic_xchg(state_ptr + pid, own * 4 + 1, sem="release")
    before = own * 0
    at = pid - 1
    while at >= 0:
        state = tl.load(state_ptr + at, volatile=True)
        while state == 0:
            state = tl.load(state_ptr + at, volatile=True)
        before += state >> 2
        if state & 3 == 2:
            at = -1
        else:
            at -= 1
    tl.atomic_xchg(state_ptr + pid, (before + own) * 4 + 2, sem="release")
    tl.store(out_ptr + i, before + tl.cumsum(x, axis=0), mask=i < n)


@pytest.mark.parametrize("n", [1, 5000])
@pytest.mark.parametrize("kind", ["chained", "look back"])
def test_scan_over_programs(n, kind, threads, at_end):
    block = 16
    programs = triton.cdiv(n, block)
    x = guarded_copy(np.random.default_rng(n).integers(-1000, 2000, n), at_end)
    out = guarded(n, np.int64, at_end)
    states = guarded_copy(np.zeros(programs, np.int64), at_end)
    if kind == "chained":
        flags = guarded_copy(np.zeros(programs, np.int32), at_end)
        chained_scan_kernel[(programs,)](x, out, states, flags, n, BLOCK=block)
    else:
        look_back_kernel[(programs,)](x, out, states, n, BLOCK=block)
    np.testing.assert_array_equal(out, np.cumsum(x))


@triton.jit
def last_one_kernel(x_ptr, part_ptr, count_ptr, out_ptr, n, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    """The program that finds all others done adds their parts up."""
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(part_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), axis=0))
    tl.debug_barrier()
    if tl.atomic_add(count_ptr, 1) == tl.num_programs(0) - 1:
        p = tl.arange(0, PARTS)
        parts = tl.load(part_ptr + p, mask=p < tl.num_programs(0), other=0.0, volatile=True)
        tl.store(out_ptr, tl.sum(parts, axis=0))
        tl.atomic_xchg(count_ptr, 0)


def test_last_program_adds_up(threads, at_end):
    n, block = 3000, 32
    programs = triton.cdiv(n, block)
    x = guarded_copy(np.random.default_rng(0).standard_normal(n).astype(np.float32), at_end)
    parts, out = guarded(programs, np.float32, at_end), guarded(1, np.float32, at_end)
    count = guarded_copy(np.zeros(1, np.int32), at_end)
    first = None
    for _ in range(5):
        out[0] = np.nan
        last_one_kernel[(programs,)](x, parts, count, out, n, BLOCK=block, PARTS=128)
        assert_close(out[0], x.astype(np.float64).sum(), np.float32, n,
                     magnitude=np.abs(x.astype(np.float64)).sum())
        first = out[0] if first is None else first
        assert out[0] == first and count[0] == 0  # whoever comes last adds in the same order


@triton.jit
def compact_kernel(x_ptr, out_ptr, count_ptr, n, BLOCK: tl.constexpr):
    """A run of places is taken by one addition; each element kept gets its own."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    keep = ((x % 3 == 0) & (i < n)).to(tl.int32)
    first = tl.atomic_add(count_ptr, tl.sum(keep, axis=0))
    tl.store(out_ptr + first + tl.cumsum(keep, axis=0) - 1, x, mask=keep > 0)


@triton.jit
def slots_kernel(x_ptr, out_ptr, count_ptr, n, BUCKETS: tl.constexpr, ROOM: tl.constexpr,
                 BLOCK: tl.constexpr):
    """Each element takes the next place of its bucket: old values are addresses."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    bucket = x % BUCKETS
    place = tl.atomic_add(count_ptr + bucket, 1, mask=i < n)
    tl.store(out_ptr + bucket * ROOM + place, x, mask=i < n)


@pytest.mark.parametrize("n", [1, 1000])
def test_places_given_out_by_atomics(n, threads, at_end):
    x = np.random.default_rng(n).integers(0, 10_000, n).astype(np.int32)
    memory, out = guarded_copy(x, at_end), guarded(n, np.int32, at_end)
    count = guarded_copy(np.zeros(1, np.int32), at_end)
    compact_kernel[(triton.cdiv(n, 32),)](memory, out, count, n, BLOCK=32)
    np.testing.assert_array_equal(np.sort(out[:count[0]]), np.sort(x[x % 3 == 0]))

    buckets = 7
    out = guarded_copy(np.full((buckets, n), -1, np.int32), at_end)
    count = guarded_copy(np.zeros(buckets, np.int32), at_end)
    slots_kernel[(triton.cdiv(n, 32),)](memory, out, count, n, BUCKETS=buckets, ROOM=n, BLOCK=32)
    for k in range(buckets):
        np.testing.assert_array_equal(np.sort(out[k, :count[k]]), np.sort(x[x % buckets == k]))
        assert (out[k, count[k]:] == -1).all()


@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
                   BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(tl.program_id(2) * BK, K, BK * tl.num_programs(2)):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :],
                    mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + n[None, :],
                    mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.atomic_add(c_ptr + m[:, None] * N + n[None, :], acc,
                  mask=(m[:, None] < M) & (n[None, :] < N))


def test_split_k_by_atomics(threads, at_end):
    M, N, K = 37, 20, 150
    rng = np.random.default_rng(2)
    a, b = (guarded_copy(rng.standard_normal(s).astype(np.float32), at_end) for s in ((M, K), (K, N)))
    c = guarded_copy(np.zeros((M, N), np.float32), at_end)
    split_k_kernel[(3, 2, 5)](a, b, c, M, N, K, BM=16, BN=16, BK=16)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    assert_close(c, wide_a @ wide_b, np.float32, K, magnitude=np.abs(wide_a) @ np.abs(wide_b))


@triton.jit
def histogram_kernel(x_ptr, out_ptr, n, BINS: tl.constexpr, BLOCK: tl.constexpr, WHAT: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    if WHAT == "atomics":
        tl.atomic_add(out_ptr + x, 1, mask=(i < n) & (x >= 0) & (x < BINS))
    elif WHAT == "masked":
        tl.atomic_add(out_ptr + tl.arange(0, BINS), tl.histogram(x, BINS, mask=i < n))
    else:
        # Lanes past the end hold 0 and are taken off again.
        counts = tl.histogram(x, BINS)
        extra = tl.sum((i >= n).to(tl.int32), axis=0)
        bins = tl.arange(0, BINS)
        tl.atomic_add(out_ptr + bins, counts - tl.where(bins == 0, extra, 0))


@pytest.mark.parametrize("what", ["atomics", "masked", "plain"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8], ids=lambda d: np.dtype(d).name)
def test_histogram(what, dtype, threads, at_end):
    """Values out of range are counted nowhere."""
    bins, n = 16, 777
    rng = np.random.default_rng(1)
    x = rng.integers(0, bins, n).astype(dtype)
    x[::7] = np.iinfo(dtype).max
    x[3::7] = bins
    x[5::11] = np.iinfo(dtype).min
    out = guarded_copy(np.zeros(bins, np.int32), at_end)
    histogram_kernel[(triton.cdiv(n, 64),)](guarded_copy(x, at_end), out, n, BINS=bins, BLOCK=64,
                                            WHAT=what)
    np.testing.assert_array_equal(out, [(x == k).sum() for k in range(bins)])


@triton.jit
def token_kernel(turn_ptr, out_ptr):
    """Programs take turns: each waits for its number, by plain volatile loads."""
    pid = tl.program_id(0)
    while tl.load(turn_ptr, volatile=True) != pid:
        pass
    tl.store(out_ptr + pid, tl.load(out_ptr + pid - 1, mask=pid > 0, other=1) * 3 % 1009)
    tl.atomic_xchg(turn_ptr, pid + 1)


def test_turns(threads):
    programs = 60
    turn, out = guarded_copy(np.zeros(1, np.int32)), guarded(programs, np.int32)
    token_kernel[(programs,)](turn, out)
    np.testing.assert_array_equal(out, [pow(3, k + 1, 1009) for k in range(programs)])


@triton.jit
def torn_kernel(p, out_ptr, rounds, N: tl.constexpr):
    """Program 1 keeps changing what program 0 reads once and uses three times."""
    i = tl.arange(0, N)
    if tl.program_id(0) == 1:
        while tl.load(p + N, volatile=True) == 0:
            tl.store(p + i, tl.load(p + i) + 1)
    else:
        bad = tl.zeros([N], tl.int32)
        for _ in range(rounds):
            x = tl.load(p + i, volatile=True)
            y = x * 2
            bad += (y - x != x).to(tl.int32)
            tl.store(out_ptr + i, x)
            tl.store(out_ptr + N + i, y)
            bad += (tl.load(out_ptr + i) * 2 != tl.load(out_ptr + N + i)).to(tl.int32)
        tl.store(out_ptr + i, bad)
        tl.atomic_xchg(p + N, 1)


@pytest.mark.parametrize("n", [1, 16])
def test_volatile_value_is_read_once(n, threads):
    p, out = guarded_copy(np.zeros(n + 1, np.int32)), guarded((2, n), np.int32)
    torn_kernel[(2,)](p, out, 2000, n)
    assert (out[0] == 0).all()


@triton.jit
def read_twice_kernel(p, out_ptr):
    """The value of the last is not used."""
    first, second = tl.load(p, volatile=True), tl.load(p, volatile=True)
    tl.store(out_ptr, first * second + first)
    tl.store(out_ptr + 1, first)
    tl.load(p, volatile=True)


def test_volatile_loads_are_neither_merged_nor_dropped():
    out = guarded(2, np.int32)
    kernel = read_twice_kernel[(1,)](guarded_copy(np.array([7], np.int16)), out)
    np.testing.assert_array_equal(out, [56, 7])
    assert kernel.asm["llir"].count("load volatile i16") == 3
