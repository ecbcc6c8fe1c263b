"""Statements that decide which others run, how often, and what names hold afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import accesses, elements
from .arithmetic import BINARY, NUMPY, cast
from .program import Ended, For, Function, If, Let, Statement, Type, While

if TYPE_CHECKING:
    from .generator import Generator

_INT32 = Type("int32")


def condition(g: Generator) -> tuple[str, tuple[str, ...], Callable[..., Any]]:
    """A scalar test: text, names, value."""
    if g.draw.random() < 0.4:
        return "{0}", (g.value((), "int1"),), lambda c: c
    name = g.value((), g.draw.choice(["int32", "int32", "int64", "uint8"]))
    k = g.draw.choice([1, 2, 3])
    return f"({{0}} & {k}) == 0", (name,), lambda v: (v & v.dtype.type(k)) == 0


def assign(g: Generator) -> None:
    """A name from outside the block gets another value of its type; or some change places."""
    outer = [n for frame in g.frames[:-1] for n, t in frame.items()
             if n not in g.fixed and t.dtype[0] != "*"]
    if not outer:
        return
    first = g.draw.choice(outer)
    type = g.type(first)
    same = [n for n in outer if g.type(n) == type]
    if len(same) > 1 and g.draw.random() < 0.4:
        chosen = g.draw.sample(same, min(len(same), g.draw.choice([2, 2, 3])))
        rotated = chosen[1:] + chosen[:1]
        g.body.append(Let(tuple(chosen), (type,) * len(chosen), tuple(rotated),
                          ", ".join(f"{{{i}}}" for i in range(len(chosen))), lambda m, *v: v))
        return
    source = g.value(type.shape, type.dtype)
    if g.draw.random() < 0.5 and source != first:
        _add_to(g, first, source)
    elif source != first:
        g.body.append(Let((first,), (type,), (source,), "{0}", lambda m, v: v))
        g.unread.discard(source)


def _add_to(g: Generator, name: str, source: str) -> None:
    type = g.type(name)
    operator = "^" if type.dtype == "int1" else "+"
    g.body.append(Let((name,), (type,), (name, source), f"{{0}} {operator} {{1}}",
                      lambda m, a, b: BINARY[operator](a, b)))
    g.unread.discard(source)


def _inside(g: Generator) -> None:
    """Some statements, of whose results some are seen outside."""
    g.statements(g.draw.choice([1, 2, 3, 4, 5]))
    for _ in range(g.draw.choice([0, 1, 1, 2])):
        assign(g)
    for name in [n for n in g.frames[-1] if n in g.unread and g.type(n).dtype[0] != "*"]:
        type = g.type(name)
        outer = [n for frame in g.frames[:-1] for n, t in frame.items()
                 if n not in g.fixed and t.dtype[0] != "*" and t.shape in (type.shape, ())]
        if not outer or g.draw.random() < 0.3:
            continue
        into = g.draw.choice([n for n in outer if g.type(n).shape == type.shape] or outer)
        if g.type(into).shape != type.shape:
            name = elements.cast_to(g, name, "int32")
            name = g.let(_INT32, [name], "tl.xor_sum({0}, None)",
                         lambda m, v: np.bitwise_xor.reduce(v, None))
        _add_to(g, into, elements.cast_to(g, name, g.type(into).dtype))


def for_loop(g: Generator) -> None:
    if g.depth >= 3:
        return
    if g.draw.random() < 0.7:  # something to carry
        g.any(block=True)
    draw, var = g.draw, g.fresh("i")
    low, trips, step = draw.choice([0, 0, 0, 1, -2]), draw.choice([0, 1, 2, 2, 3, 4]), 1
    kind = draw.choice(["range", "range", "tl.range", "tl.static_range", "down", "data"])
    if g.depth >= 2 or kind == "tl.static_range":
        trips = min(trips, 2)
    args: tuple[str, ...] = ()
    if kind == "data":
        args = (g.value((), draw.choice(["int32", "int32", "int64", "uint8"])),)
        header, bounds = "range({0} & 3)", lambda v: range(int(v) & 3)
    elif kind == "down":
        header, bounds = f"range({low + trips}, {low}, -1)", lambda: range(low + trips, low, -1)
    else:
        step = draw.choice([1, 1, 1, 2, 5])
        end = low + step * trips - draw.choice([0, step - 1])
        options = draw.choice(["", "", ", num_stages=2", ", loop_unroll_factor=2"]) \
            if kind == "tl.range" else ""
        header, bounds = f"{kind}({low}, {end}, {step}{options})", lambda: range(low, end, step)
    body: list[Statement] = []
    with g.block(body):
        # What it is a constant or a wider value of, is an int32 for all that follows.
        inner = g.let(_INT32, [var], "tl.full([], {0}, tl.int32)", lambda m, i: i)
        g.fixed.add(inner)
        _inside(g)
    g.body.append(For(var, header, args, bounds, body))


def while_loop(g: Generator) -> None:
    if g.depth >= 3:
        return
    rounds = g.draw.choice([0, 1, 2, 3])
    counter = g.let(_INT32, [], f"tl.full([], {rounds}, tl.int32)", lambda m: np.int32(rounds))
    g.fixed.add(counter)
    text, args, holds = "{0} > 0", (counter,), lambda c: c > 0
    if g.draw.random() < 0.5:
        other = g.value((), g.draw.choice(["int32", "int64"]))
        k = g.draw.choice([1, 3])
        text, args = f"({{0}} > 0) & ({{1}} % 4 != {k})", (counter, other)
        holds = lambda c, v: (c > 0) & (np.fmod(v, 4) != k)  # noqa: E731
    body: list[Statement] = []
    with g.block(body):
        _inside(g)
        body.append(Let((counter,), (_INT32,), (counter,), "{0} - 1",
                        lambda m, c: np.int32(c - 1)))
    g.body.append(While(text, args, holds, body))


def if_statement(g: Generator) -> None:
    if g.depth >= 3:
        return
    text, args, holds = condition(g)
    then: list[Statement] = []
    orelse: list[Statement] = []
    with g.block(then):
        _inside(g)
    if g.draw.random() < 0.5:
        with g.block(orelse):
            _inside(g)
    g.body.append(If(text, args, holds, then, orelse))


def call(g: Generator) -> None:
    """A function of some values, perhaps of a pointer too, that is not inlined, or is."""
    if len(g.program.functions) >= 3 or g.depth >= 3:
        return
    noinline = g.draw.random() < 0.4  # then it takes no blocks
    given = [g.value((), g.draw.choice(g.dtypes)) if noinline else g.any()
             for _ in range(g.draw.choice([1, 2, 3]))]
    given = list(dict.fromkeys(given))
    arrays = [a for a in g.visible() if a in g.sizes]
    if arrays and g.draw.random() < 0.5:
        given.append(g.draw.choice(arrays))
    types = [g.type(n) for n in given]
    params = [f"a{i}" for i in range(len(given))]
    outside = g.frames, g.fixed, g.depth, g.sizes, g.element, g.bounds
    g.frames, g.fixed, g.depth, g.bounds = [dict(zip(params, types))], set(params), 1, []
    g.sizes = {p: outside[3][n] for p, n in zip(params, given) if n in outside[3]}
    g.element = {p: outside[4][n] for p, n in zip(params, given) if n in outside[4]}
    body: list[Statement] = []
    with g.block(body):
        g.statements(g.draw.choice([2, 3, 5]))
        results = [g.any() for _ in range(g.draw.choice([1, 1, 2]))]
        returned = [g.type(r) for r in results]
    g.frames, g.fixed, g.depth, g.sizes, g.element, g.bounds = outside
    name = g.fresh("f")
    g.program.functions.append(Function(name, tuple(params), body, tuple(results),
                                        noinline))
    text = f"{name}({', '.join(f'{{{i}}}' for i in range(len(given)))})"
    g.let(returned if len(returned) > 1 else returned[0], given, text,
          lambda m, *values: m.call(name, values), [name])


def leave(g: Generator) -> None:
    """Some programs of the grid end here."""
    if g.depth or not g.bounds:
        return
    values = [n for n in g.frames[0] if n in g.unread and g.type(n).dtype[0] != "*"]
    for name in values[:2]:
        accesses.keep(g, name)
    text, args, holds = condition(g)

    def end(m: Any) -> None:
        raise Ended

    g.body.append(If(text, args, holds, [Let((), (), (), "return", end)], []))


def ternary(g: Generator) -> str:
    left = g.any()
    type = g.type(left)
    args = [g.value((), "int1"), left, g.value(type.shape, type.dtype)]
    return g.let(type, args, "{1} if {0} else {2}", lambda m, c, a, b: a if bool(c) else b)


def tiles(g: Generator) -> None:
    """A loop over an array, tile by tile, up to a scalar argument; the last one is masked."""
    arrays = [a for a in g.visible() if a in g.sizes and g.element[a] != "int1"]
    if not arrays or not g.bounds or g.depth >= 2:
        return
    draw = g.draw
    source, target, bound = draw.choice(arrays), draw.choice(arrays), draw.choice(g.bounds)
    number, tile = g.program.scalars[bound][1], draw.choice([1, 2, 4, 8, 16, 64])
    shift = draw.choice([0, 0, 0, 1, 3])
    if max(number, 0) + shift > min(g.sizes[source], g.sizes[target]) or number > 200:
        return
    element, to = g.element[source], g.element[target]
    result, var = Type(element, (tile,)), g.fresh("i")
    total = g.let(result, [g.value((tile,), element)], "{0}", lambda m, v: v)
    body: list[Statement] = []
    with g.block(body):
        start = g.let(_INT32, [var], "tl.full([], {0}, tl.int32)", lambda m, i: i)
        g.fixed.add(start)
        at = g.let(Type("int32", (tile,)), [start], f"{{0}} + tl.arange(0, {tile})",
                   lambda m, i: np.int32(i) + np.arange(tile, dtype=np.int32))
        mask = g.let(Type("int1", (tile,)), [at, bound], "{0} < {1}", lambda m, i, n: i < n)
        loaded = g.let(result, [source, at, mask], "tl.load({0} + {1}, mask={2}, other=0)",
                       lambda m, p, i, k: m.load(p + i.astype(np.int64) * NUMPY[element].itemsize,
                                                 element, k))
        body.append(Let((total,), (result,), (total, loaded), "{0} + {1}", lambda m, a, b: a + b))
        g.statements(draw.choice([0, 1, 2]))
        if draw.random() < 0.7:
            text = f"tl.store({{0}} + {shift} + {{1}}, {{2}}, mask={{3}})"
            g.effect([target, at, draw.choice([total, loaded]), mask], text,
                     lambda m, p, i, v, k: m.store(
                         p + (i.astype(np.int64) + shift) * NUMPY[to].itemsize,
                         cast(v, element, to), k))
    g.body.append(For(var, f"range(0, {{0}}, {tile})", (bound,), lambda n: range(0, int(n), tile),
                      body))


PRODUCTIONS: dict[Callable[[Generator], Any], float] = {
    for_loop: 1.2, while_loop: 0.6, if_statement: 1.2, call: 0.6, assign: 1.5, leave: 0.15,
    ternary: 0.4, tiles: 0.8}
