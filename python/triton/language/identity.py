"""What an ordinary Python function does, as text: kernels may call it while they compile, so
it is part of their identity."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def all_codes(code: types.CodeType) -> list[types.CodeType]:
    """A function's code and that of what is defined in it."""
    found = [code]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found += all_codes(constant)
    return found


def identity_of(fn: types.FunctionType) -> str:
    """The function's code, defaults, and what the names in it refer to."""
    return _function(fn, set())


def is_ours(fn: Any) -> bool:
    """Whether a function may change between two runs: not one of an installed library."""
    if not isinstance(fn, types.FunctionType):
        return False
    top = (fn.__module__ or "").partition(".")[0]
    standard = getattr(sys, "stdlib_module_names", frozenset())
    return top not in standard and "site-packages" not in fn.__code__.co_filename


def _function(fn: types.FunctionType, seen: set[int]) -> str:
    name = f"{fn.__module__}.{fn.__qualname__}"
    if id(fn) in seen or not is_ours(fn):
        return name
    seen.add(id(fn))
    parts = [name, value_identity(fn.__defaults__, seen), value_identity(fn.__kwdefaults__, seen)]
    names: set[str] = set()
    for code in all_codes(fn.__code__):
        constants = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
        parts += [code.co_code.hex(), repr(constants), repr(code.co_names)]
        names.update(code.co_names)
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        try:
            parts.append(f"{name}={value_identity(cell.cell_contents, seen)}")
        except ValueError:  # not assigned yet
            continue
    for name in sorted(names):
        if name in fn.__globals__:
            parts.append(f"{name}={value_identity(fn.__globals__[name], seen)}")
    return "\n".join(parts)


def value_identity(value: Any, seen: set[int]) -> str:
    """A value that kernels may be made with, as text; ``seen``: functions on the way."""
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"({', '.join(value_identity(v, seen) for v in value)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {value_identity(v, seen)}' for k, v in value.items())}}}"
    key = getattr(value, "cache_key", None)
    if isinstance(key, str):
        return key
    if isinstance(value, types.FunctionType):
        return _function(value, seen)
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, functools.partial):
        return value_identity((value.func, value.args, value.keywords), seen)
    text = repr(value)
    if " at 0x" not in text:
        return text
    # An address says nothing in another process: what the object holds.
    kind = type(value).__qualname__
    if id(value) in seen:
        return kind
    seen.add(id(value))
    return f"{kind}({value_identity(getattr(value, '__dict__', None), seen)})"
