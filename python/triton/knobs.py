"""Every knob: a row says its name, environment variable, type, default and purpose.

The only place of the package that reads the environment. A knob is read from the
environment each time until it is set from Python; `del` gives it back to the environment;
setting one also sets the variable, for child processes, while ``propagate_env`` is true.
"""

from __future__ import annotations

import contextlib
import os
import warnings
from typing import Any, Callable, Generic, Iterator, TypeVar

T = TypeVar("T")
propagate_env = True
_TRUE, _FALSE = ("1", "y", "on", "yes", "true"), ("0", "n", "off", "no", "false", "")


_listeners: list[Callable[[], None]] = []


class _Env:
    """Set to this, a knob goes back to the environment, as by `del`."""


env = _Env()


def refresh_knobs() -> None:
    """Looks at the environment again: what was derived from it is made anew."""
    _changed()


def on_change(listener: Callable[[], None]) -> None:
    """Calls ``listener`` whenever a knob or hook was set from Python."""
    _listeners.append(listener)


def _changed() -> None:
    for listener in _listeners:
        listener()


class env_base(Generic[T]):
    """One row: variable, default, one line of help."""

    def __init__(self, variable: str, default: Any = None, help: str = "") -> None:
        self.variable, self.default, self.help = variable, default, help

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @property
    def key(self) -> str:
        """Upstream's name for the variable."""
        return self.variable

    def parse(self, text: str) -> Any:
        return text

    def spell(self, value: Any) -> str:
        return str(value)

    def __get__(self, knobs: Any, owner: type | None = None) -> Any:
        if knobs is None:
            return self
        if self.name in knobs.__dict__:
            return knobs.__dict__[self.name]
        text = os.environ.get(self.variable)
        if text is None:
            return self.default() if callable(self.default) else self.default
        try:
            return self.parse(text)
        except ValueError as problem:
            warnings.warn(f"{self.variable}={text!r} is ignored: {problem}", RuntimeWarning, 3)
            return self.default() if callable(self.default) else self.default

    def __set__(self, knobs: Any, value: Any) -> None:
        if value is env:
            self.__delete__(knobs)
            return
        knobs.__dict__[self.name] = value
        if propagate_env:
            if value is None:
                os.environ.pop(self.variable, None)
            else:
                os.environ[self.variable] = self.spell(value)
        _changed()

    def __delete__(self, knobs: Any) -> None:
        knobs.__dict__.pop(self.name, None)
        _changed()


class env_str(env_base[str]):
    """A string."""


class env_opt_str(env_base["str | None"]):
    """A string or None."""


class env_bool(env_base[bool]):
    """1/y/on/yes/true or 0/n/off/no/false."""

    def __init__(self, variable: str, default: bool = False, help: str = "") -> None:
        super().__init__(variable, default, help)

    def parse(self, text: str) -> bool:
        if text.lower() in _TRUE:
            return True
        if text.lower() in _FALSE:
            return False
        raise ValueError(f"expected one of {', '.join(_TRUE + _FALSE[:-1])}")

    def spell(self, value: Any) -> str:
        return "1" if value else "0"


class env_opt_bool(env_bool):
    """The same, or None."""

    def __init__(self, variable: str, default: bool | None = None, help: str = "") -> None:
        super().__init__(variable, default, help)  # type: ignore[arg-type]


class env_int(env_base[int]):
    """An integer."""

    def parse(self, text: str) -> int:
        return int(text)


class env_count(env_base["int | None"]):
    """A positive integer or None."""

    def parse(self, text: str) -> int:
        if not text.isdecimal() or int(text) < 1:
            raise ValueError("expected a positive integer")
        return int(text)


class base_knobs:
    """A group of knobs."""

    @property
    def knob_descriptors(self) -> dict[str, env_base]:
        return {name: row for cls in reversed(type(self).__mro__) for name, row in vars(cls).items()
                if isinstance(row, env_base)}

    @property
    def knobs(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.knob_descriptors}

    def copy(self) -> "base_knobs":
        other = type(self)()
        other.__dict__.update(self.__dict__)
        return other

    def reset(self) -> "base_knobs":
        """Gives every knob back to the environment."""
        for name in self.knob_descriptors:
            self.__dict__.pop(name, None)
        _changed()
        return self

    @contextlib.contextmanager
    def scope(self) -> Iterator["base_knobs"]:
        """Restores values and environment at the end."""
        values = dict(self.__dict__)
        variables = {r.variable: os.environ.get(r.variable) for r in self.knob_descriptors.values()}
        try:
            yield self
        finally:
            self.__dict__.clear()
            self.__dict__.update(values)
            for variable, text in variables.items():
                if text is None:
                    os.environ.pop(variable, None)
                else:
                    os.environ[variable] = text
            _changed()


class HookChain:
    """Callables run one after the other; ``reversed`` runs them last to first."""

    def __init__(self, reversed: bool = False) -> None:
        self.calls: list[Callable] = []
        self.reversed = reversed

    def add(self, function: Callable) -> None:
        if function not in self.calls:
            self.calls.append(function)
        _changed()

    def remove(self, function: Callable) -> None:
        if function in self.calls:
            self.calls.remove(function)
        _changed()

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        for call in self.calls[::-1] if self.reversed else list(self.calls):
            call(*args, **kwargs)

    def __bool__(self) -> bool:
        return bool(self.calls)


def _home() -> str:
    return os.environ.get("TRITON_HOME") or os.path.expanduser("~/")


class cache_knobs(base_knobs):
    home_dir = env_str("TRITON_HOME", _home, "Where .triton lies.")
    dir = env_str("TRITON_CACHE_DIR", lambda: cache.get_triton_dir("cache"), "Compiled kernels.")
    dump_dir = env_str("TRITON_DUMP_DIR", lambda: cache.get_triton_dir("dump"),
                       "Where TRITON_KERNEL_DUMP writes.")

    def get_triton_dir(self, name: str) -> str:
        return os.path.join(self.home_dir, ".triton", name)


class compilation_knobs(base_knobs):
    always_compile = env_bool("TRITON_ALWAYS_COMPILE", False, "Ignore the disk cache.")
    dump_ir = env_bool("TRITON_KERNEL_DUMP", False, "Write every stage under TRITON_DUMP_DIR.")
    front_end_debugging = env_bool("TRITON_FRONT_END_DEBUGGING", False,
                                   "Show Python's own traceback for compile errors.")
    allow_non_constexpr_globals = env_bool("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", False,
                                           "Kernels may read any global.")
    spine_dump_path = env_opt_str("SPINE_TRITON_DUMP_PATH", None,
                                  "Write every stage of each kernel into this directory.")
    remarks = env_str("TRIREME_REMARKS", "",
                      "What to say of compiled kernels on standard error: perf, sched.")
    listener: Any = None


class runtime_knobs(base_knobs):
    interpret = env_bool("TRITON_INTERPRET", False, "Not supported yet: launches refuse it.")
    debug = env_bool("TRITON_DEBUG", False, "Compile device_assert and overflow checks in.")
    target = env_opt_str("TRIREME_TARGET", None, "CPU to compile for; the host without it.")
    executor = env_opt_str("TRIREME_EXECUTOR", None, "Where kernels run.")
    num_threads = env_count("TRIREME_NUM_THREADS", None,
                            "Threads that launches use; read when the first kernel runs.")
    jit_cache_hook: Any = None
    jit_post_compile_hook: Any = None

    def __init__(self) -> None:
        self.launch_enter_hook = HookChain()
        self.launch_exit_hook = HookChain(reversed=True)
        self.kernel_load_start_hook = HookChain()
        self.kernel_load_end_hook = HookChain(reversed=True)
        self.kernel_unload_hook = HookChain(reversed=True)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name.endswith("_hook"):
            _changed()


class autotuning_knobs(base_knobs):
    print = env_bool("TRITON_PRINT_AUTOTUNING", False, "Print the chosen configuration.")
    cache = env_bool("TRITON_CACHE_AUTOTUNING", False,
                     "Keep the timings of all tuned kernels on disk.")
    listener: Any = None


class language_knobs(base_knobs):
    fp32_default = env_opt_str("TRITON_F32_DEFAULT", None, "input_precision of tl.dot.")
    default_fp_fusion = env_bool("TRITON_DEFAULT_FP_FUSION", True,
                                 "Multiplications and additions may become fma.")


cache = cache_knobs()
compilation = compilation_knobs()
runtime = runtime_knobs()
autotuning = autotuning_knobs()
language = language_knobs()

def groups() -> dict[str, base_knobs]:
    """All groups by name, for documentation and reports."""
    return {"cache": cache, "compilation": compilation, "runtime": runtime,
            "autotuning": autotuning, "language": language}
