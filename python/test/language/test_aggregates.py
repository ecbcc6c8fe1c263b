"""Aggregates in kernels: construction, methods, calls, branches, loops."""

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error
from guarded import guarded, guarded_copy
from triton.language.core import _aggregate as aggregate


@triton.aggregate
class Span:
    """What is defined by its fields alone."""

    low: tl.tensor
    high: tl.tensor
    WIDTH: tl.constexpr = 4

    @triton.jit
    def size(self):
        return (self.high - self.low) * self.WIDTH

    @triton.jit
    def grown(self, by):
        return Span(self.low - by, self.high + by, self.WIDTH)

    @triton.constexpr_function
    def doubled(self):
        return 2 * self.WIDTH.value

    @staticmethod
    @triton.jit
    def unit(WIDTH: tl.constexpr):
        return Span(0, 1, WIDTH=WIDTH)


@aggregate
class Tile:
    """With its own constructor, a descriptor, a type and another aggregate as fields."""

    desc: tl.tensor_descriptor
    span: Span
    dtype: tl.constexpr
    total: tl.tensor

    @triton.jit
    def __init__(self, pointer, n, BLOCK: tl.constexpr):
        self.desc = tl.make_tensor_descriptor(pointer, [n], [1], [BLOCK])
        self.span = Span(0, n)
        self.dtype = tl.float32
        if BLOCK > 16:
            self.total = tl.zeros([BLOCK], tl.float32) + 1
        else:
            self.total = tl.zeros([BLOCK], tl.float32)

    @triton.jit
    def add(self, at):
        block = self.desc.load([at]).to(self.dtype)
        return tl.aggregate_replace(self, total=self.total + block)


@aggregate
class Named(Span):
    name: tl.constexpr

    @triton.jit
    def size(self):
        return self.high - self.low


def launch(kernel, size, *args, dtype=np.int32, **meta):
    out = guarded(size, dtype)
    kernel[(1,)](out, *args, **meta)
    return out


@triton.jit
def fields_and_methods(out, n):
    a = Span(n, n + 3)
    b = Span(high=n * 2, low=1, WIDTH=8)
    c = a.grown(2)
    d = Span.unit(16)
    tl.store(out, a.size())
    tl.store(out + 1, b.size())
    tl.store(out + 2, c.low * 1000 + c.high)
    tl.store(out + 3, d.size())
    width: tl.constexpr = b.doubled()
    tl.store(out + 4, tl.sum(tl.full([width], 1, tl.int32)))
    e = Named(a.low, a.high, name="e")
    tl.static_assert(e.name == "e" and e.WIDTH == 4)
    tl.store(out + 5, e.size() * 100 + e.grown(1).high)
    tl.static_assert(isinstance(e, Span) and not isinstance(a, Named))
    f = tl.aggregate_replace(b, low=5, WIDTH=1)
    tl.store(out + 6, f.size())


def test_fields_and_methods():
    np.testing.assert_array_equal(launch(fields_and_methods, 7, 7),
                                  [12, 13 * 8, 5012, 16, 16, 311, 9])


@triton.jit
def chosen(span, other, n):
    if n > 3:
        result = span
    else:
        result = other.grown(n)
    return result, n


@triton.jit
def through_control_flow(out, x, n):
    tile = Tile(x, 64, 16)
    span = Span(0, 0)
    for i in range(0, n):
        tile = tile.add(i * 16)
        span, _ = chosen(span.grown(1), span, i)
    while span.size() < 100:
        span = span.grown(1)
    pair = (span, tile)
    tl.store(out, pair[0].size())
    tl.store(out + 1, tl.sum(pair[1].total))
    tl.store(out + 2, tile.span.high)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_through_control_flow(n):
    x = guarded_copy(np.arange(64, dtype=np.float32))
    reach = 0
    for i in range(n):
        reach = reach + (1 if i > 3 else i)
    while 2 * reach * 4 < 100:
        reach += 1
    np.testing.assert_array_equal(launch(through_control_flow, 3, x, n, dtype=np.float32),
                                  [8 * reach, x[:16 * n].sum(), 64])


@aggregate
class Plain:
    value: tl.tensor
    shape: tl.constexpr

    def __init__(self, value, shape=8):
        self.value = value
        self.shape = shape


@triton.jit
def constructed_by_python(out, n):
    a = Plain(n)
    b = Plain(a.value + 1, 2)
    tl.store(out, b.value * 100 + a.shape * 10 + b.shape)


def test_constructor_in_python():
    assert launch(constructed_by_python, 1, 5)[0] == 682


def test_identity_follows_methods():
    def variant(factor):
        @aggregate
        class Local:
            x: tl.tensor
            FACTOR: tl.constexpr = factor

        return Local

    assert variant(2).cache_key == variant(2).cache_key
    assert variant(2).cache_key != variant(3).cache_key
    assert Span.cache_key != Named.cache_key


def test_inheritance_is_of_aggregates():
    class Ordinary:
        pass

    with pytest.raises(TypeError, match="Aggregates can only inherit from other aggregates"):
        @aggregate
        class Wrong(Ordinary):
            x: tl.tensor


@triton.jit
def mistake(p, n, WHAT: tl.constexpr):
    a = Span(n, n)
    if WHAT == "assign":
        a.low = 3
    elif WHAT == "augmented":
        a.low += 3
    elif WHAT == "replace":
        tl.aggregate_replace(a, z=3)
    elif WHAT == "replace what":
        tl.aggregate_replace(n, z=3)
    elif WHAT == "missing":
        Span(n)
    elif WHAT == "many":
        Span(n, n, 3, 4)
    elif WHAT == "unknown":
        Span(n, n, z=3)
    elif WHAT == "twice":
        Span(n, low=n)
    elif WHAT == "kind":
        Span(n, n, n)
    elif WHAT == "loop":
        for _ in range(n):
            a = Named(n, n, name="x")
    else:
        Conditional(n)


@aggregate
class Conditional:
    x: tl.tensor

    @triton.jit
    def __init__(self, n):
        if n > 3:
            self.x = n
        else:
            self.x = n + 1


@pytest.mark.parametrize("what,message", [
    ("assign", "cannot assign to field 'low' on immutable aggregate"),
    ("augmented", "cannot assign to field 'low' on immutable aggregate"),
    ("replace", "has no field 'z'"),
    ("replace what", "aggregate_replace expects an aggregate instance, got int32"),
    ("missing", "field 'high' of Span has no value"),
    ("many", "Span has 3 fields, got 4 values"), ("unknown", "Span has no field 'z'"),
    ("twice", "Span got two values for field 'low'"),
    ("kind", "field 'WIDTH' of Span is a constexpr, got int32"),
    ("loop", "Loop-carried variable a has initial type Span<"),
    ("conditional", "fields are set outside of loops and of branches"),
])
def test_mistakes(what, message):
    with compile_error(message, ""):
        mistake[(1,)](np.zeros(1, np.int32), 7, what)


@aggregate
class Square:
    """Python code in it: run as it stands, on the host and as a kernel is compiled."""

    side: tl.constexpr
    area: tl.constexpr
    row: tl.tensor

    def __init__(self, side, _semantic=None):
        self.side = tl.constexpr(side)
        self.area = self.squared()
        self.row = tl.arange(0, 8, _semantic=_semantic) if _semantic else tl.tensor(None, tl.int32)

    @triton.constexpr_function
    def squared(self):
        return self.side * self.side

    @triton.jit
    def __getitem__(self, index):
        return self.row + index

    @staticmethod
    def pair(a, b):
        return Plain(a, (2, 5)), b


@triton.jit
def python_in_aggregates(out, n):
    s = Square(4)
    tl.static_assert(s.area == 16 and s.squared() == 16)
    tl.store(out + tl.arange(0, 8), s[n] + s[1])
    plain, more = Square.pair(n, n + 1)
    tl.static_assert(plain.shape.type == tl.constexpr((2, 5)).type)
    tl.store(out + 8, plain.value * plain.shape[1] + more)


def test_python_in_aggregates():
    np.testing.assert_array_equal(launch(python_in_aggregates, 9, 7),
                                  [*(2 * np.arange(8) + 8), 43])


def test_on_the_host():
    square = Square(3)
    assert (square.side.value, square.area.value, square.squared().value) == (3, 9, 9)
    plain = Plain(tl.tensor(None, tl.int32), (3,))
    other = tl.aggregate_replace(plain, shape=(4, 5))
    assert len(other.shape) == 2 and other.shape[1].value == 5 and len(plain.shape) == 1
    with pytest.raises(TypeError, match="Plain has no field 'size'"):
        tl.aggregate_replace(plain, size=1)
    with pytest.raises(TypeError, match="aggregate_replace expects an aggregate instance"):
        tl.aggregate_replace(42, size=1)


def test_immutable_on_the_host():
    value = Span(tl.constexpr(1), tl.constexpr(2)) if False else Plain.__new__(Plain)
    value.fill((tl.tensor(None, tl.int32), 3), {})
    value.seal(lambda v: v)
    with pytest.raises(AttributeError, match="cannot assign to field 'shape' on immutable"):
        value.shape = 4
