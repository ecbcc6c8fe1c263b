"""Tensor descriptors: a strided tensor in memory that is read and written in blocks.

Known to the front end only, as block pointers are, whose addresses they use. What lies
outside the tensor reads as the padding and is not written.
"""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Sequence

from .block_pointer import block_pointer, scalar_pointer
from .types import base_type, block_type, constexpr, dtype, int16, int32, int64, unwrap
from .values import base_value, builtin, tensor, tuple as kernel_tuple, tuple_type

_LEAST_ROWS = 8  # of gather and scatter
_LEAST_BYTES = 16  # of a block's last dimension


class tensor_descriptor_type(base_type):
    def __init__(self, block_type: block_type, shape_type: tuple_type, strides_type: tuple_type,
                 padding: str = "zero") -> None:
        self.block_type, self.padding = block_type, padding
        self.shape_type, self.strides_type = shape_type, strides_type
        self.name = f"tensor_descriptor<{block_type}>"

    def mangle(self) -> str:
        parts = (self.block_type, self.shape_type, self.strides_type)
        return f"TD{'_'.join(p.mangle() for p in parts)}_{self.padding}TD"

    def _parts(self) -> tuple:
        return self.block_type, self.shape_type, self.strides_type, self.padding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tensor_descriptor_type) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class tensor_descriptor(base_value):
    """base, shape (int32 each), strides (int64, the last the constant 1), and the block."""

    def __init__(self, base: tensor, shape: kernel_tuple, strides: kernel_tuple,
                 block_shape: Sequence[int], padding: str) -> None:
        self.base, self.shape, self.strides = base, shape, strides
        self.block_shape = [constexpr(n) for n in block_shape]
        self.padding = padding
        self.dtype = base.dtype.element_ty
        self.block_type = block_type(self.dtype, block_shape)
        self.type = tensor_descriptor_type(self.block_type, shape.type, strides.type, padding)

    def flatten(self) -> list[Any]:
        return [self.base.handle, *self.shape.flatten(), *self.strides.flatten()]

    def rebuild(self, handles: Iterator[Any]) -> "tensor_descriptor":
        base = self.base.rebuild(handles)
        return tensor_descriptor(base, self.shape.rebuild(handles), self.strides.rebuild(handles),
                                 self.block_type.shape, self.padding)

    def __str__(self) -> str:
        return str(self.type)

    __repr__ = __str__

    # -- what kernels call -------------------------------------------------------------

    @builtin
    def load(self, offsets: Any, _semantic: Any = None) -> tensor:
        """The block at ``offsets`` (int32, one a dimension)."""
        window = self._window(offsets, _semantic)
        return _semantic.load(window, None, None, range(len(self.shape)), self.padding, "", "",
                              False)

    @builtin
    def store(self, offsets: Any, value: Any, _semantic: Any = None) -> None:
        """Writes ``value``, of the block's shape, at ``offsets``."""
        value = self._fitting(value, self.block_type.shape, _semantic)
        _semantic.store(self._window(offsets, _semantic), value, None, range(len(self.shape)), "",
                        "")

    @builtin
    def gather(self, x_offsets: Any, y_offset: Any, _semantic: Any = None) -> tensor:
        """Rows ``x_offsets`` of a descriptor of blocks [1, N], from column ``y_offset`` on."""
        pointers, mask = self._rows("gather", x_offsets, y_offset, _semantic)
        padding = constexpr(float("nan") if self.padding == "nan" else 0)
        return _semantic.load(pointers, mask, padding, (), "", "", "", False)

    @builtin
    def scatter(self, value: Any, x_offsets: Any, y_offset: Any, _semantic: Any = None) -> None:
        """Writes the rows of ``value`` to rows ``x_offsets``, from column ``y_offset`` on."""
        pointers, mask = self._rows("scatter", x_offsets, y_offset, _semantic)
        value = self._fitting(value, pointers.type.shape, _semantic)
        _semantic.store(pointers, value, mask, (), "", "")

    # -- how ---------------------------------------------------------------------------

    def _fitting(self, value: Any, shape: Sequence[int], semantic: Any) -> tensor:
        value = semantic.to_tensor(value)
        found = list(value.type.shape) if value.type.is_block() else []
        if found != list(shape):
            raise ValueError(f"the descriptor writes blocks of shape {list(shape)}, the value has "
                             f"shape {found}; reshape or broadcast it")
        return semantic.cast(value, self.dtype)

    def _window(self, offsets: Any, semantic: Any) -> block_pointer:
        offsets = list(offsets)
        rank = len(self.shape)
        if len(offsets) != rank:
            raise ValueError(f"expected {rank} offsets, got {len(offsets)}")
        wide = [semantic.cast(_narrow(o, semantic), int64) for o in offsets]
        shape, strides = ([semantic.cast(v, int64) for v in values]
                          for values in (self.shape, self.strides))
        return block_pointer(self.base, shape, strides, wide, self.block_type.shape,
                             list(reversed(range(rank))))

    def _atomic(self, name: str, offsets: Any, value: Any, semantic: Any) -> None:
        value = self._fitting(value, self.block_type.shape, semantic)
        pointers, mask = self._window(offsets, semantic).addresses(semantic,
                                                                   range(len(self.shape)))
        semantic.atomic_rmw(name, pointers, value, mask, None, None)

    def _rows(self, name: str, rows: Any, column: Any, semantic: Any) -> tuple[tensor, tensor]:
        """Pointers to rows of the block's width, and which are inside."""
        block = list(self.block_type.shape)
        if len(block) != 2 or block[0] != 1:
            raise ValueError(f"{name} needs a descriptor of blocks [1, N], got {block}")
        if not isinstance(rows, tensor) or not rows.type.is_block() or len(rows.type.shape) != 1:
            raise ValueError(f"{name} needs x_offsets of one dimension, got {rows}")
        if rows.dtype not in (int16, int32):
            raise ValueError(f"{name} needs x_offsets of int16 or int32, got {rows.dtype}")
        if rows.type.shape[0] < _LEAST_ROWS:
            raise ValueError(f"descriptor {name} must have at least {_LEAST_ROWS} rows, but got "
                             f"{rows.type.shape[0]}")
        least = 32 // self.dtype.primitive_bitwidth * 8
        if block[1] < least:
            raise ValueError(f"descriptor {name} of {self.dtype} must have at least {least} "
                             f"columns, but got {block[1]}")
        row = semantic.expand_dims(semantic.cast(rows, int64), 1)
        first = semantic.cast(_narrow(column, semantic), int64)
        column = semantic.binary("add", semantic.cast(semantic.arange(0, block[1]), int64), first)
        column = semantic.expand_dims(column, 0)
        inside = None
        for index, extent in ((row, self.shape[0]), (column, self.shape[1])):
            part = semantic.logical("and", semantic.compare("ge", index, constexpr(0)),
                                    semantic.compare("lt", index, semantic.cast(extent, int64)))
            inside = part if inside is None else semantic.logical("and", inside, part)
        offset = semantic.binary("add", semantic.binary("mul", row, self.strides[0]), column)
        return semantic.binary("add", self.base, offset), inside


class host_descriptor(NamedTuple):
    """A descriptor that the host made, as the launch passes it."""

    base: Any
    shape: tuple
    strides: tuple
    block_shape: constexpr
    padding: constexpr


def received(value: Any, semantic: Any) -> Any:
    """A parameter of a kernel, with the descriptors in it as kernels know them."""
    if not isinstance(value, kernel_tuple):
        return value
    if value.fields is host_descriptor._fields:
        base, shape, strides, block_shape, padding = value.values
        return make(semantic, base, shape, strides, block_shape, padding)
    items = [received(item, semantic) for item in value.values]
    return value if all(a is b for a, b in zip(items, value.values)) else kernel_tuple(
        items, tuple_type([], value.fields))


def _atomic(name: str) -> Any:
    def method(self: tensor_descriptor, offsets: Any, value: Any, _semantic: Any = None) -> None:
        self._atomic(name, offsets, value, _semantic)

    method.__name__ = method.__qualname__ = f"atomic_{name}"
    method.__doc__ = f"Atomically applies {name} to each element of the block at ``offsets``."
    return builtin(method)


for _name in ("add", "min", "max", "and", "or", "xor"):
    setattr(tensor_descriptor, f"atomic_{_name}", _atomic(_name))


def _narrow(offset: Any, semantic: Any) -> tensor:
    offset = semantic.to_tensor(offset)
    if offset.type.is_block() or not offset.dtype.is_int():
        raise TypeError(f"the offsets of a descriptor are integer scalars, got {offset}")
    if offset.dtype.int_bitwidth > 32:
        raise ValueError(f"tensor descriptors only support 32 bit offsets, got {offset.dtype}: "
                         "add `.to(tl.int32)`, or use pointers")
    return offset


def make(semantic: Any, base: Any, shape: Any, strides: Any, block_shape: Any,
         padding: Any) -> tensor_descriptor:
    """Checks what `tl.make_tensor_descriptor` is given; ValueError says what was expected."""
    base = scalar_pointer(base, semantic)
    shape, strides, extents = list(shape), list(strides), [unwrap(n) for n in block_shape]
    rank = len(shape)
    if not 1 <= rank <= 5:
        raise ValueError(f"Expected 1 <= ndim <= 5 but got {rank} dimensions")
    for name, values in (("strides", strides), ("block_shape", extents)):
        if len(values) != rank:
            raise ValueError(f"Expected {rank} {name} but got {len(values)}")
    block_type(base.dtype.element_ty, extents)
    element: dtype = base.dtype.element_ty
    if extents[-1] * element.itemsize < _LEAST_BYTES:
        raise ValueError(
            f"Descriptor block shape must have at least {_LEAST_BYTES} bytes in the last "
            f"dimension, but got {extents[-1]} * {element.itemsize} = "
            f"{extents[-1] * element.itemsize} bytes")
    last = unwrap(strides[-1])
    if not isinstance(last, int) or last != 1:
        raise ValueError(f"Tensor descriptor last dim must be 1 but got {last}")
    padding = unwrap(padding)
    if padding not in ("zero", "nan"):
        raise ValueError(f"Padding option {padding} not supported; use 'zero' or 'nan'")
    if padding == "nan" and not element.is_floating():
        raise ValueError("Padding option `nan` is not supported for descriptors of integers")
    sizes = [semantic.cast(_scalar(v, "shape", semantic), int32) for v in shape]
    steps = [semantic.cast(_scalar(v, "strides", semantic), int64) for v in strides[:-1]]
    return tensor_descriptor(base, kernel_tuple(sizes), kernel_tuple([*steps, constexpr(1)]),
                             extents, padding)


def _scalar(value: Any, name: str, semantic: Any) -> tensor:
    value = semantic.to_tensor(value)
    if value.type.is_block() or not value.dtype.is_int():
        raise TypeError(f"the {name} of a descriptor are integer scalars, got {value}")
    return value
