"""Functions of each element."""

from __future__ import annotations

import enum
from typing import Any

from .types import constexpr, unwrap
from .values import base_value, builtin, tensor, tensor_member, tuple as kernel_tuple


class PropagateNan(enum.Enum):
    """What minimum, maximum and clamp give when an operand is NaN."""

    NONE = 0
    ALL = 65535


def _all(propagate_nan: Any) -> bool:
    return unwrap(propagate_nan) == PropagateNan.ALL


def _numbers(*args: Any) -> bool:
    return not any(isinstance(a, base_value) for a in args)


@builtin
def where(condition: Any, x: Any, y: Any, _semantic: Any = None) -> tensor:
    """``x`` where ``condition`` holds, else ``y``; both are evaluated."""
    return _semantic.where(condition, x, y)


@builtin
def add(x: Any, y: Any, sanitize_overflow: Any = True, _semantic: Any = None) -> Any:
    """x + y; with ``debug`` integers are asserted not to wrap unless told otherwise."""
    return _semantic.binary("add", x, y, bool(unwrap(sanitize_overflow)))


@builtin
def sub(x: Any, y: Any, sanitize_overflow: Any = True, _semantic: Any = None) -> Any:
    """x - y, as `add`."""
    return _semantic.binary("sub", x, y, bool(unwrap(sanitize_overflow)))


@builtin
def mul(x: Any, y: Any, sanitize_overflow: Any = True, _semantic: Any = None) -> Any:
    """x * y, as `add`."""
    return _semantic.binary("mul", x, y, bool(unwrap(sanitize_overflow)))


@builtin
def minimum(x: Any, y: Any, propagate_nan: Any = PropagateNan.NONE, _semantic: Any = None) -> tensor:
    """The smaller of each pair; a NaN loses unless ``propagate_nan`` is ALL."""
    return _semantic.extremum("min", x, y, _all(propagate_nan))


@builtin
def maximum(x: Any, y: Any, propagate_nan: Any = PropagateNan.NONE, _semantic: Any = None) -> tensor:
    """The larger of each pair; a NaN loses unless ``propagate_nan`` is ALL."""
    return _semantic.extremum("max", x, y, _all(propagate_nan))


@builtin
def clamp(x: Any, min: Any, max: Any, propagate_nan: Any = PropagateNan.NONE,
          _semantic: Any = None) -> tensor:
    """``x`` limited to [min, max]; floats only."""
    return _semantic.clamp(x, min, max, _all(propagate_nan))


def extremum_of(name: str, args: Any, semantic: Any) -> Any:
    """Python's min or max inside a kernel."""
    if len(args) == 1:
        args = list(args[0])
    if _numbers(*args):
        values = [unwrap(a) for a in args]
        if any(isinstance(v, float) and (v != v or (v == 0 and str(v)[0] == "-")) for v in values):
            raise ValueError(f"{name} of constants does not take NaN or -0.0")
        return constexpr((min if name == "min" else max)(values))
    result = args[0]
    for other in args[1:]:
        result = semantic.extremum(name, result, other, False)
    return result


@builtin
def map_elementwise(scalar_fn: Any, *args: Any, pack: Any = 1, _semantic: Any = None,
                    _generator: Any = None) -> Any:
    """``scalar_fn``, a jit function of scalars that may branch, of each element."""
    if unwrap(pack) != 1:
        return _semantic.not_supported("tl.map_elementwise with pack > 1")
    results = _semantic.map_elementwise(
        args, lambda *scalars: _generator.call_for_value(scalar_fn, scalars))
    return results[0] if len(results) == 1 else kernel_tuple(results)


def _logical(name: str) -> Any:
    def method(self: tensor, other: Any, _semantic: Any = None) -> tensor:
        return _semantic.logical(name, self, other)

    method.__name__ = method.__qualname__ = f"logical_{name}"
    method.__doc__ = f"Elements as truth values, and `{name}` of them."
    return tensor_member(builtin(method))


logical_and, logical_or = _logical("and"), _logical("or")


def extern(fn: Any) -> Any:
    """Decorator for functions that choose an external function by their arguments' types."""
    return builtin(fn)


@builtin
def extern_elementwise(lib_name: Any, lib_path: Any, args: Any, arg_type_symbol_dict: Any,
                       is_pure: Any, _semantic: Any = None) -> Any:
    """Not supported yet: kernels call no libraries; see tl.extra.libdevice."""
    return _semantic.not_supported("tl.core.extern_elementwise")


@builtin
def dispatch(func: Any, lib_name: Any, lib_path: Any, args: Any, arg_type_symbol_dict: Any,
             ret_type: Any, is_pure: Any, _semantic: Any = None) -> Any:
    """Not supported yet: kernels call no libraries; see tl.extra.libdevice."""
    return _semantic.not_supported("tl.core.dispatch")


@builtin
def expect_zero(x: Any, mask: Any, _semantic: Any = None) -> tensor:
    """``x``, which is expected to be 0 where ``mask`` holds; checked with ``debug``."""
    x = _semantic.to_tensor(x)
    zero = _semantic.compare("eq", x, constexpr(0))
    _semantic.device_assert(zero, constexpr("expected zero"), mask)
    return x


@builtin
def inline_asm_elementwise(asm: Any, constraints: Any, args: Any, dtype: Any, is_pure: Any,
                           pack: Any, _semantic: Any = None) -> Any:
    """Not supported yet."""
    return _semantic.not_supported("tl.inline_asm_elementwise")


# -- math ------------------------------------------------------------------------------


def _unary(name: str, doc: str) -> Any:
    def function(x: Any, _semantic: Any = None) -> tensor:
        return _semantic.math(name, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}, elementwise, of floats; fp16 and bf16 in fp32."
    return tensor_member(builtin(function))


exp = _unary("exp", "e to the x")
exp2 = _unary("exp2", "2 to the x")
log = _unary("log", "Natural logarithm")
log2 = _unary("log2", "Logarithm to base 2")
sin = _unary("sin", "Sine of radians")
cos = _unary("cos", "Cosine of radians")
sqrt = _unary("sqrt", "Square root")
rsqrt = _unary("rsqrt", "1 / sqrt(x)")
erf = _unary("erf", "Error function")
floor = _unary("floor", "Largest integer not above x")
ceil = _unary("ceil", "Smallest integer not below x")


@tensor_member
@builtin
def abs(x: Any, _semantic: Any = None) -> tensor:
    """|x|, for every numeric type."""
    return _semantic.abs(x)


@tensor_member
@builtin
def sqrt_rn(x: Any, _semantic: Any = None) -> tensor:
    """Correctly rounded square root of fp32."""
    return _semantic.precise("math.sqrt", x)


@builtin
def div_rn(x: Any, y: Any, _semantic: Any = None) -> tensor:
    """Correctly rounded quotient of fp32."""
    return _semantic.precise("arith.divf", x, y)


@builtin
def fdiv(x: Any, y: Any, ieee_rounding: Any = False, _semantic: Any = None) -> tensor:
    """x / y for floats."""
    return _semantic.fdiv(x, y)


@builtin
def fma(x: Any, y: Any, z: Any, _semantic: Any = None) -> tensor:
    """x * y + z, rounded once."""
    return _semantic.fma(x, y, z)


@builtin
def umulhi(x: Any, y: Any, _semantic: Any = None) -> tensor:
    """Upper half of the unsigned product of 32- or 64-bit integers."""
    return _semantic.umulhi(x, y)


MATH = ["abs", "ceil", "cos", "div_rn", "erf", "exp", "exp2", "fdiv", "floor", "fma", "log",
        "log2", "rsqrt", "sin", "sqrt", "sqrt_rn", "umulhi"]
__all__ = ["PropagateNan", "add", "clamp", "expect_zero", "inline_asm_elementwise", "map_elementwise", "maximum",
           "minimum", "mul", "sub", "where", *MATH]
