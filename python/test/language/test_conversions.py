"""Conversions between float types: every number of the narrow ones, neighbours of every
boundary of the wide ones, against rounding worked out in float64."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy

BYTES = {"float8_e4m3fn": tl.float8e4nv, "float8_e5m2": tl.float8e5,
         "float8_e5m2fnuz": tl.float8e5b16}
TYPES = {"float16": tl.float16, "bfloat16": tl.bfloat16, "float32": tl.float32,
         "float64": tl.float64, **BYTES}


def numpy_type(name):
    return np.dtype(getattr(ml_dtypes, name, None) or name)


@triton.jit
def convert_kernel(x_ptr, out_ptr, n, TO: tl.constexpr, ROUNDING: tl.constexpr,
                   BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.store(out_ptr + i, x.to(TO, fp_downcast_rounding=ROUNDING), mask=i < n)


def convert(x, to, rounding=None):
    out = guarded_copy(np.zeros(x.shape, numpy_type(to)))
    convert_kernel[(triton.cdiv(x.size, 1024),)](guarded_copy(x), out, x.size, TYPES[to], rounding,
                                                 BLOCK=1024)
    return out.astype(np.float64)


def every_code(name):
    dtype = numpy_type(name)
    return np.arange(2 ** (8 * dtype.itemsize)).astype(f"u{dtype.itemsize}").view(dtype)


def samples(name):
    """Every code of narrow types; of wide ones all f16 numbers, their neighbours, and what
    lies hardly beside the middle of two."""
    if numpy_type(name).itemsize <= 2:
        return every_code(name)
    dtype = numpy_type(name).type
    base = every_code("float16").astype(dtype)
    base = base[np.isfinite(base)]
    random = np.random.default_rng(0).integers(0, 2**32, 50_000, dtype=np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        parts = [base, np.nextafter(base, dtype(0)), np.nextafter(base, dtype(np.inf)),
                 random.astype(dtype), np.array([np.nan, np.inf, -np.inf, -0.0], dtype)]
    return np.concatenate(parts)


def rounded(x, to, towards_zero):
    """``x`` (float64) among the finite numbers of ``to``, saturated."""
    codes = every_code(to)
    values = codes.astype(np.float64)
    finite = np.isfinite(values)
    table, first = np.unique(values[finite], return_index=True)
    even = (np.arange(len(values))[finite][first] % 2) == 0
    x = np.clip(x, table[0], table[-1])
    above = np.clip(np.searchsorted(table, np.nan_to_num(x)), 1, len(table) - 1)
    low, high = table[above - 1], table[above]
    if towards_zero:
        result = np.where(x >= 0, np.where(high <= x, high, low), np.where(low >= x, low, high))
    else:
        middle = (low + high) / 2
        tie = np.where(even[above], high, low)
        result = np.where(x < middle, low, np.where(x > middle, high, tie))
    return np.where(np.isnan(x), np.nan, result)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("rounding", [None, "rtne", "rtz"])
@pytest.mark.parametrize("source", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("to", BYTES)
def test_narrowing_to_bytes(source, to, rounding):
    x = samples(source)
    np.testing.assert_array_equal(convert(x, to, rounding),
                                  rounded(x.astype(np.float64), to, rounding == "rtz"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("to", TYPES)
@pytest.mark.parametrize("source", BYTES)
def test_from_bytes(source, to):
    x = every_code(source)
    exact = x.astype(np.float64)
    expected = rounded(exact, to, False) if to in BYTES and to != source else exact
    np.testing.assert_array_equal(convert(x, to), expected)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("source, to", [("float32", "float16"), ("float32", "bfloat16"),
                                        ("float64", "float32"), ("float64", "float16"),
                                        ("float64", "bfloat16")])
def test_towards_zero(source, to):
    x = samples(source)
    nearest = x.astype(numpy_type(to))
    away = np.abs(nearest.astype(np.float64)) > np.abs(x.astype(np.float64))
    code = nearest.view(f"u{nearest.itemsize}") - away.astype(f"u{nearest.itemsize}")
    np.testing.assert_array_equal(convert(x, to, "rtz"),
                                  code.view(nearest.dtype).astype(np.float64))


@triton.jit
def byte_arithmetic_kernel(x_ptr, y_ptr, out_ptr, less_ptr, number_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + i), tl.load(y_ptr + i)
    tl.store(out_ptr + i, tl.where(x < y, x + y, x * y))
    tl.store(less_ptr + i, x < y)
    tl.store(number_ptr + i, x.to(tl.int32))


@pytest.mark.parametrize("name", BYTES)
def test_arithmetic_on_bytes(name):
    dtype = numpy_type(name)
    x, y = (np.random.default_rng(s).integers(-12, 12, 256).astype(dtype) for s in (1, 2))
    out, less = guarded_copy(np.zeros(256, dtype)), guarded_copy(np.zeros(256, np.bool_))
    number = guarded_copy(np.zeros(256, np.int32))
    byte_arithmetic_kernel[(1,)](guarded_copy(x), guarded_copy(y), out, less, number, BLOCK=256)
    a, b = x.astype(np.float64), y.astype(np.float64)
    np.testing.assert_array_equal(less, a < b)
    np.testing.assert_array_equal(number, a.astype(np.int32))
    np.testing.assert_array_equal(out.astype(np.float64),
                                  rounded(np.where(a < b, a + b, a * b), name, False))


@triton.jit
def to_bfloat_kernel(x_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out_ptr + i, tl.load(x_ptr + i).to(tl.bfloat16))


def nearest_bfloat(number: int) -> float:
    """The integer rounded once to eight bits, ties to even."""
    size = abs(number)
    drop = max(0, size.bit_length() - 8)
    kept, rest = divmod(size, 1 << drop)
    half = (1 << drop) // 2
    kept += drop > 0 and (rest > half or (rest == half and kept & 1))
    return float((-1 if number < 0 else 1) * (kept << drop))


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_integers_are_rounded_once_to_bfloat16(dtype):
    info, n = np.iinfo(dtype), 4096
    rng = np.random.default_rng(0)
    x = rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
    x >>= rng.integers(0, info.bits, n).astype(dtype)
    ties = [sign * ((257 << k) + step) for k in range(info.bits - 9) for step in (-1, 0, 1)
            for sign in (1, -1)]
    ties = [t for t in ties if info.min <= t <= info.max] + [info.min, info.max, 0, 807403522]
    x[:len(ties)] = ties
    out = guarded(n, ml_dtypes.bfloat16)
    to_bfloat_kernel[(1,)](guarded_copy(x), out, n)
    np.testing.assert_array_equal(out.astype(np.float64), [nearest_bfloat(int(v)) for v in x])
