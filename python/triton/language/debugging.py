"""Prints, assertions, barriers and hints."""

from __future__ import annotations

from typing import Any

from .types import unwrap
from .values import base_value, builtin, tensor, tuple as kernel_tuple


@builtin
def static_print(*values: Any, sep: str = " ", end: str = "\n", file: Any = None,
                 flush: bool = False, _semantic: Any = None) -> None:
    """Prints while the kernel is compiled."""
    print(*(unwrap(v) for v in values), sep=unwrap(sep), end=unwrap(end), file=file, flush=flush)


@builtin
def static_assert(cond: Any, msg: Any = "", _semantic: Any = None) -> None:
    """Fails the compilation unless ``cond``, a constant, is true."""
    if isinstance(cond, base_value):
        raise ValueError("static_assert needs a compile-time constant; use tl.device_assert for "
                         "values that are known at run time")
    if not unwrap(cond):
        from ..errors import CompileTimeAssertionFailure

        raise CompileTimeAssertionFailure(None, None, str(unwrap(msg)))


@builtin
def device_print(prefix: Any, *args: Any, hex: Any = False, _semantic: Any = None) -> None:
    """Prints values while the kernel runs."""
    _semantic.device_print(prefix, args, hex)


@builtin
def device_assert(cond: Any, msg: Any = "", mask: Any = None, _semantic: Any = None) -> None:
    """Checks ``cond`` while the kernel runs, if compiled with ``debug``."""
    _semantic.device_assert(cond, msg, mask)


@builtin
def assume(cond: Any, _semantic: Any = None) -> None:
    """Tells the compiler that ``cond`` holds."""
    _semantic.assume(cond)


@builtin
def debug_barrier(_semantic: Any = None) -> None:
    """Orders all memory operations of the program before and after it."""
    _semantic.debug_barrier()


def _hint(name: str, attribute: str) -> Any:
    def hint(input: tensor, values: Any, _semantic: Any = None) -> tensor:
        values = unwrap(values)
        numbers = list(values) if isinstance(values, (list, tuple, kernel_tuple)) else [values]
        return _semantic.hint(attribute, input, numbers)

    hint.__name__ = hint.__qualname__ = name
    hint.__doc__ = f"States {attribute} of the values, one number a dimension."
    return builtin(hint)


multiple_of = _hint("multiple_of", "divisibility")
max_contiguous = _hint("max_contiguous", "contiguity")
max_constancy = _hint("max_constancy", "constancy")

__all__ = ["assume", "debug_barrier", "device_assert", "device_print", "max_constancy",
           "max_contiguous", "multiple_of", "static_assert", "static_print"]
