"""03: matrix multiplication.

Each program computes one BM x BN tile of C. It walks over K in steps of BK; `tl.dot`
multiplies two tiles and adds to the accumulator. Masks handle every remainder.
"""

import numpy as np
import triton
import triton.language as tl
from report import report


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
                  stride_cm, stride_cn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        inside = k < K - start
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & inside[None, :], other=0.0)
        b = tl.load(b_ptrs, mask=inside[:, None] & (n[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn, acc, mask=mask)


def matmul(a: np.ndarray, b: np.ndarray, c: np.ndarray):
    (M, K), N = a.shape, b.shape[1]
    grid = lambda meta: (triton.cdiv(M, meta["BM"]), triton.cdiv(N, meta["BN"]))  # noqa: E731
    return matmul_kernel[grid](a, b, c, M, N, K, K, 1, N, 1, N, 1, BM=64, BN=64, BK=64)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((1024, 1024)).astype(np.float32) for _ in range(2))
    c = np.empty((1024, 1024), np.float32)
    report("matmul", "1024 x 1024 x 1024 f32", lambda: matmul(a, b, c), c,
           a.astype(np.float64) @ b, 1e-5, gigaflops=2 * 1024**3 / 1e9)
