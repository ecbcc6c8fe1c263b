"""Scratch memory that kernels of other backends ask the host for.

Kernels here have their scratch from the runtime, so an allocator is kept and never called.
"""

from __future__ import annotations

import contextvars
from typing import Any, Callable

Allocator = Callable[[int, int, Any], Any]


class NullAllocator:
    """The allocator as long as nobody has set one."""

    def __call__(self, size: int, alignment: int, stream: Any) -> Any:
        raise RuntimeError("no allocator was set; triton.set_allocator sets one")


_allocator: contextvars.ContextVar = contextvars.ContextVar("allocator", default=NullAllocator())


def set_allocator(allocator: Allocator) -> None:
    """Portable scripts set one, ``fn(size, alignment, stream)``, before they launch kernels
    that make descriptors."""
    if not callable(allocator):
        raise TypeError(f"an allocator is a function of size, alignment and stream, got {allocator!r}")
    _allocator.set(allocator)
