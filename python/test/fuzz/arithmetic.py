"""What operations of the language mean, on numpy arrays: exact, and written independently."""

from __future__ import annotations

from typing import Callable

import ml_dtypes
import numpy as np

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("float16", "bfloat16", "float32", "float64")
NUMPY = {name: np.dtype(name) for name in (*INTEGERS, "float16", "float32", "float64")}
NUMPY |= {"int1": np.dtype(np.bool_), "bfloat16": np.dtype(ml_dtypes.bfloat16)}


def bits(dtype: str) -> int:
    return 1 if dtype == "int1" else NUMPY[dtype].itemsize * 8


def limits(dtype: str) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


# -- conversions -----------------------------------------------------------------------


def _to_odd(x: np.ndarray, collapsed: int) -> np.ndarray:
    """Magnitudes as uint64 that keep their upper bits; bits lost are or-ed into the last kept."""
    low = np.uint64((1 << collapsed) - 1)
    sticky = ((x & low) != 0).astype(np.uint64) << np.uint64(collapsed)
    return (x & ~low) | sticky


def _float64_to_bfloat16(x: np.ndarray) -> np.ndarray:
    """Rounded once: through float32 rounded to odd, which keeps the second rounding exact."""
    near = x.astype(np.float32)
    pattern = near.view(np.uint32)
    beyond = np.abs(near.astype(np.float64)) > np.abs(x)
    inexact = (near.astype(np.float64) != x) & ~np.isnan(x)
    pattern = np.where(beyond, pattern - 1, pattern)
    pattern = np.where(inexact, pattern | 1, pattern).astype(np.uint32)
    return pattern.view(np.float32).astype(NUMPY["bfloat16"])


def cast(x: np.ndarray, source: str, to: str) -> np.ndarray:
    x = np.asarray(x)
    if source == to:
        return x
    if to == "int1":
        return x != 0
    if source in FLOATS and to in INTEGERS:
        wide, (low, high) = x.astype(np.float64), limits(to)
        inside = (wide > low - 1.0) & (wide < high + 1.0)
        if high + 1.0 == float(high):  # 64 bits: the limit is no float64
            inside = (wide >= low) & (wide < float(high))
        whole = np.where(inside, np.trunc(wide), 0).astype(to)
        end = np.where(wide > 0, np.array(high, to), np.array(low, to))
        return np.where(inside | np.isnan(wide), whole, end).astype(to)
    if to == "bfloat16" and source == "float64":
        return _float64_to_bfloat16(np.atleast_1d(x)).reshape(x.shape)
    if to in ("bfloat16", "float16") and bits(source) >= 32 and source in INTEGERS:
        flat = np.atleast_1d(x)
        negative = flat < 0
        size = np.where(negative, ~flat.astype(np.uint64) + np.uint64(1), flat.astype(np.uint64))
        wide = np.where(size >> np.uint64(53) != 0, _to_odd(size, 11), size).astype(np.float64)
        return cast(np.where(negative, -wide, wide).reshape(x.shape), "float64", to)
    if to == "bfloat16":
        return x.astype(np.float32).astype(NUMPY[to])
    return x.astype(NUMPY[to])


def canonical(x: np.ndarray) -> np.ndarray:
    """NaN becomes 0 and -0.0 becomes 0.0, so that bits and order are what values say."""
    x = np.asarray(x)
    return np.where(x == x, x, np.zeros((), x.dtype)) + np.zeros((), x.dtype)


# -- two operands of one type ----------------------------------------------------------


def quotient(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Truncated a / b and the rest; x / 0 is all ones, x % 0 is x, MIN / -1 is MIN."""
    a, b = np.broadcast_arrays(a, b)
    divisor = np.where(b == 0, 1, b).astype(a.dtype)
    if a.dtype.kind == "i":
        least = np.iinfo(a.dtype).min
        divisor = np.where((a == least) & (b == -1), 1, divisor).astype(a.dtype)
    result = a // divisor
    result = result + ((a - result * divisor != 0) & ((a < 0) != (divisor < 0))).astype(a.dtype)
    result = np.where(b == 0, ~np.zeros((), a.dtype), result).astype(a.dtype)
    return result, np.where(b == 0, a, a - result * b).astype(a.dtype)


def _amount(b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A shift's amount as a small number, and whether it is the width or more."""
    width = b.dtype.itemsize * 8
    unsigned = b.view(f"u{b.dtype.itemsize}")
    over = unsigned >= width
    return np.where(over, 0, unsigned).astype(b.dtype), over


def shift_left(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    amount, over = _amount(np.asarray(b))
    return np.where(over, 0, a << amount).astype(a.dtype)


def shift_right(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    amount, over = _amount(np.asarray(b))
    sign = np.where(a < 0, -1, 0).astype(a.dtype) if a.dtype.kind == "i" else a.dtype.type(0)
    return np.where(over, sign, a >> amount).astype(a.dtype)


def high_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The upper half of the unsigned product, in Python's integers."""
    width = a.dtype.itemsize * 8
    mask = (1 << width) - 1
    pairs = np.broadcast_arrays(a, b)
    out = [((int(x) & mask) * (int(y) & mask)) >> width
           for x, y in zip(pairs[0].ravel().tolist(), pairs[1].ravel().tolist())]
    return np.array(out, f"u{a.dtype.itemsize}").view(a.dtype).reshape(pairs[0].shape)


BINARY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "+": lambda a, b: a ^ b if a.dtype == bool else a + b,
    "-": lambda a, b: a ^ b if a.dtype == bool else a - b,
    "*": lambda a, b: a & b if a.dtype == bool else a * b,
    "//": lambda a, b: quotient(a, b)[0],
    "%": lambda a, b: np.fmod(a, b) if a.dtype.kind == "f" else quotient(a, b)[1],
    "/": lambda a, b: a / b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "<<": shift_left, ">>": shift_right,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def extremum(name: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A number wins against NaN; zeros have no sign."""
    if a.dtype.kind in "biu":
        return np.minimum(a, b) if name == "min" else np.maximum(a, b)
    chosen = np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where(
        (a < b) if name == "min" else (a > b), a, b)))
    return chosen.astype(a.dtype) + np.zeros((), a.dtype)


# -- the type of a result --------------------------------------------------------------


def promoted(a: str, b: str, division: bool = False) -> str:
    """The type two tensors are computed in."""
    for name in ("float64", "float32", "float16"):
        if name in (a, b):
            return "float32" if division and name == "float16" else name
    if "bfloat16" in (a, b):
        return "bfloat16" if a == b and not division else "float32"
    signed = [t in SIGNED for t in (a, b)]
    if signed[0] == signed[1]:
        return a if bits(a) > bits(b) else b
    unsigned, other = (b, a) if signed[0] else (a, b)
    return unsigned if bits(unsigned) >= bits(other) else other


def widened(dtype: str) -> str:
    """The type of a value-only max or min."""
    if dtype in FLOATS:
        return "float32" if bits(dtype) < 32 else dtype
    return dtype if bits(dtype) >= 32 else "int32" if dtype in SIGNED else "uint32"


def indexed(dtype: str) -> str:
    return "float32" if dtype == "bfloat16" else dtype


def summed(dtype: str) -> str:
    return dtype if dtype in FLOATS else widened(dtype)


# -- along an axis ---------------------------------------------------------------------

Values = tuple[np.ndarray, ...]


def folded(values: Values, axis: int, combine: Callable[..., Values]) -> Values:
    """``combine`` from the left; it takes left elements, then right ones."""
    rows = [np.moveaxis(v, axis, 0) for v in values]
    state = tuple(r[0] for r in rows)
    for i in range(1, rows[0].shape[0]):
        state = combine(*state, *(r[i] for r in rows))
    return tuple(np.asarray(s, v.dtype) for s, v in zip(state, values))


def scanned(values: Values, axis: int, combine: Callable[..., Values], reverse: bool) -> Values:
    rows = [np.moveaxis(v, axis, 0) for v in values]
    if reverse:
        rows = [r[::-1] for r in rows]
    state = tuple(r[0] for r in rows)
    states = [state]
    for i in range(1, rows[0].shape[0]):
        state = combine(*state, *(r[i] for r in rows))
        states.append(state)
    out = [np.stack([np.asarray(s[k], v.dtype) for s in states]) for k, v in enumerate(values)]
    return tuple(np.moveaxis(o[::-1] if reverse else o, 0, axis) for o in out)
