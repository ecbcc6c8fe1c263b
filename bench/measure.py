"""Interleaved timing: every candidate runs in every round, medians and ratios are kept."""

from __future__ import annotations

import statistics
import time
from typing import Any, Callable


def interleaved(candidates: dict[str, Callable[[], Any]], rounds: int = 15,
                least_ms: float = 20.0) -> dict[str, float]:
    """Median seconds of one call of each; candidates alternate, so that a busy neighbour
    is busy for all. Short calls are repeated until a sample lasts ``least_ms``."""
    repeats = {}
    for name, call in candidates.items():
        call()
        start = time.perf_counter()
        call()
        once = max(time.perf_counter() - start, 1e-8)
        repeats[name] = max(1, int(least_ms * 1e-3 / once))
    samples: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, call in candidates.items():
            start = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            samples[name].append((time.perf_counter() - start) / repeats[name])
    return {name: statistics.median(values) for name, values in samples.items()}


class Table:
    """Rows of results; a row may state the figure it has to reach."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str]] = []
        self.missed: list[str] = []

    def add(self, what: str, figure: str, against: str = "", value: float | None = None,
            least: float | None = None, most: float | None = None) -> None:
        verdict = ""
        if value is not None and least is not None:
            verdict = f"at least {least:g}: {'yes' if value >= least else 'NO'}"
        if value is not None and most is not None:
            verdict = f"at most {most:g}: {'yes' if value <= most else 'NO'}"
        if verdict.endswith("NO"):
            self.missed.append(what)
        self.rows.append((what, figure, against, verdict))
        print(f"{what:<34} {figure:<30} {against:<38} {verdict}", flush=True)
