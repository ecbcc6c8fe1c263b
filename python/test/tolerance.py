"""The one place that says how close a result has to be.

A sum of n products of numbers of unit size, each rounded to a format of unit roundoff u,
differs from the exact one by at most about n*u times the sum of magnitudes; rounding
errors being random, sqrt(n) of it is what is seen (N. Higham, Accuracy and Stability of
Numerical Algorithms, 2002, section 2.8). We allow 4 * sqrt(n) * u relative to the sum of
magnitudes, and one rounding to the result's format.
"""

from __future__ import annotations

import numpy as np

_ROUNDOFF = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24, "float64": 2.0**-53}


def roundoff(dtype: object) -> float:
    name = getattr(dtype, "name", None) or np.dtype(dtype).name
    return _ROUNDOFF.get(name, 0.0)


def assert_close(actual: np.ndarray, exact: np.ndarray, computed_in: object = None, terms: int = 1,
                 magnitude: object = None, ulps: float = 0.0) -> None:
    """``exact`` in float64 (or integers, compared exactly).

    ``computed_in``: the dtype of accumulation (the result's without it); ``magnitude``:
    sum of magnitudes where terms cancel; ``ulps``: error of functions used, in units of
    the accumulation dtype.
    """
    actual, exact = np.asarray(actual), np.asarray(exact)
    assert actual.shape == exact.shape, f"shape {actual.shape}, expected {exact.shape}"
    if roundoff(actual.dtype) == 0.0:
        np.testing.assert_array_equal(actual, exact)
        return
    u_result = roundoff(actual.dtype)
    u = roundoff(computed_in) if computed_in is not None else u_result
    exact = exact.astype(np.float64)
    size = np.abs(exact) if magnitude is None else np.asarray(magnitude, np.float64)
    got = actual.astype(np.float64)
    tiny = float(np.finfo(np.float32).tiny) if u_result > 2.0**-30 else 5e-324
    if u_result == 2.0**-11:
        tiny = 2.0**-24
    allowed = (4 * np.sqrt(terms) + 2 * ulps) * u * size + 2 * u_result * np.abs(exact) + tiny
    same = (got == exact) | (np.isnan(got) & np.isnan(exact))
    with np.errstate(invalid="ignore"):
        wrong = ~same & ~(np.abs(got - exact) <= allowed)
    if wrong.any():
        where = tuple(int(i[0]) for i in np.nonzero(wrong)) if wrong.ndim else ()
        raise AssertionError(
            f"{wrong.sum()} of {wrong.size} differ; first at {where}: got {got[where]!r}, expected "
            f"{exact[where]!r}, allowed {np.broadcast_to(allowed, got.shape)[where]!r}")
