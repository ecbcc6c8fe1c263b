"""What a kernel's cache key holds of the Python that it calls while it is compiled."""

import importlib.util
import itertools

import numpy as np
import pytest
import triton

SOURCE = """
import triton
import triton.language as tl

FACTOR = {factor}


def helper(n, more={default}):
    return inner(n) + more


def inner(n):
    return (lambda: n * {inner})()


@triton.constexpr_function
def scaled(n):
    return n * FACTOR


def closure(amount):
    @triton.constexpr_function
    def added(n):
        return n + amount

    return added


added = closure({closed})


@triton.aggregate
class Pair:
    x: tl.tensor
    STEP: tl.constexpr = {field}

    @triton.jit
    def moved(self):
        return self.x + {method} * self.STEP


MORE = {callee}


@triton.jit
def with_default(n, more: tl.constexpr = MORE):
    return n + more


@triton.jit
def kernel(out, N: tl.constexpr):
    tl.store(out, helper(N))
    tl.store(out + 1, scaled(N))
    tl.store(out + 2, added(N))
    tl.store(out + 3, Pair(N).moved())
    tl.store(out + 4, with_default(N))
"""
BASE = {"factor": 2, "default": 3, "inner": 5, "closed": 7, "field": 11, "method": 13, "callee": 19}


def build(folder, source, **values):
    """A module of one name, whatever its text says."""
    path = folder / "part_of_a_kernel.py"
    folder.mkdir()
    path.write_text(source.format(**values), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("part_of_a_kernel", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def results(n, factor, default, inner, closed, field, method, callee):
    return [n * inner + default, n * factor, n + closed, n + method * field, n + callee]


@pytest.mark.parametrize("changed", BASE)
def test_change_makes_another_kernel(changed, tmp_path, fresh_cache):
    numbers = itertools.count()
    keys = []
    for values in (BASE, {**BASE, changed: 17}, BASE):
        kernel = build(tmp_path / str(next(numbers)), SOURCE, **values)
        out = np.zeros(5, np.int32)
        kernel[(1,)](out, 3)
        assert out.tolist() == results(3, **values)
        keys.append(kernel.cache_key)
    assert keys[0] == keys[2] != keys[1]


GLOBAL = """
import triton
import triton.language as tl

LIMIT = {limit}


@triton.jit
def kernel(out):
    tl.store(out, LIMIT)
"""


def test_ordinary_globals(tmp_path, fresh_cache):
    """With the knob that allows them."""
    with triton.knobs.compilation.scope():
        triton.knobs.compilation.allow_non_constexpr_globals = True
        for number, limit in enumerate((3, 4, 3)):
            kernel = build(tmp_path / str(number), GLOBAL, limit=limit)
            out = np.zeros(1, np.int32)
            kernel[(1,)](out)
            assert out[0] == limit


def test_values_are_told_apart_by_what_they_hold():
    import functools

    from triton.language.identity import value_identity

    class Settings:
        def __init__(self, size):
            self.size, self.me = size, self

    def scale(n, by):
        return n * by

    pairs = [(Settings(1), Settings(2)), (functools.partial(scale, 1), functools.partial(scale, 2)),
             ({"a": 1}, {"a": 2}), ((1, [2]), (1, [3])), (1, True), (1, 1.0), ("1", 1)]
    for a, b in pairs:
        assert value_identity(a, set()) != value_identity(b, set())
        assert value_identity(a, set()) == value_identity(a, set())
    assert value_identity(Settings(1), set()) == value_identity(Settings(1), set())
