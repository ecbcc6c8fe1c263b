"""Kernels people write for models, against numpy in float64."""

import math

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

RNG = np.random.default_rng(11)


def normal(*shape, dtype=np.float32):
    return guarded_copy(RNG.standard_normal(shape).astype(dtype))


@triton.jit
def gelu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    tl.store(out_ptr + i, 0.5 * x * (1 + tl.erf(x * 0.7071067811865476)), mask=i < n)


@triton.jit
def gelu_tanh_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    tanh = 1 - 2 / (tl.exp(2 * inner) + 1)
    tl.store(out_ptr + i, 0.5 * x * (1 + tanh), mask=i < n)


@triton.jit
def silu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    tl.store(out_ptr + i, x / (1 + tl.exp(-x)), mask=i < n)


@triton.jit
def swiglu_kernel(x_ptr, gate_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    g = tl.load(gate_ptr + i, mask=i < n).to(tl.float32)
    tl.store(out_ptr + i, x * g * tl.sigmoid(g), mask=i < n)


@triton.jit
def swiglu_backward_kernel(x_ptr, gate_ptr, grad_ptr, n, BLOCK: tl.constexpr):
    """The gradients take the places of the operands."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    g = tl.load(gate_ptr + i, mask=i < n).to(tl.float32)
    grad = tl.load(grad_ptr + i, mask=i < n).to(tl.float32)
    s = tl.sigmoid(g)
    tl.store(x_ptr + i, grad * g * s, mask=i < n)
    tl.store(gate_ptr + i, grad * x * (s + g * s * (1 - s)), mask=i < n)


@cases(dtype=[np.float32, np.float16, ml_dtypes.bfloat16], n=[1, 100, 4097], block=[64, 1024],
       at_end=[True, False])
def test_activations(dtype, n, block, at_end):
    x, g, grad = (guarded_copy(RNG.standard_normal(n).astype(dtype) * 3, at_end) for _ in range(3))
    x[0] = -30  # exp overflows nowhere it would show
    out = guarded(n, dtype, at_end)
    grid = (triton.cdiv(n, block),)
    wide, wide_g, wide_grad = (v.astype(np.float64) for v in (x, g, grad))
    magnitude = np.abs(wide)
    gelu_kernel[grid](x, out, n, BLOCK=block)
    erf = np.vectorize(math.erf)(wide / np.sqrt(2))
    assert_close(out, 0.5 * wide * (1 + erf), np.float32, ulps=8, magnitude=magnitude)
    gelu_tanh_kernel[grid](x, out, n, BLOCK=block)
    inner = np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)
    assert_close(out, 0.5 * wide * (1 + np.tanh(inner)), np.float32, magnitude=magnitude,
                 ulps=8 + 4 * float(np.abs(inner[np.abs(inner) < 9]).max(initial=0)))
    silu = wide / (1 + np.exp(-wide))
    silu_kernel[grid](x, out, n, BLOCK=block)
    assert_close(out, silu, np.float32, ulps=8 + float(np.abs(wide).max()))
    swiglu_kernel[grid](x, g, out, n, BLOCK=block)
    sigmoid = 1 / (1 + np.exp(-wide_g))
    slack = 8 + float(np.abs(wide_g).max())
    assert_close(out, wide * wide_g * sigmoid, np.float32, ulps=slack)
    swiglu_backward_kernel[grid](x, g, grad, n, BLOCK=block)
    assert_close(x, wide_grad * wide_g * sigmoid, np.float32, ulps=slack)
    slope = np.abs(wide_grad * wide) * (sigmoid + np.abs(wide_g) * sigmoid * (1 - sigmoid))
    assert_close(g, wide_grad * wide * (sigmoid + wide_g * sigmoid * (1 - sigmoid)), np.float32,
                 magnitude=slope, ulps=slack)


@triton.jit
def layer_norm_kernel(x_ptr, w_ptr, b_ptr, out_ptr, mean_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    mean = tl.sum(total, axis=0) / n
    square = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
        x = tl.where(i < n, x - mean, 0.0)
        square += x * x
    scale = 1 / tl.sqrt(tl.sum(square, axis=0) / n + eps)
    tl.store(mean_ptr + row, mean)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
        w, b = tl.load(w_ptr + i, mask=i < n), tl.load(b_ptr + i, mask=i < n)
        tl.store(out_ptr + row * n + i, (x - mean) * scale * w + b, mask=i < n)


@pytest.mark.parametrize("n", [7, 64, 300])
def test_layer_norm(n):
    x, w, b = normal(5, n), normal(n), normal(n)
    out, mean = guarded((5, n), np.float32), guarded(5, np.float32)
    layer_norm_kernel[(5,)](x, w, b, out, mean, n, 1e-5, BLOCK=64)
    wide = x.astype(np.float64)
    scaled = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    assert_close(out, scaled * w + b, np.float32, n, magnitude=np.abs(scaled * w) + np.abs(b) + 1)


@triton.jit
def rms_norm_kernel(x_ptr, w_ptr, out_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(out_ptr + row * n + i, x * scale * tl.load(w_ptr + i, mask=i < n), mask=i < n)


@pytest.mark.parametrize("dtype", [np.float32, np.float16], ids=["f32", "f16"])
def test_rms_norm(dtype):
    n = 200
    x, w = normal(3, n, dtype=dtype), normal(n, dtype=dtype)
    out = guarded((3, n), dtype)
    rms_norm_kernel[(3,)](x, w, out, n, 1e-6, BLOCK=256)
    wide = x.astype(np.float64)
    assert_close(out, wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-6) * w, np.float32, n)


@triton.jit
def welford_combine(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    count = count_a + count_b
    safe = tl.where(count == 0.0, 1.0, count)
    delta = mean_b - mean_a
    return (mean_a + delta * count_b / safe, m2_a + m2_b + delta * delta * count_a * count_b / safe,
            count)


@triton.jit
def welford_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    one = tl.where(i < n, 1.0, 0.0)
    mean, m2, count = tl.reduce((x, tl.zeros([BLOCK], tl.float32), one), 0, welford_combine)
    tl.store(out_ptr + 2 * row, mean)
    tl.store(out_ptr + 2 * row + 1, m2 / count)


def test_welford():
    n = 77
    x = guarded_copy((1000 + RNG.standard_normal((4, n))).astype(np.float32))
    out = guarded((4, 2), np.float32)
    welford_kernel[(4,)](x, out, n, BLOCK=128)
    wide = x.astype(np.float64)
    assert_close(out[:, 0], wide.mean(1), np.float32, n)
    assert_close(out[:, 1], wide.var(1), np.float32, n, magnitude=30)


@triton.jit
def cross_entropy_kernel(logits_ptr, label_ptr, loss_ptr, n, scale, BLOCK: tl.constexpr,
                         IGNORED: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(label_ptr + row)
    high = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + row * n + i, mask=i < n, other=-float("inf"))
        new = tl.maximum(high, tl.max(x, axis=0))
        total = total * tl.exp(high - new) + tl.sum(tl.exp(x - new), axis=0)
        high = new
    kept = label != IGNORED
    logit = tl.load(logits_ptr + row * n + label, mask=kept)
    tl.store(loss_ptr + row, tl.where(kept, high + tl.log(total) - logit, 0.0))
    # The gradient takes the place of the logits.
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + row * n + i, mask=i < n)
        grad = tl.exp(x - high) / total - (i == label).to(tl.float32)
        tl.store(logits_ptr + row * n + i, tl.where(kept, grad * scale, 0.0), mask=i < n)


@pytest.mark.parametrize("n", [1, 64, 150])
@pytest.mark.parametrize("dtype", [np.int32, np.int64], ids=["i32", "i64"])
def test_cross_entropy(n, dtype, at_end):
    rows = 6
    logits = RNG.standard_normal((rows, n)).astype(np.float32)
    x = guarded_copy(logits, at_end)
    labels = RNG.integers(0, n, rows)
    labels[[1, 5]] = -100
    out = guarded(rows, np.float32, at_end)
    cross_entropy_kernel[(rows,)](x, guarded_copy(labels.astype(dtype), at_end), out, n, 0.25,
                                  BLOCK=64, IGNORED=-100)
    wide = logits.astype(np.float64)
    p = np.exp(wide) / np.exp(wide).sum(1, keepdims=True)
    kept = labels >= 0
    at = np.where(kept, labels, 0)
    exact = np.where(kept, -np.log(p[np.arange(rows), at]), 0)
    assert_close(out, exact, np.float32, n, magnitude=np.abs(exact) + 4)
    p[np.arange(rows), at] -= 1
    assert_close(x, np.where(kept[:, None], 0.25 * p, 0), np.float32, n, magnitude=0.25 * np.abs(p) + 0.25,
                 ulps=8)


@triton.jit
def grouped_matmul_kernel(a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K, BM: tl.constexpr,
                          BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * columns
    first = pid // in_group * GROUP
    size = min(rows - first, GROUP)
    pid_m = first + pid % in_group % size
    pid_n = pid % in_group // size
    m = (pid_m * BM + tl.arange(0, BM)) % M
    n = (pid_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    a = a_ptr + m[:, None] * K + k[None, :]
    b = b_ptr + k[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, tl.cdiv(K, BK)):
        left = K - i * BK
        acc = tl.dot(tl.load(a, mask=k[None, :] < left, other=0.0),
                     tl.load(b, mask=k[:, None] < left, other=0.0), acc)
        a += BK
        b += BK * N
    acc += tl.load(bias_ptr + n)[None, :]
    acc = tl.where(acc >= 0, acc, 0.01 * acc)
    m = pid_m * BM + tl.arange(0, BM)
    n = pid_n * BN + tl.arange(0, BN)
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@pytest.mark.parametrize("shape", [(33, 50, 40), (64, 64, 64), (100, 7, 19)], ids=str)
def test_grouped_matmul(shape):
    M, N, K = shape
    a, b, bias = normal(M, K), normal(K, N), normal(N)
    c = guarded((M, N), np.float32)
    grid = (triton.cdiv(M, 16) * triton.cdiv(N, 16),)
    grouped_matmul_kernel[grid](a, b, bias, c, M, N, K, BM=16, BN=16, BK=16, GROUP=4)
    exact = a.astype(np.float64) @ b + bias
    exact = np.where(exact >= 0, exact, 0.01 * exact)
    assert_close(c, exact, np.float32, K, magnitude=np.abs(a.astype(np.float64)) @ np.abs(b) + 1)


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    keep = tl.rand(seed, i) > p
    tl.store(out_ptr + i, tl.where(keep, x / (1 - p), 0.0), mask=i < n)


def test_dropout():
    n = 20000
    x = guarded_copy(np.ones(n, np.float32))
    out = guarded(n, np.float32)
    dropout_kernel[(triton.cdiv(n, 1024),)](x, out, n, 0.25, 1234, BLOCK=1024)
    assert set(np.unique(out)) == {np.float32(0), np.float32(1) / np.float32(0.75)}
    # A binomial share lies within 5 standard deviations.
    assert abs((out != 0).mean() - 0.75) < 5 * np.sqrt(0.75 * 0.25 / n)
    again = guarded(n, np.float32)
    dropout_kernel[(triton.cdiv(n, 512),)](x, again, n, 0.25, 1234, BLOCK=512)
    np.testing.assert_array_equal(out, again)


@triton.jit
def convolution_kernel(x_ptr, w_ptr, out_ptr, H, W, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for a in tl.static_range(K):
        for b in tl.static_range(K):
            y, x = row + a - K // 2, j + b - K // 2
            inside = (y >= 0) & (y < H) & (x >= 0) & (x < W)
            acc += tl.load(x_ptr + y * W + x, mask=inside, other=0.0) * tl.load(w_ptr + a * K + b)
    tl.store(out_ptr + row * W + j, acc, mask=j < W)


def test_convolution(at_end):
    H, W = 9, 45
    x, w = guarded_copy(normal(H, W), at_end), normal(3, 3)
    out = guarded((H, W), np.float32, at_end)
    convolution_kernel[(H, triton.cdiv(W, 32))](x, w, out, H, W, K=3, BLOCK=32)
    padded = np.pad(x.astype(np.float64), 1)
    exact = sum(padded[a:a + H, b:b + W] * w[a, b] for a in range(3) for b in range(3))
    size = sum(np.abs(padded[a:a + H, b:b + W] * w[a, b]) for a in range(3) for b in range(3))
    assert_close(out, exact, np.float32, 9, magnitude=size)
