"""Statements that read and write memory, through index maps of many kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from .arithmetic import INTEGERS, NUMPY, bits, cast
from .program import Array, For, Let, Type

if TYPE_CHECKING:
    from .generator import Generator


def _axis_text(axis: int, shape: tuple[int, ...], begin: int = 0) -> str:
    picked = ", ".join(":" if d == axis else "None" for d in range(len(shape)))
    text = f"tl.arange({begin}, {begin + shape[axis]})"
    return text if len(shape) == 1 else f"{text}[{picked}]"


def _along(axis: int, shape: tuple[int, ...], begin: int = 0) -> np.ndarray:
    view = [1] * len(shape)
    view[axis] = shape[axis]
    return np.arange(begin, begin + shape[axis], dtype=np.int32).reshape(view)


def affine(g: Generator, shape: tuple[int, ...], size: int, one_to_one: bool
           ) -> tuple[str, np.ndarray, int] | None:
    """An index map as text and as numbers in [0, span): strided, permuted, reversed."""
    draw, axes = g.draw, list(range(len(shape)))
    draw.shuffle(axes)
    if draw.random() < 0.5:
        axes = list(reversed(range(len(shape))))
    text, index, span = [], np.zeros(shape, np.int32), 1
    for d in axes:
        room = size // (span * max(1, Type("", shape).numel // (shape[d] or 1)))
        stride = span
        if draw.random() < 0.25:
            stride = span + draw.choice([0, 1, 3])
        if not one_to_one and draw.random() < 0.1:
            stride = 0
        if (shape[d] - 1) * stride + span > size or room < 0:
            stride = span
        term, numbers = _axis_text(d, shape), _along(d, shape)
        if draw.random() < 0.15:
            term, numbers = f"({shape[d] - 1} - {term})", shape[d] - 1 - numbers
        text.append(term if stride == 1 else f"{term} * {stride}")
        index = index + numbers * np.int32(stride)
        span = (shape[d] - 1) * stride + span if stride else span
    if span > size:
        return None
    draw.shuffle(text)
    return " + ".join(text) if text else "0", index, span


def _map(g: Generator, shape: tuple[int, ...], size: int, before: int, one_to_one: bool
         ) -> tuple[str, tuple[str, ...], Callable[..., np.ndarray]] | None:
    """An index of [0, size) for each element: text, names, value."""
    draw = g.draw
    made = affine(g, shape, size, one_to_one)
    if made is None:
        if one_to_one:
            return None
        made = affine(g, shape, 1 << 20, False)
        if made is None:
            return None
        text, index, _ = made
        return f"({text}) % {size}", (), lambda: index % size
    text, index, span = made
    kind = draw.choice(["plain"] * 5 + ["offset"] * 3
                       + ["rotated", "xor", "hashed", "scalar", "row"]
                       + ([] if one_to_one else ["data", "data", "halved", "clamped"]))
    power = 1 << (size.bit_length() - 1)
    if kind == "offset":
        offset = draw.randint(0, size - span)
        if before and draw.random() < 0.3:
            offset = -draw.randint(1, before)
        return f"{text} + {offset}", (), lambda: index + offset
    if kind == "rotated":
        by = draw.randrange(1, size + 1)
        return f"({text} + {by}) % {size}", (), lambda: (index + by) % size
    if kind == "xor" and span <= power and power > 1:
        by = draw.randrange(1, power)
        return f"({text}) ^ {by}", (), lambda: index ^ by
    if kind == "hashed" and span <= power:
        factor, by = draw.choice([3, 5, 37, 0x3779B1, -1640531535]), draw.choice([0, 1, 11])
        return f"(({text}) * {factor} + {by}) & {power - 1}", (), \
            lambda: (index * factor + by) & (power - 1)
    if kind == "scalar" and span < size:
        name = g.value((), "int32")
        room = 1 << ((size - span + 1).bit_length() - 1)
        return f"{text} + ({{0}} & {room - 1})", (name,), \
            lambda n: (index + (n & np.int32(room - 1))).astype(np.int32)
    if kind == "row" and shape and span < size:
        begin = draw.randrange(size - span + 1)  # an arange that does not begin at 0
        term = _axis_text(len(shape) - 1, shape)
        if term in text and "(" + str(shape[-1] - 1) + " - " + term not in text \
                and f"{term} * " not in text:
            return text.replace(term, _axis_text(len(shape) - 1, shape, begin)), (), \
                lambda: index + begin
    if kind == "data":
        dtype = draw.choice(["int32", "int32", "int64", "uint16"])
        low = min(power - 1, (1 << 15) - 1)
        convert = "" if dtype == "int32" else ".to(tl.int32)"
        return f"({{0}} & {low}){convert}", (g.value(shape, dtype),), \
            lambda v: (v & NUMPY[dtype].type(low)).astype(np.int32)
    if kind == "halved":
        return f"({text}) // 2", (), lambda: index // 2
    if kind == "clamped":
        end = draw.randrange(size)
        return f"tl.minimum({text}, {end})", (), lambda: np.minimum(index, end)
    return text, (), lambda: index


def positions(g: Generator, shape: tuple[int, ...]) -> str:
    """Small numbers that tell the elements apart."""
    made = affine(g, shape, 1 << 14, False)
    assert made is not None
    text, index, _ = made
    add, times = g.draw.choice([0, 0, -3, 100]), g.draw.choice([1, 1, 3, -1])
    return g.let(Type("int32", shape), [], f"({text}) * {times} + {add}",
                 lambda m: (index * times + add).astype(np.int32))


def _mask(g: Generator, shape: tuple[int, ...], index: str) -> str:
    """A mask as a name made of indices, of a scalar argument, or of data."""
    draw = g.draw
    if not shape:
        return g.value((), "int1")
    kind = draw.choice(["below", "below", "axes", "data", "parity", "scalar"])
    result = Type("int1", shape)
    if kind == "data":
        return g.value(shape, "int1")
    if kind == "scalar":
        return g.value((), "int1")
    if kind == "below":
        if not g.bounds:
            return _mask(g, shape, index)
        bound = draw.choice(g.bounds)
        offset = draw.choice([0, 0, 3])
        at = index if draw.random() < 0.5 else positions(g, shape)
        return g.let(result, [at, bound], f"{{0}} + {offset} < {{1}}" if offset else "{0} < {1}",
                     lambda m, i, n: i + offset < n)
    if kind == "parity":
        k = draw.choice([1, 3, 4])
        return g.let(result, [index], f"({{0}} & {k}) == 0",
                     lambda m, i: (i & i.dtype.type(k)) == 0)
    ends = [draw.randint(0, n) for n in shape]
    text = " & ".join(f"({_axis_text(d, shape)} < {e})" for d, e in enumerate(ends))
    value = np.ones(shape, bool)
    for d, e in enumerate(ends):
        value = value & (_along(d, shape) < e)
    return g.let(result, [], text, lambda m: value)


def _address(g: Generator, array: str, shape: tuple[int, ...], one_to_one: bool
             ) -> tuple[str, str] | None:
    """Names of the pointers and of the index they were made with."""
    made = _map(g, shape, g.sizes[array], g.before.get(array, 0), one_to_one)
    if made is None:
        return None
    text, names, value = made
    dtype = "int32"
    if not shape:
        text = f"tl.full([], {text}, tl.int32)"
    elif g.draw.random() < 0.15:
        text, dtype = f"({text}).to(tl.int64)", "int64"
    kind, element = NUMPY[dtype], NUMPY[g.element[array]]
    index = g.let(Type(dtype, shape), names, text,
                  lambda m, *v: np.asarray(value(*v)).astype(kind))
    pointers = g.let(Type("*" + g.element[array], shape), [array, index], "{0} + {1}",
                     lambda m, p, i: p + i.astype(np.int64) * element.itemsize)
    return pointers, index


def load_as(g: Generator, shape: tuple[int, ...], dtype: str | None) -> str | None:
    """A block of an array of this type (None: of any), perhaps masked."""
    visible = g.visible()
    arrays = [a for a in g.sizes if a in visible and dtype in (None, g.element[a])]
    if not arrays:
        return None
    array, draw = g.draw.choice(arrays), g.draw
    made = _address(g, array, shape, False)
    if made is None:
        return None
    pointers, index = made
    element = g.element[array]
    result = Type(element, shape)
    hint = draw.choice([""] * 12 + [", cache_modifier='.cg'", ", eviction_policy='evict_first'",
                                    ", volatile=True"])
    if draw.random() < 0.5:
        return g.let(result, [pointers], f"tl.load({{0}}{hint})",
                     lambda m, p: m.load(p, element))
    mask = _mask(g, shape, index)
    kind = draw.random()
    if kind < 0.4:
        return g.let(result, [pointers, mask], f"tl.load({{0}}, mask={{1}}{hint})",
                     lambda m, p, k: m.load(p, element, k))
    if kind < 0.8:
        text, number = g.literal(element)
        if element == "float64":  # the literal is an fp32 before
            number = np.asarray(np.float32(number))
        return g.let(result, [pointers, mask], f"tl.load({{0}}, mask={{1}}, other={text}{hint})",
                     lambda m, p, k: m.load(p, element, k, number))
    other = g.value(shape if draw.random() < 0.7 else (), element)
    return g.let(result, [pointers, mask, other], f"tl.load({{0}}, mask={{1}}, other={{2}}{hint})",
                 lambda m, p, k, o: m.load(p, element, k, o))


def load(g: Generator) -> None:
    load_as(g, g.draw.choice(g.shapes), None)


def _store(g: Generator, array: str, name: str) -> None:
    """Stores ``name``, converted, perhaps masked."""
    source, element = g.type(name), g.element[array]
    made = _address(g, array, source.shape, True)
    if made is None:
        return
    pointers, index = made

    def value(m: Any, p: np.ndarray, v: np.ndarray, mask: Any = True) -> None:
        m.store(p, cast(v, source.dtype, element), mask)

    if g.draw.random() < 0.6:
        g.effect([pointers, name], "tl.store({0}, {1})", value)
    else:
        mask = _mask(g, source.shape, index)
        g.effect([pointers, name, mask], "tl.store({0}, {1}, mask={2})", value)


def store(g: Generator) -> None:
    visible = g.visible()
    arrays = [a for a in g.sizes if a in visible]
    if not arrays:
        return
    array = g.draw.choice(arrays)
    element = g.element[array]
    name = g.pick(lambda t: t.dtype == element and t.numel <= g.sizes[array])
    if name is None or g.draw.random() < 0.4:
        name = g.any()
    _store(g, array, name)


def update(g: Generator) -> None:
    """Reads, changes and writes in place, through the same pointers or others."""
    visible = g.visible()
    arrays = [a for a in g.sizes if a in visible]
    if not arrays:
        return
    array, shape = g.draw.choice(arrays), g.draw.choice(g.shapes)
    element = g.element[array]
    made = _address(g, array, shape, True)
    if made is None:
        return
    pointers, _ = made
    loaded = g.let(Type(element, shape), [pointers], "tl.load({0})",
                   lambda m, p: m.load(p, element))
    changed = loaded
    if element not in ("int1",):
        other = g.value(shape if g.draw.random() < 0.7 else (), element)
        changed = g.let(Type(element, shape), [loaded, other], "{0} + {1}", lambda m, a, b: a + b)
    if g.draw.random() < 0.5:
        g.effect([pointers, changed], "tl.store({0}, {1})", lambda m, p, v: m.store(p, v))
    else:
        _store(g, array, changed)


def keep(g: Generator, name: str) -> None:
    """Stores a value where nothing else is written, so that it shows."""
    type, program = g.type(name), g.program
    kind = NUMPY[type.dtype]
    array, programs = f"out{len(program.buffers)}", int(np.prod(program.grid))
    numel = type.numel
    program.buffers[f"o{array}"] = np.full(numel * programs * kind.itemsize,
                                           77 if kind != bool else 0, np.uint8)
    program.arrays.append(Array(array, type.dtype, f"o{array}", 0))
    g.frames[0][array] = Type("*" + type.dtype)
    flat = np.arange(numel, dtype=np.int64).reshape(type.shape)
    terms, stride = [f"{{0}} + {{2}} * {numel}"], numel
    for d, n in enumerate(type.shape):
        stride //= n
        terms.append(f"{_axis_text(d, type.shape)} * {stride}")
    g.effect([array, name, "pid"], f"tl.store({' + '.join(terms)}, {{1}})",
             lambda m, p, v, i: m.store(p + (int(i) * numel + flat) * kind.itemsize, v))


def marching(g: Generator) -> None:
    """A block of pointers that a loop carries and moves on."""
    if g.depth >= 2:
        return
    visible = g.visible()
    arrays = [a for a in g.sizes if a in visible]
    shape, rounds = g.draw.choice(g.shapes), g.draw.choice([1, 2, 3])
    if not arrays:
        return
    array, step = g.draw.choice(arrays), g.draw.choice([1, 1, 2, 8, 0])
    element, size = g.element[array], g.sizes[array] - rounds * step
    made = affine(g, shape, size, True) if size > 0 else None
    if made is None or element == "int1":
        return
    text, index, span = made
    width = NUMPY[element].itemsize
    pointer_type, type = Type("*" + element, shape), Type(element, shape)
    at = g.let(pointer_type, [array], f"{{0}} + ({text})",
               lambda m, p: p + index.astype(np.int64) * width)
    total = g.value(shape, element)
    total = g.let(type, [total], "{0}", lambda m, v: v)
    body: list[Any] = []
    var = g.fresh("i")
    with g.block(body):
        loaded = g.let(type, [at], "tl.load({0})", lambda m, p: m.load(p, element))
        body.append(Let((total,), (type,), (total, loaded), "{0} + {1}", lambda m, a, b: a + b))
        if g.draw.random() < 0.5:
            g.effect([at, total], "tl.store({0}, {1})", lambda m, p, v: m.store(p, v))
        g.statements(g.draw.choice([0, 1, 2]))
        body.append(Let((at,), (pointer_type,), (at,), f"{{0}} + {step}",
                        lambda m, p: p + step * width))
    g.body.append(For(var, f"range({rounds})", (), lambda: range(rounds), body))


def chosen_pointer(g: Generator) -> None:
    """Loads through pointers of which a mask says to which of two arrays they go."""
    visible = g.visible()
    arrays = [a for a in g.sizes if a in visible]
    shape = g.draw.choice(g.shapes)
    if not arrays:
        return
    first = g.draw.choice(arrays)
    second = g.draw.choice([a for a in arrays if g.element[a] == g.element[first]])
    made = [_address(g, a, shape, False) for a in (first, second)]
    if made[0] is None or made[1] is None:
        return
    which, element = g.value(shape if g.draw.random() < 0.5 else (), "int1"), g.element[first]
    pointers = g.let(Type("*" + element, shape), [which, made[0][0], made[1][0]],
                     "tl.where({0}, {1}, {2})", lambda m, c, a, b: np.where(c, a, b))
    g.let(Type(element, shape), [pointers], "tl.load({0})", lambda m, p: m.load(p, element))


def atomic(g: Generator) -> None:
    """An atomic with its result where each address occurs once, else without."""
    visible, draw = g.visible(), g.draw
    arrays = [a for a in g.sizes if a in visible and bits(g.element[a]) >= 32]
    if not arrays:
        return
    array, shape = draw.choice(arrays), draw.choice(g.shapes)
    element, unique = g.element[array], draw.random() < 0.7
    made = _address(g, array, shape, unique)
    if made is None:
        return
    pointers, index = made
    operand = g.value(shape, element)
    kinds = ["add", "max", "min", "and", "or", "xor"] + (["xchg", "cas"] if unique else [])
    if element not in INTEGERS:  # a sum has no order to it where each address occurs once
        if not unique:
            return
        kinds = ["add", "xchg"]
    which = draw.choice(kinds)
    functions: dict[str, Callable[[Any, Any], Any]] = {
        "add": lambda a, b: a + b, "max": np.maximum, "min": np.minimum, "and": lambda a, b: a & b,
        "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "xchg": lambda a, b: b}

    def value(m: Any, p: np.ndarray, v: np.ndarray, mask: Any = True) -> np.ndarray:
        mask = np.broadcast_to(mask, p.shape)
        old = np.zeros(p.shape, v.dtype)
        for where in np.ndindex(p.shape):
            if mask[where]:
                old[where] = m.load(p[where], element)
                m.store(p[where], functions[which](old[where], v[where]))
        return old

    result = Type(element, shape)
    if which == "cas":
        expected = g.value(shape, element)
        g.let(result, [pointers, expected, operand], "tl.atomic_cas({0}, {1}, {2})",
              lambda m, p, e, v: _cas(m, p, e, v, element))
        return
    args, text = [pointers, operand], f"tl.atomic_{which}({{0}}, {{1}})"
    if draw.random() < 0.5:
        args.append(_mask(g, shape, index))
        text = f"tl.atomic_{which}({{0}}, {{1}}, mask={{2}})"
        unique = False  # what masked lanes give is left open
    if unique:
        g.let(result, args, text, value)
    else:
        g.effect(args, text, value)


def _cas(m: Any, p: np.ndarray, expected: np.ndarray, v: np.ndarray, element: str) -> np.ndarray:
    old = m.load(p, element)
    m.store(p, np.where(old == expected, v, old).astype(v.dtype))
    return old


def block_pointer(g: Generator) -> None:
    """A block pointer or descriptor that may hang over the edges; read, and written back."""
    visible, draw = g.visible(), g.draw
    arrays = [a for a in g.sizes if a in visible and g.element[a] != "int1"]
    shapes = [s for s in g.shapes if len(s) == 2]
    if not arrays or not shapes:
        return
    array, block = draw.choice(arrays), draw.choice(shapes)
    element, size = g.element[array], g.sizes[array]
    columns = draw.randint(1, max(1, min(size, block[1] + 3)))
    rows = draw.randint(1, max(1, min(size // columns, block[0] + 3)))
    at = draw.choice([0, 0, 1, -1, 4]), draw.choice([0, 0, 1, -2, 8])
    width = NUMPY[element].itemsize
    r, c = _along(0, block) + at[0], _along(1, block) + at[1]
    inside = (r >= 0) & (r < rows) & (c >= 0) & (c < columns)
    offset = (r * columns + c).astype(np.int64) * width
    text = f"tl.make_block_ptr({{0}}, ({rows}, {columns}), ({columns}, 1), {at}, {block}, (1, 0))"
    options = ", boundary_check=(0, 1)"
    load_text = f"tl.load({text}{options}, padding_option='zero')"
    if draw.random() < 0.4 and block[1] * width >= 16:
        text = f"tl.make_tensor_descriptor({{0}}, [{rows}, {columns}], [{columns}, 1], " \
               f"{list(block)})"
        load_text = f"{text}.load({list(at)})"
        options = None
    result = Type(element, block)
    loaded = g.let(result, [array], load_text,
                   lambda m, p: m.load(p + offset, element, inside))
    if draw.random() < 0.5:
        value = g.value(block, element) if draw.random() < 0.7 else loaded
        store_text = f"tl.store({text}, {{1}}{options})" if options is not None \
            else f"{text}.store({list(at)}, {{1}})"
        g.effect([array, value], store_text, lambda m, p, v: m.store(p + offset, v, inside))


def barrier(g: Generator) -> None:
    text = g.draw.choice(["tl.debug_barrier()", "tl.assume(tl.program_id(0) >= 0)"])
    g.effect([], text, lambda m: None)


PRODUCTIONS: dict[Callable[[Generator], object], float] = {
    load: 3, store: 3, update: 1.5, marching: 0.6, chosen_pointer: 0.4, atomic: 0.5,
    block_pointer: 0.5, barrier: 0.1}
