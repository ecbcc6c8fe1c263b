"""Compile, cache and launch latencies, each in processes of their own where it matters."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measure import Table

ROOT = Path(__file__).resolve().parents[1]

_KERNEL = Path(__file__).with_name("add_kernel.py").read_text()

_IMPORT = "import time; s = time.perf_counter(); import triton; print(time.perf_counter() - s)"

_FIRST = '''
import sys, time; sys.path.insert(0, {folder!r})
import numpy as np, triton
from kernel import add_kernel
x = np.ones(1024, np.float32); o = np.empty_like(x)
s = time.perf_counter()
k = add_kernel[(1,)](x, x, o, 1024, BLOCK=1024)
print(time.perf_counter() - s)
assert bool(k.times) == {compiled}
s = time.perf_counter()
add_kernel.dispatcher.clear()
add_kernel[(1,)](x, x, o, 1024, BLOCK=1024)
print(time.perf_counter() - s)
'''


def process(code: str, cache: str, times: int) -> list[list[float]]:
    """Runs ``code`` several times; the numbers each prints."""
    env = {**os.environ, "TRITON_CACHE_DIR": cache, "PYTHONPATH": str(ROOT / "python")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    runs = []
    for _ in range(times):
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True,
                              check=True)
        runs.append([float(line) for line in done.stdout.split()])
    return runs


def median(runs: list[list[float]], which: int = 0) -> float:
    return statistics.median(run[which] for run in runs) * 1e3


def run(table: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernel.py").write_text(_KERNEL)
        cache = os.path.join(folder, "cache")
        process(_IMPORT, cache, 1)
        value = median(process(_IMPORT, cache, 9))
        table.add("import triton", f"{value:.0f} ms", "", value, most=100)
        first = []
        for i in range(5):
            code = _FIRST.format(folder=folder, compiled=True)
            first += process(code, os.path.join(folder, f"cache{i}"), 1)
        value = median(first)
        table.add("first compile in a process", f"{value:.0f} ms", "", value, most=250)
        code = _FIRST.format(folder=folder, compiled=False)
        os.environ["TRITON_CACHE_DIR"] = os.path.join(folder, "cache0")
        hits = process(code, os.path.join(folder, "cache0"), 9)
        value = median(hits)
        table.add("disk hit, fresh process", f"{value:.1f} ms", "after import", value, most=10)
        value = median(hits, 1)
        table.add("disk hit, warm", f"{value:.1f} ms", "", value, most=5)
        cold(table, folder)
    launch(table)


def cold(table: Table, folder: str) -> None:
    """A new kernel in a process that has compiled before, empty disk cache."""
    sys.path.insert(0, folder)
    samples: dict[int, list[float]] = {1024: [], 65536: []}
    with tempfile.TemporaryDirectory() as empty:
        os.environ["TRITON_CACHE_DIR"] = empty
        x = np.ones(1 << 16, np.float32)
        out = np.empty_like(x)
        for i in range(12):
            for block, times in samples.items():
                name = f"kernel_{block}_{i}"
                (Path(folder) / f"{name}.py").write_text(_KERNEL)
                kernel = __import__(name).add_kernel
                start = time.perf_counter()
                kernel[(1,)](x, x, out, 1024, BLOCK=block)
                if i >= 2:
                    times.append((time.perf_counter() - start) * 1e3)
    small, large = (statistics.median(samples[b]) for b in (1024, 65536))
    table.add("compile vector add, cold", f"{small:.0f} ms", "front end to first result", small, most=60)
    table.add("block 65536 against 1024", f"{large / small:.2f}", f"{large:.0f} ms", large / small,
              most=1.5)


def launch(table: Table) -> None:
    from add_kernel import add_kernel

    x = np.ones(1024, np.float32)
    out = np.empty_like(x)
    grid = (1,)
    samples = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(2000):
            add_kernel[grid](x, x, out, 1024, BLOCK=1024)
        samples.append((time.perf_counter() - start) / 2000 * 1e6)
    value = statistics.median(samples)
    table.add("launch, 4 arguments, 1 program", f"{value:.2f} us", "", value, most=4)
