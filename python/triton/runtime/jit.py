"""@triton.jit: functions that are compiled when first launched, and launched."""

from __future__ import annotations

from typing import Any, Callable

from .. import knobs
from ..errors import KernelError, kernel_error
from ..language.function import SIGNATURE_TYPES, Function, canonical_type
from ..language.types import constexpr, dtype
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
        return self.run(*args, grid=grid, warmup=True, **kwargs)


class JITFunction(Function, KernelInterface):
    """A kernel, or a function that kernels call."""

    def __init__(self, fn: Callable, version: Any = None, do_not_specialize: Any = None,
                 do_not_specialize_on_alignment: Any = None, debug: Any = None,
                 noinline: Any = None, repr: Any = None, launch_metadata: Any = None) -> None:
        super().__init__(fn, do_not_specialize, do_not_specialize_on_alignment, debug, noinline)
        self.launch_metadata = launch_metadata
        self._repr = repr
        self.pre_run_hooks: list[Callable] = []
        self._dispatcher: Any = None

    @property
    def dispatcher(self) -> Any:
        if self._dispatcher is None:
            from ..backends.spine_triton.compiler import NAMES

            params = [(p.name, p.is_constexpr, p.annotation_type or None, p.is_const,
                       not p.do_not_specialize, not p.do_not_specialize_on_alignment,
                       p.has_default, p.default if p.has_default else None) for p in self.params]
            self._dispatcher = native().Dispatcher(self.__name__, params, NAMES, self._compile_for)
            self._dispatcher.intercept = bool(self.pre_run_hooks)
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
        self.dispatcher.intercept = True

    def _compile_for(self, signature: tuple, values: tuple, options: dict, context: Any) -> Any:
        """A launch with argument types not seen before: compile, or find in the cache."""
        from ..backends.spine_triton.compiler import parse_options
        from ..compiler.compiler import ASTSource, compile

        types: dict[str, str] = {}
        constants: dict[tuple, Any] = {}
        attrs: dict[tuple, list] = {}
        for param, (type, key), value in zip(self.params, signature, values):
            types[param.name] = type
            if type == "constexpr":
                constants[(param.num,)] = getattr(value, "value", value) if isinstance(
                    value, constexpr) else value
            elif key == "D":
                attrs[(param.num,)] = [["tt.divisibility", 16]]
        if self.debug is not None and options.get("debug") is None:
            options = {**options, "debug": self.debug}
        if any(p.name in options for p in self.params):
            raise TypeError("an option and a parameter have one name")
        source = ASTSource(self, types, constants, attrs)
        if self._refused_by_hook(source, options):
            return None
        kernel = compile(source, driver.active.get_current_target(), parse_options(options))
        watched = [(names, name, value) for (name, _), (value, names)
                   in self.all_used_globals().items()]
        post = knobs.runtime.jit_post_compile_hook
        if post is not None:
            post(**self._hook_arguments(source, options), already_compiled=not kernel.times)
        try:
            return kernel.image, kernel, watched
        except KernelError as error:
            raise _ForAnotherMachine(kernel, error) from None

    def _hook_arguments(self, source: Any, options: dict) -> dict[str, Any]:
        key = source.hash()
        types = ", ".join(f"{name}: {type}" for name, type in source.signature.items())
        return {"key": key, "repr": f"{self.__name__}[{types}]", "fn": JitFunctionInfo(self),
                "compile": {"key": key, "signature": source.signature, "constants": source.constants,
                            "configs": [source.attrs], **options}, "is_manual_warmup": False}

    def _refused_by_hook(self, source: Any, options: dict) -> bool:
        hook = knobs.runtime.jit_cache_hook
        return hook is not None and bool(
            hook(**self._hook_arguments(source, options), already_compiled=False))


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

        _runtime.setup(_dtype_name, constexpr, kernel_error, _intercept)
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


def _dtype_name(value: Any) -> str | None:
    """Triton's name of a numpy, torch, ml_dtypes or Triton element type."""
    if isinstance(value, dtype):
        return canonical_type(value.name)
    name = value if isinstance(value, str) else getattr(value, "name", None) or str(value)
    if getattr(value, "byteorder", "=") == ">":
        return None
    name = name.rpartition(".")[2]
    short = _NAMES.get(name) or canonical_type(name)
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
    function = compiled.src.fn
    for hook in function.pre_run_hooks:
        hook(*args.values())
    metadata = LazyDict({"name": compiled.name, "function": compiled, "stream": 0})
    if function.launch_metadata is not None:
        metadata.add(function.launch_metadata, (grid, compiled.metadata, args))
    knobs.runtime.launch_enter_hook(metadata)
    try:
        run()
    finally:
        knobs.runtime.launch_exit_hook(metadata)


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


class MockTensor:
    """Stands for an array in `warmup`: an element type without memory."""

    def __init__(self, dtype: Any, shape: Any = None) -> None:
        self.dtype, self.shape = dtype, shape if shape is not None else [1]

    @staticmethod
    def wrap_dtype(value: Any) -> Any:
        kind = type(value).__name__
        return MockTensor(value) if kind == "dtype" else value

    @staticmethod
    def data_ptr() -> int:
        return 0

    @staticmethod
    def ptr_range() -> int:
        return 0


class TensorWrapper:
    """An array whose elements a kernel is to take as another type."""

    def __init__(self, base: Any, dtype: Any) -> None:
        self.base, self.dtype = base, dtype
        self.data = getattr(base, "data", base)
        self.shape = getattr(base, "shape", None)
        self.device = getattr(base, "device", "cpu")

    def data_ptr(self) -> int:
        pointer = getattr(self.base, "data_ptr", None)
        return pointer() if pointer is not None else self.base.__array_interface__["data"][0]

    @property
    def readonly(self) -> bool:
        interface = getattr(self.base, "__array_interface__", None)
        return bool(interface["data"][1]) if interface else False

    def __str__(self) -> str:
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor: Any, dtype: Any) -> Any:
    """``tensor`` with its elements taken as ``dtype`` of the same width."""
    if isinstance(tensor, TensorWrapper):
        return tensor.base if dtype == getattr(tensor.base, "dtype", None) else TensorWrapper(
            tensor.base, dtype)
    if hasattr(tensor, "data_ptr") or hasattr(tensor, "__array_interface__"):
        return TensorWrapper(tensor, dtype)
    raise TypeError(f"Cannot reinterpret a {type(tensor)}.")
