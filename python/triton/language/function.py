"""Functions of the kernel language: their source, parameters and identity.

`Function` is what the code generator compiles; `runtime.jit.JITFunction` adds launching.
Source is read when first needed, so that importing the package reads none.
"""

from __future__ import annotations

import functools
import types
from _thread import RLock  # threading.RLock without importing threading
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    import ast
    import inspect

from ..digest import digest_of
from ..errors import CompilationError
from .identity import all_codes, identity_of, is_ours, value_identity
from .types import const, constexpr, dtype, pointer_type
from .values import is_builtin

_PACKAGE = __name__.partition(".")[0]
# Python spelling of an element type -> signature spelling.
_CANONICAL = {
    "bool": "u1", "int1": "u1", "uint1": "u1", "i1": "u1", "u1": "u1", "float16": "fp16",
    "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "float8e4nv": "fp8e4nv",
    "float8e5": "fp8e5",
    **{f"{long}int{n}": f"{short}{n}" for n in (8, 16, 32, 64)
       for long, short in (("", "i"), ("u", "u"))},
}


# Every element type as a signature spells it.
SIGNATURE_TYPES = frozenset({*_CANONICAL.values(), "fp8e4b15", "fp8e4b8", "fp8e5b16"})


def canonical_type(name: str) -> str:
    """``"float32"`` -> ``"fp32"``, ``"*int8"`` -> ``"*i8"``; others unchanged."""
    if name.startswith("*"):
        element = canonical_type(name.lstrip("*k"))
        # Upstream's spellings: a bool is u1, an array of them *i1.
        return ("*k" if name.startswith("*k") else "*") + ("i1" if element == "u1" else element)
    name = name.rpartition(".")[2]
    return _CANONICAL.get(name, name)


_NOTHING = object()
_COMPUTING = "being computed"
_hash_lock = RLock()
_VARARGS, _VARKEYWORDS = 4, 8  # inspect.CO_VARARGS, CO_VARKEYWORDS


class KernelParam:
    """One parameter of a kernel as its signature states it."""

    def __init__(self, num: int, name: str, default: Any, annotation: Any,
                 specialize: bool, align: bool, positional: int, variadic: bool) -> None:
        self.num, self.name, self.annotation = num, name, annotation
        self.is_variadic = variadic and num == positional  # *args: its value is a tuple
        self.is_keyword_only = num >= positional + int(variadic)
        self.has_default = default is not _NOTHING
        self.default = default if self.has_default else None
        self.do_not_specialize = not specialize
        self.do_not_specialize_on_alignment = not align

    @property
    def is_constexpr(self) -> bool:
        text = self.annotation
        return text is constexpr or (isinstance(text, str) and "constexpr" in text)

    @property
    def is_const(self) -> bool:
        text = self.annotation
        if isinstance(text, str):
            return text.startswith("*k") or text.rpartition(".")[2] == "const"
        return text is const or (isinstance(text, pointer_type) and text.const)

    @property
    def annotation_type(self) -> str:
        """The signature type that the annotation fixes, or ""."""
        text = self.annotation
        if isinstance(text, pointer_type):
            return canonical_type(("*k" if text.const else "*") + text.element_ty.name)
        if isinstance(text, dtype):
            return canonical_type(text.name)
        if isinstance(text, str) and not self.is_constexpr:
            name = canonical_type(text)
            if name.lstrip("*k") in SIGNATURE_TYPES or name in ("*i1", "*ki1"):
                return name
        return ""


def _all_lines(code: types.CodeType) -> list[tuple]:
    if not hasattr(code, "co_lines"):  # Python 3.9
        import dis

        return [(0, 0, line) for c in all_codes(code) for _, line in dis.findlinestarts(c)]
    return [entry for c in all_codes(code) for entry in c.co_lines()]


_files: dict[str, Any] = {}


def _lines_of(path: str) -> list[str] | None:
    """A source file's lines, read once; None where there is no file."""
    if path not in _files:
        try:
            with open(path, encoding="utf-8") as file:
                _files[path] = file.readlines()
        except (OSError, UnicodeDecodeError):
            _files[path] = None
    return _files[path]


class Function:
    """A Python function written in the kernel language."""

    def __init__(
        self, fn: Callable, do_not_specialize: Any = None,
        do_not_specialize_on_alignment: Any = None, debug: Any = None, noinline: Any = None,
    ) -> None:
        self.fn = fn
        self.module = fn.__module__
        self.noinline = bool(noinline)
        self.debug = debug
        self._fixed = do_not_specialize or (), do_not_specialize_on_alignment or ()
        self._source: Any = None
        self._tree: Any = None
        self._code = fn.__code__  # of what `src` says
        self._hash: str | None = None
        self._called: list[Function] = []
        # {(name, id of dict): (value, dict)}: constants the source reads.
        self.used_global_vals: dict[tuple[str, int], tuple[Any, dict]] = {}
        functools.update_wrapper(self, fn, updated=())

    # -- parameters --------------------------------------------------------------------

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        import inspect

        return inspect.signature(self.fn)

    @functools.cached_property
    def params(self) -> list[KernelParam]:
        code, fixed, unaligned = self.fn.__code__, *self._fixed
        if code.co_flags & _VARKEYWORDS:
            raise TypeError(f"@triton.jit: {self.fn.__name__}: ** parameters are not supported")
        count = code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames[:count])
        if code.co_flags & _VARARGS:
            names.insert(code.co_argcount, code.co_varnames[count])
        positional = self.fn.__defaults__ or ()
        defaults = dict(zip(names[code.co_argcount - len(positional):], positional))
        defaults.update(self.fn.__kwdefaults__ or {})
        annotations = self.fn.__annotations__
        params = [KernelParam(i, name, defaults.get(name, _NOTHING), annotations.get(name, ""),
                              i not in fixed and name not in fixed,
                              i not in unaligned and name not in unaligned,
                              code.co_argcount, bool(code.co_flags & _VARARGS))
                  for i, name in enumerate(names)]
        for param in params:
            if param.is_constexpr and param.do_not_specialize:
                origin = f"{self.file_name}:{self.def_file_line_number}"
                raise CompilationError(self.src, self.parse().body[0], f"{param.name} marked as "
                                       "constexpr and listed in do_not_specialize", origin)
        return params

    @functools.cached_property
    def arg_names(self) -> list[str]:
        return [p.name for p in self.params]

    def kernel_name(self, signature: dict[str, Any], constants: dict[tuple, Any]) -> str:
        """The symbol of the kernel for these types and constants (by path)."""
        return self.fn.__name__

    @functools.cached_property
    def constexprs(self) -> list[int]:
        return [p.num for p in self.params if p.is_constexpr]

    # -- source ------------------------------------------------------------------------

    def _load_source(self) -> tuple[str, int, int]:
        """Text from ``def`` on, line of ``def`` in the file, columns taken off."""
        if self._source is None:
            import inspect
            import re
            import textwrap

            try:
                lines, first = inspect.getsourcelines(self.fn)
            except OSError as error:
                raise ValueError("@jit functions should be defined in a Python file") from error
            skip = 0
            while not re.match(r"\s*(async\s+)?def\s", lines[skip]):
                skip += 1
            indent = len(lines[skip]) - len(lines[skip].lstrip())
            text = textwrap.dedent("".join(lines[skip:]))
            self._source = (text, first + skip, indent)
        return self._source

    @property
    def src(self) -> str:
        """The text from ``def`` on."""
        return self._load_source()[0]

    def _unsafe_update_src(self, text: str) -> None:
        """Compiles ``text``, a ``def`` of the same parameters, instead of what the file holds."""
        code = compile(text, self.file_name, "exec").co_consts
        self._code = next(c for c in code if isinstance(c, types.CodeType))
        _, line, indent = self._load_source()
        self._source = text, line, indent
        self._tree, self._hash, self._called = None, None, []
        self.used_global_vals = {}

    @functools.cached_property
    def raw_src(self) -> list[str]:
        """The lines in the file, decorators too."""
        import inspect

        return inspect.getsourcelines(self.fn)[0]

    @property
    def starting_line_number(self) -> int:
        """Where `raw_src` begins in the file."""
        return self.fn.__code__.co_firstlineno

    @property
    def def_file_line_number(self) -> int:
        return self._load_source()[1]

    @property
    def def_file_col_number(self) -> int:
        """Of ``def``, from 0."""
        return self._load_source()[2]

    @property
    def file_name(self) -> str:
        return self.fn.__code__.co_filename

    @property
    def __globals__(self) -> dict[str, Any]:
        return self.fn.__globals__

    @property
    def hash(self) -> str | None:
        """`cache_key` if it is known already."""
        return self._hash if self._hash != _COMPUTING else None

    def file_position(self, node: ast.AST) -> tuple[int, int]:
        """Line and column (from 1) of a node in the file."""
        _, line, indent = self._load_source()
        return line + node.lineno - 1, node.col_offset + indent + 1

    def parse(self) -> ast.Module:
        if self._tree is None:
            import ast

            self._tree = ast.parse(self.src)
        return self._tree

    # -- names -------------------------------------------------------------------------

    @functools.cached_property
    def closure(self) -> dict[str, Any]:
        import inspect

        return inspect.getclosurevars(self.fn).nonlocals

    def lookup(self, name: str) -> Any:
        """The global or closed-over value of a name; KeyError if there is none."""
        if self.fn.__code__.co_freevars and name in self.closure:
            return self.closure[name]
        return self.fn.__globals__[name]

    # -- identity ----------------------------------------------------------------------

    @property
    def cache_key(self) -> str:
        """Hash of the source, its place, and all it refers to, in other functions too."""
        if self._hash is None or self._hash == _COMPUTING:
            # Recursion sees that the key is being computed; other threads wait for it.
            with _hash_lock:
                if self._hash is None:
                    self._hash = _COMPUTING
                    try:
                        own = f"{self.module}.{self.__qualname__}:{self.noinline}"
                        # Defaults are made where the function is, not where its text is.
                        defaults = (self.fn.__defaults__, self.fn.__kwdefaults__)
                        parts = [own, self._text_for_hash(), value_identity(defaults, set()),
                                 *self._references()]
                        self._hash = digest_of(*parts)
                    except BaseException:
                        self._hash = None
                        raise
        return self._hash

    def _text_for_hash(self) -> str:
        """The lines of the function, and perhaps some behind it, without a parser: reading
        a cached kernel must not wait for one. The first line's number is in front."""
        code = self.fn.__code__
        lines = _lines_of(code.co_filename)
        if lines is None or self._code is not code:
            return f"{self.def_file_line_number}:{self.src}"
        first = code.co_firstlineno - 1
        last = max((line for _, _, line in _all_lines(code) if line), default=first + 1)
        indent = len(lines[first]) - len(lines[first].lstrip())
        while last < len(lines):
            text = lines[last]
            if text.strip() and len(text) - len(text.lstrip()) <= indent \
                    and text.lstrip()[0] not in ")]}#":
                break
            last += 1
        return f"{first}:{''.join(lines[first:last])}"

    def _references(self) -> list[str]:
        """What the names in the code refer to: functions by their keys, constants by value."""
        names = sorted({name for code in all_codes(self._code)
                        for name in (*code.co_names, *code.co_freevars)})
        found: dict[str, str] = {}
        modules = []
        for name in names:
            value = self._resolve(name)
            self._note(value, name, found)
            if isinstance(value, types.ModuleType):
                modules.append((name, value))
        while modules:
            path, module = modules.pop()
            if module.__name__.startswith(_PACKAGE) or path.count(".") > 4:
                continue
            for name in names:
                value = vars(module).get(name)
                self._note(value, f"{path}.{name}", found)
                if isinstance(value, types.ModuleType):
                    modules.append((f"{path}.{name}", value))
        return [f"{name}={found[name]}" for name in sorted(found)]

    def _resolve(self, name: str) -> Any:
        try:
            return self.lookup(name)
        except KeyError:
            return None

    def _note(self, value: Any, text: str, found: dict[str, str]) -> None:
        if isinstance(value, Function):
            self._called.append(value)
            # Our own library is part of the compiler's version.
            own = value.module.startswith(_PACKAGE + ".")
            found[text] = value.__qualname__ if own else value.cache_key
        elif isinstance(value, ConstexprFunction):
            found[text] = value.cache_key
        elif isinstance(value, type) and isinstance(getattr(value, "cache_key", None), str):
            found[text] = value.cache_key  # an aggregate: its fields and methods
        elif isinstance(value, (bool, int, float, str)):
            found[text] = repr(value)  # read with knobs.compilation.allow_non_constexpr_globals
        elif is_ours(value):
            found[text] = digest_of(identity_of(value))  # called while the kernel compiles
        elif isinstance(value, constexpr):
            found[text] = repr(value)
            if "." not in text:
                names = self.fn.__globals__
                if text in names:
                    self.used_global_vals[(text, id(names))] = (value, names)

    def mangle(self) -> str:
        """Tells functions apart that are constants of a type: closures share their names."""
        return f"{self.module}.{self.__qualname__}.{self.cache_key[:16]}"

    def all_used_globals(self) -> dict[tuple[str, int], tuple[Any, dict]]:
        """Constants of modules that this function and those it calls have read."""
        self.cache_key
        found = dict(self.used_global_vals)
        for function in self._called:
            if function is not self and not function.module.startswith(_PACKAGE + "."):
                found.update(function.used_global_vals)
        return found

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.module}:{self.__qualname__})"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("Cannot call @triton.jit'd outside of the scope of a kernel")


class ConstexprFunction:
    """A Python function that kernels may call with constants, at compile time."""

    def __init__(self, fn: Callable) -> None:
        self.fn = fn
        functools.update_wrapper(self, fn)

    @functools.cached_property
    def cache_key(self) -> str:
        return digest_of(identity_of(self.fn))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fn(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)


def constexpr_function(fn: Callable) -> ConstexprFunction:
    """Decorator: callable on the host, and in kernels on constants."""
    return ConstexprFunction(fn)


def is_language_name(value: Any) -> bool:
    """Whether kernels may read this global."""
    return (
        isinstance(value, (constexpr, Function, ConstexprFunction, dtype, type))
        or isinstance(value, types.ModuleType)
        or is_builtin(value)
        or getattr(value, "__module__", "").startswith(_PACKAGE + ".")
    )
