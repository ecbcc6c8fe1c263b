"""Scratch memory that kernels of other backends ask the host for.

Kernels here have their scratch from the runtime, so an allocator is kept and never called.
"""

from __future__ import annotations

import contextvars
from typing import Any, Callable

Allocator = Callable[[int, int, Any], Any]

_allocator: contextvars.ContextVar = contextvars.ContextVar("allocator", default=None)


def set_allocator(allocator: Allocator) -> None:
    """Portable scripts set one, ``fn(size, alignment, stream)``, before they launch kernels
    that make descriptors."""
    if not callable(allocator):
        raise TypeError(f"an allocator is a function of size, alignment and stream, got {allocator!r}")
    _allocator.set(allocator)
