"""Measures; `./dev bench [kernels|breadth|dot|compile]`. Exits 1 when a stated figure is missed."""

from __future__ import annotations

import os
import sys

# Peers run one thread each and OpenBLAS its right kernel; both are read at their import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import breadth  # noqa: E402
import compile_time  # noqa: E402
import dot  # noqa: E402
import kernels  # noqa: E402
from measure import Table  # noqa: E402


def main() -> int:
    parts = {"kernels": kernels.run, "breadth": breadth.run, "dot": dot.run,
             "compile": compile_time.run}
    wanted = sys.argv[1:] or list(parts)
    unknown = [w for w in wanted if w not in parts]
    if unknown:
        sys.exit(f"bench: no part '{unknown[0]}'; parts are {', '.join(parts)}")
    from triton.runtime.jit import native

    print(f"host {native().resolve_target('host')}, OpenBLAS kernel {kernels.openblas_core()}, medians")
    table = Table()
    for part, measure in parts.items():
        if part in wanted:
            measure(table)
    if table.missed:
        print(f"missed: {', '.join(table.missed)}")
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
