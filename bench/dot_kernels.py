"""Matrix products as kernels are written, for `dot.py`."""

import triton
import triton.language as tl


@triton.jit
def grouped_matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
                   stride_cm, stride_cn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                   GROUP: tl.constexpr):
    """C = A B in C's type; GROUP rows of tiles share columns of B; edges wrap around."""
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    first = pid // in_group * GROUP
    size = min(tiles_m - first, GROUP)
    tile_m = first + pid % in_group % size
    tile_n = pid % in_group // size
    m = (tile_m * BM + tl.arange(0, BM)) % M
    n = (tile_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=k[None, :] < K - step * BK, other=0.0)
        b = tl.load(b_ptrs, mask=k[:, None] < K - step * BK, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    m = tile_m * BM + tl.arange(0, BM)
    n = tile_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, L, scale, D: tl.constexpr, BM: tl.constexpr,
              BN: tl.constexpr):
    """softmax(scale Q K^T) V for one head (axis 1) and BM rows of Q; all (heads, L, D)."""
    head = tl.program_id(1) * L * D
    d = tl.arange(0, D)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.arange(0, BN)
    q = tl.load(q_ptr + head + m[:, None] * D + d[None, :], mask=m[:, None] < L, other=0.0)
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, L, BN):
        rows = start + n
        k = tl.load(k_ptr + head + rows[:, None] * D + d[None, :], mask=rows[:, None] < L,
                    other=0.0)
        scores = tl.dot(q, tl.trans(k)) * (scale * 1.4426950408889634)
        scores = tl.where(rows[None, :] < L, scores, -float("inf"))
        higher = tl.maximum(most, tl.max(scores, 1))
        p = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(most - higher)
        total = total * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + head + rows[:, None] * D + d[None, :], mask=rows[:, None] < L,
                    other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None])
        most = higher
    acc = acc / total[:, None]
    tl.store(out_ptr + head + m[:, None] * D + d[None, :], acc.to(out_ptr.dtype.element_ty),
             mask=m[:, None] < L)
