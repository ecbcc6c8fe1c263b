"""What a kernel's cache key holds of the Python that it calls while it is compiled."""

import importlib.util
import itertools

import numpy as np
import pytest

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


@triton.jit
def kernel(out, N: tl.constexpr):
    tl.store(out, helper(N))
    tl.store(out + 1, scaled(N))
    tl.store(out + 2, added(N))
    tl.store(out + 3, Pair(N).moved())
"""
BASE = {"factor": 2, "default": 3, "inner": 5, "closed": 7, "field": 11, "method": 13}


def build(folder, **values):
    """A module of one name, whatever its text says."""
    path = folder / "part_of_a_kernel.py"
    folder.mkdir()
    path.write_text(SOURCE.format(**values), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("part_of_a_kernel", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def results(n, factor, default, inner, closed, field, method):
    return [n * inner + default, n * factor, n + closed, n + method * field]


@pytest.mark.parametrize("changed", BASE)
def test_change_makes_another_kernel(changed, tmp_path, fresh_cache):
    numbers = itertools.count()
    keys = []
    for values in (BASE, {**BASE, changed: 17}, BASE):
        kernel = build(tmp_path / str(next(numbers)), **values)
        out = np.zeros(4, np.int32)
        kernel[(1,)](out, 3)
        assert out.tolist() == results(3, **values)
        keys.append(kernel.cache_key)
    assert keys[0] == keys[2] != keys[1]
