"""Creating and rearranging blocks."""

from __future__ import annotations

from typing import Any, Sequence

from ..types import block_type, int32, unwrap
from ..values import tensor


def wrap_axis(axis: int, rank: int) -> int:
    """A possibly negative axis as an index; ValueError when it is outside."""
    if not -rank <= axis < rank:
        raise ValueError(f"invalid axis {axis}. Must be in range [{-rank}, {rank})")
    return axis % rank


def common_shape(left: list[int], right: list[int]) -> list[int]:
    """The shape both can be repeated to, the shorter padded with 1 on its left."""
    rank = max(len(left), len(right))
    left, right = [1] * (rank - len(left)) + left, [1] * (rank - len(right)) + right
    for i, (n, m) in enumerate(zip(left, right)):
        if n != m and n != 1 and m != 1:
            raise ValueError("Cannot make_shape_compatible: incompatible dimensions "
                             f"at index {i}: {n} and {m}")
    return [max(n, m) for n, m in zip(left, right)]


class Shapes:
    ir: Any

    def arange(self, start: Any, end: Any) -> tensor:
        start, end = unwrap(start), unwrap(end)
        if not isinstance(start, int) or not isinstance(end, int):
            raise ValueError("arange's arguments must be of type tl.constexpr")
        if not -(2**31) <= start <= 2**31 - 1 or not -(2**31) <= end <= 2**31 - 1:
            raise ValueError("arange must fit in int32")
        if end <= start:
            raise ValueError("arange's end argument must be greater than the start argument")
        extent = end - start
        if extent & (extent - 1):
            raise ValueError("arange's range must be a power of 2")
        result = block_type(int32, [extent])
        attrs = {"start": f"{start} : i32", "end": f"{end} : i32"}
        return tensor(self.ir.value("tt.make_range", [], result.ir, attrs), result)

    # -- broadcasting ------------------------------------------------------------------

    def broadcast_to(self, value: tensor, shape: Sequence[Any]) -> tensor:
        shape = [unwrap(n) for n in shape]
        if not value.type.is_block():
            return self.splat(value, shape)
        source = list(value.type.shape)
        if len(source) != len(shape):
            raise ValueError(f"Cannot broadcast, rank mismatch: {source}, {shape}")
        if source == shape:
            return value
        for i, (have, want) in enumerate(zip(source, shape)):
            if have != want and have != 1:
                raise ValueError(
                    "Cannot broadcast, the expanded size of the tensor "
                    f"({want}) must match the existing size ({have}) at non-singleton dimension "
                    f"{i}: {source}, {shape}"
                )
        result = block_type(value.dtype, shape)
        return tensor(self.ir.value("tt.broadcast", [value.handle], result.ir), result)

    def broadcast_pair(self, lhs: tensor, rhs: tensor) -> tuple[tensor, tensor]:
        a, b = lhs.type, rhs.type
        if not a.is_block() and not b.is_block():
            return lhs, rhs
        if not b.is_block():
            return lhs, self.splat(rhs, a.shape)
        if not a.is_block():
            return self.splat(lhs, b.shape), rhs
        common = common_shape(list(a.shape), list(b.shape))
        while len(lhs.type.shape) < len(common):
            lhs = self.expand_dims(lhs, 0)
        while len(rhs.type.shape) < len(common):
            rhs = self.expand_dims(rhs, 0)
        return self.broadcast_to(lhs, common), self.broadcast_to(rhs, common)

    # -- axes --------------------------------------------------------------------------

    def expand_dims(self, value: tensor, axis: int) -> tensor:
        shape = list(value.type.shape) if value.type.is_block() else []
        axis = wrap_axis(axis, len(shape) + 1)
        if not shape:
            return self.splat(value, [1])
        shape.insert(axis, 1)
        result = block_type(value.dtype, shape)
        attrs = {"axis": f"{axis} : i32"}
        return tensor(self.ir.value("tt.expand_dims", [value.handle], result.ir, attrs), result)

    def reshape(self, value: tensor, shape: Sequence[Any], allow_reorder: bool = False) -> tensor:
        shape = [unwrap(n) for n in shape]
        numel = 1
        for n in shape:
            numel *= n
        if value.numel.value != numel:
            raise ValueError(
                f"reshape() cannot change total number of elements in tensor: "
                f"{list(value.type.shape)} has {value.numel.value}, {shape} has {numel}"
            )
        if not shape:
            return self.item(value)
        if not value.type.is_block():
            return self.splat(value, shape)
        result = block_type(value.dtype, shape)
        attrs = {"allow_reorder": "unit"} if allow_reorder else None
        return tensor(self.ir.value("tt.reshape", [value.handle], result.ir, attrs), result)

    def permute(self, value: tensor, dims: Sequence[Any]) -> tensor:
        dims = [unwrap(d) for d in dims]
        rank = len(value.type.shape) if value.type.is_block() else 0
        if len(dims) != rank:
            raise ValueError("permute dims must have the same length as input shape")
        dims = [wrap_axis(d, rank) for d in dims]
        if sorted(dims) != list(range(rank)):
            raise ValueError(f"permute dims must be a permutation of 0, 1, ..., n-1, but were {dims}")
        result = block_type(value.dtype, [value.type.shape[d] for d in dims])
        attrs = {"order": f"array<i32: {', '.join(map(str, dims))}>"}
        return tensor(self.ir.value("tt.trans", [value.handle], result.ir, attrs), result)

    def join(self, lhs: Any, rhs: Any) -> tensor:
        lhs, rhs = self.binary_operands(lhs, rhs)
        scalars = not lhs.type.is_block()
        if scalars:
            lhs, rhs = self.splat(lhs, [1]), self.splat(rhs, [1])
        result = block_type(lhs.dtype, [*lhs.type.shape, 2])
        joined = tensor(self.ir.value("tt.join", [lhs.handle, rhs.handle], result.ir), result)
        return self.reshape(joined, [2]) if scalars else joined

    def split(self, value: tensor) -> tuple[tensor, tensor]:
        shape = list(value.type.shape) if value.type.is_block() else []
        if not shape or shape[-1] != 2:
            raise ValueError(f"split needs a last dimension of 2, got {shape}")
        scalars = len(shape) == 1
        if scalars:
            value = self.reshape(value, [1, 2])
            shape = [1, 2]
        result = block_type(value.dtype, shape[:-1])
        op = self.ir.op("tt.split", [value.handle], [result.ir, result.ir])
        halves = [tensor(h, result) for h in op.results]
        return tuple(self.item(h) for h in halves) if scalars else tuple(halves)

    def cat(self, lhs: tensor, rhs: tensor) -> tensor:
        if len(lhs.type.shape) != 1:
            raise ValueError("cat with can_reorder=True needs 1-D tensors")
        lhs, rhs = self.binary_operands(lhs, rhs)
        result = block_type(lhs.dtype, [lhs.type.shape[0] + rhs.type.shape[0]])
        return tensor(self.ir.value("tt.cat", [lhs.handle, rhs.handle], result.ir), result)

    def concatenate(self, lhs: tensor, rhs: tensor, dim: int) -> tensor:
        """One after the other along ``dim``: joined, the new axis brought before it."""
        lhs, rhs = self.binary_operands(lhs, rhs)
        shape = list(lhs.type.shape)
        dim = wrap_axis(dim, len(shape))
        joined = self.join(lhs, rhs)
        rank = len(shape)
        order = [*range(dim), rank, *range(dim, rank)]
        shape[dim] *= 2
        return self.reshape(self.permute(joined, order), shape)
