"""Makes a random program from a seed: what it works on, names and values."""

from __future__ import annotations

import contextlib
import random
from typing import Any, Callable, Iterator, Sequence

import numpy as np

from . import accesses, combining, control, elements, rearranging
from .arithmetic import FLOATS, INTEGERS, NUMPY, bits, cast, limits
from .program import Array, Let, Program, Statement, Type

_INT32 = Type("int32")
_SHAPES = [(1,), (2,), (8,), (16,), (16,), (32,), (64,), (64,), (128,), (256,), (1024,),
           (4, 8), (8, 4), (8, 16), (16, 16), (16, 16), (1, 16), (32, 1), (32, 4), (2, 64),
           (64, 32), (2, 4, 8), (8, 2, 4), (4, 4, 4), (1, 8, 4), (4, 1, 16), (4096,),
           (64, 64), (2, 8, 2, 4)]


class Generator:
    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        draw = self.draw
        self.frames: list[dict[str, Type]] = [{}]
        self.fixed: set[str] = set()  # names that are not assigned again
        self.counter = self.depth = 0
        self.shapes = draw.sample(_SHAPES, draw.choice([1, 2, 2, 3]))
        if draw.random() < 0.3:
            self.shapes.append(())
        kinds = ["int1", *INTEGERS, *FLOATS]
        self.dtypes = draw.sample(kinds, draw.choice([2, 3, 4])) + ["int32"]
        self.program = Program([], {}, {}, grid=draw.choice([(1,), (1,), (3,), (7,), (2, 3)]),
                               at_end=draw.random() < 0.5)
        self.body = self.program.body
        self.sizes: dict[str, int] = {}  # elements of an array's part
        self.before: dict[str, int] = {}  # elements of that part in front of its pointer
        self.element: dict[str, str] = {}
        self.bounds: list[str] = []  # scalar arguments
        self.unread: set[str] = set()
        tables = (elements.PRODUCTIONS, rearranging.PRODUCTIONS, combining.PRODUCTIONS,
                  accesses.PRODUCTIONS, control.PRODUCTIONS)
        # Each program has some of the kinds of statements only, so that they meet more often.
        self.weights: dict[Callable[[Generator], Any], float] = {}
        for table in tables:
            scale = draw.choice([0.3, 1.0, 1.0, 2.5])
            for function, weight in table.items():
                if draw.random() < 0.7:
                    self.weights[function] = weight * scale
        for function in (elements.binary, accesses.load, accesses.store):
            self.weights.setdefault(function, 2.0)

    # -- names -------------------------------------------------------------------------

    def fresh(self, prefix: str = "v") -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def let(self, types: Type | Sequence[Type], args: Sequence[str], text: str,
            value: Callable[..., Any], calls: Sequence[str] = ()) -> Any:
        many = not isinstance(types, Type)
        types = tuple(types) if many else (types,)
        targets = tuple(self.fresh() for _ in types)
        self.body.append(Let(targets, types, tuple(args), text, value, tuple(calls)))
        self.frames[-1].update(zip(targets, types))
        self.unread.difference_update(args)
        self.unread.update(targets)
        return targets if many else targets[0]

    def effect(self, args: Sequence[str], text: str, value: Callable[..., Any]) -> None:
        self.body.append(Let((), (), tuple(args), text, value))
        self.unread.difference_update(args)

    def visible(self) -> dict[str, Type]:
        return {n: t for frame in self.frames for n, t in frame.items()}

    def type(self, name: str) -> Type:
        return self.visible()[name]

    def pick(self, accept: Callable[[Type], bool]) -> str | None:
        """A visible name, rather one that nothing reads yet, rather one of the latest."""
        found = [n for n, t in self.visible().items() if t.dtype[0] != "*" and accept(t)]
        if not found:
            return None
        if self.draw.random() < 0.5:
            found = [n for n in found if n in self.unread] or found
        return found[max(self.draw.randrange(len(found)) for _ in range(2))]

    def any(self, dtypes: Sequence[str] | None = None, block: bool = False) -> str:
        """A name of any of the program's shapes."""
        name = self.pick(lambda t: (dtypes is None or t.dtype in dtypes)
                         and (not block or bool(t.shape)))
        if name is not None and self.draw.random() < 0.85:
            return name
        shapes = [s for s in self.shapes if s or not block]
        wanted = [d for d in self.dtypes if dtypes is None or d in dtypes]
        return self.value(self.draw.choice(shapes), self.draw.choice(wanted or list(dtypes or ())))

    def value(self, shape: tuple[int, ...], dtype: str) -> str:
        """A name of this type, made if there is none."""
        draw = self.draw
        name = self.pick(lambda t: t == Type(dtype, shape))
        if name is not None and draw.random() < 0.8:
            return name
        choice = draw.random()
        if choice < 0.35:
            made = accesses.load_as(self, shape, dtype)
            if made is not None:
                return made
        if choice < 0.6:
            other = self.pick(lambda t: t.shape == shape and t.dtype != dtype)
            if other is not None:
                return elements.cast_to(self, other, dtype)
        if choice < 0.75 and shape:
            made = rearranging.spread(self, shape, dtype)
            if made is not None:
                return made
        if choice < 0.9 and shape:
            return elements.cast_to(self, accesses.positions(self, shape), dtype)
        text, number = self.literal(dtype)
        return self.let(Type(dtype, shape), [], f"tl.full({list(shape)}, {text}, tl.{dtype})",
                        lambda m: np.full(shape, number))

    def literal(self, dtype: str) -> tuple[str, Any]:
        """A number of this type, as text and as a numpy value."""
        draw = self.draw
        if dtype == "int1":
            chosen: Any = draw.random() < 0.5
        elif dtype in FLOATS:
            chosen = draw.choice([0.0, 1.0, -1.0, 0.5, 2.0, -3.25, 0.1, 1e4, 65504.0, float("inf")])
        else:
            low, high = limits(dtype)
            chosen = draw.choice([0, 1, 2, 3, 5, 7, 16, 100, high, low, high - 1,
                                  draw.randint(low, high), -1 if low else high // 2])
        kind = NUMPY[dtype]
        text = 'float("inf")' if chosen == float("inf") else repr(chosen)
        if dtype in FLOATS:
            with np.errstate(over="ignore"):
                return text, cast(np.asarray(chosen), "float64", dtype)
        return text, np.asarray(chosen, kind)

    # -- statements --------------------------------------------------------------------

    @contextlib.contextmanager
    def block(self, body: list[Statement]) -> Iterator[None]:
        outside, self.body = self.body, body
        self.frames.append({})
        self.depth += 1
        yield
        self.depth -= 1
        self.frames.pop()
        self.body = outside

    def statements(self, count: int) -> None:
        functions = list(self.weights)
        for _ in range(count):
            self.draw.choices(functions, [self.weights[f] for f in functions])[0](self)


# -- what a program works on -----------------------------------------------------------


def contents(draw: random.Random, dtype: str, count: int) -> np.ndarray:
    """Numbers of which some are near the ends of the type's range."""
    kind, style = NUMPY[dtype], draw.random()
    if dtype == "int1":
        return np.array([draw.random() < 0.5 for _ in range(count)])
    if dtype in FLOATS:
        special = [0.0, -0.0, 1.0, -1.5, 0.1, 3e4, -1e-5, float("inf"), float("-inf"), float("nan"),
                   1e-7, 2.0**-130, 127.5, -128.0, 3e9]
        if style < 0.4:
            numbers = [float(draw.randint(-8, 8)) for _ in range(count)]
        elif style < 0.8:
            numbers = [draw.gauss(0, 4) for _ in range(count)]
        else:
            numbers = [draw.choice(special) for _ in range(count)]
        with np.errstate(over="ignore"):
            return cast(np.array(numbers), "float64", dtype)
    low, high = limits(dtype)
    if style < 0.5:
        numbers = [draw.randint(max(low, -8), 8) for _ in range(count)]
    elif style < 0.8:
        numbers = [draw.randint(low, high) for _ in range(count)]
    else:
        numbers = [draw.choice([0, 1, 2, low, high, low + 1, high - 1, bits(dtype)])
                   for _ in range(count)]
    return np.array(numbers, kind)


def _memory(g: Generator) -> None:
    """Buffers, and arrays that begin somewhere in them: some overlap."""
    draw, program = g.draw, g.program
    programs = int(np.prod(program.grid))
    most = max(Type("", s).numel for s in g.shapes)
    for k in range(draw.choice([1, 2, 2, 3])):
        dtype = draw.choice(g.dtypes)
        views = [dtype]
        for _ in range(draw.choice([0, 0, 1, 2])):
            others = [d for d in g.dtypes if d in INTEGERS]
            mixed = dtype in INTEGERS and draw.random() < 0.3
            views.append(draw.choice(others) if mixed else dtype)
        widest = max(NUMPY[d].itemsize for d in views)
        count = most + draw.choice([0, 1, 3, most // 2, most])
        part = -(-(count * widest + 16) // 8) * 8
        total = part * programs
        data = contents(draw, dtype, total // NUMPY[dtype].itemsize)
        program.buffers[f"b{k}"] = np.frombuffer(data.tobytes(), np.uint8)
        for i, view in enumerate(views):
            size = NUMPY[view].itemsize
            start = draw.choice([0, 0, 1, 2, 5]) % max(1, 16 // size) * size if i or k else 0
            array = Array(f"p{len(program.arrays)}", view, f"b{k}", start)
            program.arrays.append(array)
            g.sizes[array.name] = (part - start) // size
            g.element[array.name] = view
            g.before[array.name] = start // size
            g.frames[0][array.name] = Type("*" + view)
            g.fixed.add(array.name)
            if programs > 1:
                stride = part // size
                g.body.append(Let(
                    (array.name,), (Type("*" + view),), (array.name, "pid"),
                    f"{{0}} + {{1}} * {stride}",
                    lambda m, p, i, s=stride, w=size: np.int64(p + int(i) * s * w)))


def generate(seed: int) -> Program:
    g = Generator(seed)
    draw, program = g.draw, g.program
    grid = program.grid
    text = "tl.program_id(0)" if len(grid) == 1 else \
        "tl.program_id(0) + tl.program_id(1) * tl.num_programs(0)"
    program.body.append(Let(("pid",), (_INT32,), (), text, lambda m: np.int32(m.pid)))
    g.frames[0]["pid"] = _INT32
    g.fixed.add("pid")
    most = max(Type("", s).numel for s in g.shapes)
    for k in range(draw.choice([1, 2, 2])):
        number = draw.choice([0, 1, 2, 3, 7, 16, 17, most, most - 1, most // 2, -1])
        program.scalars[f"n{k}"] = (_INT32, number)
        g.bounds.append(f"n{k}")
        g.let(_INT32, [f"n{k}"], "tl.full([], {0}, tl.int32)", lambda m, n: n)
    _memory(g)
    program.fusion = draw.random() < 0.2 and not any(d in FLOATS for d in g.dtypes)
    g.statements(draw.choice([4, 8, 12, 20, 30, 50]))
    values = [n for n, t in g.visible().items() if t.dtype[0] != "*" and n not in g.fixed]
    draw.shuffle(values)
    values.sort(key=lambda n: n not in g.unread)
    for name in values[:draw.choice([1, 2, 4, 6])]:
        accesses.keep(g, name)
    return program
