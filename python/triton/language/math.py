"""`tl.math`: the elementwise functions under their module name."""

from __future__ import annotations

import functools
from typing import Any, Callable, Sequence

from .elementwise import MATH as __all__  # noqa: F401
from .elementwise import (  # noqa: F401
    abs, ceil, cos, div_rn, erf, exp, exp2, fdiv, floor, fma, log, log2, rsqrt, sin, sqrt, sqrt_rn,
    umulhi,
)
from .values import tensor


def _check_dtype(dtypes: Sequence[str]) -> Callable:
    """Decorator of builtins: tensor arguments have one of these element types."""

    def decorate(fn: Callable) -> Callable:
        @functools.wraps(fn)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for value in (*args, *kwargs.values()):
                if isinstance(value, tensor) and value.dtype.name not in dtypes:
                    raise ValueError(f"Expected dtype {list(dtypes)} but got {value.dtype}")
            return fn(*args, **kwargs)

        return checked

    return decorate
