"""Math beyond `tl.math`, with the names of CUDA's device library.

Floats are fp32 or fp64; fp16 and bf16 are computed in fp32 and rounded once. What cannot
be expressed with the compiler's operations to a few units in the last place is refused by
name.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable

from .. import core
from ..function import Function
from ..values import builtin, is_builtin, tensor
from .bits import *  # noqa: F401,F403
from .bits import copysign, isinf, missing, signbit

_jit = Function


def _of_floats(fn: Callable) -> Any:
    """Decorator: a jit function, computed in fp32 if all arguments are fp16 or all bf16."""
    inner, signature = Function(fn), inspect.signature(fn)

    def function(*args: Any, _semantic: Any = None, _generator: Any = None, **kwargs: Any) -> Any:
        values = list(signature.bind(*args, **kwargs).args)
        types = {v.dtype for v in values if isinstance(v, tensor)}
        if len(types) != 1 or not types <= {core.float16, core.bfloat16}:
            return _generator.call(inner, values, {})
        wide = [_semantic.cast(v, core.float32) if isinstance(v, tensor) else v for v in values]
        return _semantic.cast(_generator.call(inner, wide, {}), types.pop())

    function.__name__ = function.__qualname__ = fn.__name__
    function.__doc__ = fn.__doc__
    made = builtin(function)
    made.__signature__ = signature  # type: ignore[attr-defined]
    return made


def _unary(name: str) -> Any:
    def function(x: Any, _semantic: Any = None) -> tensor:
        return _semantic.math(name, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of each element."
    return builtin(function)


exp, exp2, expm1 = _unary("exp"), _unary("exp2"), _unary("expm1")
log, log2, log10, log1p = _unary("log"), _unary("log2"), _unary("log10"), _unary("log1p")
sin, cos, tan, atan = _unary("sin"), _unary("cos"), _unary("tan"), _unary("atan")
sinh, cosh, tanh, erf = _unary("sinh"), _unary("cosh"), _unary("tanh"), _unary("erf")
sqrt, rsqrt = _unary("sqrt"), _unary("rsqrt")
floor, ceil, trunc = _unary("floor"), _unary("ceil"), _unary("trunc")
round, rint = _unary("round"), _unary("rint")  # halves away from zero; halves to even
nearbyint = rint
# The hardware's rougher versions have no counterpart here.
fast_sinf, fast_cosf, fast_tanf, fast_tanhf = sin, cos, tan, tanh
fast_expf, fast_logf, fast_log2f, fast_log10f = exp, log, log2, log10
abs, fma, fast_dividef, umulhi = core.abs, core.fma, core.fdiv, core.umulhi


@builtin
def atan2(y: Any, x: Any, _semantic: Any = None) -> tensor:
    """The angle of the point (x, y)."""
    return _semantic.math("atan2", y, x)


@builtin
def fmod(x: Any, y: Any, _semantic: Any = None) -> tensor:
    """What is left of x after y was taken from it as often as it fits."""
    return _semantic.binary("mod", x, y)


@builtin
def pow(x: Any, y: Any, _semantic: Any = None) -> tensor:
    """x to the power of y, which may be an integer."""
    x = _semantic.to_tensor(x)
    return _semantic.math("pow", x, _semantic.cast(y, x.dtype))


fast_powf = pow


@builtin
def div_rn(x: Any, y: Any, _semantic: Any = None) -> tensor:
    """x / y, correctly rounded."""
    return _semantic.fdiv(x, y)


@builtin
def rcp_rn(x: Any, _semantic: Any = None) -> tensor:
    """1 / x, correctly rounded."""
    return _semantic.fdiv(core.constexpr(1.0), x)


sqrt_rn, fma_rn = sqrt, fma


@_jit
def min(x, y):
    return core.minimum(x, y)


@_jit
def max(x, y):
    return core.maximum(x, y)


@_jit
def saturatef(x):
    """Limited to [0, 1]; NaN gives 0."""
    return core.where(x > 0, core.minimum(x, 1.0), 0.0)


@_jit
def fdim(x, y):
    """x - y where that is positive, else 0."""
    return core.where(x <= y, 0.0, x - y)


# -- made of the others ------------------------------------------------------------------


@_of_floats
def asin(x):
    return atan2(x, sqrt((1 - x) * (1 + x)))


@_of_floats
def acos(x):
    return atan2(sqrt((1 - x) * (1 + x)), x)


@_of_floats
def asinh(x):
    a = core.abs(x)
    near = log1p(a + a * a / (1 + sqrt(a * a + 1)))
    return copysign(core.where(a < 268435456.0, near, log(a) + 0.6931471805599453), x)


@_of_floats
def acosh(x):
    t = x - 1
    near = core.where(t < 0, float("nan"), log1p(t + sqrt(2 * t + t * t)))
    return core.where(x < 268435456.0, near, log(x) + 0.6931471805599453)


@_of_floats
def atanh(x):
    a = core.abs(x)
    return copysign(0.5 * log1p(2 * a / (1 - a)), x)


@_of_floats
def cbrt(x):
    """The cube root: a guess by logarithms, then one step of Newton's method."""
    a = core.abs(x)
    y = exp2(log2(a) / 3)
    y = y - (y - a / (y * y)) / 3
    return core.where((a > 0) & (a < float("inf")), copysign(y, x), x)


@_of_floats
def rcbrt(x):
    return 1 / cbrt(x)


@_of_floats
def hypot(x, y):
    """sqrt(x*x + y*y) without overflow on the way."""
    a = core.maximum(core.abs(x), core.abs(y))
    s = (x / a) * (x / a) + (y / a) * (y / a)
    return core.where(isinf(a) | (a == 0), a, a * sqrt(s))


@_of_floats
def norm3d(x, y, z):
    a = core.maximum(core.maximum(core.abs(x), core.abs(y)), core.abs(z))
    s = (x / a) * (x / a) + (y / a) * (y / a) + (z / a) * (z / a)
    return core.where(isinf(a) | (a == 0), a, a * sqrt(s))


@_of_floats
def norm4d(x, y, z, w):
    a = core.maximum(core.maximum(core.abs(x), core.abs(y)),
                     core.maximum(core.abs(z), core.abs(w)))
    s = (x / a) * (x / a) + (y / a) * (y / a) + (z / a) * (z / a) + (w / a) * (w / a)
    return core.where(isinf(a) | (a == 0), a, a * sqrt(s))


@_of_floats
def rhypot(x, y):
    return 1 / hypot(x, y)


@_of_floats
def rnorm3d(x, y, z):
    return 1 / norm3d(x, y, z)


@_of_floats
def rnorm4d(x, y, z, w):
    return 1 / norm4d(x, y, z, w)


@_of_floats
def exp10(x):
    """10**x: the product with log2(10) in two parts, the small one to first order."""
    head: core.constexpr = 3.321928024291992 if x.dtype.is_fp32() else 3.321928094887362
    tail: core.constexpr = 7.059537016037032e-08 if x.dtype.is_fp32() else 1.661617516973592e-16
    whole = x * head
    rest = core.fma(x, head, -whole) + x * tail
    y = exp2(whole)
    return core.where((y > 0) & (y < float("inf")), y + y * (rest * 0.6931471805599453), y)


fast_exp10f = exp10


@_of_floats
def sinpi(x):
    """sin(pi * x), exact where that is 0, 1 or -1."""
    r = x - 2 * rint(x * 0.5)
    r = core.where(core.abs(r) > 0.5, copysign(1 - core.abs(r), r), r)
    return sin(r * 3.141592653589793)


@_of_floats
def cospi(x):
    """cos(pi * x), exact where that is 0, 1 or -1."""
    r = core.abs(x - 2 * rint(x * 0.5))
    return sin((0.5 - r) * 3.141592653589793)


@_of_floats
def remainder(x, y):
    """x - n*y for the integer n nearest to x/y, the even one of two."""
    a = core.abs(x)
    b = core.abs(y)
    twice = b + b
    r = core.where(twice < float("inf"), fmod(a, twice), a + 0 * a)
    # b - r is exact where r is near b / 2 or above.
    first = r > b - r
    r = core.where(first, r - b, r)
    r = core.where(first & (r >= b - r), r - b, r)
    return core.where(y != y, y, core.where(signbit(x) != 0, -r, r))


# -- not there yet -----------------------------------------------------------------------

MISSING = """rcp64h rsqrt_rn j0 j1 y0 y1 yn jn cyl_bessel_i0 cyl_bessel_i1 erfinv erfc erfcx erfcinv
    normcdfinv normcdf lgamma tgamma""".split() + [
    f"{name}_{rounding}" for name in ("fma", "div", "rcp", "sqrt") for rounding in ("rz", "rd", "ru")
] + [f"{name}_{rounding}" for name in ("add", "mul", "sub") for rounding in ("rn", "rz", "rd", "ru")]
globals().update({name: missing(f"tl.extra.libdevice.{name}") for name in MISSING})

__all__ = [name for name in globals() if not name.startswith("_") and name not in (
    "Any", "Callable", "Function", "MISSING", "annotations", "builtin", "core", "inspect",
    "is_builtin", "missing", "tensor")]


def _show_parameters(fn: Any) -> None:
    """Who asks for the signature sees what kernels pass."""
    signature = inspect.signature(fn)
    fn.__signature__ = signature.replace(parameters=[
        p for p in signature.parameters.values() if p.name not in ("_semantic", "_generator")])


for _fn in [globals()[name] for name in __all__]:
    # tl.abs and others are here too, and not ours.
    if is_builtin(_fn) and _fn.__module__.startswith(__name__.rpartition(".")[0]):
        _show_parameters(_fn)
