"""Promotion as tables: the type two operands are computed in.

Source of the rules: upstream's documented behaviour (C conversions for integers, the
wider float otherwise, float16 before bfloat16).
"""

from __future__ import annotations

from ..types import bfloat16, dtype, float16, float32, float64

# The first of these that either operand has wins, given float operands.
_FLOAT_ORDER = ("fp64", "fp32", "fp16")


def computation_type(
    a: dtype, a_is_scalar: bool, b: dtype, b_is_scalar: bool, div_or_mod: bool
) -> dtype:
    """The scalar type of ``a op b``; a scalar never widens a block of its kind."""
    if a_is_scalar != b_is_scalar:
        scalar, block = (a, b) if a_is_scalar else (b, a)
        if scalar.kind().value <= block.kind().value:
            # Division is done in f32 at least, whatever the scalar is.
            if div_or_mod and block.name in ("fp16", "bf16"):
                return float32
            return block
    if a.is_fp64() or b.is_fp64():
        return float64
    if a.is_fp32() or b.is_fp32():
        return float32
    if a.is_fp16() or b.is_fp16():
        return float32 if div_or_mod else float16
    if a.is_bf16() and b.is_bf16():
        return float32 if div_or_mod else bfloat16
    if a.is_bf16() or b.is_bf16():
        return float32
    if a.is_fp8() and b.is_fp8():
        return a if a == b else float16
    if not a.is_int() or not b.is_int():
        raise TypeError(f"unexpected type {a} and {b}")
    if div_or_mod and a.int_signedness != b.int_signedness:
        raise TypeError(
            f"Cannot use /, #, or % with {a} and {b} because they have different signedness; "
            "this is unlikely to result in a useful answer. Cast them to the same signedness."
        )
    if a.int_signedness == b.int_signedness:
        return a if a.int_bitwidth > b.int_bitwidth else b
    unsigned, signed = (a, b) if a.is_int_unsigned() else (b, a)
    return unsigned if unsigned.int_bitwidth >= signed.int_bitwidth else signed
