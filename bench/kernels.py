"""The tutorial kernels as shipped against numpy, OpenBLAS and torch, one thread each."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
from measure import Table, interleaved

TUTORIALS = Path(__file__).resolve().parents[1] / "python" / "tutorials"


def tutorial(name: str) -> Any:
    sys.path.insert(0, str(TUTORIALS))
    path = next(TUTORIALS.glob(f"*-{name}.py"))
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def torch_peer() -> Any:
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    return torch


def run(table: Table) -> None:
    from triton.runtime.jit import native

    native().set_num_threads(1)
    rng = np.random.default_rng(0)
    torch = torch_peer()

    module = tutorial("vector-add")
    x, y = (rng.random(16_000_000, np.float32) for _ in range(2))
    out, ours = np.empty_like(x), np.empty_like(x)
    calls = {"ours": lambda: module.add(x, y, ours), "numpy": lambda: np.add(x, y, out=out)}
    if torch:
        tx, ty, to = (torch.from_numpy(a) for a in (x, y, np.empty_like(x)))
        calls["torch"] = lambda: torch.add(tx, ty, out=to)
    times = interleaved(calls)
    report(table, "vector add 16M f32", times, 3 * x.nbytes / 1e9, "GB/s", "numpy", 0.90)

    module = tutorial("fused-softmax")
    for columns in (4096, 1000):
        x = rng.standard_normal((1024, columns)).astype(np.float32)
        ours = np.empty_like(x)
        calls = {"ours": lambda: module.softmax(x, ours), "numpy": lambda: module.softmax_numpy(x)}
        if torch:
            tx = torch.from_numpy(x)
            calls["torch"] = lambda: torch.softmax(tx, 1)
        times = interleaved(calls, rounds=9)
        report(table, f"softmax 1024 x {columns} f32", times, 2 * x.nbytes / 1e9, "GB/s", "numpy",
               3.0 if columns == 4096 else None)

    module = tutorial("matmul")
    for size in (1024, 512, 256):
        a, b = (rng.standard_normal((size, size)).astype(np.float32) for _ in range(2))
        c, ours = np.empty_like(a), np.empty_like(a)
        calls = {"ours": lambda: module.matmul(a, b, ours),
                 "openblas": lambda: np.matmul(a, b, out=c)}
        if torch:
            ta, tb = torch.from_numpy(a), torch.from_numpy(b)
            calls["torch"] = lambda: torch.mm(ta, tb)
        times = interleaved(calls, rounds=9)
        report(table, f"matmul {size}^3 f32", times, 2 * size**3 / 1e9, "GFLOP/s", "openblas",
               0.30 if size == 1024 else None)


def report(table: Table, what: str, times: dict[str, float], work: float, unit: str, peer: str,
           least: float | None) -> None:
    ratio = times[peer] / times["ours"]
    others = ", ".join(f"{n} {work / t:.1f}" for n, t in times.items() if n != "ours")
    table.add(what, f"{work / times['ours']:.1f} {unit} = {ratio:.2f} {peer}", others, ratio, least)


def openblas_core() -> str:
    """The kernel OpenBLAS chose; with a wrong one every ratio lies."""
    import ctypes
    import glob
    import os

    folder = os.path.join(os.path.dirname(np.__file__), os.pardir, "numpy.libs")
    for path in glob.glob(os.path.join(folder, "libscipy_openblas*")):
        library = ctypes.CDLL(path)
        for name in ("scipy_openblas_get_corename64_", "openblas_get_corename"):
            if hasattr(library, name):
                function = getattr(library, name)
                function.restype = ctypes.c_char_p
                return function().decode()
    return "unknown"
