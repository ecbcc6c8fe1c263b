"""Bits of numbers: the format of floats, conversions that say how they round, integers.

Part of `libdevice`, which has the names of CUDA's device library.
"""

from __future__ import annotations

from typing import Any

from .. import core
from ..function import Function, constexpr_function
from ..values import builtin, tensor

_jit = Function


def missing(name: str) -> Any:
    """A function that is refused when a kernel calls it."""
    def function(*args: Any, _semantic: Any = None, **kwargs: Any) -> Any:
        return _semantic.not_supported(name)

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__doc__ = "Not supported yet."
    return builtin(function)


# -- the format of floats ----------------------------------------------------------------


@builtin
def copysign(x: Any, y: Any, _semantic: Any = None) -> tensor:
    """|x| with the sign of y."""
    return _semantic.math("copysign", x, y)


@constexpr_function
def _int(dtype):
    return core.get_int_dtype(dtype.primitive_bitwidth, True)


@constexpr_function
def _mantissa(dtype):
    return 23 if dtype.is_fp32() else 52


@constexpr_function
def _bias(dtype):
    return 127 if dtype.is_fp32() else 1023


@_jit
def _to_bits(x):
    return x.to(_int(x.dtype), bitcast=True)


@_jit
def isnan(x):
    return x != x


@_jit
def isinf(x):
    return core.abs(x) == float("inf")


@_jit
def finitef(x):
    return core.abs(x) < float("inf")


@_jit
def isfinited(x):
    return core.abs(x) < float("inf")


@_jit
def signbit(x):
    """1 where the sign is set, also of -0.0 and NaN."""
    return (_to_bits(x) < 0).to(core.int32)


@_jit
def nextafter(x, y):
    """The number beside x in the direction of y."""
    bits = _to_bits(x)
    one = core.full([], 1, bits.dtype)
    away = (y > x) == (x > 0)
    up = core.add(bits, one, sanitize_overflow=False)
    down = core.sub(bits, one, sanitize_overflow=False)
    moved = core.where(away, up, down).to(x.dtype, bitcast=True)
    least = copysign(one.to(x.dtype, bitcast=True), y)
    moved = core.where(x == 0, least, moved)
    return core.where((x != x) | (y != y), x + y, core.where(x == y, y, moved))


@_jit
def _exponent(x):
    """floor(log2(|x|)) of finite x other than 0."""
    width: core.constexpr = _mantissa(x.dtype)
    bias: core.constexpr = _bias(x.dtype)
    biased = (_to_bits(core.abs(x)) >> width).to(core.int32)
    scaled = (_to_bits(core.abs(x) * 2.0 ** width) >> width).to(core.int32) - width
    return core.where(biased == 0, scaled, biased) - bias


@_jit
def ilogb(x):
    """The exponent as int32; 0 and NaN give the least, infinities the largest int32."""
    special = core.where(isinf(x), 2147483647, -2147483648)
    return core.where(finitef(x) & (x != 0), _exponent(x), special)


@_jit
def logb(x):
    """The exponent as a float; 0 gives -inf."""
    finite = core.where(x == 0, float("-inf"), _exponent(x).to(x.dtype))
    return core.where(finitef(x), finite, core.abs(x))


@_jit
def _power_of_two(n, dtype: core.constexpr):
    bits = (n + _bias(dtype)).to(_int(dtype)) << _mantissa(dtype)
    return bits.to(dtype, bitcast=True)


@_jit
def ldexp(x, n):
    """x * 2**n, rounded once."""
    bias: core.constexpr = _bias(x.dtype)
    width: core.constexpr = _mantissa(x.dtype)
    limit: core.constexpr = 4 * bias
    n = core.minimum(core.maximum(core.to_tensor(n), -limit), limit).to(core.int32)
    # Far results in steps; a step down leaves room so that only the last one rounds.
    for _ in core.static_range(2):
        up = n > bias
        down = n < 1 - bias
        x = core.where(up, x * 2.0 ** bias, core.where(down, x * 2.0 ** (width + 2 - bias), x))
        n = core.where(up, n - bias, core.where(down, n + (bias - width - 2), n))
    n = core.minimum(core.maximum(n, 1 - bias), bias)
    return x * _power_of_two(n, x.dtype)


scalbn = ldexp


# -- conversions and bits ----------------------------------------------------------------


def _bits_as(name: str, source: Any, target: Any) -> Any:
    def function(x: Any, _semantic: Any = None) -> tensor:
        return _semantic.bitcast(_semantic.cast(x, source), target)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The bits of {source} taken as {target}."
    return builtin(function)


int_as_float, float_as_int = (_bits_as("int_as_float", core.int32, core.float32),
                              _bits_as("float_as_int", core.float32, core.int32))
uint_as_float, float_as_uint = (_bits_as("uint_as_float", core.uint32, core.float32),
                                _bits_as("float_as_uint", core.float32, core.uint32))
longlong_as_double, double_as_longlong = (
    _bits_as("longlong_as_double", core.int64, core.float64),
    _bits_as("double_as_longlong", core.float64, core.int64))


def _conversion(name: str, source: Any, target: Any, rounding: str | None = None) -> Any:
    """From ``source`` to ``target``; floats are rounded to an integer first if asked."""
    def function(x: Any, _semantic: Any = None) -> tensor:
        x = _semantic.cast(x, source)
        if rounding is not None:
            x = _semantic.math(rounding, x)
        return _semantic.cast(x, target)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{source} to {target}."
    return builtin(function)


_SHORT = {"float": core.float32, "double": core.float64, "int": core.int32, "uint": core.uint32,
          "ll": core.int64, "ull": core.uint64}
_ROUNDINGS = {"rn": "rint", "rz": "trunc", "ru": "ceil", "rd": "floor"}


def _conversions() -> dict[str, Any]:
    made: dict[str, Any] = {}
    floats, integers = ("float", "double"), ("int", "uint", "ll", "ull")
    for source in floats:
        for target in integers:
            for suffix, rounding in _ROUNDINGS.items():
                name = f"{source}2{target}_{suffix}"
                made[name] = _conversion(name, _SHORT[source], _SHORT[target], rounding)
                name = f"{target}2{source}_{suffix}"
                exact = source == "double" and target in ("int", "uint")
                made[name] = _conversion(name, _SHORT[target], _SHORT[source]) \
                    if suffix == "rn" or exact else missing(f"tl.extra.libdevice.{name}")
    made["double2float_rn"] = _conversion("double2float_rn", core.float64, core.float32)
    for name in ("double2float_rz", "double2float_ru", "double2float_rd"):
        made[name] = missing(f"tl.extra.libdevice.{name}")
    return made


globals().update(_conversions())
llrint = _conversion("llrint", core.float64, core.int64, "rint")
llround = _conversion("llround", core.float64, core.int64, "round")


@_jit
def hiloint2double(hi, lo):
    bits = (hi.to(core.int64) << 32) | lo.to(core.uint32, bitcast=True).to(core.int64)
    return bits.to(core.float64, bitcast=True)


@_jit
def double2loint(x):
    return _to_bits(x).to(core.int32)


@_jit
def double2hiint(x):
    return (_to_bits(x) >> 32).to(core.int32)


# -- integers ----------------------------------------------------------------------------


@builtin
def clz(x: Any, _semantic: Any = None) -> tensor:
    """How many zeros are in front of the first 1."""
    return _semantic.count_bits("ctlz", x)


@builtin
def popc(x: Any, _semantic: Any = None) -> tensor:
    """How many bits are 1."""
    return _semantic.count_bits("ctpop", x)


@builtin
def _trailing(x: Any, _semantic: Any = None) -> tensor:
    return _semantic.count_bits("cttz", x)


@_jit
def ffs(x):
    """The place of the lowest 1, counted from 1; 0 where there is none."""
    return core.where(x == 0, 0, _trailing(x) + 1)


@constexpr_function
def _unsigned(dtype):
    return core.get_int_dtype(dtype.int_bitwidth, False)


@constexpr_function
def _stripes(width, step):
    """Bits in runs of ``step``: ones first, then zeros, up to ``width``."""
    return sum(1 << i for i in range(width) if i // step % 2 == 0)


@_jit
def _swap_stripes(bits, step: core.constexpr, mask: core.constexpr):
    return ((bits >> step) & mask) | ((bits & mask) << step)


@_jit
def brev(x):
    """The bits in reverse order."""
    width: core.constexpr = x.dtype.int_bitwidth
    bits = x.to(_unsigned(x.dtype), bitcast=True)
    for i in core.static_range(5 if width == 32 else 6):
        bits = _swap_stripes(bits, 1 << i, _stripes(width, 1 << i))
    return bits.to(x.dtype, bitcast=True)


@_jit
def mulhi(x, y):
    """The upper half of the product."""
    if x.dtype.is_int_signed():
        kind: core.constexpr = _unsigned(x.dtype)
        high = core.umulhi(x.to(kind, bitcast=True), y.to(kind, bitcast=True))
        high = high.to(x.dtype, bitcast=True)
        high = core.sub(high, core.where(x < 0, y, 0), sanitize_overflow=False)
        return core.sub(high, core.where(y < 0, x, 0), sanitize_overflow=False)
    else:
        return core.umulhi(x, y)


@_jit
def mul24(x, y):
    """The product of the lower 24 bits."""
    return core.mul((x << 8) >> 8, (y << 8) >> 8, sanitize_overflow=False)


@_jit
def sad(x, y, z):
    """|x - y| + z, as z is typed."""
    kind: core.constexpr = z.dtype
    forth = core.sub(x, y, sanitize_overflow=False)
    back = core.sub(y, x, sanitize_overflow=False)
    return core.add(core.where(x > y, forth, back).to(kind), z, sanitize_overflow=False)


@_jit
def byte_perm(x, y, s):
    """Four bytes of x (0 to 3) and y (4 to 7), picked by the digits of s."""
    low = x.to(core.uint32, bitcast=True).to(core.uint64)
    both = low | (y.to(core.uint32, bitcast=True).to(core.uint64) << 32)
    digits = s.to(core.uint32, bitcast=True).to(core.uint64)
    result = both & 0
    for i in core.static_range(4):
        byte = (both >> (((digits >> (4 * i)) & 7) * 8)) & 0xFF
        result = result | (byte << (8 * i))
    return result.to(core.uint32).to(x.dtype, bitcast=True)


@_jit
def hadd(x, y):
    """The mean, rounded down, without overflow."""
    return (x & y) + ((x ^ y) >> 1)


@_jit
def rhadd(x, y):
    """The mean, rounded up, without overflow."""
    return (x | y) - ((x ^ y) >> 1)


__all__ = [name for name in globals() if not name.startswith("_") and name not in (
    "Any", "Function", "annotations", "builtin", "constexpr_function", "core", "missing",
    "tensor")]
