"""What the emitters of all functions of one compilation share."""

from __future__ import annotations

import re
from typing import Any

from ..language.semantics import Semantic
from .ir import IRBuilder


class Compilation:
    """One module being made: its builder, its options, its functions by mangled name."""

    def __init__(self, context: Any, options: Any) -> None:
        self.context = context
        self.options = options
        self.module = context.module()
        self.ir = IRBuilder(context)
        self.semantic = Semantic(self.ir, options)
        # (function, its arguments' types, whether called by a reduction) -> its symbol,
        # prototype of what it returns
        self.functions: dict[tuple, tuple[str, Any]] = {}
        self._symbols: set[str] = set()
        # functions being emitted, to refuse recursion that no constant ends
        self.open: list[tuple] = []

    def new_symbol(self, name: str) -> str:
        """A symbol like ``name``: types that differ may be spelled alike in one."""
        base = found = symbol(name)
        number = 1
        while found in self._symbols:
            number += 1
            found = f"{base}_{number}"
        self._symbols.add(found)
        return found


class BoundMethod:
    """A jit function taken from a value: ``x.sum``."""

    def __init__(self, function: Any, receiver: Any) -> None:
        self.function, self.receiver = function, receiver


class Returned:
    """A `return` was reached; nothing after it in the statement list runs."""

    def __init__(self, value: Any) -> None:
        self.value = value


def symbol(name: str) -> str:
    """A name with only characters that a symbol may have."""
    name = name.replace("'", "_sq_").replace("[", "_").replace("]", "_")
    return re.sub(r"[^A-Za-z0-9_.$]", "_", name)
