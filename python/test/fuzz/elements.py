"""Statements that compute each element from others at the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import ml_dtypes
import numpy as np

from .arithmetic import (BINARY, COMPARISONS, FLOATS, INTEGERS, NUMPY, bits, canonical, cast,
                         extremum, high_product, promoted)
from .program import Type

if TYPE_CHECKING:
    from .generator import Generator


def cast_to(g: Generator, name: str, dtype: str) -> str:
    type = g.type(name)
    if type.dtype == dtype:
        return name
    return g.let(Type(dtype, type.shape), [name], f"{{0}}.to(tl.{dtype})",
                 lambda m, v: cast(v, type.dtype, dtype))


def finite(g: Generator, name: str) -> str:
    """Without NaN and -0.0, where what is done next would tell them apart."""
    type = g.type(name)
    if type.dtype not in FLOATS:
        return name
    return g.let(type, [name], "tl.where({0} == {0}, {0}, 0.0) + 0.0", lambda m, v: canonical(v))


def small(g: Generator, shape: tuple[int, ...], dtype: str, most: int = 7) -> str:
    """Small whole numbers of a float type: sums of them are exact."""
    name = g.value(shape, g.draw.choice([d for d in g.dtypes if d in INTEGERS]))
    source = g.type(name).dtype
    return g.let(Type(dtype, shape), [name], f"({{0}} & {most}).to(tl.{dtype})",
                 lambda m, v: cast(v & v.dtype.type(most), source, dtype))


def _operators(dtype: str) -> list[str]:
    if dtype == "int1":
        return ["&", "|", "^"]
    if dtype in FLOATS:
        return ["+", "-", "*", "/", "%", "+", "*"] if bits(dtype) >= 32 else ["+", "-", "*", "/"]
    return ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "+", "*", "-"]


def _computed(operator: str, a: str, b: str) -> Callable[..., np.ndarray]:
    """The operator on numpy values of two types, which are promoted first."""
    common = promoted(a, b, operator in ("/", "//", "%"))
    return lambda m, x, y: BINARY[operator](cast(x, a, common), cast(y, b, common))


def _together(g: Generator, name: str) -> tuple[str, tuple[int, ...]]:
    """Another operand: of the same shape, or one that broadcasts; and the result's shape."""
    shape, draw = g.type(name).shape, g.draw
    if draw.random() < 0.75:
        return shape, shape
    other = g.pick(lambda t: t.shape != shape and _broadcasts(t.shape, shape))
    if other is None:
        return (), shape
    return g.type(other).shape, np.broadcast_shapes(shape, g.type(other).shape)


def _broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    try:
        return int(np.prod(np.broadcast_shapes(a, b))) <= 4096
    except ValueError:
        return False


def binary(g: Generator) -> str:
    left = g.any()
    dtype = g.type(left).dtype
    shape, whole = _together(g, left)
    right = g.value(shape, dtype)
    operator = g.draw.choice(_operators(dtype))
    common = promoted(dtype, dtype, operator in ("/", "//", "%"))
    args = [left, right]
    if g.draw.random() < 0.3:
        args.reverse()
    return g.let(Type(common, whole), args, f"{{0}} {operator} {{1}}",
                 _computed(operator, dtype, dtype))


def mixed(g: Generator) -> str | None:
    """Operands of two types."""
    left = g.any()
    a = g.type(left).dtype
    right = g.pick(lambda t: t.shape == g.type(left).shape and t.dtype != a)
    if right is None:
        return None
    b = g.type(right).dtype
    common = promoted(a, b)
    operator = g.draw.choice([o for o in _operators(common) if o not in ("//", "%", ">>", "/")])
    if operator in ("&", "|", "^", "<<") and (a in FLOATS or b in FLOATS):
        operator = "+"
    return g.let(Type(common, g.type(left).shape), [left, right], f"{{0}} {operator} {{1}}",
                 _computed(operator, a, b))


def with_literal(g: Generator) -> str:
    name = g.any()
    type = g.type(name)
    operator = g.draw.choice(_operators(type.dtype) + (["<", "==", ">="]))
    text, number = g.literal(type.dtype)
    if operator in ("<<", ">>"):
        shift = g.draw.randrange(0, bits(type.dtype) + 1)
        text, number = str(shift), np.asarray(shift, NUMPY[type.dtype])
    common = promoted(type.dtype, type.dtype, operator in ("/", "//", "%"))
    if common != type.dtype:  # the literal is one of the wider type
        return g.let(Type(common, type.shape), [name], f"{{0}} {operator} 3.0",
                     lambda m, v: BINARY[operator](cast(v, type.dtype, common),
                                                   NUMPY[common].type(3.0)))
    result = "int1" if operator in COMPARISONS else common
    if text.startswith("-"):
        text = f"({text})"
    if g.draw.random() < 0.3:
        return g.let(Type(result, type.shape), [name], f"{text} {operator} {{0}}",
                     lambda m, v: BINARY[operator](np.asarray(number), v))
    return g.let(Type(result, type.shape), [name], f"{{0}} {operator} {text}",
                 lambda m, v: BINARY[operator](v, np.asarray(number)))


def compare(g: Generator) -> str:
    left = g.any()
    dtype = g.type(left).dtype
    shape, whole = _together(g, left)
    right = g.value(shape, dtype)
    operator = g.draw.choice(COMPARISONS)
    return g.let(Type("int1", whole), [left, right], f"{{0}} {operator} {{1}}",
                 _computed(operator, dtype, dtype))


def where(g: Generator) -> str:
    left = g.any()
    type = g.type(left)
    right = g.value(type.shape, type.dtype)
    chosen = g.value(type.shape if g.draw.random() < 0.8 else (), "int1")
    return g.let(type, [chosen, left, right], "tl.where({0}, {1}, {2})",
                 lambda m, c, x, y: np.where(c, x, y).astype(type.numpy))


def unary(g: Generator) -> str:
    name = g.any()
    type = g.type(name)
    table: dict[str, Any] = {"~{0}": lambda m, v: ~v}
    if type.dtype in FLOATS:
        table = {"-{0}": lambda m, v: -v, "tl.abs({0})": lambda m, v: np.abs(v)}
        if bits(type.dtype) >= 32:
            table |= {"tl.sqrt({0})": lambda m, v: np.sqrt(v),
                      "tl.floor({0})": lambda m, v: np.floor(v),
                      "tl.ceil({0})": lambda m, v: np.ceil(v)}
    elif type.dtype != "int1":
        table |= {"-{0}": lambda m, v: np.zeros((), v.dtype) - v,
                  "tl.abs({0})": lambda m, v: np.where(v < 0, np.zeros((), v.dtype) - v, v)}
    text = g.draw.choice(list(table))
    return g.let(type, [name], text, table[text])


def between(g: Generator) -> str:
    """minimum, maximum or clamp."""
    name = finite(g, g.any())
    type = g.type(name)
    other = finite(g, g.value(type.shape, type.dtype))
    result = Type("float32" if type.dtype == "bfloat16" else type.dtype, type.shape)
    which = g.draw.choice(["min", "max"])

    def value(m: Any, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return cast(extremum(which, a, b), type.dtype, result.dtype)

    return g.let(result, [name, other], f"tl.{which}imum({{0}}, {{1}})", value)


def with_nan(g: Generator) -> str | None:
    """The number of a number and a NaN."""
    name = g.any([d for d in FLOATS if d != "bfloat16"])
    type = g.type(name)
    other = g.value(type.shape, type.dtype)
    which = g.draw.choice(["min", "max"])
    return g.let(type, [name, other], f"tl.{which}imum({{0}}, {{1}}) + 0.0",
                 lambda m, a, b: extremum(which, a, b))


def convert(g: Generator) -> str:
    return cast_to(g, g.any(), g.draw.choice(["int1", *INTEGERS, *FLOATS, *g.dtypes * 3]))


def bitcast(g: Generator) -> str:
    name = finite(g, g.any([*INTEGERS, *FLOATS]))
    type = g.type(name)
    to = g.draw.choice([d for d in (*INTEGERS, *FLOATS) if bits(d) == bits(type.dtype)])
    result = Type(to, type.shape)
    made = g.let(result, [name], f"{{0}}.to(tl.{to}, bitcast=True)",
                 lambda m, v: np.asarray(v).view(result.numpy))
    return finite(g, made) if type.dtype not in FLOATS else made


def high(g: Generator) -> str:
    name = g.any([d for d in INTEGERS if bits(d) >= 32])
    type = g.type(name)
    return g.let(type, [name, g.value(type.shape, type.dtype)], "tl.umulhi({0}, {1})",
                 lambda m, a, b: high_product(a, b))


def mapped(g: Generator) -> str:
    """A scalar function that branches, of each element."""
    name = g.any(list(INTEGERS), block=True)
    type = g.type(name)
    other = g.value(type.shape, type.dtype)
    body = "def map_branches(a, b):\n    if a > b:\n        r = a - b\n    else:\n" \
           "        r = b * 2\n    return r ^ a"
    g.program.combines["map_branches"] = body
    two = np.ones((), type.numpy) + np.ones((), type.numpy)
    return g.let(type, [name, other], "tl.map_elementwise(map_branches, {0}, {1})",
                 lambda m, a, b: np.where(a > b, a - b, b * two).astype(a.dtype) ^ a,
                 ["map_branches"])


_NARROW = {"float8e5": (ml_dtypes.float8_e5m2, 57344.0),
           "float8e4nv": (ml_dtypes.float8_e4m3fn, 448.0)}


def through_narrow(g: Generator) -> str:
    """Rounded to 8 bits, where what is too large becomes the largest."""
    name = g.any(["float16", "bfloat16", "float32"])
    type, (narrow, (kind, most)) = g.type(name), g.draw.choice(list(_NARROW.items()))

    def value(m: Any, v: np.ndarray) -> np.ndarray:
        wide = np.clip(v.astype(np.float32), -most, most)
        return cast(wide.astype(kind).astype(np.float32), "float32", type.dtype)

    return g.let(type, [name], f"{{0}}.to(tl.{narrow}).to(tl.{type.dtype})", value)


def int_and_fraction(g: Generator) -> str:
    """Integers with a float literal are an fp32."""
    name = g.any(list(INTEGERS))
    type = g.type(name)
    operator = g.draw.choice(["+", "*", "-", "<"])
    return g.let(Type("int1" if operator == "<" else "float32", type.shape), [name],
                 f"{{0}} {operator} 0.5",
                 lambda m, v: BINARY[operator](cast(v, type.dtype, "float32"), np.float32(0.5)))


def ceiling(g: Generator) -> str:
    name = g.any(["int32", "int64"])
    divisor = g.draw.choice([1, 2, 3, 16, 100])
    return g.let(g.type(name), [name], f"tl.cdiv({{0}}, {divisor})",
                 lambda m, v: BINARY["//"](v + v.dtype.type(divisor - 1), v.dtype.type(divisor)))


PRODUCTIONS: dict[Callable[[Generator], Any], float] = {
    binary: 4, mixed: 1, with_literal: 2, compare: 1.5, where: 1.5, unary: 1, between: 0.7,
    with_nan: 0.3, convert: 2, bitcast: 0.5, high: 0.2, mapped: 0.2, through_narrow: 0.3,
    int_and_fraction: 0.3, ceiling: 0.3}
