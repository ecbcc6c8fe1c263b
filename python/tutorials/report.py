"""What every tutorial prints: shapes, error, time, threads, compile time, stages."""

from __future__ import annotations

import os
import sys
import time
from typing import Any, Callable

import numpy as np


def report(title: str, shapes: str, run: Callable[[], Any], result: np.ndarray,
           expected: np.ndarray, tolerance: float, gigabytes: float = 0.0,
           gigaflops: float = 0.0) -> None:
    """Runs and measures ``run``; ends the script when the error is above ``tolerance``
    times the largest expected magnitude. ``gigabytes``/``gigaflops``: work of one run."""
    import triton
    from triton.runtime.jit import native

    start = time.perf_counter()
    kernel = run()
    first = (time.perf_counter() - start) * 1e3
    error = float(np.max(np.abs(result - expected), initial=0.0))
    limit = tolerance * float(np.max(np.abs(expected), initial=1.0))
    milliseconds = triton.testing.do_bench(run, warmup=20, rep=120, return_mode="median")
    rate = f"{gigabytes / milliseconds * 1e3:.1f} GB/s" if gigabytes else \
        f"{gigaflops / milliseconds * 1e3:.1f} GFLOP/s"
    how = f"compiled in {kernel.times['total']:.0f} ms" if kernel.times else "from the cache"
    where = kernel.dump_path or os.path.dirname(kernel.entry.path("kernel.so"))
    print(f"{title:<14} {shapes:<24} largest error {error:.2e} (allowed {limit:.1e})  "
          f"{milliseconds:.3f} ms  {rate}  {native().num_threads()} threads  {how} "
          f"(first call {first:.0f} ms)\n{'':<14} stages: {where}", flush=True)
    if not error <= limit:
        sys.exit(f"{title}: error {error:.3e} is above {limit:.3e}")
