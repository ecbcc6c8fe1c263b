"""@triton.autotune and @triton.heuristics: choosing meta-parameters."""

from __future__ import annotations

import time
from functools import cached_property
from typing import Any, Callable

from .. import knobs
from ..digest import digest_of
from ..errors import AutotunerError, CompileTimeAssertionFailure, OutOfResources, PTXASError
from . import cache
from .driver import driver
from .jit import KernelInterface

# Milliseconds that a configuration is measured for.
_WARMUP, _REP = 5, 20
_TIMINGS = "timings.json"


class Config:
    """One choice: constexpr arguments and options.

    ``pre_hook(args)`` runs before each launch with this configuration.
    """

    def __init__(self, kwargs: dict[str, Any], num_warps: int = 4, num_stages: int = 3,
                 num_ctas: int = 1, maxnreg: int | None = None, pre_hook: Any = None,
                 ir_override: Any = None, num_cpu_threads: int = 0) -> None:
        self.kwargs = kwargs
        self.num_warps, self.num_stages, self.num_ctas = num_warps, num_stages, num_ctas
        self.maxnreg, self.pre_hook, self.ir_override = maxnreg, pre_hook, ir_override
        self.num_cpu_threads = num_cpu_threads

    def _options(self) -> dict[str, Any]:
        names = ("num_warps", "num_ctas", "num_stages", "num_cpu_threads", "maxnreg",
                 "ir_override")
        return {n: getattr(self, n) for n in names if getattr(self, n) is not None}

    def all_kwargs(self) -> dict[str, Any]:
        return {**self.kwargs, **self._options()}

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Config) and self.all_kwargs() == other.all_kwargs()
                and self.pre_hook == other.pre_hook)

    def __hash__(self) -> int:
        return hash((*self.all_kwargs().items(), self.pre_hook))

    def __str__(self) -> str:
        return ", ".join(f"{k}: {v}" for k, v in self.all_kwargs().items())


class Autotuner(KernelInterface):
    """Measures the configurations once for each key and keeps the fastest."""

    def __init__(self, fn: Any, arg_names: list[str], configs: list[Config], key: list[str],
                 reset_to_zero: Any, restore_value: Any, pre_hook: Any = None,
                 post_hook: Any = None, prune_configs_by: dict | None = None,
                 do_bench: Any = None, warmup: int | None = None, rep: int | None = None,
                 cache_results: bool = False) -> None:
        self.fn, self.arg_names = fn, arg_names
        self.configs = configs or [Config({})]
        self.keys = key
        self.cache: dict[tuple, Config] = {}
        self.configs_timings: dict[Config, Any] = {}
        self.best_config: Config | None = None
        self.bench_time = 0.0
        self.nargs: dict[str, Any] = {}
        self.reset_to_zero = list(reset_to_zero or [])
        self.restore_value = list(restore_value or [])
        self.pre_hook, self.post_hook = pre_hook, post_hook
        prune = prune_configs_by or {}
        self.perf_model = prune.get("perf_model")
        self.top_k = prune.get("top_k", 1.0)
        self.early_config_prune = prune.get("early_config_prune")
        self._do_bench = do_bench
        self.warmup_ms = warmup if warmup is not None else _WARMUP
        self.rep_ms = rep if rep is not None else _REP
        self.cache_results = cache_results or knobs.autotuning.cache
        self.__name__ = getattr(fn, "__name__", "kernel")

    @property
    def base_fn(self) -> Any:
        fn = self.fn
        while hasattr(fn, "fn") and not hasattr(fn, "dispatcher"):
            fn = fn.fn
        return fn

    @cached_property
    def _variadic(self) -> Any:
        """The kernel's ``*args`` parameter, or None."""
        return next((p for p in getattr(self.base_fn, "params", ()) if p.is_variadic), None)

    @property
    def do_bench(self) -> Callable:
        if self._do_bench is None:
            from ..testing import do_bench

            return lambda call, quantiles: do_bench(call, warmup=self.warmup_ms, rep=self.rep_ms,
                                                    quantiles=quantiles)
        return self._do_bench

    def _zero(self, args: dict[str, Any]) -> None:
        for name in self.reset_to_zero:
            if args.get(name) is not None:
                _fill_zero(args[name])

    def _prepare(self, args: dict[str, Any]) -> Callable[[], None]:
        """Zeroes and saves what the measurement would spoil; gives what puts it back."""
        self._zero(args)
        saved = [(args[n], _clone(args[n])) for n in self.restore_value
                 if args.get(n) is not None]
        if self.pre_hook is not None:
            self.pre_hook(args)

        def restore() -> None:
            for target, source in saved:
                _copy(target, source)

        return restore

    def _bench(self, args: tuple, kwargs: dict, config: Config) -> list[float]:
        clash = kwargs.keys() & config.kwargs.keys()
        if clash:
            raise ValueError(f"Conflicting meta-parameters: {', '.join(sorted(clash))}. Make sure "
                             "that you don't re-define auto-tuned symbols.")
        full = {**self.nargs, **kwargs, **config.all_kwargs()}

        def call() -> None:
            if config.pre_hook is not None:
                config.pre_hook(full)
            restore = self._prepare(full)
            try:
                self.fn.run(*args, **{**kwargs, **config.all_kwargs()})
            except Exception as error:
                if self.post_hook is not None:
                    self.post_hook(full, exception=error)
                raise
            if self.post_hook is not None:
                self.post_hook(full, exception=None)
            restore()

        try:
            return self.do_bench(call, quantiles=(0.5, 0.2, 0.8))
        except (OutOfResources, CompileTimeAssertionFailure, PTXASError):
            return [float("inf")] * 3

    def prune_configs(self, kwargs: dict[str, Any]) -> list[Config]:
        configs = list(self.configs)
        if self.early_config_prune:
            configs = self.early_config_prune(configs, self.nargs, **kwargs)
            if not configs:
                raise AutotunerError("Autotuner error: No valid autotuner configs after pruning. "
                                     "`early_config_prune` should return at least one config.")
        if self.perf_model:
            keep = self.top_k
            keep = int(len(self.configs) * keep) if isinstance(keep, float) and keep <= 1 else keep
            cost = {c: self.perf_model(**self.nargs, **kwargs, **c.all_kwargs()) for c in configs}
            configs = sorted(configs, key=cost.__getitem__)[:max(int(keep), 1)]
        return configs

    def _named(self, args: tuple) -> dict[str, Any]:
        """Positional arguments by name; a ``*args`` parameter has the tuple of the rest."""
        named = dict(zip(self.arg_names, args))
        if self._variadic is not None:
            named[self._variadic.name] = tuple(args[self._variadic.num:])
        return named

    def _measured(self, key: tuple, args: tuple, kwargs: dict) -> bool:
        """Finds the fastest configuration for a key; False if its timings were on disk."""
        import json

        configs = self.prune_configs(kwargs)
        place = self._place(key, configs) if self.cache_results else None
        entry = cache.find(place) if place is not None else None
        if entry is not None:
            found = json.loads(entry.text(_TIMINGS))
            timings = {config: row for config, row in zip(configs, found)}
        else:
            start = time.perf_counter()
            timings = {c: self._bench(args, kwargs, c) for c in configs}
            self.bench_time = time.perf_counter() - start
            self._zero({**self.nargs, **kwargs})
        self.configs_timings = timings
        self.cache[key] = min(timings, key=lambda c: timings[c][0])
        if place is not None and entry is None:
            rows = [list(timings[c]) for c in configs]
            cache.store(place, {_TIMINGS: json.dumps(rows).encode()}, {"name": self.__name__})
        return entry is None

    def _place(self, key: tuple, configs: list[Config]) -> str | None:
        """Where timings are kept: what they depend on. Not of configurations with hooks."""
        if any(config.pre_hook is not None for config in configs):
            return None
        from ..compiler.version import triton_key

        return digest_of(triton_key(), "timings", self.base_fn.cache_key,
                         driver.active.get_current_target().arch, repr(key),
                         *(str(config) for config in configs))

    def run(self, *args: Any, **kwargs: Any) -> Any:
        self.nargs = self._named(args)
        named = {**self.nargs, **kwargs}
        decided = False
        measured = False
        if len(self.configs) > 1:
            values = [named[k] for k in self.keys if k in named]
            dtypes = [str(v.dtype) for v in named.values() if hasattr(v, "dtype")]
            key = (*values, *dtypes)
            try:
                decided = key not in self.cache
            except TypeError as problem:
                raise TypeError(f"the arguments {', '.join(self.keys)} that {self.__name__} is tuned "
                                f"by must be hashable: {problem}") from None
            if decided:
                measured = self._measured(key, args, kwargs)
            config = self.cache[key]
        else:
            config = self.configs[0]
        self.best_config = config
        if knobs.autotuning.listener is not None and decided:
            knobs.autotuning.listener(fn=self.base_fn, key=key, best_config=config,
                                      configs_timings=self.configs_timings,
                                      duration=self.bench_time if measured else None,
                                      cache_hit=not measured)
        if knobs.autotuning.print and measured:
            print(f"Triton autotuning for function {self.__name__} finished after "
                  f"{self.bench_time:.2f}s; best config selected: {config};")
        if config.pre_hook is not None:
            config.pre_hook({**self.nargs, **kwargs, **config.all_kwargs()})
        result = self.fn.run(*args, **{**kwargs, **config.all_kwargs()})
        self.nargs = {}
        return result

    def warmup(self, *args: Any, **kwargs: Any) -> list[Any]:
        self.nargs = self._named(args)
        return [self.fn.warmup(*args, **{**kwargs, **c.all_kwargs()})
                for c in self.prune_configs(kwargs)]


class Heuristics(KernelInterface):
    """Computes meta-parameters from the arguments of each launch."""

    def __init__(self, fn: Any, arg_names: list[str], values: dict[str, Callable]) -> None:
        self.fn, self.arg_names, self.values = fn, arg_names, values
        self.__name__ = getattr(fn, "__name__", "kernel")

    def run(self, *args: Any, **kwargs: Any) -> Any:
        for name, function in self.values.items():
            kwargs[name] = function({**dict(zip(self.arg_names, args)), **kwargs})
        return self.fn.run(*args, **kwargs)


def autotune(configs: list[Config], key: list[str], prune_configs_by: Any = None,
             reset_to_zero: Any = None, restore_value: Any = None, pre_hook: Any = None,
             post_hook: Any = None, warmup: Any = None, rep: Any = None,
             use_cuda_graph: bool = False, do_bench: Any = None,
             cache_results: bool = False) -> Callable:
    """Decorator: measures ``configs`` for every new value of the arguments in ``key``.

    ``warmup``, ``rep``: milliseconds for each; ``cache_results`` (or TRITON_CACHE_AUTOTUNING)
    keeps timings on disk, by kernel, target, key and configurations.
    """

    def decorate(fn: Any) -> Autotuner:
        return Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook,
                         post_hook, prune_configs_by, do_bench, warmup, rep, cache_results)

    return decorate


def heuristics(values: dict[str, Callable]) -> Callable:
    """Decorator: ``{name: function(args)}`` fills meta-parameters of each launch."""

    def decorate(fn: Any) -> Heuristics:
        return Heuristics(fn, fn.arg_names, values)

    return decorate


def _fill_zero(array: Any) -> None:
    array.zero_() if hasattr(array, "zero_") else array.fill(0)


def _clone(array: Any) -> Any:
    return array.clone() if hasattr(array, "clone") else array.copy()


def _copy(target: Any, source: Any) -> None:
    if hasattr(target, "copy_"):
        target.copy_(source)
    else:
        target[...] = source
