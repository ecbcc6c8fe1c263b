"""The kernels of this folder on targets other than this CPU: RISC-V and Arm run under QEMU."""

import math

import ml_dtypes
import numpy as np
import pytest
import triton
from e2e.test_attention import attention_kernel
from e2e.test_elementwise import add_kernel, shift_kernel, strided_kernel
from e2e.test_matrix import matmul_kernel, row_sum_kernel, softmax_kernel, transpose_kernel
from e2e.test_models import gelu_kernel
from executors import ARM, RISCV, empty, needs, run
from guarded import guarded_copy
from tolerance import assert_close

NAMES = dict(ids=lambda d: np.dtype(d).name)


@pytest.fixture(params=["x86-64-v2", *RISCV, *ARM])
def target(request):
    needs(request.param)
    return request.param


def normal(shape, dtype, seed=0):
    return guarded_copy(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int8,
                                   np.int64], **NAMES)
def test_vector_add(dtype, target):
    for n in (0, 1, 7, 8, 9, 31, 33, 127, 257):
        x, y = (guarded_copy((np.random.default_rng(s).standard_normal(n) * 20).astype(dtype))
                for s in (1, 2))
        out = empty(n, dtype)
        run(add_kernel, (triton.cdiv(n, 64),), x, y, out, n, target=target, BLOCK=64)
        exact = x + y if np.dtype(dtype).kind == "i" else x.astype(float) + y.astype(float)
        assert_close(out, exact)


@pytest.mark.parametrize("distance", [0, 1, 16, 40])
def test_shifted_copy(distance, target):
    n = 100
    memory = guarded_copy(np.arange(n + distance, dtype=np.float32))
    expected = memory.copy()
    expected[distance:] = memory[:n].copy()
    run(shift_kernel, (1,), memory, n, distance, target=target, BLOCK=128)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_strides(stride, target):
    n = 77
    x = normal(n * stride, np.float32)
    out = empty(2 * n, np.float32)
    run(strided_kernel, (3,), x, out, n, stride, 2, target=target, BLOCK=32)
    np.testing.assert_array_equal(out[::2], x[::stride] + 1)
    assert (out[1::2] == 77).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], **NAMES)
def test_softmax(dtype, target):
    x = normal((3, 100), dtype)
    out = empty(x.shape, dtype)
    run(softmax_kernel, (3,), out, x, 100, 100, 100, target=target, BLOCK=128)
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(1, keepdims=True))
    assert_close(out, e / e.sum(1, keepdims=True), np.float32, 100, ulps=10)


@pytest.mark.parametrize("dtype", [np.float32, np.float16], **NAMES)
def test_row_sum(dtype, target):
    x = normal((4, 333), dtype)
    out = empty(4, np.float32)
    run(row_sum_kernel, (4,), x, out, 333, 333, target=target, BLOCK=64)
    wide = x.astype(np.float64)
    assert_close(out, wide.sum(1), np.float32, 333, magnitude=np.abs(wide).sum(1))


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.int64], **NAMES)
def test_transpose(dtype, target):
    x = guarded_copy((np.random.default_rng(0).standard_normal((19, 37)) * 50).astype(dtype))
    out = empty((37, 19), dtype)
    run(transpose_kernel, (2, 2), x, out, 19, 37, target=target, BM=16, BN=32)
    np.testing.assert_array_equal(out, x.T)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], **NAMES)
@pytest.mark.parametrize("shape", [(16, 16, 16), (33, 47, 21)], ids=str)
def test_matmul(dtype, shape, target):
    M, N, K = shape
    a, b = normal((M, K), dtype, 1), normal((K, N), dtype, 2)
    c = empty((M, N), np.float32)
    run(matmul_kernel, (triton.cdiv(M, 32), triton.cdiv(N, 32)), a, b, c, M, N, K, K, 1, N, 1, N, 1,
        target=target, BM=32, BN=32, BK=16)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    assert_close(c, wide_a @ wide_b, np.float32, K, magnitude=np.abs(wide_a) @ np.abs(wide_b))


def test_gelu(target):
    x = normal(300, np.float32)
    out = empty(300, np.float32)
    run(gelu_kernel, (2,), x, out, 300, target=target, BLOCK=256)
    wide = x.astype(np.float64)
    exact = 0.5 * wide * (1 + np.vectorize(math.erf)(wide / np.sqrt(2)))
    assert_close(out, exact, ulps=8, magnitude=np.abs(wide))


@pytest.mark.parametrize("dtype", [np.float32, np.float16], **NAMES)
def test_attention(dtype, target):
    length, head = 40, 32
    q, k, v = (normal((length, head), dtype, s) for s in range(3))
    out = empty((length, head), dtype)
    run(attention_kernel, (3, 1), q, k, v, out, length, head**-0.5, target=target, HEAD=head, BM=16,
        BN=16, CAUSAL=True)
    scores = q.astype(np.float64) @ k.astype(np.float64).T * head**-0.5
    scores = np.where(np.tril(np.ones((length, length), bool)), scores, -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    wide = v.astype(np.float64)
    assert_close(out, p @ wide, dtype, head, magnitude=p @ np.abs(wide), ulps=16)
