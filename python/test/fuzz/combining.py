"""Statements in which elements meet each other: reductions, scans, sorting, products."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from .arithmetic import (FLOATS, INTEGERS, NUMPY, UNSIGNED, Values, cast, extremum, folded, indexed,
                         scanned, summed, widened)
from .elements import cast_to, finite, small
from .program import Array, For, Let, Type

if TYPE_CHECKING:
    from .generator import Generator

# Associative functions: source, how many values, and the same on numpy values.
COMBINES: dict[str, tuple[str, int, Callable[..., Values]]] = {
    "combine_product": ("(a, b):\n    return a * b", 1, lambda a, b: (a * b,)),
    "combine_first": ("(a, b):\n    return a", 1, lambda a, b: (a,)),
    "combine_last": ("(a, b):\n    return b", 1, lambda a, b: (b,)),
    "combine_and": ("(a, b):\n    return a & b", 1, lambda a, b: (a & b,)),
    "combine_nonzero": ("(a, b):\n    return tl.where(b != 0, b, a)", 1,
                        lambda a, b: (np.where(b != 0, b, a),)),
    "combine_larger": ("(a, i, b, j):\n    left = a >= b\n"
                       "    return tl.where(left, a, b), tl.where(left, i, j)", 2,
                       lambda a, i, b, j: (np.where(a >= b, a, b), np.where(a >= b, i, j))),
    "combine_affine": ("(m, c, n, d):\n    return m * n, n * c + d", 2,
                       lambda m, c, n, d: (m * n, n * c + d)),
    "combine_flagged": ("(v, f, w, e):\n    return tl.where(e != 0, w, v), f | e", 2,
                        lambda v, f, w, e: (np.where(e != 0, w, v), f | e)),
}


def _axis(g: Generator, type: Type) -> tuple[int, tuple[int, ...]]:
    axis = g.draw.randrange(len(type.shape))
    return axis, type.shape[:axis] + type.shape[axis + 1:]


def _whole(v: np.ndarray) -> np.ndarray:
    return v.reshape(-1)


def total(g: Generator) -> str:
    """sum, max, min, xor_sum or reduce_or, of an axis or of all."""
    draw = g.draw
    which = draw.choice(["sum", "sum", "max", "min", "xor_sum", "reduce_or"])
    if which in ("xor_sum", "reduce_or"):
        name = g.any(["int1", *INTEGERS], block=True)
        result = g.type(name).dtype
    else:
        name = g.any(block=True)
        if which == "sum" and g.type(name).dtype in FLOATS:
            name = small(g, g.type(name).shape, draw.choice(["float32", "float64"]))
        name = finite(g, name)
        dtype = g.type(name).dtype
        result = summed(dtype) if which == "sum" else widened(dtype)
    source = g.type(name)
    axis, shape = _axis(g, source)
    whole = draw.random() < 0.3
    keep = not whole and draw.random() < 0.2
    if whole:
        axis, shape = 0, ()
    if keep:
        shape = source.shape[:axis] + (1,) + source.shape[axis + 1:]

    def combine(a: np.ndarray, b: np.ndarray) -> Values:
        if which == "sum":
            return (a + b,)
        if which in ("max", "min"):
            return (extremum(which, a, b),)
        return (a ^ b if which == "xor_sum" else a | b,)

    def value(m: Any, v: np.ndarray) -> np.ndarray:
        v = cast(v, source.dtype, result)
        found = folded((_whole(v) if whole else v,), axis, combine)[0]
        return np.expand_dims(found, axis) if keep else found

    text = f"tl.{which}({{0}}, {'None' if whole and which != 'reduce_or' else axis}" \
           f"{', keep_dims=True' if keep else ''})"
    if whole and which == "reduce_or":
        text = "tl.reduce_or(tl.ravel({0}), 0)"
    return finite(g, g.let(Type(result, shape), [name], text, value))


def position(g: Generator) -> str:
    """argmax or argmin, or max and min with the index."""
    name = finite(g, g.any([*INTEGERS, *FLOATS], block=True))
    source = g.type(name)
    axis, shape = _axis(g, source)
    which = g.draw.choice(["max", "min"])
    index = np.argmax if which == "max" else np.argmin
    if g.draw.random() < 0.5:
        return g.let(Type("int32", shape), [name], f"tl.arg{which}({{0}}, {axis})",
                     lambda m, v: index(v, axis).astype(np.int32))
    found = indexed(source.dtype)

    def value(m: Any, v: np.ndarray) -> Values:
        v = cast(v, source.dtype, found)
        return (v.max(axis) if which == "max" else v.min(axis)), index(v, axis).astype(np.int32)

    return g.let([Type(found, shape), Type("int32", shape)], [name],
                 f"tl.{which}({{0}}, {axis}, return_indices=True)", value)[1]


def _operands(g: Generator, combine: str, count: int) -> list[str]:
    first = g.any(list(INTEGERS), block=True)
    type = g.type(first)
    dtype = type.dtype
    if count == 2 and combine != "combine_affine":
        dtype = g.draw.choice([d for d in g.dtypes if d in INTEGERS])
    return [first] + [g.value(type.shape, dtype)] * (count - 1)


def custom(g: Generator) -> None:
    """reduce or associative_scan with a function of the program's own."""
    combine = g.draw.choice(list(COMBINES))
    source, count, function = COMBINES[combine]
    operands = _operands(g, combine, count)
    types = [g.type(n) for n in operands]
    axis, shape = _axis(g, types[0])
    g.program.combines[combine] = f"def {combine}{source}"
    inputs = "{0}" if count == 1 else "({0}, {1})"
    if g.draw.random() < 0.5:
        results = [Type(t.dtype, shape) for t in types]
        text = f"tl.reduce({inputs}, {axis}, {combine})"
        value: Callable[..., Any] = lambda m, *v: folded(v, axis, function)  # noqa: E731
    else:
        results, reverse = types, g.draw.random() < 0.4
        text = f"tl.associative_scan({inputs}, {axis}, {combine}, reverse={reverse})"
        value = lambda m, *v: scanned(v, axis, function, reverse)  # noqa: E731
    g.let(results if count > 1 else results[0], operands, text, value, [combine])


def running(g: Generator) -> str:
    """cumsum or cumprod."""
    name = g.any(list(INTEGERS), block=True)
    source = g.type(name)
    if g.draw.random() < 0.3:
        name = small(g, source.shape, "float32")
        source = g.type(name)
    product = source.dtype in INTEGERS and g.draw.random() < 0.4
    axis, reverse = g.draw.randrange(len(source.shape)), g.draw.random() < 0.4
    result = source.dtype if product else summed(source.dtype)

    def value(m: Any, v: np.ndarray) -> np.ndarray:
        combine = (lambda a, b: (a * b,)) if product else (lambda a, b: (a + b,))
        return scanned((cast(v, source.dtype, result),), axis, combine, reverse)[0]

    return g.let(Type(result, source.shape), [name],
                 f"tl.cum{'prod' if product else 'sum'}({{0}}, {axis}, reverse={reverse})", value)


def sort(g: Generator) -> str | None:
    name = g.pick(lambda t: t.dtype != "int1" and len(t.shape) >= 1 and t.shape[-1] <= 32
                  and t.numel <= 256)
    if name is None:
        return None
    name = finite(g, name)
    type, down = g.type(name), g.draw.random() < 0.5
    if g.draw.random() < 0.7 or type.shape[-1] < 2:
        return g.let(type, [name], f"tl.sort({{0}}, descending={down})",
                     lambda m, v: np.flip(np.sort(v, -1), -1) if down else np.sort(v, -1))
    k = type.shape[-1] // 2
    return g.let(Type(type.dtype, (*type.shape[:-1], k)), [name], f"tl.topk({{0}}, {k})",
                 lambda m, v: np.flip(np.sort(v, -1), -1)[..., :k])


def gather(g: Generator) -> str:
    name = g.any(block=True)
    type = g.type(name)
    axis = g.draw.randrange(len(type.shape))
    index = g.value(type.shape, g.draw.choice(["int32", "int32", "int64", "uint8"]))
    kind, most = g.type(index).dtype, type.shape[axis] - 1
    most = min(most, 127)
    return g.let(type, [name, index], f"tl.gather({{0}}, {{1}} & {most}, {axis})",
                 lambda m, v, i: np.take_along_axis(
                     v, (i & NUMPY[kind].type(most)).astype(np.int64), axis))


def histogram(g: Generator) -> str:
    name = g.any(["int32", *UNSIGNED], block=True)
    type, bins = g.type(name), g.draw.choice([2, 8, 16])
    flat = g.let(Type(type.dtype, (type.numel,)), [name], f"tl.reshape({{0}}, [{type.numel}])",
                 lambda m, v: v.reshape(-1))
    if g.draw.random() < 0.5:
        mask = g.value((type.numel,), "int1")
        return g.let(Type("int32", (bins,)), [flat, mask],
                     f"tl.histogram({{0}}, {bins}, mask={{1}})", lambda m, v, k: np.array(
                         [((v == b) & k).sum() for b in range(bins)], np.int32))
    return g.let(Type("int32", (bins,)), [flat], f"tl.histogram({{0}}, {bins})",
                 lambda m, v: np.array([(v == b).sum() for b in range(bins)], np.int32))


def dot(g: Generator) -> str:
    draw = g.draw
    rows, inner, columns = (draw.choice([1, 2, 4, 8, 16, 16, 32]) for _ in range(3))
    batch = (2,) if draw.random() < 0.15 else ()
    dtype = draw.choice(["int8", "float16", "bfloat16", "float32", "float64"])
    result = {"int8": "int32", "float64": "float64"}.get(dtype, "float32")
    shapes = (*batch, rows, inner), (*batch, inner, columns)
    if dtype == "int8":
        operands = [g.value(s, dtype) for s in shapes]
    else:
        operands = [small(g, s, dtype) for s in shapes]
    out = Type(result, (*batch, rows, columns))
    if draw.random() < 0.4:
        acc = g.value(out.shape, result) if dtype == "int8" else small(g, out.shape, result)
        return g.let(out, [*operands, acc], "tl.dot({0}, {1}, {2})",
                     lambda m, a, b, c: c + np.matmul(cast(a, dtype, result),
                                                      cast(b, dtype, result)))
    return g.let(out, operands, "tl.dot({0}, {1})",
                 lambda m, a, b: np.matmul(cast(a, dtype, result), cast(b, dtype, result)))


def product_loop(g: Generator) -> str | None:
    """A product tile by tile along its inner axis, of arrays that all programs read."""
    draw, program = g.draw, g.program
    if not g.bounds or len(program.arrays) > 12:
        return None
    rows, inner, columns = (draw.choice([1, 4, 8, 16, 16, 32]) for _ in range(3))
    rounds, short = draw.choice([1, 2, 3]), draw.choice([0, 0, 1, 3])
    depth = max(1, inner * rounds - short)  # how far the inner axis goes
    dtype = draw.choice(["int8", "float16", "bfloat16", "float32", "float32", "float64"])
    result = {"int8": "int32", "float64": "float64"}.get(dtype, "float32")
    kind, sides = NUMPY[dtype], []
    for extent, along in ((rows, 1), (columns, 0)):
        name = f"m{len(program.arrays)}"
        turned = draw.random() < 0.3  # the inner axis is not the one it usually is
        close = (along == 1) != turned
        pitch = (depth if close else extent) + draw.choice([0, 0, 1, 8])
        outer, step = (pitch, 1) if close else (1, pitch)
        size = (extent - 1) * outer + (depth - 1) * step + 1
        data = np.array([draw.randint(-3, 3) for _ in range(size)]).astype(kind)
        program.buffers[f"b{name}"] = np.frombuffer(data.tobytes(), np.uint8)
        program.arrays.append(Array(name, dtype, f"b{name}", 0))
        g.frames[0][name] = Type("*" + dtype)
        sides.append((name, extent, outer, step))
    out = Type(result, (rows, columns))
    zero = NUMPY[result].type(0)
    acc = g.let(out, [], f"tl.zeros({list(out.shape)}, tl.{result})",
                lambda m: np.full(out.shape, zero))
    body: list[Any] = []
    var = g.fresh("i")
    with g.block(body):
        k = g.let(Type("int32"), [var], "tl.full([], {0}, tl.int32)", lambda m, i: i)
        g.fixed.add(k)
        at = g.let(Type("int32", (inner,)), [k], f"{{0}} * {inner} + tl.arange(0, {inner})",
                   lambda m, i: np.int32(i) * np.int32(inner) + np.arange(inner, dtype=np.int32))
        tiles = []
        for (name, extent, outer, step), first in zip(sides, (True, False)):
            here, there = ("[:, None]", "[None, :]") if first else ("[None, :]", "[:, None]")
            text = f"{{0}} + tl.arange(0, {extent}){here} * {outer} + {{1}}{there} * {step}"
            mask = f", mask={{1}}{there} < {depth}, other=0" if short else ""
            shape = (rows, inner) if first else (inner, columns)
            axis = 1 if first else 0

            def value(m: Any, p: np.ndarray, i: np.ndarray, n: int = extent, o: int = outer,
                      s: int = step, a: int = axis) -> np.ndarray:
                index = np.expand_dims(np.arange(n) * o, a) + np.expand_dims(i * s, 1 - a)
                inside = np.broadcast_to(np.expand_dims(i < depth, 1 - a), index.shape)
                return m.load(p + index * kind.itemsize, dtype, inside)

            tiles.append(g.let(Type(dtype, shape), [name, at], f"tl.load({text}{mask})", value))
        text = draw.choice(["tl.dot({1}, {2}, {0})", "{0} + tl.dot({1}, {2})"])
        body.append(Let((acc,), (out,), (acc, *tiles), text, lambda m, c, a, b: c + np.matmul(
            cast(a, dtype, result), cast(b, dtype, result))))
        if draw.random() < 0.2:
            g.statements(1)
    g.body.append(For(var, f"range({rounds})", (), lambda: range(rounds), body))
    return acc


def accumulate(g: Generator) -> str:
    """A sum over one axis that goes back to the whole shape: softmax without the exp."""
    name = g.any(list(INTEGERS), block=True)
    source = g.type(name)
    axis, result = g.draw.randrange(len(source.shape)), summed(source.dtype)
    reduced = g.let(Type(result, (*source.shape[:axis], 1, *source.shape[axis + 1:])), [name],
                    f"tl.sum({{0}}, {axis}, keep_dims=True)",
                    lambda m, v: cast(v, source.dtype, result).sum(axis, NUMPY[result],
                                                                   keepdims=True))
    wide = cast_to(g, name, result)
    return g.let(Type(result, source.shape), [wide, reduced], "{0} - {1}", lambda m, a, b: a - b)


PRODUCTIONS: dict[Callable[[Generator], object], float] = {
    total: 2.5, position: 0.6, custom: 1.2, running: 0.8, sort: 0.25, gather: 0.5, histogram: 0.2,
    dot: 0.7, product_loop: 0.5, accumulate: 0.6}
