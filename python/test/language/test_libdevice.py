"""tl.extra.libdevice against numpy's formulas in the next wider type."""

import inspect
import math
import struct

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import still_works
from guarded import guarded, guarded_copy
from tolerance import assert_close
from triton.language.extra import libdevice

FLOATS = pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: np.dtype(d).name)
N = 512


@triton.jit
def one(out, x, F: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, F(tl.load(x + i)))


@triton.jit
def two(out, x, y, F: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, F(tl.load(x + i), tl.load(y + i)))


@triton.jit
def three(out, x, y, z, F: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, F(tl.load(x + i), tl.load(y + i), tl.load(z + i)))


@triton.jit
def four(out, x, y, z, w, F: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, F(tl.load(x + i), tl.load(y + i), tl.load(z + i), tl.load(w + i)))


KERNELS = (one, two, three, four)


def call(name, *args, result=None):
    out = guarded(args[0].shape, result or args[0].dtype)
    arrays = [guarded_copy(a) for a in args]
    KERNELS[len(args) - 1][(1,)](out, *arrays, getattr(libdevice, name), len(args[0]))
    return out


def wider(dtype):
    return np.float64 if dtype == np.float32 else np.longdouble


def mixed(dtype, *special):
    """Numbers of all sizes, and special ones."""
    rng = np.random.default_rng(5)
    info = np.finfo(dtype)
    x = rng.standard_normal(N) * 10.0 ** rng.integers(-6, 7, N)
    x[:N // 8] *= float(info.tiny) * 1e-3
    ends = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, info.max, -info.max, info.tiny,
            info.smallest_subnormal, -info.smallest_subnormal, np.inf, -np.inf, np.nan]
    x[-len(ends):] = ends
    x[-len(ends) - len(special):-len(ends)] = special
    return x.astype(dtype)


def between(low, high):
    return lambda dtype: np.linspace(low, high, N).astype(dtype)


_WHOLE = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint,
          "nearbyint": np.rint, "abs": np.abs, "sqrt": np.sqrt, "sqrt_rn": np.sqrt,
          "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)}


@FLOATS
@pytest.mark.parametrize("name", _WHOLE)
def test_correctly_rounded(name, dtype):
    x = mixed(dtype)
    with np.errstate(invalid="ignore"):
        expected = _WHOLE[name](x)
    actual = call(name, x)
    np.testing.assert_array_equal(actual, expected)
    if name != "sqrt":
        known = ~np.isnan(x)
        np.testing.assert_array_equal(np.signbit(actual)[known], np.signbit(expected)[known])


_CLOSE = {
    "exp": (np.exp, between(-80, 80)), "exp2": (np.exp2, between(-120, 120)),
    "exp10": (lambda x: 10**x, between(-37, 38)), "expm1": (np.expm1, mixed),
    "log": (np.log, mixed), "log2": (np.log2, mixed), "log10": (np.log10, mixed),
    "log1p": (np.log1p, mixed), "sin": (np.sin, between(-9, 9)), "cos": (np.cos, between(-9, 9)),
    "tan": (np.tan, between(-1.5, 1.5)), "asin": (np.arcsin, between(-1, 1)),
    "acos": (np.arccos, between(-1, 1)), "atan": (np.arctan, mixed), "sinh": (np.sinh, mixed),
    "cosh": (np.cosh, mixed), "tanh": (np.tanh, mixed), "asinh": (np.arcsinh, mixed),
    "acosh": (np.arccosh, mixed), "atanh": (np.arctanh, between(-1, 1)), "cbrt": (np.cbrt, mixed),
    "rsqrt": (lambda x: 1 / np.sqrt(x), mixed), "rcbrt": (lambda x: 1 / np.cbrt(x), mixed),
    "rcp_rn": (lambda x: 1 / x, mixed),
}


NARROW = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cosh", "exp", "exp2",
          "expm1", "log", "log1p", "log2", "log10", "rsqrt", "sin", "tan", "tanh"]


@pytest.mark.parametrize("name", NARROW)
def test_half_precision_is_rounded_once(name):
    x = np.linspace(0.05, 0.95, N).astype(np.float16) + np.float16(name == "acosh")
    exact = _CLOSE[name][0](x.astype(np.float64))
    assert_close(call(name, x), exact, computed_in=np.float32, ulps=4)


def test_half_precision_of_two():
    x, y = (np.linspace(0.1, n, N).astype(np.float16) for n in (1, 2))
    for name, formula in (("pow", np.power), ("atan2", np.arctan2), ("hypot", np.hypot)):
        assert_close(call(name, x, y), formula(x.astype(np.float64), y.astype(np.float64)),
                     computed_in=np.float32, ulps=8)


@triton.jit
def member(out, x, F: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, getattr(tl.load(x + i), F)())


@pytest.mark.parametrize("name", ["cos", "exp", "exp2", "log", "log2", "sin"])
def test_half_precision_of_tensor_methods(name):
    x = np.linspace(0.05, 3, N).astype(np.float16)
    out = guarded(N, np.float16)
    member[(1,)](out, guarded_copy(x), name, N)
    assert_close(out, _CLOSE[name][0](x.astype(np.float64)), computed_in=np.float32, ulps=4)


def test_parameters():
    """Callers that look see the parameters that kernels pass."""
    counts = {"exp": 1, "acosh": 1, "isinf": 1, "pow": 2, "fmod": 2, "hypot": 2, "norm4d": 4,
              "copysign": 2, "signbit": 1}
    assert {n: len(inspect.signature(getattr(libdevice, n)).parameters) for n in counts} == counts
    assert "_semantic" in inspect.signature(tl.abs).parameters


@FLOATS
@pytest.mark.parametrize("name", _CLOSE)
def test_function_of_one(name, dtype):
    formula, domain = _CLOSE[name]
    x = domain(dtype)
    with np.errstate(all="ignore"):
        exact = formula(x.astype(wider(dtype)))
        exact = np.where(np.isfinite(exact.astype(dtype)), exact, exact.astype(dtype))
    assert_close(call(name, x), exact.astype(np.float64), dtype, ulps=4)


@FLOATS
@pytest.mark.parametrize("name", ["sinpi", "cospi"])
def test_turns(name, dtype):
    x = np.concatenate([np.arange(-64, 64) / 2, np.linspace(-2.3, 2.3, N - 128)]).astype(dtype)
    r = np.remainder(x.astype(wider(dtype)) + 1, 2) - 1
    pi = np.longdouble("3.14159265358979323846264338327950288").astype(wider(dtype))
    exact = (np.sin if name == "sinpi" else np.cos)(r * pi)
    exact[:128] = np.rint(exact[:128])
    assert_close(call(name, x), exact.astype(np.float64), dtype, ulps=4,
                 magnitude=np.maximum(np.abs(exact), 1e-9 if dtype == np.float32 else 1e-3))


@FLOATS
def test_functions_of_several(dtype):
    x, y, z, w = mixed(dtype), mixed(dtype)[::-1].copy(), np.roll(mixed(dtype), 7), \
        np.roll(mixed(dtype), 100)
    wide = [v.astype(wider(dtype)) for v in (x, y, z, w)]
    with np.errstate(all="ignore"):
        cases = {
            "atan2": np.arctan2(*wide[:2]), "hypot": np.hypot(*wide[:2]),
            "rhypot": 1 / np.hypot(*wide[:2]), "copysign": np.copysign(*wide[:2]),
            "fdim": np.where(wide[0] <= wide[1], 0, wide[0] - wide[1]),
            "fmod": np.fmod(*wide[:2]), "div_rn": wide[0] / wide[1],
            "norm3d": np.hypot(np.hypot(*wide[:2]), wide[2]),
            "norm4d": np.hypot(np.hypot(*wide[:2]), np.hypot(*wide[2:])),
            "remainder": np.array([_remainder(*p) for p in zip(x, y)]),
            "min": np.fmin(*wide[:2]), "max": np.fmax(*wide[:2]),
        }
        cases["rnorm3d"], cases["rnorm4d"] = 1 / cases["norm3d"], 1 / cases["norm4d"]
        for name, exact in cases.items():
            count = 4 if "4d" in name else 3 if "3d" in name else 2
            expected = np.where(np.isfinite(exact.astype(dtype)), exact, exact.astype(dtype))
            actual = call(name, *(x, y, z, w)[:count])
            nan = np.isnan(expected)
            np.testing.assert_array_equal(np.isnan(actual), nan, name)
            assert_close(actual[~nan], expected[~nan].astype(np.float64), dtype, ulps=4)


def _remainder(x, y):
    try:
        return math.remainder(float(x), float(y))
    except ValueError:
        return math.nan


@FLOATS
def test_pow(dtype):
    x, y = mixed(dtype), np.random.default_rng(3).uniform(-3, 3, N).astype(dtype)
    n = np.arange(N, dtype=np.int32) % 7 - 3
    for exponent in (y, n):
        with np.errstate(all="ignore"):
            exact = x.astype(wider(dtype)) ** exponent
            exact = exact.astype(dtype) if dtype == np.float64 else exact
        exact = np.where(np.abs(exact) > np.finfo(dtype).max, np.copysign(np.inf, exact), exact)
        assert_close(call("pow", x, exponent), exact, dtype, ulps=2)


@FLOATS
def test_format(dtype):
    x, y = mixed(dtype), mixed(dtype)[::-1].copy()
    y[:40] = x[:40]
    for name, expected in {
            "isnan": np.isnan(x), "isinf": np.isinf(x), "finitef": np.isfinite(x),
            "isfinited": np.isfinite(x), "signbit": np.signbit(x)}.items():
        np.testing.assert_array_equal(call(name, x, result=np.int32), expected, name)
    np.testing.assert_array_equal(call("nextafter", x, y), np.nextafter(x, y))
    exponents = np.frexp(x)[1] - 1
    exponents[~np.isfinite(x) | (x == 0)] = -2**31
    exponents[np.isinf(x)] = 2**31 - 1
    np.testing.assert_array_equal(call("ilogb", x, result=np.int32), exponents)
    logb = np.where(np.isfinite(x), exponents, np.abs(x)).astype(dtype)
    logb[x == 0] = -np.inf
    np.testing.assert_array_equal(call("logb", x), logb)
    n = np.random.default_rng(8).integers(-2200, 2200, N).astype(np.int32)
    n[::2] //= 20
    with np.errstate(all="ignore"):
        for name in ("ldexp", "scalbn"):
            np.testing.assert_array_equal(call(name, x, n), np.ldexp(x, n))


def test_saturate():
    x = mixed(np.float32)
    np.testing.assert_array_equal(call("saturatef", x), np.clip(np.nan_to_num(x, nan=0.0), 0, 1))


@pytest.mark.parametrize("source,target", [(s, t) for s in ("float", "double")
                                           for t in ("int", "uint", "ll", "ull")])
def test_conversions(source, target):
    kinds = {"float": np.float32, "double": np.float64, "int": np.int32, "uint": np.uint32,
             "ll": np.int64, "ull": np.uint64}
    dtype, integer = kinds[source], kinds[target]
    rng = np.random.default_rng(6)
    low = 0 if target.startswith("u") else -1000
    x = np.concatenate([rng.uniform(low, 1000, N - 8), [0, 0.5, 1.5, 2.5, 3.5, 7, 8, 9]]).astype(dtype)
    for suffix, formula in {"rn": np.rint, "rz": np.trunc, "ru": np.ceil, "rd": np.floor}.items():
        np.testing.assert_array_equal(call(f"{source}2{target}_{suffix}", x, result=integer),
                                      formula(x).astype(integer))
    info = np.iinfo(integer)
    n = rng.integers(info.min, info.max, N, dtype=integer)
    np.testing.assert_array_equal(call(f"{target}2{source}_rn", n, result=dtype), n.astype(dtype))


def test_narrowing_and_bits():
    x = np.random.default_rng(2).standard_normal(N) * 100
    np.testing.assert_array_equal(call("double2float_rn", x, result=np.float32), x.astype(np.float32))
    np.testing.assert_array_equal(call("llrint", x, result=np.int64), np.rint(x))
    np.testing.assert_array_equal(call("llround", np.float64([0.5, -0.5, 1.5, 2.5]), result=np.int64),
                                  [1, -1, 2, 3])
    for name, source, target in [("float_as_int", np.float32, np.int32),
                                 ("int_as_float", np.int32, np.float32),
                                 ("float_as_uint", np.float32, np.uint32),
                                 ("uint_as_float", np.uint32, np.float32),
                                 ("double_as_longlong", np.float64, np.int64),
                                 ("longlong_as_double", np.int64, np.float64)]:
        values = np.arange(N).astype(source) * 1021
        np.testing.assert_array_equal(call(name, values, result=target).view(source), values)
    low, high = call("double2loint", x, result=np.int32), call("double2hiint", x, result=np.int32)
    np.testing.assert_array_equal(low, x.view(np.int32)[0::2])
    np.testing.assert_array_equal(high, x.view(np.int32)[1::2])
    np.testing.assert_array_equal(call("hiloint2double", high, low, result=np.float64), x)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64],
                         ids=lambda d: np.dtype(d).name)
def test_integers(dtype):
    info = np.iinfo(dtype)
    rng = np.random.default_rng(1)
    x, y = (rng.integers(info.min, info.max, N, dtype=dtype) for _ in range(2))
    x[:4], y[:4] = [0, 1, info.min, info.max], [0, info.max, info.min, info.max]
    bits = info.bits
    words = [int(v) % 2**bits for v in x]
    np.testing.assert_array_equal(call("popc", x, result=np.int32), [bin(w).count("1") for w in words])
    np.testing.assert_array_equal(call("clz", x, result=np.int32), [bits - w.bit_length() for w in words])
    np.testing.assert_array_equal(call("ffs", x, result=np.int32), [(w & -w).bit_length() for w in words])
    reverse = [int(f"{w:0{bits}b}"[::-1], 2) for w in words]
    np.testing.assert_array_equal(call("brev", x).astype(f"u{bits // 8}"), reverse)
    pairs = [(int(a), int(b)) for a, b in zip(x, y)]
    np.testing.assert_array_equal(call("mulhi", x, y), [a * b >> bits for a, b in pairs])
    np.testing.assert_array_equal(call("hadd", x, y), [(a + b) >> 1 for a, b in pairs])
    np.testing.assert_array_equal(call("rhadd", x, y), [(a + b + 1) >> 1 for a, b in pairs])
    np.testing.assert_array_equal(call("min", x, y), np.minimum(x, y))
    np.testing.assert_array_equal(call("max", x, y), np.maximum(x, y))


def test_integers_of_32_bits():
    rng = np.random.default_rng(4)
    x, y = (rng.integers(-2**23, 2**23, N, dtype=np.int32) for _ in range(2))
    z = np.arange(N, dtype=np.uint32)
    np.testing.assert_array_equal(call("mul24", x, y), (x.astype(np.int64) * y).astype(np.int32))
    np.testing.assert_array_equal(call("sad", x, y, z, result=np.uint32), np.abs(x - y) + z)
    s = rng.integers(0, 2**31, N, dtype=np.int32)
    expected = []
    for a, b, c in zip(x, y, s):
        data = struct.pack("<ii", a, b)
        picked = bytes(data[int(c) >> 4 * i & 7] for i in range(4))
        expected.append(struct.unpack("<i", picked)[0])
    np.testing.assert_array_equal(call("byte_perm", x, y, s), expected)


@pytest.mark.parametrize("name", libdevice.MISSING + ["double2float_rz", "double2float_ru", "ll2double_rz"])
def test_missing_functions_are_refused(name):
    with pytest.raises(triton.CompilationError, match=f"not supported yet: tl.extra.libdevice.{name}"):
        call(name, np.ones(16, np.float32))
    still_works()


def test_every_function_is_tested():
    text = open(__file__, encoding="utf-8").read()
    aliases = ["fast_sinf", "fast_cosf", "fast_tanf", "fast_tanhf", "fast_expf", "fast_logf",
               "fast_log2f", "fast_log10f", "fast_exp10f", "fast_powf", "fast_dividef", "fma",
               "fma_rn", "umulhi", "erf"]
    for name in libdevice.__all__:
        known = name in libdevice.MISSING or name in aliases or f'"{name}"' in text
        assert known or "2" in name and name.rpartition("_")[2] in ("rn", "rz", "ru", "rd"), name


@triton.jit
def by_other_paths(out):
    from_cuda: tl.constexpr = tl.extra.cuda.libdevice.exp2
    tl.store(out, from_cuda(tl.load(out)) + tl.extra.libdevice.exp2(1.0))


def test_paths():
    from triton.language.extra.cuda.libdevice import exp2

    assert exp2 is libdevice.exp2
    out = np.float32([3])
    by_other_paths[(1,)](out)
    assert out[0] == 10
