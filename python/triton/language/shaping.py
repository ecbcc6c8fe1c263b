"""Rearranging blocks without computing."""

from __future__ import annotations

from typing import Any

from .types import unwrap
from .values import base_value, builtin, tensor, tensor_member, tuple as kernel_tuple


def _dims(args: Any) -> list[Any]:
    """Varargs or one sequence, as a list of Python values."""
    if len(args) == 1:
        only = unwrap(args[0])
        if isinstance(only, (kernel_tuple, list, tuple)):
            args = only
    return [unwrap(a) for a in args]


@builtin
def broadcast(input: Any, other: Any, _semantic: Any = None) -> Any:
    """Both blocks, in the shape they have in common."""
    return _semantic.broadcast_pair(_semantic.to_tensor(input), _semantic.to_tensor(other))


@tensor_member
@builtin
def broadcast_to(input: Any, *shape: Any, _semantic: Any = None) -> tensor:
    """``input`` repeated along dimensions of extent 1; the rank stays."""
    return _semantic.broadcast_to(_semantic.to_tensor(input), _dims(shape))


@tensor_member
@builtin
def expand_dims(input: Any, axis: Any, _semantic: Any = None) -> tensor:
    """New dimensions of extent 1 at ``axis`` (one, or several of the result)."""
    input = _semantic.to_tensor(input)
    axes = _dims((axis,))
    rank = len(input.shape) + len(axes)
    wrapped = []
    for a in axes:
        if not -rank <= a < rank:
            raise ValueError(f"invalid axis {a}. Expected {-rank} <= axis < {rank}")
        wrapped.append(a % rank)
    if len(set(wrapped)) != len(wrapped):
        raise ValueError(f"expand_dims received duplicate axes, normalized axes = {wrapped}")
    for a in sorted(wrapped):
        input = _semantic.expand_dims(input, a)
    return input


@tensor_member
@builtin
def reshape(input: Any, *shape: Any, can_reorder: Any = False, _semantic: Any = None) -> tensor:
    """The same elements in row-major order under another shape."""
    return _semantic.reshape(_semantic.to_tensor(input), _dims(shape), unwrap(can_reorder))


@tensor_member
@builtin
def view(input: Any, *shape: Any, _semantic: Any = None) -> tensor:
    """`reshape` by its old name."""
    return _semantic.reshape(_semantic.to_tensor(input), _dims(shape), True)


@tensor_member
@builtin
def trans(input: tensor, *dims: Any, _semantic: Any = None) -> tensor:
    """The dimensions permuted; without ``dims`` the last two swapped."""
    order = _dims(dims)
    if not order:
        rank = len(input.shape)
        if rank < 2:
            raise ValueError("tl.trans invoked with a 0- or 1-dimensional tensor")
        order = [*range(rank - 2), rank - 1, rank - 2]
    return _semantic.permute(input, order)


@tensor_member
@builtin
def permute(input: tensor, *dims: Any, _semantic: Any = None) -> tensor:
    """The dimensions in the order ``dims``."""
    return _semantic.permute(input, _dims(dims))


@builtin
def join(a: Any, b: Any, _semantic: Any = None) -> tensor:
    """Two blocks along a new last dimension of extent 2."""
    return _semantic.join(a, b)


@tensor_member
@builtin
def split(a: tensor, _semantic: Any = None) -> Any:
    """The two halves along a last dimension of extent 2."""
    return _semantic.split(a)


def index(value: tensor, items: Any, semantic: Any) -> tensor:
    """``value[items]``: only ``None`` (a new dimension) and ``:`` are allowed."""
    items = unwrap(items)
    if not isinstance(items, (kernel_tuple, list, tuple)):
        items = [items]
    dim = 0
    for entry in items:
        entry = unwrap(entry)
        if entry is None:
            value = semantic.expand_dims(value, dim)
        elif not (isinstance(entry, slice) and (entry.start, entry.stop, entry.step) == (None,) * 3):
            kind = entry if not isinstance(entry, base_value) else entry.type
            raise ValueError(f"unsupported tensor index: {kind}; only None and : are possible")
        dim += 1
    return value


__all__ = ["broadcast", "broadcast_to", "expand_dims", "join", "permute", "reshape", "split",
           "trans", "view"]
