"""Making tensors of constants and converting between types."""

from __future__ import annotations

from typing import Any

from ..types import block_type, constexpr, dtype, dtype_of_literal, float32, int1, unwrap
from ..values import tensor

_LITERALS = (bool, int, float)


class Casts:
    ir: Any
    options: Any

    # -- constants ---------------------------------------------------------------------

    def scalar_constant(self, value: Any, type: dtype) -> tensor:
        """A number as ``type``, converted as `cast` converts: integers wrap, floats saturate."""
        if type.is_bool():
            value = bool(value)
        elif type.is_int() and isinstance(value, float):
            low, high = type.get_int_min_value(), type.get_int_max_value()
            value = 0 if value != value else low if value < low else high if value > high \
                else int(value)
        return tensor(self.ir.constant(type.ir, value), type)

    def to_tensor(self, value: Any) -> tensor:
        """A tensor of any kernel value that stands for one."""
        if isinstance(value, tensor):
            return value
        value = unwrap(value)
        if isinstance(value, _LITERALS):
            return self.scalar_constant(value, dtype_of_literal(value))
        raise TypeError(f"cannot convert {value} of type {type(value)} to tensor")

    def decay(self, value: Any) -> Any:
        """A number as a value known at run time; anything else unchanged."""
        if isinstance(value, constexpr) and isinstance(value.value, _LITERALS):
            return self.to_tensor(value)
        return value

    def full(self, shape: Any, value: Any, type: Any) -> tensor:
        shape = [unwrap(n) for n in shape]
        type = unwrap(type)
        if isinstance(value, tensor):
            if value.numel.value != 1:
                raise ValueError("only accepts size-1 tensor")
            scalar = self.cast(self.item(value), type) if type is not None else value
        else:
            if type is None:
                raise ValueError("dtype must be specified when value is not a tensor")
            scalar = self.scalar_constant(unwrap(value), type)
        return self.splat(scalar, shape)

    def splat(self, scalar: tensor, shape: Any) -> tensor:
        shape = [unwrap(n) for n in shape]
        if not shape:
            return scalar
        result = block_type(scalar.dtype, shape)
        return tensor(self.ir.value("tt.splat", [scalar.handle], result.ir), result)

    def item(self, value: tensor) -> tensor:
        if not value.type.is_block():
            return value
        if value.numel.value != 1:
            raise RuntimeError(f"item() needs a tensor of one element, got {value}")
        return tensor(self.ir.value("tt.unsplat", [value.handle], value.dtype.ir), value.dtype)

    # -- casts -------------------------------------------------------------------------

    def _convert(self, op: str, value: tensor, to: dtype, attrs: Any = None) -> tensor:
        result = value.type.with_element_ty(to)
        return tensor(self.ir.value(op, [value.handle], result.ir, attrs), result)

    def bitcast(self, value: tensor, to: dtype) -> tensor:
        source = value.dtype
        if source == to:
            return value
        if source.is_ptr() or to.is_ptr():
            return self.cast(value, to)
        if source.primitive_bitwidth != to.primitive_bitwidth:
            raise ValueError(
                f"Cannot bitcast data-type of size {source.primitive_bitwidth} to "
                f"data-type of size {to.primitive_bitwidth}"
            )
        if source.ir == to.ir:
            return tensor(value.handle, value.type.with_element_ty(to))
        return self._convert("tt.bitcast", value, to)

    def cast(self, value: Any, to: Any, rounding: Any = None) -> tensor:
        """Converts elements to ``to``; see the facts in the language reference."""
        value = self.to_tensor(value)
        to, rounding = unwrap(to), unwrap(rounding)
        if isinstance(to, block_type):
            to = to.element_ty
        if not isinstance(to, dtype):
            raise TypeError(f"cast target must be a dtype, got {to}")
        source = value.dtype
        narrowing = (
            source.is_floating() and to.is_floating()
            and source.primitive_bitwidth > to.primitive_bitwidth
        )
        if rounding is not None:
            if rounding not in ("rtne", "rtz"):
                raise ValueError(f"Unknown rounding mode {rounding!r}; use 'rtne' or 'rtz'")
            if not narrowing:
                raise ValueError(
                    "fp_downcast_rounding should be set only for truncating fp conversions. "
                    f"Source scalar type is {source} and destination type is {to}"
                )
        if source == to:
            return value
        for type in (source, to):
            if type.name in ("fp8e4b15", "fp8e4b8"):
                raise ValueError(f"type {type} not supported in this architecture. "
                                 "The supported fp8 dtypes are ('fp8e5', 'fp8e5b16', 'fp8e4nv')")
        if source.is_ptr() or to.is_ptr():
            return self._cast_pointer(value, source, to)
        if source.is_floating() and to.is_floating():
            return self._cast_float(value, source, to, rounding)
        if source.is_floating():
            return self._cast_float_to_int(value, source, to)
        if to.is_floating():
            signed = source.is_int_signed()
            return self._convert("arith.sitofp" if signed else "arith.uitofp", value, to)
        return self._cast_int(value, source, to)

    def _cast_pointer(self, value: tensor, source: dtype, to: dtype) -> tensor:
        if source.is_ptr() and to.is_ptr():
            return self._convert("tt.bitcast", value, to) if source.ir != to.ir else tensor(
                value.handle, value.type.with_element_ty(to))
        if to.is_ptr():
            if not source.is_int():
                raise TypeError(f"cannot cast {source} to {to}")
            return self._convert("tt.int_to_ptr", self.cast(value, dtype("int64")), to)
        if to == int1:
            address = self._convert("tt.ptr_to_int", value, dtype("int64"))
            return self.compare("ne", address, constexpr(0))
        if not (to.is_int() and to.int_bitwidth == 64):
            raise TypeError(f"cannot cast {source} to {to}; pointers become int64 or int1")
        return self._convert("tt.ptr_to_int", value, to)

    def _cast_float(self, value: tensor, source: dtype, to: dtype, rounding: Any) -> tensor:
        if source.is_fp8() or to.is_fp8() or rounding == "rtz":
            # One conversion for all: 8-bit formats saturate.
            if to.is_fp8():
                mode = rounding or "rtne"
                attrs = {"rounding": f"{0 if mode == 'rtz' else 1} : i32"}
            else:
                attrs = {"rounding": "0 : i32"} if rounding == "rtz" else None
            return self._convert("tt.fp_to_fp", value, to, attrs)
        if source.primitive_bitwidth == to.primitive_bitwidth:
            return self.cast(self.cast(value, float32), to)
        wider = to.primitive_bitwidth > source.primitive_bitwidth
        return self._convert("arith.extf" if wider else "arith.truncf", value, to)

    def _cast_float_to_int(self, value: tensor, source: dtype, to: dtype) -> tensor:
        if to.is_bool():
            return self.compare("ne", value, constexpr(0.0))
        if source.primitive_bitwidth < 32:
            value = self.cast(value, float32)
        signed = to.is_int_signed()
        return self._convert("arith.fptosi" if signed else "arith.fptoui", value, to)

    def _cast_int(self, value: tensor, source: dtype, to: dtype) -> tensor:
        if to.is_bool():
            return self.compare("ne", value, constexpr(0))
        if source.int_bitwidth == to.int_bitwidth:
            return tensor(value.handle, value.type.with_element_ty(to))
        if source.int_bitwidth > to.int_bitwidth:
            return self._convert("arith.trunci", value, to)
        extend = "arith.extsi" if source.is_int_signed() else "arith.extui"
        return self._convert(extend, value, to)
