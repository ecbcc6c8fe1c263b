"""Making blocks and converting them."""

from __future__ import annotations

from typing import Any

from .types import float32, unwrap
from .values import builtin, tensor, tensor_member


@builtin
def program_id(axis: Any, _semantic: Any = None) -> tensor:
    """int32 scalar: this program's position along grid axis 0, 1 or 2."""
    return _semantic.program_id(axis)


@builtin
def num_programs(axis: Any, _semantic: Any = None) -> tensor:
    """int32 scalar: the number of programs along grid axis 0, 1 or 2."""
    return _semantic.num_programs(axis)


@builtin
def arange(start: Any, end: Any, _semantic: Any = None) -> tensor:
    """int32[end - start]: start, start + 1, ...; the length must be a power of two."""
    return _semantic.arange(start, end)


@builtin
def full(shape: Any, value: Any, dtype: Any, _semantic: Any = None) -> tensor:
    """A block of ``shape`` filled with ``value`` (a number or a tensor of one element)."""
    return _semantic.full(shape, value, dtype)


@builtin
def to_tensor(x: Any, _semantic: Any = None) -> tensor:
    """``x`` as a scalar tensor, typed as a literal is."""
    return _semantic.to_tensor(x)


@tensor_member
@builtin
def cast(
    input: Any, dtype: Any, fp_downcast_rounding: Any = None, bitcast: Any = False,
    _semantic: Any = None,
) -> tensor:
    """``input`` converted to ``dtype``, or its bits taken as one with ``bitcast``.

    Float to int truncates and saturates, NaN becomes 0; integers wrap; narrowing floats
    round to nearest even unless ``fp_downcast_rounding="rtz"``.
    """
    if unwrap(bitcast):
        return _semantic.bitcast(_semantic.to_tensor(input), unwrap(dtype))
    return _semantic.cast(input, dtype, fp_downcast_rounding)


@builtin
def _promote_bfloat16_to_float32(t: tensor, _semantic: Any = None) -> tensor:
    """bf16 widened, anything else unchanged."""
    return _semantic.cast(t, float32) if t.dtype.is_bf16() else t


@builtin
def cat(input: Any, other: Any, can_reorder: Any = False, dim: Any = 0, _semantic: Any = None) -> tensor:
    """Two blocks one after the other along ``dim``."""
    if unwrap(can_reorder):
        return _semantic.cat(input, other)
    return _semantic.concatenate(input, other, unwrap(dim))


def to(self: tensor, dtype: Any, fp_downcast_rounding: Any = None, bitcast: Any = False,
       _semantic: Any = None) -> tensor:
    """The method form of `cast`."""
    return cast(self, dtype, fp_downcast_rounding, bitcast, _semantic=_semantic)


tensor.to = builtin(to)  # type: ignore[attr-defined]


@tensor_member
@builtin
def item(self: Any, _semantic: Any = None) -> tensor:
    """The scalar in a block of one element."""
    return _semantic.item(self)


__all__ = ["arange", "cast", "cat", "full", "num_programs", "program_id", "to_tensor"]
