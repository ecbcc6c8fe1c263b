"""Functions of tl on blocks, against numpy."""

import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from tolerance import assert_close


@triton.jit
def reductions(out, x_ptr, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr,
               WHAT: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    if WHAT == "sum":
        r = tl.sum(x, axis=AXIS)
    elif WHAT == "max":
        r = tl.max(x, axis=AXIS)
    elif WHAT == "min":
        r = tl.min(x, axis=AXIS)
    elif WHAT == "argmax":
        r = tl.argmax(x, axis=AXIS)
    else:
        r = tl.argmin(x, axis=AXIS)
    size: tl.constexpr = N if AXIS == 0 else M
    tl.store(out + tl.arange(0, size), r)


@pytest.mark.parametrize("what", ["sum", "max", "min", "argmax", "argmin"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(1, 1), (2, 64), (16, 8), (32, 32)])
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int8], ids=lambda d: np.dtype(d).name)
def test_reduce(what, axis, shape, dtype):
    rng = np.random.default_rng(7)
    x = guarded_copy((rng.standard_normal(shape) * 9).astype(dtype))
    expected = getattr(x.astype(np.float64 if dtype == np.float32 else np.int64), what)(axis)
    kind = np.int32 if what.startswith("arg") or dtype != np.float32 else np.float32
    out = guarded(expected.shape, kind)
    reductions[(1,)](out, x, *shape, axis, what)
    assert_close(out, expected.astype(kind) if kind == np.int32 else expected, np.float32,
                 shape[axis], magnitude=np.abs(x.astype(np.float64)).sum(axis))


@triton.jit
def functions(out, x_ptr, N: tl.constexpr, WHAT: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    if WHAT == "exp":
        y = tl.exp(x)
    elif WHAT == "log":
        y = tl.log(tl.abs(x))
    elif WHAT == "exp2":
        y = tl.exp2(x)
    elif WHAT == "log2":
        y = tl.log2(tl.abs(x))
    elif WHAT == "sin":
        y = tl.sin(x)
    elif WHAT == "cos":
        y = tl.cos(x)
    elif WHAT == "sqrt":
        y = tl.sqrt(tl.abs(x))
    elif WHAT == "rsqrt":
        y = tl.rsqrt(tl.abs(x))
    elif WHAT == "erf":
        y = tl.erf(x)
    elif WHAT == "floor":
        y = tl.floor(x)
    elif WHAT == "ceil":
        y = tl.ceil(x)
    elif WHAT == "sigmoid":
        y = tl.sigmoid(x)
    else:
        y = tl.fma(x, x, x)
    tl.store(out + i, y)


_ERF = np.vectorize(__import__("math").erf)
_FORMULAS = {
    "exp": np.exp, "log": lambda x: np.log(np.abs(x)), "exp2": np.exp2,
    "log2": lambda x: np.log2(np.abs(x)), "sin": np.sin, "cos": np.cos,
    "sqrt": lambda x: np.sqrt(np.abs(x)), "rsqrt": lambda x: 1 / np.sqrt(np.abs(x)), "erf": _ERF,
    "floor": np.floor, "ceil": np.ceil, "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "fma": lambda x: x * x + x,
}


@pytest.mark.parametrize("what", list(_FORMULAS))
@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: np.dtype(d).name)
def test_functions(what, dtype):
    """Within 4 units in the last place of the formula in the next wider type."""
    x = guarded_copy((np.random.default_rng(2).standard_normal(256) * 4).astype(dtype))
    out = guarded(256, dtype)
    functions[(1,)](out, x, 256, what)
    exact = _FORMULAS[what](x.astype(np.longdouble if dtype == np.float64 and what != "erf"
                                     else np.float64))
    size = np.abs(exact) + (x.astype(np.float64)**2 + np.abs(x) if what == "fma" else 0)
    assert_close(out, exact.astype(np.float64), dtype, ulps=4, magnitude=size.astype(np.float64))


@triton.jit
def shapes(out, x_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    a = tl.reshape(x, [4, N // 4])
    b = tl.trans(a)
    c = tl.reshape(b, [N])
    d = tl.join(x, c)
    e, f = tl.split(d)
    g = tl.interleave(e, f)
    h = tl.sum(tl.reshape(g, [N, 2]), axis=1)
    k = tl.broadcast_to(x[:, None], [N, 2])
    i = tl.arange(0, N)
    tl.store(out + i, c)
    tl.store(out + N + i, h)
    tl.store(out + 2 * N + i, tl.sum(k, axis=1))
    tl.store(out + 3 * N + i, tl.flip(x))
    tl.store(out + 4 * N + i, tl.sort(x))
    tl.store(out + 5 * N + i, tl.sort(x, descending=True))


@triton.jit
def flips(out, x_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, DIM: tl.constexpr):
    a, b, c = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    at = a[:, None, None] * B * C + b[None, :, None] * C + c[None, None, :]
    tl.store(out + at, tl.flip(tl.load(x_ptr + at), DIM))


@pytest.mark.parametrize("dim", [0, 1, 2, -1, None])
@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int8], ids=lambda d: np.dtype(d).name)
def test_flip(dim, dtype):
    x = guarded_copy(np.random.default_rng(3).standard_normal((4, 8, 16)).astype(dtype))
    out = guarded(x.shape, dtype)
    flips[(1,)](out, x, *x.shape, dim)
    np.testing.assert_array_equal(out, np.flip(x, 2 if dim is None else dim))


def test_shapes():
    n = 32
    x = guarded_copy(np.random.default_rng(3).permutation(n).astype(np.float32))
    out = guarded((6, n), np.float32)
    shapes[(1,)](out, x, n)
    c = x.reshape(4, n // 4).T.ravel()
    np.testing.assert_array_equal(out, [c, x + c, 2 * x, x[::-1], np.sort(x), np.sort(x)[::-1]])


@triton.jit
def block_pointers(out, x_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    x = tl.make_block_ptr(x_ptr, [M, N], [N, 1], [tl.program_id(0) * BM, 0], [BM, BN], [1, 0])
    o = tl.make_block_ptr(out, [M, N], [N, 1], [tl.program_id(0) * BM, 0], [BM, BN], [1, 0])
    for _ in range(0, tl.cdiv(N, BN)):
        tile = tl.load(x, boundary_check=(0, 1), padding_option="zero")
        tl.store(o, tile * 2, boundary_check=(0, 1))
        x = tl.advance(x, [0, BN])
        o = tl.advance(o, [0, BN])


@pytest.mark.parametrize("shape", [(16, 16), (5, 33), (17, 1)])
def test_block_pointers(shape):
    x = guarded_copy(np.random.default_rng(4).standard_normal(shape).astype(np.float32))
    out = guarded(shape, np.float32)
    block_pointers[(triton.cdiv(shape[0], 8),)](out, x, *shape, BM=8, BN=16)
    np.testing.assert_array_equal(out, 2 * x)


@triton.jit
def promotions(i8, i32, u8, f16, f32, f64, out):
    a, b, c = tl.load(i8), tl.load(i32), tl.load(u8)
    x, y, z = tl.load(f16), tl.load(f32), tl.load(f64)
    tl.static_assert((a + b).dtype == tl.int32)
    tl.static_assert((a + c).dtype == tl.uint8)
    tl.static_assert((c + b).dtype == tl.int32)
    tl.static_assert((a + 1).dtype == tl.int8)
    tl.static_assert((a + 1.0).dtype == tl.float32)
    tl.static_assert((x * 2).dtype == tl.float16)
    tl.static_assert((x * 2.0).dtype == tl.float16)
    tl.static_assert((x / x).dtype == tl.float32)
    tl.static_assert((x + y).dtype == tl.float32)
    tl.static_assert((y + z).dtype == tl.float64)
    tl.static_assert((b / b).dtype == tl.float32)
    tl.static_assert((b + x).dtype == tl.float16)
    tl.static_assert((b < c).dtype == tl.int1)
    tl.store(out, a + b + c + x + y + z)


def test_promotion():
    values = [np.array([v], t) for v, t in [(1, np.int8), (2, np.int32), (3, np.uint8),
                                            (4, np.float16), (5, np.float32), (6, np.float64)]]
    out = np.zeros(1, np.float64)
    promotions[(1,)](*values, out)
    assert out[0] == 21


@triton.jit
def casts(out, x_ptr, N: tl.constexpr, TO: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x_ptr + i).to(TO))


@pytest.mark.parametrize("source", ["float64", "float32"])
@pytest.mark.parametrize("to", [tl.float16, tl.bfloat16], ids=str)
def test_narrowing_rounds_once(source, to):
    import ml_dtypes

    target = np.float16 if to == tl.float16 else ml_dtypes.bfloat16
    rng = np.random.default_rng(9)
    x = np.concatenate([
        rng.standard_normal(2000) * 10.0 ** rng.integers(-9, 6, 2000),
        # halfway cases, and a hair beside them that only f64 can tell
        (1 + np.arange(16) / 16 + 2.0**-9), (1 + 2.0**-11) * np.array([1, 1 + 2.0**-40, 1 - 2.0**-40]),
        (1 + 2.0**-8) * np.array([1, 1 + 2.0**-40, 1 - 2.0**-40]),
        [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519.99, 65520, 6e-8, 2.9e-8, 3.1e-8, 1e-45],
        [3.3895e38, 3.4e38]]).astype(source)
    x = np.resize(x, 2048)
    out = guarded(2048, target)
    casts[(1,)](out, guarded_copy(x), 2048, to)
    exact = [_round_once(v, target) for v in x.astype(np.float64)]
    np.testing.assert_array_equal(out.astype(np.float64), np.array(exact))


def _round_once(value, target):
    """The nearest number of the target format, ties to even, by scaling in float64."""
    if not np.isfinite(value) or value == 0:
        return value
    bits, low, top = (11, -14, 15) if target == np.float16 else (8, -126, 127)
    exponent = max(int(np.floor(np.log2(abs(value)))), low)
    if abs(value) < 2.0**exponent:
        exponent = max(exponent - 1, low)
    unit = 2.0 ** (exponent - bits + 1)
    rounded = np.rint(value / unit) * unit
    return np.copysign(np.inf, value) if abs(rounded) >= 2.0 ** (top + 1) else rounded
