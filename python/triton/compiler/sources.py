"""What can be compiled: a Python function with argument types, or a file of IR."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..digest import digest_of
from ..errors import CompilationError
from ..language.function import Function
from ..language.identity import value_identity
from ..language.types import unwrap

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class ASTSource:
    """A function, the type of each parameter, and values of the constant ones.

    The type of a tuple is a tuple, of a namedtuple one with the same fields. ``constexprs``
    is keyed by parameter name or by path: (index,), for what tuples hold (index, item, ...);
    ``attrs`` by path, with lists of [name, value].
    """

    ext = "ttir"

    def __init__(self, fn: Function, signature: dict[str, Any], constexprs: Any = None,
                 attrs: Any = None) -> None:
        for name in signature:
            if not isinstance(name, str):
                raise TypeError("Signature keys must be string")
        self.fn = fn
        self.signature = dict(signature)
        self.constants: dict[tuple, Any] = {}
        for key, value in (constexprs or {}).items():
            path = (fn.arg_names.index(key),) if isinstance(key, str) else tuple(key)
            self.constants[path] = value
        self.attrs = attrs or {}
        self.name = fn.kernel_name(self.signature, self.constants)

    def hash(self) -> str:
        constants = [f"{path}={value_identity(unwrap(value), set())}"
                     for path, value in sorted(self.constants.items())]
        parts = [self.fn.cache_key, self.name, *(f"{n}:{t}" for n, t in self.signature.items()), *constants,
                 str(sorted(self.attrs.items()))]
        return digest_of(*parts)

    def make_ir(self, context: Any, options: Any) -> Any:
        from .code_generator import ast_to_ttir

        missing = [n for i, (n, t) in enumerate(self.signature.items())
                   if t == "constexpr" and (i,) not in self.constants]
        if missing:
            raise TypeError(f"no value for constexpr {', '.join(missing)} of {self.name}")
        attributes = {path: {k: f"{v} : i32" for k, v in pairs}
                      for path, pairs in self.attrs.items()}
        return ast_to_ttir(self.fn, self.name, self.signature, self.constants, attributes, context,
                           options)


class IRSource:
    """A file of TTIR, or of a later stage's MLIR (``.ttir``, ``.mlir``)."""

    def __init__(self, path: Any) -> None:
        import re
        from pathlib import Path

        self.path = Path(path)
        self.ext = self.path.suffix[1:]
        self.text = self.path.read_text(encoding="utf-8")
        found = re.search(r"(?:tt\.func|func\.func)\s+(?:public\s+)?@([\w.$]+)", self.text)
        self.name = found.group(1) if found else self.path.stem

    def hash(self) -> str:
        return digest_of(self.text)

    def make_ir(self, context: Any, options: Any) -> Any:
        from .._C import _compiler

        try:
            return context.parse_module(self.text, str(self.path))
        except _compiler.CompileError as error:
            raise from_compiler(error, None) from None


def users_place(frames: Sequence[tuple[str, int, int]]) -> tuple[str, int, int]:
    """The innermost of the places that is not in the language's own library."""
    for frame in frames:
        if not frame[0].startswith(_PACKAGE):
            return frame
    return frames[0] if frames else ("", 0, 0)


def from_compiler(error: Any, reproducer: str | None) -> CompilationError:
    """The compiler's diagnostic with the source line it points at and a caret."""
    from pathlib import Path

    shown = ""
    file, number, column = users_place(error.frames)
    if file and number:
        shown = f"{file}:{number}:{column}:\n"
        try:
            line = Path(file).read_text(encoding="utf-8").splitlines()[number - 1]
            shown += f"{line}\n{' ' * max(column - 1, 0)}^\n"
        except (OSError, IndexError, UnicodeDecodeError):
            pass
    notes = "".join(f"\nnote: {note}" for note in error.notes)
    text = f"{shown}{error.message}{notes}"
    if reproducer:
        text += f"\nThe module was written to {reproducer}"
    return CompilationError(None, None, text)
