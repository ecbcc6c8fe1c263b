"""What stands for arrays in launches: element types without memory, other element types."""

from __future__ import annotations

import math
from typing import Any


class MockTensor:
    """Stands for an array in `warmup`: an element type without memory."""

    def __init__(self, dtype: Any, shape: Any = None) -> None:
        self.dtype, self.shape = dtype, shape if shape is not None else [1]

    @staticmethod
    def wrap_dtype(value: Any) -> Any:
        """For torch's element types; one of ours is a constant that a kernel may take."""
        kind = type(value)
        is_torch = (kind.__module__, kind.__name__) == ("torch", "dtype")
        return MockTensor(value) if is_torch else value

    def stride(self) -> tuple[int, ...]:
        """Of a contiguous array of this shape."""
        return tuple(math.prod(self.shape[i + 1:]) for i in range(len(self.shape)))

    @staticmethod
    def data_ptr() -> int:
        return 0

    @staticmethod
    def ptr_range() -> int:
        return 0


class TensorWrapper:
    """An array, of torch or numpy, whose elements a kernel is to take as another type."""

    def __init__(self, base: Any, dtype: Any) -> None:
        self.base, self.dtype = base, dtype
        # numpy's `data` is a buffer, which not every element type has.
        has_data = hasattr(base, "data_ptr") and hasattr(base, "data")
        self.data = base.data if has_data else base
        self.shape = getattr(base, "shape", None)
        self.device = getattr(base, "device", "cpu")

    def data_ptr(self) -> int:
        pointer = getattr(self.base, "data_ptr", None)
        return pointer() if pointer is not None else self.base.__array_interface__["data"][0]

    @property
    def readonly(self) -> bool:
        interface = getattr(self.base, "__array_interface__", None)
        return bool(interface["data"][1]) if interface else False

    def element_size(self) -> int:
        size = getattr(self.base, "element_size", None)
        return size() if size is not None else self.base.itemsize

    def stride(self, *axis: int) -> Any:
        """In elements."""
        if hasattr(self.base, "stride"):
            return self.base.stride(*axis)
        strides = tuple(bytes // self.base.itemsize for bytes in self.base.strides)
        return strides[axis[0]] if axis else strides

    def cpu(self) -> "TensorWrapper":
        return TensorWrapper(self.base.cpu(), self.dtype) if hasattr(self.base, "cpu") else self

    def to(self, device: Any) -> "TensorWrapper":
        if hasattr(self.base, "to") and hasattr(self.base, "data_ptr"):
            return TensorWrapper(self.base.to(device), self.dtype)
        if str(device) != "cpu":
            raise ValueError(f"a numpy array lies on the CPU and cannot be moved to {device}")
        return self

    def clone(self) -> "TensorWrapper":
        copy = self.base.clone if hasattr(self.base, "clone") else self.base.copy
        return TensorWrapper(copy(), self.dtype)

    def copy_(self, other: Any) -> "TensorWrapper":
        """Takes the elements of an array that has the same base type."""
        source = getattr(other, "base", other) if isinstance(other, TensorWrapper) else other
        if hasattr(self.base, "copy_"):
            self.base.copy_(source)
        else:
            self.base[...] = source
        return self

    def new_empty(self, shape: Any) -> "TensorWrapper":
        if hasattr(self.base, "new_empty"):
            return TensorWrapper(self.base.new_empty(shape), self.dtype)
        import numpy

        return TensorWrapper(numpy.empty(shape, self.base.dtype), self.dtype)

    def __str__(self) -> str:
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor: Any, dtype: Any) -> Any:
    """``tensor`` with its elements taken as ``dtype`` of the same width."""
    if isinstance(tensor, TensorWrapper):
        return tensor.base if dtype == getattr(tensor.base, "dtype", None) else TensorWrapper(
            tensor.base, dtype)
    if hasattr(tensor, "data_ptr") or hasattr(tensor, "__array_interface__"):
        return TensorWrapper(tensor, dtype)
    raise TypeError(f"Cannot reinterpret a {type(tensor)}.")
