"""Timing and comparing kernels."""

from __future__ import annotations

import time
from typing import Any, Callable, Sequence



def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _median(values: list[float]) -> float:
    return _quantile(sorted(values), 0.5)


_MODES = {"min": min, "max": max, "mean": _mean, "median": _median}


def _summary(times: list[float], quantiles: Sequence[float] | None, mode: str) -> Any:
    if quantiles is not None:
        ordered = sorted(times)
        values = [_quantile(ordered, q) for q in quantiles]
        return values[0] if len(values) == 1 else values
    return times if mode == "all" else _MODES[mode](times)


def _quantile(ordered: list[float], q: float) -> float:
    """Linear interpolation between the neighbours, as numpy's default."""
    position = q * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def do_bench(fn: Callable, warmup: float = 25, rep: float = 100, grad_to_none: Any = None,
             quantiles: Sequence[float] | None = None, return_mode: str = "mean",
             measure_time_with_hooks: bool = False) -> Any:
    """Milliseconds of ``fn()``.

    Runs it for about ``warmup`` ms unmeasured, then for about ``rep`` ms. ``return_mode``:
    min, max, mean, median or all; ``quantiles`` gives those instead.
    """
    if return_mode not in (*_MODES, "all"):
        raise ValueError(f"return_mode {return_mode!r}: expected one of {', '.join(_MODES)}, all")
    start = time.perf_counter()
    fn()
    runs = 0
    first = time.perf_counter() - start
    start = time.perf_counter()
    while runs < 5 and time.perf_counter() - start < max(rep, 1) * 1e-3:
        fn()
        runs += 1
    estimate = max((time.perf_counter() - start) / runs if runs else first, 1e-9)
    for _ in range(int(warmup * 1e-3 / estimate)):
        fn()
    times = []
    for _ in range(max(1, int(rep * 1e-3 / estimate))):
        for array in grad_to_none or ():
            array.grad = None
        start = time.perf_counter()
        fn()
        times.append((time.perf_counter() - start) * 1e3)
    return _summary(times, quantiles, return_mode)


def do_bench_cudagraph(fn: Callable, rep: float = 20, grad_to_none: Any = None,
                       quantiles: Sequence[float] | None = None, return_mode: str = "mean") -> Any:
    """`do_bench`: launches here wait and cost no queue that a graph would save."""
    return do_bench(fn, rep=rep, grad_to_none=grad_to_none, quantiles=quantiles,
                    return_mode=return_mode)


def assert_close(x: Any, y: Any, atol: float | None = None, rtol: float | None = None,
                 err_msg: str = "") -> None:
    """AssertionError unless |x - y| <= atol + rtol * |y| everywhere (defaults 1e-2 and 0)."""
    import numpy

    x, y = (v.detach().cpu().float().numpy() if hasattr(v, "detach") else numpy.asarray(v)
            for v in (x, y))
    if atol is None:
        atol = 1e-2
    if rtol is None:
        rtol = 0.0
    if x.size > 1 or y.size > 1:
        numpy.testing.assert_allclose(x, y, atol=atol, rtol=rtol, equal_nan=True, err_msg=err_msg)
    elif not numpy.allclose(x, y, atol=atol, rtol=rtol, equal_nan=True):
        raise AssertionError(f"{err_msg} {x} is not close to {y} (atol={atol}, rtol={rtol})")


class Benchmark:
    """What a `perf_report` plots: one line for each of ``line_vals`` over ``x_vals``."""

    def __init__(self, x_names: list[str], x_vals: list[Any], line_arg: str, line_vals: list[Any],
                 line_names: list[str], plot_name: str, args: dict[str, Any], xlabel: str = "",
                 ylabel: str = "", x_log: bool = False, y_log: bool = False,
                 styles: Any = None) -> None:
        self.x_names, self.x_vals, self.line_arg, self.line_vals = x_names, x_vals, line_arg, line_vals
        self.line_names, self.plot_name, self.args = line_names, plot_name, args
        self.xlabel, self.ylabel, self.x_log, self.y_log = xlabel, ylabel, x_log, y_log
        self.styles = styles


class Mark:
    """Runs a function over `Benchmark`s."""

    def __init__(self, fn: Callable, benchmarks: Any) -> None:
        self.fn, self.benchmarks = fn, benchmarks

    def rows(self, bench: Benchmark, **kwargs: Any) -> list[tuple]:
        """(x values, result by line) for each x."""
        found = []
        for x in bench.x_vals:
            values = x if isinstance(x, (list, tuple)) else [x] * len(bench.x_names)
            if len(values) != len(bench.x_names):
                raise ValueError(f"Expected {len(bench.x_names)} values, got {x}")
            x_args = dict(zip(bench.x_names, values))
            results = [self.fn(**x_args, **{bench.line_arg: line}, **bench.args, **kwargs)
                       for line in bench.line_vals]
            found.append((x, results))
        return found

    def run(self, show_plots: bool = False, print_data: bool = False, save_path: str = "",
            return_df: bool = False, **kwargs: Any) -> Any:
        """Measures; prints a table, writes a csv file into ``save_path``, or gives data frames
        where pandas is installed."""
        many = isinstance(self.benchmarks, (list, tuple))
        frames = []
        for bench in self.benchmarks if many else [self.benchmarks]:
            rows = self.rows(bench, **kwargs)
            header = [" ".join(bench.x_names), *bench.line_names]
            table = [[x, *(r[0] if isinstance(r, (list, tuple)) else r for r in results)]
                     for x, results in rows]
            if print_data:
                print(f"{bench.plot_name}:")
                for line in [header, *table]:
                    print("  ".join(f"{v:>14.4f}" if isinstance(v, float) else f"{v!s:>14}"
                                    for v in line))
            if save_path:
                import csv
                import os

                os.makedirs(save_path, exist_ok=True)
                with open(os.path.join(save_path, f"{bench.plot_name}.csv"), "w") as file:
                    csv.writer(file).writerows([header, *table])
            if return_df:
                import pandas

                frames.append(pandas.DataFrame(table, columns=header))
        if return_df:
            return frames if many else frames[0]
        return None


def perf_report(benchmarks: Any) -> Callable:
    """Decorator: makes a function `Mark.run` can measure."""
    return lambda fn: Mark(fn, benchmarks)
