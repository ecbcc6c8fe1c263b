"""Statements that move elements and compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable

import numpy as np

from .program import Type

if TYPE_CHECKING:
    from .generator import Generator

_MOST = 4096  # elements of a block


def spread(g: Generator, shape: tuple[int, ...], dtype: str) -> str | None:
    """A block of this type from something smaller that broadcasts, or of another shape."""
    draw, numel = g.draw, Type("", shape).numel
    found = g.pick(lambda t: t.dtype == dtype and t.shape != shape and (
        t.shape == () or t.numel == numel
        or any(t.shape == _without(shape, d) for d in range(len(shape)))))
    if found is None:
        return None
    type, result = g.type(found), Type(dtype, shape)
    if type.shape == ():
        text = draw.choice([f"tl.broadcast_to({{0}}, {list(shape)})",
                            f"tl.full({list(shape)}, {{0}}, tl.{dtype})"])
        return g.let(result, [found], text, lambda m, v: np.full(shape, v, v.dtype))
    if type.numel == numel and draw.random() < 0.9:
        return g.let(result, [found], f"tl.reshape({{0}}, {list(shape)})",
                     lambda m, v: v.reshape(shape))
    axes = [d for d in range(len(shape)) if type.shape == _without(shape, d)]
    if not axes:
        return None
    axis = draw.choice(axes)
    return g.let(result, [found],
                 f"tl.broadcast_to(tl.expand_dims({{0}}, {axis}), {list(shape)})",
                 lambda m, v: np.broadcast_to(np.expand_dims(v, axis), shape))


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return shape[:axis] + shape[axis + 1:]


def reshape(g: Generator) -> str:
    name = g.any(block=True)
    type = g.type(name)
    factors, rest = [], type.numel
    for _ in range(g.draw.choice([1, 2, 2, 3]) - 1):
        part = 1 << g.draw.randrange(rest.bit_length())
        factors.append(part)
        rest //= part
    shape = tuple([*factors, rest])
    return g.let(Type(type.dtype, shape), [name], f"tl.reshape({{0}}, {list(shape)})",
                 lambda m, v: v.reshape(shape))


def permute(g: Generator) -> str | None:
    name = g.pick(lambda t: len(t.shape) >= 2)
    if name is None:
        name = reshape(g)
    type = g.type(name)
    order = list(range(len(type.shape)))
    g.draw.shuffle(order)
    text = "tl.trans({0})" if order == [1, 0] else f"tl.permute({{0}}, {order})"
    return g.let(Type(type.dtype, tuple(type.shape[d] for d in order)), [name], text,
                 lambda m, v: np.transpose(v, order))


def expand(g: Generator) -> str:
    """With a dimension of extent 1, or repeated along one."""
    name = g.any(block=True)
    type = g.type(name)
    if len(type.shape) >= 3:
        return name
    axis = g.draw.randrange(len(type.shape) + 1)
    again = g.draw.choice([1, 1, 2, 8, 16])
    shape = list(type.shape)
    shape.insert(axis, again if type.numel * again <= _MOST else 1)
    text = f"tl.expand_dims({{0}}, {axis})"
    if shape[axis] != 1:
        text = f"tl.broadcast_to({text}, {shape})"
    return g.let(Type(type.dtype, tuple(shape)), [name], text,
                 lambda m, v: np.broadcast_to(np.expand_dims(v, axis), shape))


def join(g: Generator) -> str:
    left = g.any(block=True)
    type = g.type(left)
    if type.numel * 2 > _MOST or len(type.shape) > 3:
        return left
    right = g.value(type.shape, type.dtype)
    return g.let(Type(type.dtype, (*type.shape, 2)), [left, right], "tl.join({0}, {1})",
                 lambda m, a, b: np.stack([a, b], -1))


def split(g: Generator) -> None:
    name = g.pick(lambda t: len(t.shape) >= 1 and t.shape[-1] == 2)
    if name is None:
        found = g.pick(lambda t: t.numel >= 2 and len(t.shape) >= 1)
        if found is None:
            return
        shape = (g.type(found).numel // 2, 2)
        name = g.let(Type(g.type(found).dtype, shape), [found],
                     f"tl.reshape({{0}}, {list(shape)})", lambda m, v: v.reshape(shape))
    type = g.type(name)
    half = Type(type.dtype, type.shape[:-1])
    g.let([half, half], [name], "tl.split({0})", lambda m, v: (v[..., 0], v[..., 1]))


def interleave(g: Generator) -> str:
    left = g.any(block=True)
    type = g.type(left)
    if type.numel * 2 > _MOST:
        return left
    right = g.value(type.shape, type.dtype)
    shape = (*type.shape[:-1], type.shape[-1] * 2)
    return g.let(Type(type.dtype, shape), [left, right], "tl.interleave({0}, {1})",
                 lambda m, a, b: np.stack([a, b], -1).reshape(shape))


def cat(g: Generator) -> str:
    left = g.any(block=True)
    type = g.type(left)
    if type.numel * 2 > _MOST:
        return left
    right = g.value(type.shape, type.dtype)
    axis = g.draw.randrange(len(type.shape))
    shape = list(type.shape)
    shape[axis] *= 2
    return g.let(Type(type.dtype, tuple(shape)), [left, right], f"tl.cat({{0}}, {{1}}, dim={axis})",
                 lambda m, a, b: np.concatenate([a, b], axis))


def flip(g: Generator) -> str:
    name = g.any([d for d in g.dtypes if d != "int1"], block=True)
    type = g.type(name)
    axis = g.draw.randrange(len(type.shape))
    return g.let(type, [name], f"tl.flip({{0}}, {axis})", lambda m, v: np.flip(v, axis))


PRODUCTIONS: dict[Callable[[Generator], object], float] = {
    reshape: 1, permute: 1.5, expand: 0.7, join: 0.4, split: 0.4, interleave: 0.3, cat: 0.3,
    flip: 0.4}
