"""Block pointers: a window of a strided tensor in memory, known to the front end only.

Loads and stores through one become pointer tensors and masks.
"""

from __future__ import annotations

from typing import Any, Iterator, Sequence

from .types import base_type, block_type, constexpr, dtype, int64, unwrap
from .values import base_value, tensor


class block_pointer_type(base_type):
    def __init__(self, pointer: dtype, block_shape: Sequence[int], order: Sequence[int]) -> None:
        self.pointer = pointer
        self.block_shape = list(block_shape)
        self.order = list(order)
        self.element_ty = block_type(pointer.element_ty, block_shape)
        self.name = f"block_pointer<{self.element_ty}>"

    def mangle(self) -> str:
        return f"BP{self.pointer.mangle()}S{'_'.join(map(str, self.block_shape))}S"

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, block_pointer_type) and self.pointer == other.pointer
                and self.block_shape == other.block_shape)

    def __hash__(self) -> int:
        return hash((self.pointer, tuple(self.block_shape)))

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__


class block_pointer(base_value):
    """base, and for each dimension: extent, stride and offset (int64 scalars)."""

    def __init__(self, base: tensor, shape: list[tensor], strides: list[tensor],
                 offsets: list[tensor], block_shape: Sequence[int], order: Sequence[int]) -> None:
        self.base, self.shape, self.strides, self.offsets = base, shape, strides, offsets
        self.block_shape, self.order = list(block_shape), list(order)
        self.type = block_pointer_type(base.dtype, block_shape, order)
        self.dtype = base.dtype

    @property
    def element_ty(self) -> dtype:
        return self.base.dtype.element_ty

    def flatten(self) -> list[Any]:
        return [t.handle for t in [self.base, *self.shape, *self.strides, *self.offsets]]

    def rebuild(self, handles: Iterator[Any]) -> "block_pointer":
        def take(values: list[tensor]) -> list[tensor]:
            return [v.rebuild(handles) for v in values]

        base = self.base.rebuild(handles)
        return block_pointer(base, take(self.shape), take(self.strides), take(self.offsets),
                             self.block_shape, self.order)

    def moved(self, semantic: Any, steps: Sequence[Any]) -> "block_pointer":
        steps = list(steps)
        if len(steps) != len(self.offsets):
            raise ValueError(f"advance needs {len(self.offsets)} offsets, got {len(steps)}")
        moved = [semantic.binary("add", offset, semantic.cast(step, int64))
                 for offset, step in zip(self.offsets, steps)]
        return block_pointer(self.base, self.shape, self.strides, moved, self.block_shape,
                             self.order)

    def addresses(self, semantic: Any, boundary: Sequence[int]) -> tuple[tensor, Any]:
        """The block's pointers, and the mask of the dimensions in ``boundary`` or None."""
        rank = len(self.block_shape)
        for dim in boundary:
            if not isinstance(dim, int) or not 0 <= dim < rank:
                raise ValueError(f"boundary_check has dimension {dim}, the block has rank {rank}")
        total, mask = None, None
        for dim in range(rank):
            lane = semantic.cast(semantic.arange(0, self.block_shape[dim]), int64)
            index = semantic.binary("add", lane, self.offsets[dim])
            for axis in range(rank):
                if axis != dim:
                    index = semantic.expand_dims(index, axis)
            term = semantic.binary("mul", index, self.strides[dim])
            total = term if total is None else semantic.binary("add", total, term)
            if dim in boundary:
                inside = semantic.logical(
                    "and", semantic.compare("ge", index, constexpr(0)),
                    semantic.compare("lt", index, self.shape[dim]))
                mask = inside if mask is None else semantic.logical("and", mask, inside)
        total = semantic.broadcast_to(total, self.block_shape)
        if mask is not None:
            mask = semantic.broadcast_to(mask, self.block_shape)
        return semantic.binary("add", self.base, total), mask


def scalar_pointer(base: Any, semantic: Any) -> tensor:
    """The pointer that windows of memory begin at; bools in memory are bytes."""
    if not isinstance(base, tensor) or base.type.is_block() or not base.dtype.is_ptr():
        raise ValueError("Expected `base` to be a pointer type (but not a block pointer type or "
                         "others)")
    if base.dtype.element_ty.name == "int1":
        base = semantic.cast(base, type(base.dtype)(dtype("int8"), const=base.dtype.const))
    return base


def make(semantic: Any, base: Any, shape: Any, strides: Any, offsets: Any, block_shape: Any,
         order: Any) -> block_pointer:
    """Checks what `tl.make_block_ptr` is given; ValueError says what was expected."""
    base = scalar_pointer(base, semantic)
    lists = {"shape": shape, "strides": strides, "offsets": offsets, "block_shape": block_shape,
             "order": order}
    sizes = {name: len(list(values)) for name, values in lists.items()}
    if len(set(sizes.values())) != 1:
        raise ValueError("Expected shape/strides/offsets/block_shape to have the same length; got "
                         + ", ".join(f"{name}: {n}" for name, n in sizes.items()))
    extents = [unwrap(n) for n in block_shape]
    for n in extents:
        if not isinstance(n, int):
            raise ValueError("Expected a list of constant integers in `block_shape`")
    block_type(base.dtype.element_ty, extents)
    dims = [unwrap(d) for d in order]
    if sorted(dims) != list(range(len(dims))):
        raise ValueError("Expected a permutation of (0, 1, ..., len(order)-1) in order")
    wide = [[semantic.cast(semantic.to_tensor(v), int64) for v in values]
            for values in (shape, strides, offsets)]
    return block_pointer(base, *wide, extents, dims)
