"""A random program: its tree, its source, and what it does to a model of memory."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Union

import numpy as np

from .arithmetic import NUMPY


class BadProgram(Exception):
    """The program does what the language leaves open: it says nothing about a compiler."""


class Ended(Exception):
    """A program returned."""


@dataclass(frozen=True)
class Type:
    """``dtype`` is a name of the language; a pointer's begins with ``*``."""

    dtype: str
    shape: tuple[int, ...] = ()

    @property
    def numel(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def numpy(self) -> np.dtype:
        return np.dtype(np.int64) if self.dtype[0] == "*" else NUMPY[self.dtype]


@dataclass
class Let:
    """``targets = text``, where ``{0}``, ``{1}`` are the names ``args``; or an effect."""

    targets: tuple[str, ...]
    types: tuple[Type, ...]
    args: tuple[str, ...]
    text: str
    value: Callable[..., Any]  # (machine, *values) -> a value for each target
    calls: tuple[str, ...] = ()


@dataclass
class For:
    var: str
    header: str  # "tl.range({0}, 4)"
    args: tuple[str, ...]
    bounds: Callable[..., range]  # of the values of args
    body: list[Statement]


@dataclass
class While:
    text: str
    args: tuple[str, ...]
    holds: Callable[..., Any]
    body: list[Statement]


@dataclass
class If:
    text: str
    args: tuple[str, ...]
    holds: Callable[..., Any]
    then: list[Statement]
    orelse: list[Statement]


Statement = Union[Let, For, While, If]


@dataclass
class Function:
    """A function that the kernel calls, with ``results`` as what it returns."""

    name: str
    params: tuple[str, ...]
    body: list[Statement]
    results: tuple[str, ...]
    noinline: bool


@dataclass
class Array:
    """An array argument: a view of a buffer, of which each program has its own part."""

    name: str
    dtype: str
    buffer: str
    start: int  # bytes into the buffer


@dataclass
class Program:
    arrays: list[Array]
    buffers: dict[str, np.ndarray]  # bytes, as they are before
    scalars: dict[str, tuple[Type, Any]]
    functions: list[Function] = field(default_factory=list)
    combines: dict[str, str] = field(default_factory=dict)  # name -> source
    body: list[Statement] = field(default_factory=list)
    grid: tuple[int, ...] = (1,)
    fusion: bool = False
    at_end: bool = True

    def used(self) -> list[str]:
        """The kernel's parameters that it reads, in order."""
        read = set(names_read(self.body))
        return [n for n in [*(a.name for a in self.arrays), *self.scalars] if n in read]

    def source(self) -> str:
        needed, bodies = set(), [self.body]
        for function in reversed(self.functions):
            if any(function.name in calls_of(b) for b in bodies):
                bodies.append(function.body)
                needed.add(function.name)
        called = {name for b in bodies for name in calls_of(b)}
        parts = ["import triton\nimport triton.language as tl\n"]
        parts += [f"\n\n@triton.jit\n{text}\n" for name, text in self.combines.items()
                  if name in called]
        for function in self.functions:
            if function.name not in needed:
                continue
            lines = list(_lines(function.body, 1))
            lines.append(f"    return {', '.join(function.results)}")
            decorator = "@triton.jit(noinline=True)" if function.noinline else "@triton.jit"
            parts.append(f"\n\n{decorator}\ndef {function.name}({', '.join(function.params)}):\n"
                         + "\n".join(lines) + "\n")
        lines = list(_lines(self.body, 1)) or ["    pass"]
        parts.append(f"\n\n@triton.jit\ndef kernel({', '.join(self.used())}):\n"
                     + "\n".join(lines) + "\n")
        return "".join(parts)


def _lines(body: Iterable[Statement], depth: int) -> Iterable[str]:
    indent = "    " * depth
    body = list(body)
    if not body:
        yield f"{indent}pass"
    for s in body:
        if isinstance(s, Let):
            left = f"{', '.join(s.targets)} = " if s.targets else ""
            yield f"{indent}{left}{s.text.format(*s.args)}"
            continue
        if isinstance(s, For):
            yield f"{indent}for {s.var} in {s.header.format(*s.args)}:"
            yield from _lines(s.body, depth + 1)
        elif isinstance(s, While):
            yield f"{indent}while {s.text.format(*s.args)}:"
            yield from _lines(s.body, depth + 1)
        else:
            yield f"{indent}if {s.text.format(*s.args)}:"
            yield from _lines(s.then, depth + 1)
            if s.orelse:
                yield f"{indent}else:"
                yield from _lines(s.orelse, depth + 1)


def blocks_of(s: Statement) -> list[list[Statement]]:
    return [] if isinstance(s, Let) else [s.then, s.orelse] if isinstance(s, If) else [s.body]


def all_statements(body: Iterable[Statement]) -> Iterable[Statement]:
    for s in body:
        yield s
        for block in blocks_of(s):
            yield from all_statements(block)


def names_read(body: Iterable[Statement]) -> Iterable[str]:
    for s in all_statements(body):
        yield from s.args


def calls_of(body: Iterable[Statement]) -> set[str]:
    return {c for s in all_statements(body) if isinstance(s, Let) for c in s.calls}


# -- evaluation ------------------------------------------------------------------------

_GAP, _STEPS = 1 << 16, 20000


class Machine:
    """Memory as one array of bytes with gaps between the buffers, and a program counter."""

    def __init__(self, program: Program) -> None:
        self.program, self.steps = program, 0
        self.base, at = {}, _GAP
        for name, data in program.buffers.items():
            self.base[name] = at
            at += -(-data.size // 64) * 64 + _GAP
        self.memory, self.valid = np.zeros(at, np.uint8), np.zeros(at, bool)
        for name, data in program.buffers.items():
            here = slice(self.base[name], self.base[name] + data.size)
            self.memory[here], self.valid[here] = data, True
        self.atomic: set[int] = set()  # addresses that programs share

    def run(self) -> dict[str, np.ndarray]:
        """The buffers after all programs."""
        program, size = self.program, 1
        for extent in program.grid:
            size *= extent
        with np.errstate(all="ignore"):
            for pid in range(size):
                self.pid = pid
                names: dict[str, Any] = {n: np.asarray(v, t.numpy)
                                         for n, (t, v) in program.scalars.items()}
                for a in program.arrays:
                    names[a.name] = np.asarray(self.base[a.buffer] + a.start, np.int64)
                with contextlib.suppress(Ended):
                    self.execute(program.body, names)
        return {name: self.memory[self.base[name]:self.base[name] + data.size]
                for name, data in program.buffers.items()}

    def call(self, name: str, args: tuple[Any, ...]) -> list[Any]:
        function = next(f for f in self.program.functions if f.name == name)
        names = dict(zip(function.params, args))
        self.execute(function.body, names)
        return [names[r] for r in function.results]

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise BadProgram("too many steps")

    def execute(self, body: list[Statement], names: dict[str, Any]) -> None:
        self._step()
        for s in body:
            self._step()
            args = [names[a] for a in s.args]
            if isinstance(s, Let):
                results = s.value(self, *args)
                if not s.targets:
                    continue
                results = results if isinstance(results, (tuple, list)) else (results,)
                for target, type, result in zip(s.targets, s.types, results):
                    result = np.asarray(result)
                    if result.shape != type.shape or result.dtype != type.numpy:
                        raise TypeError(f"{target}: {result.dtype}{result.shape}, not {type}: "
                                        f"{s.text.format(*s.args)}")
                    names[target] = result
            elif isinstance(s, For):
                outside = dict(names)
                for i in s.bounds(*args):
                    names[s.var] = np.asarray(i, np.int32)
                    self.execute(s.body, names)
                self._leave(outside, names)
            elif isinstance(s, While):
                outside = dict(names)
                while bool(s.holds(*(names[a] for a in s.args))):
                    self.execute(s.body, names)
                self._leave(outside, names)
            else:
                self.execute(s.then if bool(s.holds(*args)) else s.orelse, names)

    @staticmethod
    def _leave(outside: dict[str, Any], names: dict[str, Any]) -> None:
        for name in [n for n in names if n not in outside]:
            del names[name]

    # -- memory ------------------------------------------------------------------------

    def _bytes(self, address: np.ndarray, itemsize: int, mask: np.ndarray) -> np.ndarray:
        """Positions of the bytes of the elements that ``mask`` lets through."""
        at = address[mask][:, None] + np.arange(itemsize)
        if at.size and (at.min() < 0 or at.max() >= self.memory.size or not self.valid[at].all()):
            raise BadProgram("an access out of bounds")
        return at

    def load(self, address: np.ndarray, dtype: str, mask: Any = True, other: Any = 0) -> np.ndarray:
        shape, kind = address.shape, NUMPY[dtype]
        mask = np.broadcast_to(mask, shape)
        result = np.array(np.broadcast_to(np.asarray(other).astype(kind), shape))
        at = self._bytes(address, kind.itemsize, mask)
        if kind == bool:
            result[mask] = self.memory[at[:, 0]] != 0
        else:
            result[mask] = self.memory[at].view(kind)[:, 0]
        return result

    def store(self, address: np.ndarray, value: np.ndarray, mask: Any = True) -> None:
        mask = np.broadcast_to(mask, address.shape)
        value = np.broadcast_to(value, address.shape)
        at = self._bytes(address, value.dtype.itemsize, mask)
        if np.unique(at).size != at.size:
            raise BadProgram("two lanes of a store write the same element")
        data = np.ascontiguousarray(value[mask])
        self.memory[at] = data[:, None].view(np.uint8).reshape(at.shape)
