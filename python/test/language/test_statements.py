"""Every form of statement and expression that kernels may contain."""

import contextlib
from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from language.ttir import ttir_of


def launch(kernel, size, *args, dtype=np.int32, **meta):
    out = guarded(size, dtype)
    kernel[(1,)](out, *args, **meta)
    return out.tolist()


@triton.jit
def assignments(out, n):
    if (y := n + 1) > 3:
        tl.store(out, y)
    size: tl.constexpr = 4
    wide: tl.int64 = n
    tl.static_assert(size == 4)
    a, *b = (n, 2, 3)
    *c, d = b
    (e, f), g = (1, 2), 3
    tl.store(out + 1, a + b[0] * 10 + c[0] * 100 + d * 1000)
    tl.store(out + 2, e + f * 10 + g * 100 + wide)
    x = n
    x += 1
    x <<= 2
    x ^= 1
    x |= 64
    x &= 0xFF
    x >>= 1
    x //= 2
    x %= 7
    x -= 1
    x *= 3
    tl.store(out + 3, x)


def test_assignments():
    x = ((7 + 1) << 2 ^ 1 | 64) & 0xFF
    x = ((x >> 1) // 2 % 7 - 1) * 3
    assert launch(assignments, 4, 7) == [8, 3227, 321 + 7, x]


@triton.jit
def sign(x):
    if x < 0:
        return -1
    else:
        return 1


@triton.jit
def sign_and_value(x):
    if x < 0:
        return -1, x
    else:
        return 1, x


@triton.jit
def larger(a, b):
    return max(a, sign(3)) if a > b else b


@triton.jit
def declared_constants(out, n):
    size: tl.constexpr
    last: tl.constexpr
    i, size = 0, 8
    if (last := size - 1) > 3:
        tl.static_assert(i.dtype == tl.int32 and last == 7)
        tl.store(out + tl.arange(0, size), tl.arange(0, last + 1) + i + n)


@triton.jit
def returned_constants(out, n):
    size: tl.constexpr = sign(3) * 8
    pair: tl.constexpr = sign_and_value(-5)
    tl.static_assert(pair[0] == -1 and pair[1] == -5)
    decided, dynamic = sign(3), sign_and_value(n)
    tl.static_assert(decided.dtype == tl.int32 and sign(n).type == tl.int32)
    tl.static_assert(dynamic.type == tl.tuple_type([tl.int32, tl.int32]))
    changed = sign_and_value(3)  # numbers in what is assigned may change in a loop
    for i in range(n):
        changed = sign_and_value(i)
    tl.store(out + tl.arange(0, size), tl.arange(0, size) + decided)
    tl.store(out + 8, dynamic[0] * 100 + dynamic[1] + changed[1])
    tl.store(out + 9, tl.reduce(tl.arange(0, 8), 0, larger))


def test_constants_that_are_declared_or_returned():
    assert launch(declared_constants, 8, 7) == list(range(7, 15))
    assert launch(returned_constants, 10, 7) == [*range(1, 9), 113, 7]


@triton.jit
def printed(out, BLOCK: tl.constexpr):
    block = tl.arange(0, BLOCK)
    tl.static_print(block, BLOCK, BLOCK == 8, "done")
    tl.store(out + block, block)


def test_values_printed_while_compiling(capsys):
    assert launch(printed, 8, BLOCK=8) == list(range(8))
    assert capsys.readouterr().out == "int32[constexpr[8]] 8 True done\n"


@triton.jit
def comprehensions(out, n):
    t = [i * 2 for i in (1, 2, 3) if i != 2]
    u = [n + i for i in t]
    tl.static_assert(len(t) == 2)
    tl.store(out, u[0] * 100 + u[1])
    tl.static_assert(f"{len(t):03d}|{'x'!r}|{t[0]}" == "002|'x'|2")
    s = list((1, n))
    tl.store(out + 1, s[1] + tuple([3, 4])[0])


def test_comprehensions_and_f_strings():
    assert launch(comprehensions, 2, 7) == [913, 10]


@triton.jit
def many(a, b, *rest):
    return a + 10 * b + 100 * rest[-1] + 1000 * len(rest)


@triton.jit
def named(a, b=3, *, c: tl.constexpr = 4):
    return a + 10 * b + 100 * c


@triton.jit
def calls(out, n):
    pair = (1, 2)
    tl.store(out, many(n, *pair, 5))
    tl.store(out + 1, many(*pair, n, *pair))
    tl.store(out + 2, named(n))
    tl.store(out + 3, named(b=n, a=1, c=max(1, 2)))


def test_arguments():
    assert launch(calls, 4, 7) == [2517, 3221, 437, 271]


Point = namedtuple("Point", ["x", "y"])


class Typed(NamedTuple):
    x: object
    y: object = 5


@triton.jit
def mirrored(p):
    return Typed(p.y, p.x)


@triton.jit
def named_tuples(out, n):
    p = Point(n, 3)
    q = Point(y=n, x=1)
    tl.store(out, p.x * 10 + p.y + q.x * 1000 + q[1] * 100)
    r = mirrored(Typed(n))
    for _ in range(3):
        r = Typed(r.x + 1, r.y * 2)
    tl.store(out + 1, r.x * 100 + r.y)


def test_named_tuples():
    assert launch(named_tuples, 2, 7) == [73 + 1000 + 700, 856]


@triton.jit
def tuples(out, n):
    t = (1, n) + (2,) * 3
    tl.static_assert(len(t) == 5)
    tl.store(out, t[1:3][0] + 10 * t[-1] + 100 * t[tl.slice(0, 2)][1] + t[tl.slice(None, None, 2)][0])
    tl.static_assert((1, 2) == (1, 2))
    tl.static_assert((1, 2) != (1, 3))
    nested = ((n, 2), (3, (n + 1, 5)))
    tl.store(out + 1, nested[1][1][0])
    total = 0
    for i in tl.static_range(len(t)):
        total += t[i]
    tl.store(out + 2, total)
    carried = (n, nested)
    for _ in range(2):
        carried = (carried[0] + 1, ((carried[0], 2), carried[1][1]))
    tl.store(out + 3, carried[0] * 100 + carried[1][0][0])
    if not ():
        tl.store(out + 4, 1)


def test_tuples():
    assert launch(tuples, 5, 7) == [7 + 20 + 700 + 1, 8, 14, 908, 1]


@triton.jit
def is_and_in(out, n, missing):
    tl.static_assert(missing is None and n is not None)
    tl.static_assert(2 in (1, 2) and 3 not in (1, 2))
    tl.static_assert(tl.float32 == tl.float32 and tl.float32 != tl.float16)
    tl.static_assert(isinstance(n, tl.tensor) and not isinstance(3, tl.tensor))
    tl.static_assert(hasattr(n, "dtype") and not hasattr(n, "no_such"))
    tl.static_assert(getattr(tl, "float32").primitive_bitwidth == 32)
    tl.store(out, max(n, 3, 9) + min(n, 2) + max(1, 2) + int(3.7) + len((1, 2)))


def test_names_of_python():
    assert launch(is_and_in, 1, 7, None) == [9 + 2 + 2 + 3 + 2]


def logarithm(n):
    return n.bit_length() - 1


@triton.jit
def host_functions(out, N: tl.constexpr):
    size: tl.constexpr = logarithm(N)
    tl.store(out, tl.sum(tl.full([size], 1, tl.int32)))


def test_python_function_of_constants():
    assert launch(host_functions, 1, 256) == [8]


LIMIT = tl.constexpr(42)
KIND = tl.int64
DEFAULT = (1, 2)


@triton.jit
def globals_(out, n, pair: tl.constexpr = DEFAULT):
    x = n.to(KIND)
    tl.static_assert(x.dtype == tl.int64)
    tl.store(out, LIMIT + x + pair[1])


def test_globals():
    assert launch(globals_, 1, 7) == [51]


@triton.jit
def square(x):
    return x * x


def closure_over(constant, function):
    @triton.jit
    def kernel(out, n):
        tl.store(out, function(n) + constant)

    return kernel


def test_closures():
    assert launch(closure_over(tl.constexpr(3), square), 1, 4) == [19]
    with pytest.raises(triton.CompilationError, match="Cannot access global variable constant"):
        launch(closure_over(3, square), 1, 4)


@triton.jit
def cube(x):
    return x * x * x


@triton.jit
def functions_in_tuples(out, n):
    functions = (square, cube)
    for i in tl.static_range(2):
        tl.store(out + i, functions[i](n))


def test_functions_in_tuples():
    assert launch(functions_in_tuples, 2, 4) == [16, 64]


@triton.jit(noinline=True)
def row(x, y):
    return tl.arange(0, 8) * x + y


@triton.jit
def noinline_block(out, n):
    tl.store(out + tl.arange(0, 8), row(n, 2))


def test_noinline_returns_a_block():
    assert launch(noinline_block, 8, 4) == [2 + 4 * i for i in range(8)]


_EVENTS = []


@tl.core.builtin
def scope(name, _semantic=None):
    @contextlib.contextmanager
    def manager():
        _EVENTS.append(("enter", name.value))
        yield 5
        _EVENTS.append(("leave", name.value))

    return manager()


@triton.jit
def with_statement(out, n):
    with scope("a") as x, scope("b"):
        y = n + x
    tl.store(out, y)


def test_with(fresh_cache):
    _EVENTS.clear()
    assert launch(with_statement, 1, 4) == [9]
    assert _EVENTS == [("enter", "a"), ("enter", "b"), ("leave", "b"), ("leave", "a")]


@triton.jit
def short_circuit(out, n, N: tl.constexpr):
    if N > 3 and undefined_thing:  # noqa: F821
        tl.store(out, 1)
    if N < 4 or undefined_thing:  # noqa: F821
        tl.store(out + 1, 2)
    if N == 3 and n > 4:
        tl.store(out, 3)


def test_constants_short_circuit():
    assert launch(short_circuit, 2, 7, 3) == [3, 2]


@triton.jit
def conditions(out, n):
    if n:
        tl.store(out, 1)
    tl.store(out + 1, not n)
    x = n
    while x:
        x -= 1
    tl.store(out + 2, x)
    if tl.full([1], 1, tl.int1):
        tl.store(out + 3, 4)
    i = 0
    while tl.condition(i < n, disable_licm=True):
        i += 2
    tl.store(out + 4, i)
    while (i := i - 1) > n:
        tl.store(out + 5, i)
    tl.store(out + 6, i)


def test_conditions():
    out = np.zeros(7, np.int32)
    conditions[(1,)](out, 7)
    assert out.tolist() == [1, 0, 0, 4, 8, 0, 7]


@triton.jit
def loops(out, n):
    last = 5
    for i in range(0):
        last = 7
    tl.store(out, last)
    for i in range(n):
        i = i * 2
        last += i
    tl.store(out + 1, last)
    kind = tl.float32
    for i in range(n, 0, -3):
        kind = tl.float32
        last += i
    tl.store(out + 2, last + kind.primitive_bitwidth)
    for i in tl.static_range(3, 0, -1):
        tl.store(out + 2 + i, i)


def test_loops():
    assert launch(loops, 6, 7) == [5, 47, 47 + 12 + 32, 1, 2, 3]


@triton.jit
def loop_types(out, a, b, c):
    for i in range(0, a, 1):
        tl.static_assert(i.dtype == tl.int32)
    for i in range(b):
        tl.static_assert(i.dtype == tl.int64)
    for i in range(0, c):
        tl.static_assert(i.dtype == tl.uint32)
        tl.store(out, i)


def test_type_of_the_index():
    text = ttir_of(loop_types, {"out": "*i32", "a": "i16", "b": "i64", "c": "u32"})
    assert text.count("scf.for") == 3 and text.count("unsignedCmp") == 1 or "scf.for unsigned" in text


@triton.jit
def hinted_loops(out, n):
    for i in tl.range(0, n, num_stages=3, loop_unroll_factor=2, disallow_acc_multi_buffer=True,
                      flatten=True, warp_specialize=True, disable_licm=True):
        tl.store(out + i, i)


@triton.jit
def plain_loop(out, n):
    for i in tl.range(0, n, num_stages=None, loop_unroll_factor=None):
        tl.store(out + i, i)


def test_options_of_range():
    signature = {"out": "*i32", "n": "i32"}
    text = ttir_of(hinted_loops, signature)
    assert "#llvm.loop_licm<disable = true>" in text
    for hint in ("tt.num_stages = 3 : i32", "tt.loop_unroll_factor = 2 : i32", "tt.flatten",
                 "tt.disallow_acc_multi_buffer", "tt.warp_specialize", "llvm.loop_annotation"):
        assert hint in text, text
    plain = ttir_of(plain_loop, signature)
    assert "num_stages" not in plain and "loop_unroll_factor" not in plain
    assert launch(hinted_loops, 4, 4) == [0, 1, 2, 3]


@triton.jit
def indexing(out, x_ptr):
    x = tl.load(x_ptr + tl.arange(0, 8))
    y = x[None, :, None]
    tl.static_assert(y.shape == (1, 8, 1))
    z = x[:] + y.T.reshape(8)
    tl.store(out + tl.arange(0, 8), z.reshape([2, 4]).T.reshape(8))


def test_indexing():
    x = np.arange(8, dtype=np.int32)
    assert launch(indexing, 8, guarded_copy(x)) == (2 * x).reshape(2, 4).T.ravel().tolist()


@triton.jit
def branch_constants(out, n):
    if n > 3:
        size: tl.constexpr = 8
        kind = tl.float32
    else:
        size: tl.constexpr = 4
        kind = tl.float32
    tl.static_assert(kind == tl.float32)
    tl.store(out, size)


@pytest.mark.parametrize("n,expected", [(7, 8), (2, 4)])
def test_constants_that_branches_agree_on(n, expected):
    assert launch(branch_constants, 1, n) == [expected]


@triton.jit
def division(out, n):
    tl.store(out, n // -2)
    tl.store(out + 1, n % -2)
    tl.store(out + 2, -n // 2)
    tl.store(out + 3, -n % 2)
    floor: tl.constexpr = -7 // 2
    rest: tl.constexpr = -7 % 2
    tl.store(out + 4, floor)
    tl.store(out + 5, rest)


def test_division_truncates_in_kernels_and_floors_on_constants():
    assert launch(division, 6, 7) == [-3, 1, -3, -1, -4, 1]


@triton.jit
def signed(x, OPERATOR: tl.constexpr, amount: tl.constexpr = 1):
    if OPERATOR == "+":
        return x + amount
    else:
        return x - amount


@triton.jit
def apply(f: tl.constexpr, x):
    return f(x)


def adder(constant):
    @triton.jit
    def add(x):
        return x + constant

    return add


add_one, add_two = adder(tl.constexpr(1)), adder(tl.constexpr(2))


@triton.jit
def functions_alike(out, n):
    tl.store(out, signed(n, "+"))
    tl.store(out + 1, signed(n, "-"))
    tl.store(out + 2, signed(n, "+", -1))
    tl.store(out + 3, signed(n, "+", (2, -1)[1]))
    tl.store(out + 4, add_one(n) * 100 + add_two(n))
    tl.store(out + 5, apply(add_one, n) * 100 + apply(add_two, n))
    tl.static_assert(signed(n, "+", 1.0).dtype == tl.float32)
    tl.static_assert(signed(n, "+", True).dtype == tl.int32)


def test_functions_whose_symbols_would_be_alike():
    """Constants that differ only in characters that symbols lack, closures of one name."""
    assert launch(functions_alike, 6, 7) == [8, 6, 6, 6, 809, 809]


@triton.jit
def sometimes(x, p, n):
    if n > 3:
        return (x, x + 0.5), p


@triton.jit
def missing_return(out, n):
    (a, b), p = sometimes(5, out, n)
    tl.store(out, a)
    tl.store(out + 1, (b * 10).to(tl.int32))
    if n > 3:
        tl.store(p + 2, 9)


@pytest.mark.parametrize("n,expected", [(7, [5, 55, 9]), (2, [0, 0, 0])])
def test_path_without_a_return_gives_zero(n, expected):
    out = np.zeros(3, np.int32)
    missing_return[(1,)](out, n)
    assert out.tolist() == expected
