"""Loads, stores and atomics, through pointers or block pointers."""

from __future__ import annotations

from typing import Any

from ..block_pointer import block_pointer
from ..types import constexpr, dtype, int1, int8, pointer_type, unwrap
from ..values import tensor
from .shapes import common_shape

_LOAD_CACHE = {"": None, ".ca": 2, ".cg": 3, ".cs": 5, ".cv": 7}
_STORE_CACHE = {"": None, ".wb": 4, ".cg": 3, ".cs": 5, ".wt": 6}
_EVICTION = {"": None, "evict_first": 2, "evict_last": 3}
_SEMANTICS = {"relaxed": 1, "acquire": 2, "release": 3, "acq_rel": 4, None: 4}
_SCOPES = {"gpu": 1, "cta": 2, "sys": 3, None: 1}
_RMW = {"and": 1, "or": 2, "xor": 3, "add": 4, "fadd": 5, "max": 6, "min": 7, "umax": 8,
        "umin": 9, "xchg": 10}


class Memory:
    ir: Any

    # -- hints -------------------------------------------------------------------------

    def _hints(self, cache: Any, eviction: Any, table: dict) -> dict[str, str]:
        cache, eviction = unwrap(cache) or "", unwrap(eviction) or ""
        if cache not in table:
            raise ValueError(f"Cache modifier {cache} not supported")
        if eviction not in _EVICTION:
            raise ValueError(f"Eviction policy {eviction} not supported")
        attrs = {}
        if table[cache] is not None:
            attrs["cache"] = f"{table[cache]} : i32"
        if _EVICTION[eviction] is not None:
            attrs["evict"] = f"{_EVICTION[eviction]} : i32"
        return attrs

    def _pointer(self, pointer: Any, name: str) -> tensor:
        if not isinstance(pointer, tensor) or not pointer.dtype.is_ptr():
            kind = pointer.type if isinstance(pointer, tensor) else repr(unwrap(pointer))
            raise ValueError(f"Unsupported ptr type {kind} in `tl.{name}`: expected a pointer or "
                             "a block of pointers, such as `ptr + tl.arange(0, 128)`")
        return pointer

    def _mask_for(self, pointer: tensor, mask: Any) -> tensor:
        mask = self.to_tensor(mask)
        if mask.dtype != int1:
            if not mask.dtype.is_int():
                raise ValueError("Mask must have boolean scalar type")
            mask = self.to_bool(mask)
        if not pointer.type.is_block():
            if mask.type.is_block():
                raise ValueError("Mask argument cannot be block type if pointer argument is not a block")
            return mask
        return self._fit(mask, pointer)

    def _fit(self, value: tensor, pointer: tensor) -> tensor:
        """``value`` in the shape of the pointers, which themselves are not repeated."""
        shape = list(pointer.type.shape)
        if value.type.is_block():
            common = common_shape(list(value.type.shape), shape)
            if common != shape:
                raise ValueError(f"Expected pointer argument to have shape {common} but got {shape}")
            while len(value.type.shape) < len(shape):
                value = self.expand_dims(value, 0)
        return self.broadcast_to(value, shape)

    # -- load and store ----------------------------------------------------------------

    def load(self, pointer: Any, mask: Any, other: Any, boundary_check: Any, padding: Any,
             cache: Any, eviction: Any, volatile: Any) -> tensor:
        mask = None if unwrap(mask) is None else mask
        other = None if unwrap(other) is None else other
        boundary = tuple(unwrap(d) for d in (unwrap(boundary_check) or ()))
        padding = unwrap(padding) or ""
        if isinstance(pointer, block_pointer):
            if mask is not None or other is not None:
                raise ValueError("`mask` and `other` arguments cannot be specified for loading block pointers")
            if padding not in ("", "zero", "nan"):
                raise ValueError(f"Padding option {padding} not supported; use '', 'zero' or 'nan'")
            element = pointer.element_ty
            if padding == "nan" and element.is_int():
                raise ValueError("Padding option `nan` is not supported for integer block pointers")
            addresses, mask = pointer.addresses(self, boundary)
            if mask is not None and padding:
                other = constexpr(float("nan") if padding == "nan" else 0)
            pointer = addresses
        elif boundary or padding:
            raise ValueError("`padding_option` or `boundary_check` argument is not supported for "
                             "loading a tensor of pointers or loading a scalar; use block pointers "
                             "or `mask` and `other`")
        pointer = self._pointer(pointer, "load")
        if other is not None and mask is None:
            raise ValueError("`other` cannot be provided without `mask`")
        element = pointer.dtype.element_ty
        is_bool = element == int1
        if is_bool:
            pointer = self.cast(pointer, pointer_type(int8, const=pointer.dtype.const))
            element = int8
        result = pointer.type.with_element_ty(element)
        operands = [pointer.handle]
        if mask is not None:
            operands.append(self._mask_for(pointer, mask).handle)
        if other is not None:
            value = self.cast(self.to_tensor(other), element)
            if pointer.type.is_block():
                value = self._fit(value, pointer)
            operands.append(value.handle)
        attrs = self._hints(cache, eviction, _LOAD_CACHE)
        segments = (1, int(mask is not None), int(other is not None))
        attrs["operandSegmentSizes"] = f"array<i32: {segments[0]}, {segments[1]}, {segments[2]}>"
        if unwrap(volatile):
            attrs["isVolatile"] = "true"
        loaded = tensor(self.ir.value("tt.load", operands, result.ir, attrs), result)
        return self.to_bool(loaded) if is_bool else loaded

    def store(self, pointer: Any, value: Any, mask: Any, boundary_check: Any, cache: Any,
              eviction: Any) -> None:
        mask = None if unwrap(mask) is None else mask
        boundary = tuple(unwrap(d) for d in (unwrap(boundary_check) or ()))
        if isinstance(pointer, block_pointer):
            if mask is not None:
                raise ValueError("`mask` argument cannot be specified for storing block pointers")
            pointer, mask = pointer.addresses(self, boundary)
        elif boundary:
            raise ValueError("`boundary_check` argument is not supported for storing a tensor of "
                             "pointers or storing a scalar; use `mask`")
        pointer = self._pointer(pointer, "store")
        if pointer.dtype.is_const():
            raise ValueError("Cannot store to a constant pointer")
        element = pointer.dtype.element_ty
        value = self.to_tensor(value)
        if element == int1:
            pointer = self.cast(pointer, pointer_type(int8))
            value = self.cast(self.to_bool(value), int8)
            element = int8
        if value.type.is_block() and not pointer.type.is_block():
            raise ValueError("Value argument cannot be block type if pointer argument is not a block")
        value = self.cast(value, element)
        if pointer.type.is_block():
            value = self._fit(value, pointer)
        operands = [pointer.handle, value.handle]
        if mask is not None:
            operands.append(self._mask_for(pointer, mask).handle)
        self.ir.op("tt.store", operands, [], self._hints(cache, eviction, _STORE_CACHE))

    # -- atomics -----------------------------------------------------------------------

    def _atomic_attrs(self, sem: Any, scope: Any) -> dict[str, str]:
        sem, scope = unwrap(sem), unwrap(scope)
        if sem not in _SEMANTICS:
            raise ValueError(f"Memory semantic {sem} not supported")
        if scope not in _SCOPES:
            raise ValueError(f"Memory scope {scope} not supported")
        return {"sem": f"{_SEMANTICS[sem]} : i32", "scope": f"{_SCOPES[scope]} : i32"}

    def atomic_rmw(self, name: str, pointer: Any, value: Any, mask: Any, sem: Any,
                   scope: Any) -> tensor:
        pointer = self._pointer(pointer, f"atomic_{name}")
        if pointer.dtype.is_const():
            raise ValueError("Cannot store to a constant pointer")
        element = pointer.dtype.element_ty
        if element.name in ("int1", "int8", "int16", "uint8", "uint16", "bf16", "fp16"):
            if not (element.is_floating() and name == "add"):
                raise ValueError(f"atomic_{name} does not support {element}")
        value = self.cast(self.to_tensor(value), element)
        if pointer.type.is_block():
            value = self._fit(value, pointer)
        if mask is None or unwrap(mask) is None:
            mask = self.full(pointer.type.shape, constexpr(True), int1)
        mask = self._mask_for(pointer, mask)
        kind = name
        if element.is_floating():
            if name in ("and", "or", "xor"):
                raise ValueError(f"atomic_{name} does not support {element}")
            if name in ("max", "min"):
                return self._atomic_float_extremum(name, pointer, value, mask, sem, scope)
            kind = "fadd" if name == "add" else name
        elif name in ("max", "min") and element.is_int_unsigned():
            kind = "u" + name
        attrs = self._atomic_attrs(sem, scope)
        attrs["atomic_rmw_op"] = f"{_RMW[kind]} : i32"
        handle = self.ir.value(
            "tt.atomic_rmw", [pointer.handle, value.handle, mask.handle], value.type.ir, attrs
        )
        return tensor(handle, value.type)

    def _atomic_float_extremum(self, name: str, pointer: tensor, value: tensor, mask: tensor,
                               sem: Any, scope: Any) -> tensor:
        # The order of floats is that of their bits as signed integers when not negative
        # and the reverse of them as unsigned integers when negative.
        element = value.dtype
        if element.primitive_bitwidth not in (32, 64):
            raise ValueError(f"atomic_{name} does not support {element}")
        signed, unsigned = (dtype(f"{s}int{element.primitive_bitwidth}") for s in ("", "u"))
        bits = self.bitcast(value, signed)
        negative = self.compare("lt", bits, constexpr(0))
        positive = self.unary("not", negative)
        other = {"max": "min", "min": "max"}[name]
        up = self.atomic_rmw(name, self.cast(pointer, pointer_type(signed)), bits,
                             self.logical("and", mask, positive), sem, scope)
        down = self.atomic_rmw(other, self.cast(pointer, pointer_type(unsigned)),
                               self.bitcast(value, unsigned),
                               self.logical("and", mask, negative), sem, scope)
        return self.bitcast(self.where(positive, up, self.bitcast(down, signed)), element)

    def atomic_cas(self, pointer: Any, expected: Any, value: Any, sem: Any, scope: Any) -> tensor:
        pointer = self._pointer(pointer, "atomic_cas")
        element = pointer.dtype.element_ty
        if element.primitive_bitwidth not in (16, 32, 64):
            raise ValueError("atomic_cas only supports elements with width {16, 32, 64}")
        expected, value = self.cast(expected, element), self.cast(value, element)
        if pointer.type.is_block():
            expected, value = self._fit(expected, pointer), self._fit(value, pointer)
        handle = self.ir.value("tt.atomic_cas", [pointer.handle, expected.handle, value.handle],
                               value.type.ir, self._atomic_attrs(sem, scope))
        return tensor(handle, value.type)
