"""Flash attention: causal or not, head sizes, lengths, shared heads, decoding from pages."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16]


def normal(rng, shape, dtype, at_end=True):
    return guarded_copy(rng.standard_normal(shape).astype(dtype), at_end)


def check(out, q, k, v, dtype, keep=None):
    """q [..., M, D], k and v [..., N, D]; ``keep``: which scores count."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) * q.shape[-1]**-0.5
    if keep is not None:
        scores = np.where(keep, scores, -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    # Weights are rounded to the inputs' type; scores are sums in f32 of terms of this size.
    size = (np.abs(q) @ np.abs(k).swapaxes(-1, -2)).max() * q.shape[-1]**-0.5
    assert_close(out, p @ v, dtype, 16, magnitude=p @ np.abs(v),
                 ulps=size if dtype == np.float32 else 0)


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, out_ptr, length, scale, HEAD: tl.constexpr,
                     BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, HEAD)
    base = tl.program_id(1) * length * HEAD
    q = tl.load(q_ptr + base + m[:, None] * HEAD + d[None, :], mask=m[:, None] < length, other=0.0)
    high = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, HEAD], tl.float32)
    end = tl.minimum(length, (tl.program_id(0) + 1) * BM) if CAUSAL else length
    for start in range(0, end, BN):
        n = start + tl.arange(0, BN)
        k = tl.load(k_ptr + base + n[None, :] * HEAD + d[:, None], mask=n[None, :] < length, other=0.0)
        scores = tl.dot(q, k) * scale
        keep = n[None, :] < length
        if CAUSAL:
            keep = keep & (n[None, :] <= m[:, None])
        scores = tl.where(keep, scores, -float("inf"))
        new = tl.maximum(high, tl.max(scores, axis=1))
        p = tl.exp(scores - new[:, None])
        shrink = tl.exp(high - new)
        total = total * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + base + n[:, None] * HEAD + d[None, :], mask=n[:, None] < length, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v)
        high = new
    acc = acc / total[:, None]
    tl.store(out_ptr + base + m[:, None] * HEAD + d[None, :], acc, mask=m[:, None] < length)


@cases(dtype=DTYPES, head=[16, 32, 64, 128], length=[1, 16, 50, 97], causal=[False, True],
       tile=[(16, 16), (32, 16), (16, 64)], at_end=[True, False])
def test_attention(dtype, head, length, causal, tile, at_end):
    heads = 2
    rng = np.random.default_rng(length)
    q, k, v = (normal(rng, (heads, length, head), dtype, at_end) for _ in range(3))
    out = guarded((heads, length, head), dtype, at_end)
    attention_kernel[(triton.cdiv(length, tile[0]), heads)](
        q, k, v, out, length, head**-0.5, HEAD=head, BM=tile[0], BN=tile[1], CAUSAL=causal)
    check(out, q, k, v, dtype, np.tri(length, dtype=bool) if causal else None)


@triton.jit
def stages(acc, total, high, q, k_ptr, v_ptr, base, m, low, end, N, D, stride, BD: tl.constexpr,
           BN: tl.constexpr, MASKED: tl.constexpr):
    """One span of keys; masks only where the diagonal or the end may fall into a tile."""
    d = tl.arange(0, BD)
    for start in range(low, end, BN):
        n = start + tl.arange(0, BN)
        k = tl.load(k_ptr + base + n[None, :] * stride + d[:, None],
                    mask=(n[None, :] < N) & (d[:, None] < D), other=0.0)
        scores = tl.dot(q, k)
        if MASKED:
            scores = tl.where((n[None, :] < N) & (n[None, :] <= m[:, None]), scores, -1e30)
        new = tl.maximum(high, tl.max(scores, axis=1))
        p = tl.exp2(scores - new[:, None])
        shrink = tl.exp2(high - new)
        total = total * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + base + n[:, None] * stride + d[None, :],
                    mask=(n[:, None] < N) & (d[None, :] < D), other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None])
        high = new
    return acc, total, high


@triton.jit
def two_stage_kernel(q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, N, D, groups, scale, BD: tl.constexpr,
                     BM: tl.constexpr, BN: tl.constexpr):
    """Causal; whole tiles first, then the diagonal. [token, head, D], heads of keys shared."""
    head, heads = tl.program_id(1), tl.num_programs(1)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, BD)
    mine = (m[:, None] < N) & (d[None, :] < D)
    at = m[:, None] * heads * D + head * D + d[None, :]
    # exp2 of scores in units of ln 2
    q = tl.load(q_ptr + at, mask=mine, other=0.0)
    q = (q * (scale * 1.44269504)).to(q.dtype)
    acc = tl.zeros([BM, BD], tl.float32)
    total = tl.zeros([BM], tl.float32)
    high = tl.full([BM], -1e30, tl.float32)
    base, stride = head // groups * D, heads // groups * D
    diagonal = tl.program_id(0) * BM // BN * BN
    acc, total, high = stages(acc, total, high, q, k_ptr, v_ptr, base, m, 0, diagonal, N, D, stride,
                              BD, BN, False)
    end = tl.minimum(N, (tl.program_id(0) + 1) * BM)
    acc, total, high = stages(acc, total, high, q, k_ptr, v_ptr, base, m, diagonal, end, N, D,
                              stride, BD, BN, True)
    tl.store(out_ptr + at, acc / total[:, None], mask=mine)
    tl.store(lse_ptr + m * heads + head, (high + tl.log2(total)) * 0.6931471805599453, mask=m < N)


@cases(dtype=DTYPES, head=[16, 40, 80], length=[3, 64, 77], groups=[1, 4],
       tile=[(16, 16), (32, 16)], at_end=[True, False])
def test_attention_in_two_stages(dtype, head, length, groups, tile, at_end):
    """Head sizes that are no powers of two, several heads of queries for one of keys."""
    heads = 4
    rng = np.random.default_rng(head)
    q = normal(rng, (length, heads, head), dtype, at_end)
    k, v = (normal(rng, (length, heads // groups, head), dtype, at_end) for _ in range(2))
    out, lse = guarded(q.shape, dtype, at_end), guarded((length, heads), np.float32, at_end)
    two_stage_kernel[(triton.cdiv(length, tile[0]), heads)](
        q, k, v, out, lse, length, head, groups, head**-0.5, BD=triton.next_power_of_2(head),
        BM=tile[0], BN=tile[1])
    scaled = (q.astype(np.float32) * np.float32(head**-0.5 * 1.44269504)).astype(dtype)
    used = scaled.astype(np.float64) / (head**-0.5 * 1.44269504)  # as rounded in the kernel
    spread = lambda x: np.repeat(x, groups, axis=1).transpose(1, 0, 2)  # noqa: E731
    tri = np.tri(length, dtype=bool)
    check(out.transpose(1, 0, 2), used.transpose(1, 0, 2), spread(k), spread(v), dtype, tri)
    scores = used.transpose(1, 0, 2) @ spread(k).astype(np.float64).swapaxes(1, 2) * head**-0.5
    exact = np.log(np.where(tri, np.exp(scores), 0).sum(-1)).T
    assert_close(lse, exact, np.float32, head, magnitude=np.abs(exact) + 4)


@triton.jit
def paged_kernel(q_ptr, k_ptr, v_ptr, table_ptr, length_ptr, out_ptr, pages, scale,
                 D: tl.constexpr, PAGE: tl.constexpr, H: tl.constexpr):
    """Decoding: H queries of one sequence; its keys lie in pages that a table names."""
    sequence = tl.program_id(0)
    length = tl.load(length_ptr + sequence)
    h, d, t = tl.arange(0, H), tl.arange(0, D), tl.arange(0, PAGE)
    q = tl.load(q_ptr + sequence * H * D + h[:, None] * D + d[None, :]).to(tl.float32)
    acc = tl.zeros([H, D], tl.float32)
    total = tl.zeros([H], tl.float32)
    high = tl.full([H], -1e30, tl.float32)
    for page in range(0, tl.cdiv(length, PAGE)):
        block = tl.load(table_ptr + sequence * pages + page)
        inside = page * PAGE + t < length
        at = block * PAGE * D + t[:, None] * D + d[None, :]
        k = tl.load(k_ptr + at, mask=inside[:, None], other=0.0).to(tl.float32)
        v = tl.load(v_ptr + at, mask=inside[:, None], other=0.0).to(tl.float32)
        scores = tl.sum(q[:, None, :] * k[None, :, :], axis=2) * scale
        scores = tl.where(inside[None, :], scores, -1e30)
        new = tl.maximum(high, tl.max(scores, axis=1))
        p = tl.exp(scores - new[:, None])
        shrink = tl.exp(high - new)
        total = total * shrink + tl.sum(p, axis=1)
        acc = acc * shrink[:, None] + tl.sum(p[:, :, None] * v[None, :, :], axis=1)
        high = new
    out = tl.where(length > 0, acc / tl.where(total > 0, total, 1.0)[:, None], 0.0)
    tl.store(out_ptr + sequence * H * D + h[:, None] * D + d[None, :], out)


@pytest.mark.parametrize("dtype", [np.float32, np.float16], ids=["f32", "f16"])
@pytest.mark.parametrize("page", [8, 16])
def test_paged_decoding(dtype, page, at_end):
    rng = np.random.default_rng(page)
    lengths = guarded_copy(np.array([0, 1, page, page + 1, 3 * page, 45], np.int32))
    D, H, pages, blocks = 32, 4, 6, 40
    q = normal(rng, (lengths.size, H, D), dtype, at_end)
    k, v = (normal(rng, (blocks, page, D), dtype, at_end) for _ in range(2))
    table = guarded_copy(np.full((lengths.size, pages), 2**40), at_end)  # never read
    out = guarded(q.shape, dtype, at_end)
    free = iter(rng.permutation(blocks))
    for s, length in enumerate(lengths):
        for p in range(triton.cdiv(int(length), page)):
            table[s, p] = next(free)
    paged_kernel[(lengths.size,)](q, k, v, table, lengths, out, pages, D**-0.5, D=D, PAGE=page, H=H)
    assert (out[0] == 0).all()
    for s, length in list(enumerate(lengths))[1:]:
        used = table[s, :triton.cdiv(int(length), page)]
        mine = [x[used].reshape(-1, D)[:length] for x in (k, v)]
        check(out[s], q[s], *mine, dtype)
