"""dot_scaled: operands of few bits with a scale for each run of them, multiplied in fp32.

Source of the formats: Open Compute Project, "OCP Microscaling Formats (MX)
Specification", version 1.0, 2023.
"""

from __future__ import annotations

from typing import Any, Sequence

from ..types import (
    bfloat16, constexpr, dtype, float16, float32, float8e4nv, float8e5, uint16, uint32, uint8,
    unwrap,
)
from ..values import tensor

# format -> the type of an element, and the unsigned type it may come as.
_FORMATS = {"e2m1": (uint8, uint8), "e4m3": (float8e4nv, uint8), "e5m2": (float8e5, uint8),
            "bf16": (bfloat16, uint16), "fp16": (float16, uint16)}
_RUNS = (16, 32)  # elements along K that share a scale


class Scaled:
    ir: Any

    def dot_scaled(self, lhs: Any, lhs_scale: Any, lhs_format: Any, rhs: Any, rhs_scale: Any,
                   rhs_format: Any, acc: Any, lhs_k_pack: Any, rhs_k_pack: Any,
                   out_dtype: Any) -> tensor:
        if unwrap(out_dtype) != float32:
            raise ValueError(f"dot_scaled gives float32, got out_dtype {unwrap(out_dtype)}; cast "
                             "the result")
        for name, value in (("lhs", lhs), ("rhs", rhs)):
            if not isinstance(value, tensor) or len(value.shape) not in (2, 3):
                raise ValueError(f"{name} of dot_scaled must be a block of rank 2 or 3, got {value}")
        a = self._operand("lhs", lhs, unwrap(lhs_format), bool(unwrap(lhs_k_pack)), -1)
        b = self._operand("rhs", rhs, unwrap(rhs_format), bool(unwrap(rhs_k_pack)), -2)
        left, right = list(a.type.shape), list(b.type.shape)
        if left[-1] != right[-2]:
            raise ValueError(f"the operands of dot_scaled have different K: {left[-1]} and "
                             f"{right[-2]} (lhs {left}, rhs {right})")
        K = left[-1]
        runs = {}
        for name, scale in (("lhs", lhs_scale), ("rhs", rhs_scale)):
            if self._has_scale(scale):
                runs[name] = K // scale.type.shape[-1]
        if len(set(runs.values())) > 1:
            raise ValueError("Operands must have the same scale factor; "
                             f"(lhs: {runs['lhs']} vs rhs: {runs['rhs']})")
        for name, scale, rows in (("lhs", lhs_scale, left[-2]), ("rhs", rhs_scale, right[-1])):
            if name not in runs:
                continue
            factor = self._scale(name, scale, rows, K, runs[name])
            if name == "lhs":
                a = self.binary("mul", a, factor)
            else:
                rank = len(right)
                order = [*range(rank - 2), rank - 1, rank - 2]
                b = self.binary("mul", b, self.permute(factor, order))
        return self.dot(a, b, acc, "ieee", None, float32)

    def _has_scale(self, scale: Any) -> bool:
        return isinstance(scale, tensor) and scale.numel.value != 1

    def _operand(self, name: str, value: tensor, kind: Any, k_pack: bool, k_axis: int) -> tensor:
        """The numbers as fp32, [.., M, K] or [.., K, N]."""
        if kind not in _FORMATS:
            raise ValueError(f"{name}_format {kind} is not supported; use {', '.join(_FORMATS)}")
        element, bits = _FORMATS[kind]
        if value.dtype not in (element, bits):
            raise ValueError(f"{name} of format {kind} must have elements of {element} or {bits}, "
                             f"got {value.dtype}")
        if kind != "e2m1":
            if not k_pack:
                raise ValueError(f"only e2m1 is packed along another dimension than K, {name} is "
                                 f"{kind}")
            return self._decode(kind, value)
        axis = (k_axis if k_pack else -3 - k_axis) % len(value.shape)
        low = self.binary("and", value, constexpr(15))
        high = self.binary("rshift", value, constexpr(4))
        return self._decode_e2m1(self._interleave(low, high, axis))

    def _interleave(self, even: tensor, odd: tensor, axis: int) -> tensor:
        """even[0], odd[0], even[1], ... along ``axis``."""
        shape = list(even.type.shape)
        rank = len(shape)
        order = [*range(axis + 1), rank, *range(axis + 1, rank)]
        shape[axis] *= 2
        return self.reshape(self.permute(self.join(even, odd), order), shape)

    def _decode(self, kind: str, value: tensor) -> tensor:
        """Elements that fill a byte or two as fp32."""
        if kind in ("bf16", "fp16"):
            return self.cast(self.bitcast(value, _FORMATS[kind][0]), float32)
        value = self.bitcast(value, uint8)
        if kind == "e5m2":
            # The upper byte of an fp16.
            half = self.binary("lshift", self.cast(value, uint16), constexpr(8))
            return self.cast(self.bitcast(half, float16), float32)
        return self._decode_e4m3(value)

    def _decode_e4m3(self, value: tensor) -> tensor:
        """As e2m1 below; all ones is NaN, there are no infinities."""
        wide = self.cast(value, uint32)
        magnitude = self.binary("and", wide, constexpr(0x7F))
        sign = self.binary("lshift", self.binary("and", wide, constexpr(0x80)), constexpr(24))
        bits = self.binary("or", self.binary("lshift", magnitude, constexpr(20)), sign)
        number = self.binary("mul", self.bitcast(bits, float32), constexpr(2.0**120))
        nan = self.compare("eq", magnitude, constexpr(0x7F))
        return self.where(nan, constexpr(float("nan")), number)

    def _decode_e2m1(self, nibbles: tensor) -> tensor:
        # Exponent and mantissa where fp32 has its lowest ones, so that a product with a
        # power of two moves the bias, denormals too.
        wide = self.cast(nibbles, uint32)
        magnitude = self.binary("lshift", self.binary("and", wide, constexpr(7)), constexpr(22))
        sign = self.binary("lshift", self.binary("and", wide, constexpr(8)), constexpr(28))
        number = self.bitcast(self.binary("or", magnitude, sign), float32)
        return self.binary("mul", number, constexpr(2.0**126))

    def _scale(self, name: str, scale: tensor, rows: int, K: int, run: int) -> tensor:
        """The scales as fp32, one for each element: [.., rows, K]."""
        shape = list(scale.type.shape)
        expected = [rows, K // run]
        if run not in _RUNS or shape[-2:] != expected or K % run:
            known = expected if run in _RUNS else f"[{rows}, {K // 32}]"
            raise ValueError(f"{name}_scale must be a tensor of shape [..., {str(known)[1:-1]}], "
                             f"one scale for 16 or 32 elements along K. Got {shape}")
        element: dtype = scale.dtype
        if element == float8e4nv:
            value = self._decode_e4m3(self.bitcast(scale, uint8))
        elif element in (uint8, dtype("int8")):  # the bits count
            value = self._decode_e8m0(self.bitcast(scale, uint8))
        else:
            raise ValueError(f"{name}_scale must have elements of uint8 (e8m0) or fp8e4nv, got "
                             f"{element}")
        runs: Sequence[int] = [*shape, run]
        value = self.broadcast_to(self.expand_dims(value, len(shape)), runs)
        return self.reshape(value, [*shape[:-1], K])

    def _decode_e8m0(self, scale: tensor) -> tensor:
        """2 ** (scale - 127); 255 is NaN, and 0 a denormal number of fp32."""
        wide = self.cast(scale, uint32)
        bits = self.binary("lshift", wide, constexpr(23))
        bits = self.where(self.compare("eq", wide, constexpr(0)), constexpr(0x400000), bits)
        bits = self.where(self.compare("eq", wide, constexpr(255)), constexpr(0x7FC00000), bits)
        return self.bitcast(self.cast(bits, uint32), float32)
