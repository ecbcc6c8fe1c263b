"""Parts of the language that the front end makes of others, on every target."""

import numpy as np
import pytest
import triton
import triton.language as tl
from executors import ARM, RISCV, empty, needs, run
from guarded import guarded_copy
from language.test_descriptors import twice
from language.test_scaled_dot import operand, scaled, scales
from tolerance import assert_close
from triton.language.extra import libdevice

UNARY = tuple(getattr(libdevice, name) for name in (
    "expm1 log10 log1p tan atan sinh cosh tanh trunc round rint asin acos asinh acosh atanh cbrt "
    "exp10 sinpi cospi logb").split())
BINARY = tuple(getattr(libdevice, name) for name in
               "atan2 copysign fmod hypot remainder nextafter fdim".split())


@pytest.fixture(params=["x86-64-v2", *RISCV, *ARM])
def target(request):
    needs(request.param)
    return request.param


@triton.jit
def functions(out, x, y, UNARY: tl.constexpr, BINARY: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    for j in tl.static_range(len(UNARY)):
        tl.store(out + j * N + i, UNARY[j](a))
    for j in tl.static_range(len(BINARY)):
        tl.store(out + (len(UNARY) + j) * N + i, BINARY[j](a, b))


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: np.dtype(d).name)
def test_libdevice(dtype, target):
    """As on this CPU, whose results test_libdevice.py compares with numpy."""
    rng = np.random.default_rng(3)
    x = guarded_copy(np.append(rng.uniform(-0.95, 0.95, 40), rng.uniform(-30, 30, 24)).astype(dtype))
    y = guarded_copy(rng.uniform(-30, 30, 64).astype(dtype))
    meta = {"UNARY": UNARY, "BINARY": BINARY, "N": 64}
    here, there = (empty((len(UNARY) + len(BINARY), 64), dtype) for _ in range(2))
    functions[(1,)](here, x, y, **meta)
    run(functions, (1,), there, x, y, target=target, **meta)
    np.testing.assert_array_equal(np.isnan(there), np.isnan(here))
    known = ~np.isnan(here)
    magnitude = np.maximum(np.abs(here[known].astype(np.float64)), 1e-9)
    assert_close(there[known], here[known].astype(np.float64), dtype, ulps=6, magnitude=magnitude)


@pytest.mark.parametrize("shape", [(5, 33), (17, 1)], ids=str)
def test_descriptors(shape, target):
    x = guarded_copy(np.random.default_rng(4).standard_normal(shape).astype(np.float32))
    out = empty(shape, np.float32)
    run(twice, (triton.cdiv(shape[0], 8),), out, x, *shape, target=target, BM=8, BN=16)
    np.testing.assert_array_equal(out, 2 * x)


@pytest.mark.parametrize("kinds", [("e2m1", "e4m3"), ("e5m2", "bf16")], ids="-".join)
def test_scaled_dot(kinds, target):
    rng = np.random.default_rng(2)
    M, N, K, RUN = 16, 32, 64, 32
    a, exact_a = operand(rng, kinds[0], (M, K), 1)
    b, exact_b = operand(rng, kinds[1], (K, N), 0)
    sa, factor_a = scales(rng, (M, K // RUN))
    sb, factor_b = scales(rng, (N, K // RUN))
    out = empty((M, N), np.float32)
    run(scaled, (1,), out, *(guarded_copy(v) for v in (a, sa, b, sb)), target=target, M=M, N=N, K=K,
        RUN=RUN, FA=kinds[0], FB=kinds[1], PA=True, PB=True, ACC=False)
    exact_a = exact_a * np.repeat(factor_a, RUN, 1)
    exact_b = exact_b * np.repeat(factor_b, RUN, 1).T
    assert_close(out, exact_a @ exact_b, np.float32, K, magnitude=np.abs(exact_a) @ np.abs(exact_b))
