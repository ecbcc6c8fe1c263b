"""Loads, stores, block pointers, descriptors, atomics."""

from __future__ import annotations

from typing import Any

from . import block_pointer as _block_pointer, descriptor as _tensor_descriptor
from .values import builtin, must_use_result, tensor, tensor_member


@builtin
def load(
    pointer: Any, mask: Any = None, other: Any = None, boundary_check: Any = (),
    padding_option: Any = "", cache_modifier: Any = "", eviction_policy: Any = "",
    volatile: Any = False, _semantic: Any = None,
) -> tensor:
    """The elements that ``pointer`` (scalar, block of pointers, block pointer) points to.

    Lanes where ``mask`` is false do not touch memory and give ``other``, or 0 without it.
    """
    return _semantic.load(pointer, mask, other, boundary_check, padding_option, cache_modifier,
                          eviction_policy, volatile)


@tensor_member
@builtin
def store(
    pointer: Any, value: Any, mask: Any = None, boundary_check: Any = (),
    cache_modifier: Any = "", eviction_policy: Any = "", _semantic: Any = None,
) -> None:
    """Writes ``value``, converted to the pointer's element type, where ``mask`` is true."""
    _semantic.store(pointer, value, mask, boundary_check, cache_modifier, eviction_policy)


@builtin
def make_block_ptr(
    base: Any, shape: Any, strides: Any, offsets: Any, block_shape: Any, order: Any,
    _semantic: Any = None,
) -> Any:
    """A window of ``block_shape`` at ``offsets`` of a strided tensor at ``base``."""
    return _block_pointer.make(_semantic, base, shape, strides, offsets, block_shape, order)


@must_use_result("It does not change its argument; assign what it returns.")
@tensor_member
@builtin
def advance(base: Any, offsets: Any, _semantic: Any = None) -> Any:
    """The block pointer moved by ``offsets`` elements along each dimension."""
    if not isinstance(base, _block_pointer.block_pointer):
        raise ValueError("tl.advance moves block pointers; add to other pointers")
    return base.moved(_semantic, list(offsets))


# Block pointers have the methods that pointers have.
_block_pointer.block_pointer.store = store  # type: ignore[attr-defined]
_block_pointer.block_pointer.advance = advance  # type: ignore[attr-defined]


def _rmw(name: str) -> Any:
    def atomic(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None,
               _semantic: Any = None) -> tensor:
        return _semantic.atomic_rmw(name, pointer, val, mask, sem, scope)

    atomic.__name__ = atomic.__qualname__ = f"atomic_{name}"
    atomic.__doc__ = f"Atomically applies {name} to each location; gives the values before."
    return tensor_member(builtin(atomic))


atomic_add, atomic_max, atomic_min = _rmw("add"), _rmw("max"), _rmw("min")
atomic_and, atomic_or, atomic_xor = _rmw("and"), _rmw("or"), _rmw("xor")
atomic_xchg = _rmw("xchg")


@tensor_member
@builtin
def atomic_cas(pointer: Any, cmp: Any, val: Any, sem: Any = None, scope: Any = None,
               _semantic: Any = None) -> tensor:
    """Where the bits equal ``cmp`` writes ``val``; gives the values before."""
    return _semantic.atomic_cas(pointer, cmp, val, sem, scope)


@builtin
def make_tensor_descriptor(base: Any, shape: Any, strides: Any, block_shape: Any,
                           padding_option: Any = "zero", _semantic: Any = None) -> Any:
    """A strided tensor at ``base`` that is read and written in blocks of ``block_shape``.

    The last stride is the constant 1. What lies outside reads as ``padding_option`` ("zero"
    or "nan") and is not written.
    """
    return _tensor_descriptor.make(_semantic, base, shape, strides, block_shape, padding_option)


def _descriptor(value: Any) -> Any:
    if not isinstance(value, _tensor_descriptor.tensor_descriptor):
        raise ValueError(f"expected a descriptor made by tl.make_tensor_descriptor, got {value}")
    return value


@builtin
def load_tensor_descriptor(desc: Any, offsets: Any, _semantic: Any = None) -> tensor:
    """The descriptor's block at ``offsets``."""
    return _descriptor(desc).load(offsets, _semantic=_semantic)


@builtin
def store_tensor_descriptor(desc: Any, offsets: Any, value: Any, _semantic: Any = None) -> None:
    """Writes ``value`` as the descriptor's block at ``offsets``."""
    _descriptor(desc).store(offsets, value, _semantic=_semantic)

__all__ = [
    "advance", "atomic_add", "atomic_and", "atomic_cas", "atomic_max", "atomic_min", "atomic_or",
    "atomic_xchg", "atomic_xor", "load", "load_tensor_descriptor", "make_block_ptr",
    "make_tensor_descriptor", "store", "store_tensor_descriptor",
]
