"""Tensor descriptors that are made on the host and passed to kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..language.descriptor import host_descriptor
from ..language.types import constexpr
from ..runtime.arrays import TensorWrapper
from ..runtime.jit import dtype_name

_ALIGNMENT = 16  # bytes


@dataclass
class TensorDescriptor:
    """A strided tensor in memory; in a kernel what `tl.make_tensor_descriptor` makes.

    ``base``: an array; ``shape`` and ``strides`` in elements, the last stride 1;
    ``block_shape``: of what a kernel loads and stores at a time, powers of two; ``padding``:
    what lies outside reads as, "zero" or "nan" (of floats).
    """

    base: Any
    shape: Sequence[int]
    strides: Sequence[int]
    block_shape: Sequence[int]
    padding: str = "zero"
    round_f32_to_tf32: bool = False

    def __post_init__(self) -> None:
        rank = len(self.shape)
        assert len(self.strides) == rank, f"rank mismatch: {rank} extents, {len(self.strides)} strides"
        assert len(self.block_shape) == rank, (f"rank mismatch: {rank} extents, blocks of "
                                               f"{len(self.block_shape)}")
        assert rank > 0, "rank must not be zero"
        assert rank <= 5, "rank cannot be more than 5"
        element, array = dtype_name(self.base.dtype), TensorWrapper(self.base, self.base.dtype)
        if element is None:
            raise TypeError(f"kernels have no elements of type {self.base.dtype}")
        itemsize = array.element_size()
        assert array.data_ptr() % _ALIGNMENT == 0, "base must be 16-byte aligned"
        for i, extent in enumerate(self.block_shape):
            if extent < 1 or extent & (extent - 1):
                raise ValueError(f"Shape element {i} must be a power of 2, got {extent}")
        for stride in list(self.strides)[:-1]:
            assert stride * itemsize % _ALIGNMENT == 0, "strides must be 16-byte aligned"
        assert all(extent > 0 for extent in self.shape), "shape must be positive"
        assert self.strides[-1] == 1, "Last dimension must be contiguous"
        assert self.padding in ("zero", "nan"), "Illegal value for padding"
        is_float = element.startswith(("fp", "bf"))
        assert self.padding == "zero" or is_float, (
            "Padding option `nan` is only supported for floating point tensors")
        assert not self.round_f32_to_tf32 or element == "fp32", (
            "round_f32_to_tf32 is only supported for float32 tensors")

    @staticmethod
    def from_tensor(tensor: Any, block_shape: Sequence[int], padding: str = "zero",
                    round_f32_to_tf32: bool = False) -> "TensorDescriptor":
        """Of a whole array, as it lies."""
        strides = list(TensorWrapper(tensor, tensor.dtype).stride())
        return TensorDescriptor(tensor, list(tensor.shape), strides, block_shape, padding,
                                round_f32_to_tf32)

    @property
    def __kernel_argument__(self) -> host_descriptor:
        """What a launch passes in its place."""
        strides = [int(stride) for stride in self.strides[:-1]]
        return host_descriptor(self.base, tuple(map(int, self.shape)), (*strides, constexpr(1)),
                               constexpr(tuple(map(int, self.block_shape))), constexpr(self.padding))


__all__ = ["TensorDescriptor"]
