"""Operators between element types: the type of the result and its value."""

import operator

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}
BITS = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
               "==": operator.eq, "!=": operator.ne}


def unsigned(dtype):
    return np.dtype(dtype).kind == "u"


def is_int(dtype):
    return np.dtype(dtype).kind in "iu"


def promoted(a, b, division=False):
    """f64, then f32, then f16, then bf16 alone; integers as in C without promotion to int."""
    if not (is_int(a) and is_int(b)):
        for kind in (np.float64, np.float32):
            if kind in (a, b):
                return kind
        if np.float16 in (a, b):
            return np.float32 if division else np.float16
        return ml_dtypes.bfloat16 if a == b and not division else np.float32
    size_a, size_b = np.dtype(a).itemsize, np.dtype(b).itemsize
    if unsigned(a) == unsigned(b):
        return a if size_a >= size_b else b
    with_sign, without = (b, a) if unsigned(a) else (a, b)
    return without if np.dtype(without).itemsize >= np.dtype(with_sign).itemsize else with_sign


def language_type(dtype):
    name = np.dtype(dtype).name
    return getattr(tl, name)


@triton.jit
def operators_kernel(a_ptr, b_ptr, out_ptr, N: tl.constexpr, WHAT: tl.constexpr,
                     EXPECTED: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(a_ptr + i), tl.load(b_ptr + i)
    if WHAT == "+":
        r = a + b
    elif WHAT == "-":
        r = a - b
    elif WHAT == "*":
        r = a * b
    elif WHAT == "/":
        r = a / b
    elif WHAT == "//":
        r = a // b
    elif WHAT == "%":
        r = a % b
    elif WHAT == "&":
        r = a & b
    elif WHAT == "|":
        r = a | b
    elif WHAT == "^":
        r = a ^ b
    elif WHAT == "<":
        r = a < b
    elif WHAT == "<=":
        r = a <= b
    elif WHAT == ">":
        r = a > b
    elif WHAT == ">=":
        r = a >= b
    elif WHAT == "==":
        r = a == b
    elif WHAT == "!=":
        r = a != b
    elif WHAT == "where":
        r = tl.where(i % 3 == 0, a, b)
    elif WHAT == "min":
        r = tl.minimum(a, b)
    else:
        r = tl.maximum(a, b)
    tl.static_assert(r.dtype == EXPECTED)
    tl.store(out_ptr + i, r)


def operands(dtype, seed, small):
    """Small: exact in every type, no zero; else the whole range of the type, with its ends."""
    rng = np.random.default_rng(seed)
    if small or not is_int(dtype):
        low = 1 if unsigned(dtype) else -11
        values = rng.integers(low, 12, 64)
        values[values == 0] = 3
        return values.astype(dtype)
    info = np.iinfo(dtype)
    values = rng.integers(info.min, info.max, 64, dtype=dtype, endpoint=True)
    values[:4] = info.min, info.max, 0, 1
    return values


def launch(a, b, what, result, expected=None):
    out = guarded(a.size, result)
    operators_kernel[(1,)](guarded_copy(a), guarded_copy(b), out, a.size, what,
                           language_type(expected or result))
    return out


@cases(what=[*ARITHMETIC, *BITS, *COMPARISONS, "where", "min", "max"],
       left=INTS, right=[np.int8, np.int32, np.int64, np.uint16, np.uint32, np.uint64])
def test_integers(what, left, right):
    a, b = operands(left, 1, False), operands(right, 2, False)
    kind = promoted(left, right)
    x, y = a.astype(kind), b.astype(kind)
    if what in COMPARISONS:
        out = guarded(a.size, np.bool_)
        operators_kernel[(1,)](guarded_copy(a), guarded_copy(b), out, a.size, what, tl.int1)
        np.testing.assert_array_equal(out, COMPARISONS[what](x, y))
        return
    with np.errstate(over="ignore"):
        exact = {"where": lambda: np.where(np.arange(a.size) % 3 == 0, x, y),
                 "min": lambda: np.minimum(x, y), "max": lambda: np.maximum(x, y)}.get(
                     what, lambda: {**ARITHMETIC, **BITS}[what](x, y))()
    np.testing.assert_array_equal(launch(a, b, what, kind), exact)


@cases(what=["//", "%"], left=INTS, right=[np.int8, np.int64, np.uint8, np.uint32])
def test_integer_division(what, left, right):
    """Towards zero; the remainder has the dividend's sign. Mixed signs are refused."""
    a, b = operands(left, 1, True), operands(right, 2, True)
    if unsigned(left) != unsigned(right):
        with pytest.raises(triton.CompilationError, match="different signedness"):
            launch(a, b, what, np.int32)
        return
    quotient = np.trunc(a.astype(np.float64) / b.astype(np.float64)).astype(np.int64)
    exact = quotient if what == "//" else a.astype(np.int64) - quotient * b.astype(np.int64)
    kind = promoted(left, right)
    np.testing.assert_array_equal(launch(a, b, what, kind), exact.astype(kind))


@cases(what=[*ARITHMETIC, "/", "%", "<", "!=", "where", "min", "max"], left=FLOATS,
       right=FLOATS + [np.int8, np.int32, np.uint16, np.int64])
def test_floats(what, left, right):
    a, b = operands(left, 1, True), operands(right, 2, True)
    if swapped(what, left, right):
        a, b, left, right = b, a, right, left
    kind = promoted(left, right, division=what in "/%")
    x, y = a.astype(np.float64), b.astype(np.float64)
    if what in COMPARISONS:
        out = guarded(a.size, np.bool_)
        operators_kernel[(1,)](guarded_copy(a), guarded_copy(b), out, a.size, what, tl.int1)
        np.testing.assert_array_equal(out, COMPARISONS[what](x, y))
        return
    if what in ("min", "max") and kind == ml_dtypes.bfloat16:
        kind = np.float32
    exact = {"where": lambda: np.where(np.arange(a.size) % 3 == 0, x, y), "/": lambda: x / y,
             "%": lambda: np.fmod(x, y), "min": lambda: np.minimum(x, y),
             "max": lambda: np.maximum(x, y)}.get(what, lambda: ARITHMETIC[what](x, y))()
    assert_close(launch(a, b, what, kind), exact, ulps=1)


def swapped(what, left, right):
    """Half of the mixed pairs have the integer on the left."""
    return is_int(right) and (len(what) + np.dtype(left).itemsize) % 2 == 0


@triton.jit
def literals_kernel(x_ptr, out_ptr, N: tl.constexpr, EXPECTED: tl.constexpr,
                    WITH_FLOAT: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    r = 3 + x * 2 - 1
    tl.static_assert(r.dtype == x.dtype)
    f = 1.5 + x * 0.5
    tl.static_assert(f.dtype == WITH_FLOAT)
    tl.store(out_ptr + i, r)
    tl.store(out_ptr + N + i, f)
    tl.store(out_ptr + 2 * N + i, x / 4)
    tl.static_assert((-x).dtype == x.dtype)
    tl.store(out_ptr + 3 * N + i, -x)
    tl.static_assert((x > 2).dtype == tl.int1)
    tl.store(out_ptr + 4 * N + i, x > 2)


@pytest.mark.parametrize("dtype", INTS[:4] + FLOATS, ids=lambda d: np.dtype(d).name)
def test_literals(dtype):
    """A literal takes the block's type where its kind is no higher."""
    x = operands(dtype, 4, True)
    out = guarded((5, x.size), np.float64)
    with_float = tl.float32 if is_int(dtype) else language_type(dtype)
    literals_kernel[(1,)](guarded_copy(x), out, x.size, language_type(dtype), with_float)
    wide = x.astype(np.float64)
    np.testing.assert_array_equal(out, [2 * wide + 2, 1.5 + wide / 2, wide / 4, -wide, wide > 2])
