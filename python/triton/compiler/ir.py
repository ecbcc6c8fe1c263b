"""The builder the semantics use: operations by name, types and attributes by text."""

from __future__ import annotations

from typing import Any, Sequence


class IRBuilder:
    """Creates operations at the current point with the current location.

    Types and attributes are parsed once and kept by their text.
    """

    def __init__(self, context: Any) -> None:
        from .._C import _compiler

        self.context = context
        self.builder = _compiler.Builder(context)
        self._types: dict[str, Any] = {}
        self._attrs: dict[str, Any] = {}

    def type(self, text: str) -> Any:
        found = self._types.get(text)
        if found is None:
            found = self._types[text] = self.context.type(text)
        return found

    def attr(self, text: str) -> Any:
        found = self._attrs.get(text)
        if found is None:
            found = self._attrs[text] = self.context.attr(text)
        return found

    def op(
        self,
        name: str,
        operands: Sequence[Any] = (),
        types: Sequence[str] = (),
        attrs: dict[str, str] | None = None,
        regions: int = 0,
    ) -> Any:
        return self.builder.create(
            name,
            list(operands),
            [self.type(t) for t in types],
            {k: self.attr(v) for k, v in attrs.items()} if attrs else None,
            regions,
        )

    def value(
        self, name: str, operands: Sequence[Any], type: str, attrs: dict[str, str] | None = None
    ) -> Any:
        return self.op(name, operands, (type,), attrs).results[0]

    def constant(self, type: str, value: Any) -> Any:
        return self.builder.constant(self.type(type), value)
