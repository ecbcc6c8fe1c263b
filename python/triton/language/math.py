"""`tl.math`: the elementwise functions under their module name."""

from .elementwise import MATH as __all__  # noqa: F401
from .elementwise import (  # noqa: F401
    abs, ceil, cos, div_rn, erf, exp, exp2, fdiv, floor, fma, log, log2, rsqrt, sin, sqrt, sqrt_rn,
    umulhi,
)
