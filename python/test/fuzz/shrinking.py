"""Makes a failing program smaller while it fails in the same way."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Callable, Iterator

import numpy as np

from .program import For, Function, If, Let, Program, Statement, Type, blocks_of

_HINTS = re.compile(r", (cache_modifier|eviction_policy|volatile)='?[\w.]+'?")


def _edits(body: list[Statement], returned: tuple[str, ...] = ()) -> Iterator[list[Statement]]:
    """Bodies with one thing less, what takes away most first."""
    for size in (16, 8, 4, 2, 1):
        for begin in range(len(body) - size, -1, -size):
            yield body[:begin] + body[begin + size:]
    for i, s in reversed(list(enumerate(body))):
        for other in _instead(s):
            yield body[:i] + other + body[i + 1:]
        if isinstance(s, If):
            for then in _edits(s.then):
                yield body[:i] + [replace(s, then=then)] + body[i + 1:]
            for orelse in _edits(s.orelse):
                yield body[:i] + [replace(s, orelse=orelse)] + body[i + 1:]
        elif not isinstance(s, Let):
            for inner in _edits(s.body):
                yield body[:i] + [replace(s, body=inner)] + body[i + 1:]
        elif _HINTS.search(s.text):
            yield body[:i] + [replace(s, text=_HINTS.sub("", s.text))] + body[i + 1:]
        elif s.targets:
            for j in range(i - 1, -1, -1):  # an earlier value of the type takes its place
                earlier = body[j]
                if isinstance(earlier, Let) and len(s.targets) == 1 and earlier.types == s.types:
                    yield body[:i] + _renamed(body[i + 1:], s.targets[0], earlier.targets[0])


def _instead(s: Statement) -> Iterator[list[Statement]]:
    """Simpler statements in place of one."""
    if isinstance(s, If):
        yield s.then
        yield s.orelse
        if s.orelse:
            yield [replace(s, orelse=[])]
    elif isinstance(s, For):
        number = Let((s.var,), (Type("int32"),), (), "tl.full([], 0, tl.int32)",
                     lambda m: np.int32(0))
        yield [number, *s.body]
        for rounds in (1, 2):
            header = f"range({rounds})"
            if s.header != header:
                yield [For(s.var, header, (), lambda n=rounds: range(n), s.body)]
    elif not isinstance(s, Let):
        yield s.body
    elif s.targets and not s.text.startswith(("tl.full(", "tl.program_id")) \
            and all(t.dtype[0] != "*" for t in s.types):
        constants: list[Statement] = []
        for target, type in zip(s.targets, s.types):
            constants.append(Let((target,), (type,), (), f"tl.full({list(type.shape)}, 1, "
                                 f"tl.{type.dtype})", lambda m, t=type: np.ones(t.shape, t.numpy)))
        yield constants


def _renamed(body: list[Statement], old: str, new: str) -> list[Statement]:
    def args(s: Statement) -> tuple[str, ...]:
        return tuple(new if a == old else a for a in s.args)

    out: list[Statement] = []
    for s in body:
        s = replace(s, args=args(s))
        if isinstance(s, If):
            s = replace(s, then=_renamed(s.then, old, new), orelse=_renamed(s.orelse, old, new))
        elif not isinstance(s, Let):
            s = replace(s, body=_renamed(s.body, old, new))
        out.append(s)
    return out


def _defined(body: list[Statement], known: set[str]) -> bool:
    """Whether every name is assigned before it is read."""
    known = set(known)
    for s in body:
        if not known.issuperset(s.args):
            return False
        if isinstance(s, Let):
            known.update(s.targets)
        else:
            inside = known | {s.var} if isinstance(s, For) else known
            if not all(_defined(block, inside) for block in blocks_of(s)):
                return False
    return True


def _candidates(program: Program) -> Iterator[Program]:
    given = {a.name for a in program.arrays} | set(program.scalars)
    for body in _edits(program.body):
        if _defined(body, given):
            yield replace(program, body=body)
    for i, f in enumerate(program.functions):
        for body in _edits(f.body):
            if _defined(body, set(f.params)) and set(f.results) <= {*f.params, *_targets(body)}:
                changed: Function = replace(f, body=body)
                yield replace(program, functions=[*program.functions[:i], changed,
                                                  *program.functions[i + 1:]])
        if f.noinline:
            yield replace(program, functions=[*program.functions[:i], replace(f, noinline=False),
                                              *program.functions[i + 1:]])
    for i, a in enumerate(program.arrays):
        if any(b.buffer == a.buffer for b in program.arrays if b is not a):
            alone = replace(a, buffer=f"{a.buffer}x")
            yield replace(program, arrays=[*program.arrays[:i], alone, *program.arrays[i + 1:]],
                          buffers={**program.buffers, alone.buffer: program.buffers[a.buffer]})
    if program.grid != (1,):
        yield replace(program, grid=(1,))
    if program.fusion:
        yield replace(program, fusion=False)


def _targets(body: list[Statement]) -> set[str]:
    return {t for s in body if isinstance(s, Let) for t in s.targets}


def shrunk(program: Program, fails: Callable[[Program], bool], seconds: float = 60.0) -> Program:
    """The smallest program found for which ``fails`` still holds."""
    end, again = time.monotonic() + seconds, True
    while again and time.monotonic() < end:
        again = False
        for candidate in _candidates(program):
            if time.monotonic() > end:
                break
            if fails(candidate):
                program, again = candidate, True
                break
    return program
