"""@triton.jit: functions that are compiled when first launched, and launched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Callable

from .. import knobs
from ..errors import KernelError, kernel_error
from ..language.function import SIGNATURE_TYPES, Function, canonical_type
from ..language.types import constexpr, dtype
from .arrays import MockTensor, TensorWrapper, reinterpret
from .driver import driver

_native: Any = None


class KernelInterface:
    """What can be launched: ``fn[grid](*args)``."""

    def __getitem__(self, grid: Any) -> Callable:
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        raise NotImplementedError

    def warmup(self, *args: Any, grid: Any = None, **kwargs: Any) -> Any:
        """Compiles for these arguments without launching."""
        return self.run(*map(MockTensor.wrap_dtype, args), grid=grid, warmup=True, **kwargs)


class JITFunction(Function, KernelInterface):
    """A kernel, or a function that kernels call."""

    def __init__(self, fn: Callable, version: Any = None, do_not_specialize: Any = None,
                 do_not_specialize_on_alignment: Any = None, debug: Any = None,
                 noinline: Any = None, repr: Any = None, launch_metadata: Any = None) -> None:
        super().__init__(fn, do_not_specialize, do_not_specialize_on_alignment, debug, noinline)
        self.version = version
        self.do_not_specialize = do_not_specialize
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment
        self.launch_metadata = launch_metadata
        self._repr = repr
        # Called before each launch and warmup, with its arguments.
        self.pre_run_hooks: list[Callable] = []
        self._dispatcher: Any = None

    @property
    def dispatcher(self) -> Any:
        if self._dispatcher is None:
            from ..backends.spine_triton.compiler import NAMES

            params = [(p.name, p.is_constexpr, p.annotation_type or None, p.is_const,
                       not p.do_not_specialize, not p.do_not_specialize_on_alignment,
                       p.has_default, p.default if p.has_default else None, p.is_variadic)
                      for p in self.params]
            positional = sum(not (p.is_variadic or p.is_keyword_only) for p in self.params)
            self._dispatcher = native().Dispatcher(self.__name__, params, NAMES, self._compile_for,
                                                   self.pre_run_hooks, positional)
        return self._dispatcher

    def __getitem__(self, grid: Any) -> Callable:
        return self.dispatcher.bind(grid)

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
        if warmup:
            try:
                return self.dispatcher.warmup(args, kwargs)
            except _ForAnotherMachine as found:
                return found.kernel
        return self[grid](*args, **kwargs)

    def add_pre_run_hook(self, hook: Callable) -> None:
        """Calls ``hook(*args, **kwargs)`` before each launch."""
        self.pre_run_hooks.append(hook)

    def _unsafe_update_src(self, text: str) -> None:
        super()._unsafe_update_src(text)
        self.dispatcher.clear()

    def repr(self, specialization: Any) -> str:
        """The name for a specialisation, an object with `signature` and `constants`."""
        if self._repr is None:
            return f"{self.module}.{self.__qualname__}"
        return self._repr(specialization)

    def kernel_name(self, signature: dict[str, Any], constants: dict[tuple, Any]) -> str:
        if self._repr is None:
            return self.fn.__name__
        import re
        from types import SimpleNamespace

        names = {self.arg_names[path[0]]: value for path, value in constants.items()
                 if len(path) == 1}
        name = self._repr(SimpleNamespace(signature=signature, constants=names))
        if not isinstance(name, str) or not name:
            raise TypeError(f"repr of kernel '{self.fn.__name__}' gives its name, not {name!r}")
        return re.sub(r"[^A-Za-z0-9_.$]", "_", name)

    def is_gluon(self) -> bool:
        return False

    # -- compiling ---------------------------------------------------------------------

    def _compile_for(self, signature: tuple, values: tuple, options: dict, warm: bool) -> Any:
        """A launch with argument types not seen before: compile, or find in the cache."""
        from ..backends.spine_triton.compiler import parse_options
        from ..compiler.compiler import ASTSource, compile

        constants: dict[tuple, Any] = {}
        attrs: dict[tuple, list] = {}
        types = {param.name: _unfold(row, value, (param.num,), constants, attrs)
                 for param, row, value in zip(self.params, signature, values)}
        if any(p.name in options for p in self.params):
            raise TypeError("an option and a parameter have one name")
        chosen = options
        if self.debug is not None and options.get("debug") is None:
            chosen = {**options, "debug": self.debug}
        source = ASTSource(self, types, constants, attrs)
        parsed = parse_options(chosen)
        before, after = knobs.runtime.jit_cache_hook, knobs.runtime.jit_post_compile_hook
        told: dict[str, Any] = {}
        if before is not None or after is not None:
            told = self._hook_arguments(source, options, parsed, warm)
        if before is not None and before(**told, already_compiled=False):
            return None
        kernel = compile(source, driver.active.get_current_target(), parsed)
        watched = [(names, name, value) for (name, _), (value, names)
                   in self.all_used_globals().items()]
        if after is not None:
            after(**told, already_compiled=not kernel.times)
        try:
            return kernel.image, kernel, watched
        except KernelError as error:
            raise _ForAnotherMachine(kernel, error) from None

    def _hook_arguments(self, source: Any, options: dict, parsed: Any, warm: bool
                        ) -> dict[str, Any]:
        """What cache hooks are told of a kernel."""
        from . import specialization

        target = driver.active.get_current_target()
        key = f"{source.hash()}{parsed.hash()}{target.arch}"
        types = ", ".join(f"{name}: {type}" for name, type in source.signature.items())
        try:
            data = specialization.dump(self._full_name, target, key, source, options)
        except TypeError:
            data = None  # a constant that no other process has
        return {"key": key, "repr": f"{self.__name__}[{types}]", "fn": JitFunctionInfo(self),
                "compile": {**parsed.asdict(), "key": key, "signature": source.signature,
                            "device": driver.active.get_current_device(),
                            "constants": source.constants, "configs": [source.attrs],
                            "specialization_data": data, "is_warmup": warm},
                "is_manual_warmup": warm}

    @property
    def _full_name(self) -> str:
        return f"{self.module}.{self.__qualname__}"

    def preload(self, specialization_data: str) -> Any:
        """Compiles, or finds, the kernel that a cache hook was told of; gives it."""
        import json

        from . import specialization

        data = json.loads(specialization_data)
        if data["name"] != self._full_name:
            raise RuntimeError(f"Specialization data is for {data['name']} but trying to preload "
                               f"for {self._full_name}")
        target = vars(driver.active.get_current_target())
        if data["target"] != target:
            raise RuntimeError(f"Specialization data is for {data['target']} but trying to preload "
                               f"for {target}")
        args, kwargs = specialization.arguments(data, self.params)
        return self.run(*args, grid=None, warmup=True, **kwargs)

    # -- what is compiled --------------------------------------------------------------

    @property
    def device_caches(self) -> "DeviceCaches":
        return DeviceCaches(self)

    def create_binder(self) -> tuple:
        """A `device_caches` row."""
        return self.device_caches[driver.active.get_current_device()]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_dispatcher": None}


def _unfold(row: tuple, value: Any, path: tuple, constants: dict[tuple, Any],
            attrs: dict[tuple, list]) -> Any:
    """The type of an argument from its row; what it holds goes to the dicts by path."""
    type, key = row
    if isinstance(type, tuple):
        items = [_unfold(r, v, (*path, i), constants, attrs)
                 for i, (r, v) in enumerate(zip(type, value))]
        return value._make(items) if hasattr(value, "_fields") else tuple(items)
    if type == "constexpr":
        constants[path] = key.value if isinstance(key, constexpr) else key
    elif key == "D":
        attrs[path] = [["tt.divisibility", 16]]
    return type


class DeviceCaches(Mapping):
    """Kernels of a function by device; every key names the only device there is. A row is
    (kernels by hash, {}, target, backend, binder)."""

    def __init__(self, function: JITFunction) -> None:
        self._function = function

    def __getitem__(self, device: Any) -> tuple:
        from ..backends.spine_triton import compiler

        dispatcher = self._function.dispatcher
        return (KernelCache(dispatcher), {}, driver.active.get_current_target(), compiler,
                dispatcher.specialize)

    def __iter__(self) -> Iterator[int]:
        return iter((driver.active.get_current_device(),))

    def __len__(self) -> int:
        return 1

    def clear(self) -> None:
        self._function.dispatcher.clear()


class KernelCache(Mapping):
    """The kernels of a function by hash."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher

    def _kernels(self) -> dict[str, Any]:
        return {kernel.hash: kernel for kernel in self._dispatcher.kernels()}

    def __getitem__(self, key: str) -> Any:
        return self._kernels()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels())

    def __len__(self) -> int:
        return len(self._kernels())

    def clear(self) -> None:
        """The next launch looks for its kernel on disk."""
        self._dispatcher.clear()


class JitFunctionInfo:
    """What a cache hook is told of the function."""

    def __init__(self, function: JITFunction) -> None:
        self.module, self.name, self.jit_function = function.module, function.__name__, function


class _ForAnotherMachine(KernelError):
    """A kernel that was compiled, but whose image cannot be loaded here."""

    def __init__(self, kernel: Any, error: KernelError) -> None:
        super().__init__(str(error), kernel.name)
        self.kernel = kernel


def native() -> Any:
    """The launcher module, set up when first used."""
    global _native
    if _native is None:
        from .._C import _runtime

        _runtime.setup(dtype_name, constexpr, kernel_error, _intercept)
        if knobs.runtime.interpret:
            raise NotImplementedError("not supported yet: TRITON_INTERPRET=1; unset it to compile "
                                      "kernels")
        threads = knobs.runtime.num_threads
        if threads is not None:
            _runtime.set_num_threads(threads)
        _native = _runtime
        knobs.on_change(_refresh)
        driver.on_change(_refresh)
        _refresh()
    return _native


def _refresh() -> None:
    """Tells the launcher what, besides the arguments, decides which kernel runs."""
    hooks = bool(knobs.runtime.launch_enter_hook) or bool(knobs.runtime.launch_exit_hook)
    _native.set_intercept_all(hooks)
    _native.set_context((driver.active.target_text, knobs.runtime.debug,
                         knobs.language.default_fp_fusion,
                         knobs.compilation.allow_non_constexpr_globals))


_NAMES = {"float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5", "float8_e4m3fnuz": "fp8e4b8",
          "float8_e5m2fnuz": "fp8e5b16", "bool": "i1", "bool_": "i1"}


def dtype_name(value: Any) -> str | None:
    """Triton's name of a numpy, torch, ml_dtypes or Triton element type."""
    if isinstance(value, dtype):
        value = value.name
    name = value if isinstance(value, str) else getattr(value, "name", None) or str(value)
    if getattr(value, "byteorder", "=") == ">":
        return None
    name = name.rpartition(".")[2]
    short = _NAMES.get(name) or canonical_type(name)
    if short == "u1":
        return "i1"
    return short if short != name or name in SIGNATURE_TYPES else None


class LazyDict:
    """Values some of which are only computed when asked for."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.extras: list[tuple[Callable, tuple]] = []

    def add(self, function: Callable, args: tuple) -> None:
        self.extras.append((function, args))

    def get(self) -> dict[str, Any]:
        for function, args in self.extras:
            self.data = {**self.data, **function(*args)}
        self.extras.clear()
        return self.data


def _intercept(dispatcher: Any, compiled: Any, grid: tuple, args: dict, run: Callable) -> None:
    """A launch with hooks around it."""
    metadata = compiled.lazy_metadata(grid, args)
    enter, leave = knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook
    if enter:
        enter(metadata)
    try:
        run()
    finally:
        if leave:
            leave(metadata)


def jit(fn: Any = None, *, version: Any = None, repr: Any = None, launch_metadata: Any = None,
        do_not_specialize: Any = None, do_not_specialize_on_alignment: Any = None,
        debug: Any = None, noinline: Any = None) -> Any:
    """Decorator: a kernel, launched by ``fn[grid](*args)``, or a function kernels call.

    ``do_not_specialize``, ``do_not_specialize_on_alignment``: parameters by name or index
    whose values (1, multiples of 16) make no kernel of their own. ``debug`` compiles
    assertions in; ``noinline`` keeps the function out of its callers' IR.
    """

    def decorate(function: Callable) -> Any:
        if not callable(function):
            raise TypeError(f"@triton.jit decorates functions, not {type(function).__name__}")
        return JITFunction(function, version, do_not_specialize, do_not_specialize_on_alignment,
                           debug, noinline, repr, launch_metadata)

    return decorate(fn) if fn is not None else decorate


__all__ = ["JITFunction", "KernelInterface", "LazyDict", "MockTensor", "TensorWrapper", "jit",
           "native", "reinterpret"]
