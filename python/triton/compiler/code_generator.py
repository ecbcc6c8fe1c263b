"""Kernels to TTIR: the entry to the front end."""

from __future__ import annotations

from typing import Any

from ..language.function import Function
from .emission import Compilation
from .functions import FunctionEmitter, signature_prototype


def ast_to_ttir(function: Function, name: str, signature: dict[str, Any],
                constants: dict[tuple, Any], attributes: dict[tuple, dict[str, str]], context: Any,
                options: Any) -> Any:
    """The module of one kernel.

    ``signature``: type by parameter name in order, "constexpr" for those in ``constants``,
    a tuple of types for a tuple; ``constants`` and ``attributes`` (of IR arguments) by path.
    Raises CompilationError.
    """
    compilation = Compilation(context, options)
    arguments = {parameter: signature_prototype(type, constants, (index,))
                 for index, (parameter, type) in enumerate(signature.items())}
    emitter = FunctionEmitter(compilation, function)
    result = emitter.emit(name, arguments, public=True, attributes=attributes)
    if not (result is None or getattr(result, "value", result) is None):
        node = function.parse().body[0]
        raise emitter.error(node, "a kernel that is launched returns nothing; this one returns "
                            f"{result}")
    return compilation.module
