"""tl.dot_scaled against products of numbers decoded in numpy."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error
from guarded import guarded, guarded_copy
from tolerance import assert_close

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


@triton.jit
def scaled(out, a, sa, b, sb, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
           RUN: tl.constexpr, FA: tl.constexpr, FB: tl.constexpr, PA: tl.constexpr,
           PB: tl.constexpr, ACC: tl.constexpr):
    ma: tl.constexpr = M // 2 if FA == "e2m1" and not PA else M
    ka: tl.constexpr = K // 2 if FA == "e2m1" and PA else K
    kb: tl.constexpr = K // 2 if FB == "e2m1" and PB else K
    nb: tl.constexpr = N // 2 if FB == "e2m1" and not PB else N
    x = tl.load(a + tl.arange(0, ma)[:, None] * ka + tl.arange(0, ka)[None, :])
    y = tl.load(b + tl.arange(0, kb)[:, None] * nb + tl.arange(0, nb)[None, :])
    runs = tl.arange(0, K // RUN)[None, :]
    if sa is not None:
        xs = tl.load(sa + tl.arange(0, M)[:, None] * (K // RUN) + runs)
    else:
        xs: tl.constexpr = None
    if sb is not None:
        ys = tl.load(sb + tl.arange(0, N)[:, None] * (K // RUN) + runs)
    else:
        ys: tl.constexpr = None
    c = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    if ACC:
        acc = tl.full([M, N], 0.5, tl.float32)
        r = tl.dot_scaled(x, xs, FA, y, ys, FB, acc, lhs_k_pack=PA, rhs_k_pack=PB)
    else:
        r = tl.dot_scaled(x, xs, FA, y, ys, FB, lhs_k_pack=PA, rhs_k_pack=PB)
    tl.store(out + c, r)


def operand(rng, kind, shape, packed):
    """Stored elements, and the numbers they stand for; ``packed`` is the dimension of pairs."""
    if kind == "e2m1":
        codes = rng.integers(0, 16, shape).astype(np.uint8)
        even = [slice(None)] * 2
        odd = list(even)
        even[packed], odd[packed] = slice(0, None, 2), slice(1, None, 2)
        return codes[tuple(even)] | codes[tuple(odd)] << 4, E2M1[codes]
    types = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
             "bf16": ml_dtypes.bfloat16, "fp16": np.float16}
    values = rng.standard_normal(shape).astype(types[kind])
    stored = values.view(np.uint8 if kind[0] == "e" else np.uint16)
    return stored, values.astype(np.float64)


def scales(rng, shape, low=120, high=134):
    codes = rng.integers(low, high, shape).astype(np.uint8)
    return codes, 2.0 ** (codes.astype(np.float64) - 127)


FORMATS = ["e2m1", "e4m3", "e5m2", "bf16", "fp16"]


@pytest.mark.parametrize("fb", FORMATS)
@pytest.mark.parametrize("fa", FORMATS)
def test_formats(fa, fb):
    check(fa, fb, 16, 32, 64, 32)


@pytest.mark.parametrize("run", [16, 32])
@pytest.mark.parametrize("shape", [(16, 16, 32), (32, 8, 128), (1, 16, 64)], ids=str)
@pytest.mark.parametrize("pa,pb", [(True, True), (False, True), (True, False), (False, False)])
def test_shapes_and_packing(shape, run, pa, pb):
    if shape[0] == 1:
        pa = True  # one row holds no pair
    check("e2m1", "e2m1", *shape, run, pa, pb, acc=True)


@pytest.mark.parametrize("which", ["lhs", "rhs", "none"])
def test_without_scales(which):
    check("e4m3", "e5m2", 16, 16, 64, 32, with_a=which == "lhs", with_b=which == "rhs")


def check(fa, fb, M, N, K, run, pa=True, pb=True, acc=False, with_a=True, with_b=True):
    rng = np.random.default_rng(11)
    a, exact_a = operand(rng, fa, (M, K), 1 if pa else 0)
    b, exact_b = operand(rng, fb, (K, N), 0 if pb else 1)
    sa, factor_a = scales(rng, (M, K // run))
    sb, factor_b = scales(rng, (N, K // run))
    if with_a:
        exact_a = exact_a * np.repeat(factor_a, run, 1)
    if with_b:
        exact_b = exact_b * np.repeat(factor_b, run, 1).T
    out = guarded((M, N), np.float32)
    scaled[(1,)](out, guarded_copy(a), guarded_copy(sa) if with_a else None, guarded_copy(b),
                 guarded_copy(sb) if with_b else None, M, N, K, run, fa, fb, pa, pb, acc)
    assert_close(out, exact_a @ exact_b + 0.5 * acc, np.float32, K,
                 magnitude=np.abs(exact_a) @ np.abs(exact_b) + 0.5 * acc)


@pytest.mark.parametrize("bits", [np.uint8, np.int8], ids=["uint8", "int8"])
def test_all_scales(bits):
    """Every code of e8m0: the smallest is a denormal number, 255 is NaN."""
    M, N, K = 256, 8, 32
    ones = np.full((M, K), 0x38, np.uint8)  # 1.0 as e4m3
    b = np.zeros((K, N), np.uint8)
    b[0] = 0x38
    sa = np.arange(256, dtype=np.uint8).reshape(M, 1).view(bits)
    out = guarded((M, N), np.float32)
    scaled[(1,)](out, ones, sa, b, None, M, N, K, 32, "e4m3", "e4m3", True, True, False)
    expected = np.append(2.0 ** np.arange(-127, 128), np.nan).astype(np.float32)
    np.testing.assert_array_equal(out, np.repeat(expected[:, None], N, 1))


@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_all_elements(kind):
    """Every code of the format, NaN and infinities included, times 1."""
    codes = np.arange(256, dtype=np.uint8)
    a = np.zeros((256, 32), np.uint8)
    a[:, 0] = codes
    b = np.zeros((32, 8), np.uint16)
    b[0] = 0x3C00  # 1.0 as fp16
    out = guarded((256, 8), np.float32)
    scaled[(1,)](out, a, None, b, None, 256, 8, 32, 32, kind, "fp16", True, True, False)
    values = codes.view(ml_dtypes.float8_e4m3fn if kind == "e4m3" else ml_dtypes.float8_e5m2)
    np.testing.assert_array_equal(out, np.repeat(values.astype(np.float32)[:, None], 8, 1))


@triton.jit
def nvfp4(out, a, sa, b, K: tl.constexpr):
    i, k = tl.arange(0, 16), tl.arange(0, K)
    x = tl.load(a + i[:, None] * (K // 2) + tl.arange(0, K // 2)[None, :])
    xs = tl.load(sa + i[:, None] * (K // 16) + tl.arange(0, K // 16)[None, :])
    xs = xs.to(tl.float8e4nv, bitcast=True)
    y = tl.load(b + k[:, None] * 16 + i[None, :])
    tl.store(out + i[:, None] * 16 + i[None, :], tl.dot_scaled(x, xs, "e2m1", y, None, "bf16"))


def test_scales_in_fp8():
    rng = np.random.default_rng(5)
    a, exact_a = operand(rng, "e2m1", (16, 64), 1)
    b, exact_b = operand(rng, "bf16", (64, 16), 0)
    sa = rng.uniform(0.5, 2, (16, 4)).astype(ml_dtypes.float8_e4m3fn)
    out = guarded((16, 16), np.float32)
    nvfp4[(1,)](out, a, sa.view(np.uint8), b, 64)
    exact_a = exact_a * np.repeat(sa.astype(np.float64), 16, 1)
    assert_close(out, exact_a @ exact_b, np.float32, 64, magnitude=np.abs(exact_a) @ np.abs(exact_b))


@triton.jit
def mistake(p, WHAT: tl.constexpr):
    x = tl.zeros([32, 64], tl.uint8)
    y = tl.zeros([64, 32], tl.uint8)
    s = tl.zeros([32, 2], tl.uint8)
    t = tl.zeros([32, 4], tl.uint8)
    if WHAT == "factors":
        tl.dot_scaled(x, t, "e4m3", y, s, "e4m3")
    elif WHAT == "shape":
        tl.dot_scaled(x, tl.zeros([16, 2], tl.uint8), "e4m3", y, s, "e4m3")
    elif WHAT == "rhs shape":
        tl.dot_scaled(x, s, "e4m3", y, tl.zeros([2, 32], tl.uint8).reshape([64, 1]).reshape([2, 32]),
                      "e4m3")
    elif WHAT == "run":
        tl.dot_scaled(x, None, "e4m3", y, tl.zeros([32, 1], tl.uint8), "e4m3")
    elif WHAT == "format":
        tl.dot_scaled(x, s, "e3m4", y, s, "e4m3")
    elif WHAT == "element":
        tl.dot_scaled(x, s, "bf16", y, s, "e4m3")
    elif WHAT == "K":
        tl.dot_scaled(x, s, "e2m1", y, s, "e4m3")
    elif WHAT == "pack":
        tl.dot_scaled(x, s, "e4m3", y, s, "e4m3", lhs_k_pack=False)
    elif WHAT == "scale type":
        tl.dot_scaled(x, s.to(tl.int32), "e4m3", y, s, "e4m3")
    else:
        tl.dot_scaled(x, s, "e4m3", y, s, "e4m3", out_dtype=tl.float16)


@pytest.mark.parametrize("what,message", [
    ("factors", "Operands must have the same scale factor; (lhs: 16 vs rhs: 32)"),
    ("shape", "lhs_scale must be a tensor of shape [..., 32, 2]"),
    ("rhs shape", "Operands must have the same scale factor; (lhs: 32 vs rhs: 2)"),
    ("run", "rhs_scale must be a tensor of shape [..., 32, 2]"),
    ("format", "lhs_format e3m4 is not supported"),
    ("element", "lhs of format bf16 must have elements of bf16 or uint16, got uint8"),
    ("K", "have different K: 128 and 64"),
    ("pack", "only e2m1 is packed along another dimension than K"),
    ("scale type", "lhs_scale must have elements of uint8 (e8m0) or fp8e4nv, got int32"),
    ("result", "dot_scaled gives float32, got out_dtype fp16"),
])
def test_mistakes(what, message):
    with compile_error(message, "tl.dot_scaled", cause=ValueError):
        mistake[(1,)](np.zeros(1, np.float32), what)
