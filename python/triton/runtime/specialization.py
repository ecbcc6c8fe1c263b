"""A specialisation as text: what a cache hook is told, and `preload` makes a kernel of."""

from __future__ import annotations

import importlib
import json
from typing import Any

from ..language.function import Function
from ..language.types import constexpr, dtype

_PLAIN = (bool, int, float, str, type(None))


def dump(name: str, target: Any, key: str, source: Any, options: dict[str, Any]) -> str:
    """JSON. Raises TypeError for constants that only this process knows."""
    return json.dumps({
        "name": name, "key": key, "target": vars(target),
        "signature": {n: _encode_type(t) for n, t in source.signature.items()},
        "constant_keys": [list(path) for path in source.constants],
        "constant_vals": [_encode(value) for value in source.constants.values()],
        "attrs": [[list(path), pairs] for path, pairs in source.attrs.items()],
        "options": {n: _encode(v) for n, v in options.items()},
    })


def arguments(data: dict[str, Any], params: list[Any]) -> tuple[list, dict[str, Any]]:
    """Arguments and keywords of a launch that has the specialisation."""
    constants = {tuple(path): _decode(value)
                 for path, value in zip(data["constant_keys"], data["constant_vals"])}
    multiples = {tuple(path) for path, pairs in data["attrs"]
                 if ["tt.divisibility", 16] in pairs}
    positional: list[Any] = []
    keywords = {name: _decode(value) for name, value in data["options"].items()}
    for param in params:
        if param.is_constexpr:
            value = constants[(param.num,)]
        else:
            value = _stand_in(data["signature"][param.name], (param.num,), constants, multiples)
        if param.is_variadic:
            positional += value
        elif param.is_keyword_only:
            keywords[param.name] = value
        else:
            positional.append(value)
    return positional, keywords


class _Array:
    """An element type at an address that is never read."""

    def __init__(self, element: str, address: int) -> None:
        self.dtype, self._address = element, address

    def data_ptr(self) -> int:
        return self._address


def _stand_in(kind: Any, path: tuple, constants: dict[tuple, Any], multiples: set[tuple]) -> Any:
    if isinstance(kind, dict):
        from collections import namedtuple

        fields = namedtuple("Fields", kind["fields"])  # type: ignore[misc]
        return fields(*_stand_in(kind["types"], path, constants, multiples))
    if isinstance(kind, list):
        return tuple(_stand_in(t, (*path, i), constants, multiples) for i, t in enumerate(kind))
    if kind == "constexpr":
        value = constants[path]
        is_one = type(value) is int and value == 1  # compiled in without being asked to
        return value if is_one or value is None or isinstance(value, Function) else constexpr(value)
    odd = 0 if path in multiples else 1
    if kind.startswith("*"):
        return _Array(kind.lstrip("*k"), 16 + odd)
    if kind == "u1":
        return True
    if kind.startswith(("fp", "bf")):
        return 0.5
    return {"i64": 1 << 40, "u64": 1 << 63}.get(kind, 16) + odd


def _encode_type(kind: Any) -> Any:
    if not isinstance(kind, tuple):
        return kind
    types = [_encode_type(t) for t in kind]
    fields = getattr(kind, "_fields", None)
    return {"fields": list(fields), "types": types} if fields else types


def _encode(value: Any) -> Any:
    if isinstance(value, float) and value - value != 0.0:
        return {"float": repr(value)}  # inf and nan, which JSON lacks
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, constexpr):
        return {"constexpr": _encode(value.value)}
    if type(value) is dtype:
        return {"dtype": value.name}
    if isinstance(value, Function):
        return {"function": [value.module, value.__qualname__]}
    if type(value) is tuple:
        return {"tuple": [_encode(v) for v in value]}
    raise TypeError(f"a constant of type {type(value).__name__} cannot be written as JSON")


def _decode(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    (kind, inner), = value.items()
    if kind == "float":
        return float(inner)
    if kind == "constexpr":
        return constexpr(_decode(inner))
    if kind == "dtype":
        return dtype(inner)
    if kind == "tuple":
        return tuple(_decode(v) for v in inner)
    found: Any = importlib.import_module(inner[0])
    for name in inner[1].split("."):
        found = getattr(found, name)
    return found
