"""Matrix products and attention against OpenBLAS and torch, one thread each.

Shapes are M x N x K. The better peer is the one that the ratio is of.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from dot_kernels import attention, grouped_matmul
from kernels import report, torch_peer, tutorial
from measure import Table, interleaved
from triton import cdiv

# (M, N, K), tile, the ratio to reach
SHAPES = [
    ((2048, 2048, 2048), (128, 128, 128), 0.90),
    ((1024, 1024, 1024), (128, 128, 128), 0.90),
    ((512, 512, 512), (128, 128, 128), 0.80),
    ((256, 256, 256), (64, 64, 64), 0.80),
    ((8192, 64, 64), (64, 64, 64), 0.80),
    ((64, 64, 8192), (64, 64, 128), 0.80),
    ((1, 4096, 4096), (1, 4096, 16), 0.80),
]


def run(table: Table) -> None:
    from triton.runtime.jit import native

    native().set_num_threads(1)
    rng = np.random.default_rng(0)
    torch = torch_peer()
    for shape, tile, least in SHAPES:
        product(table, rng, torch, shape, tile, least)
    tutorial_product(table, rng, torch)
    if torch:
        for dtype in (torch.float16, torch.bfloat16):
            product(table, rng, torch, (1024, 1024, 1024), (128, 128, 128), None, dtype)
        for dtype in (torch.float32, torch.bfloat16):
            attention_row(table, torch, dtype)


def grouped(a: Any, b: Any, c: Any, tile: tuple[int, int, int]) -> None:
    (M, K), N = a.shape, b.shape[1]
    BM, BN, BK = tile
    grid = (cdiv(M, BM) * cdiv(N, BN),)
    grouped_matmul[grid](a, b, c, M, N, K, K, 1, N, 1, N, 1, BM=BM, BN=BN, BK=BK, GROUP=8)


def product(table: Table, rng: Any, torch: Any, shape: tuple[int, int, int],
            tile: tuple[int, int, int], least: float | None, dtype: Any = None) -> None:
    M, N, K = shape
    a, b = rng.standard_normal((M, K), np.float32), rng.standard_normal((K, N), np.float32)
    c = np.empty((M, N), np.float32)
    ours: Any = np.empty_like(c)
    calls = {}
    if dtype is None:
        calls["openblas"] = lambda: np.matmul(a, b, out=c)
    if torch:
        ta, tb = (torch.from_numpy(x).to(dtype or torch.float32) for x in (a, b))
        tc = torch.empty((M, N), dtype=ta.dtype)
        calls["torch"] = lambda: torch.mm(ta, tb, out=tc)
    if dtype is None:
        calls["ours"] = lambda: grouped(a, b, ours, tile)
    else:
        ours = torch.empty_like(tc)
        calls["ours"] = lambda: grouped(ta, tb, ours, tile)
    name = "f32" if dtype is None else str(dtype).rpartition(".")[2]
    to_best(table, f"{M} x {N} x {K} {name}", interleaved(calls, rounds=9), 2 * M * N * K, least)


def tutorial_product(table: Table, rng: Any, torch: Any) -> None:
    module = tutorial("matmul")
    a, b = (rng.standard_normal((1024, 1024), np.float32) for _ in range(2))
    c, ours = np.empty_like(a), np.empty_like(a)
    calls = {"ours": lambda: module.matmul(a, b, ours), "openblas": lambda: np.matmul(a, b, out=c)}
    to_best(table, "1024^3 f32, tutorial", interleaved(calls, rounds=9), 2 * 1024**3, 0.85)


def attention_row(table: Table, torch: Any, dtype: Any) -> None:
    heads, length, size = 16, 1024, 64
    q, k, v = (torch.randn(1, heads, length, size).to(dtype) for _ in range(3))
    out = torch.empty_like(q)
    scale = size**-0.5

    def ours() -> None:
        attention[(length // 64, heads)](q, k, v, out, length, scale, D=size, BM=64, BN=64)

    def theirs() -> Any:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)

    name = str(dtype).rpartition(".")[2]
    to_best(table, f"attention 16 x 1024 x 64 {name}",
            interleaved({"torch": theirs, "ours": ours}, rounds=9),
            4 * heads * length * length * size, 0.8)


def to_best(table: Table, what: str, times: dict[str, float], operations: float,
            least: float | None) -> None:
    """Reports the ratio to the fastest peer."""
    best = min((name for name in times if name != "ours"), key=times.__getitem__)
    report(table, what, times, operations / 1e9, "GFLOP/s", best, least)
