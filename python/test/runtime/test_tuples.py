"""*args, keyword-only parameters, defaults, and tuples as arguments of kernels."""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest
import triton
import triton.language as tl


class View(NamedTuple):
    pointer: Any
    size: Any


Swapped = namedtuple("Swapped", "size pointer")


@triton.jit
def add(x, y):
    return x + y


@triton.jit
def multiply(x, y):
    return x * y


@triton.jit
def total(first, *rest, scale=1):
    for i in tl.static_range(len(rest)):
        first += rest[i]
    return first * scale


@triton.jit
def sum_kernel(out, *values, scale=2, MODE: tl.constexpr = "sum"):
    tl.static_assert(MODE == "sum")
    result = 0.0
    for i in tl.static_range(len(values)):
        result += values[i]
    tl.store(out, result * scale)
    tl.store(out + 1, len(values))


def test_variadic_parameters():
    out = np.zeros(2, np.float32)
    for values, keywords, expected in [((1, 2, 3.5), {}, 13), ((4, 0.5), {"scale": 10}, 45),
                                       ((), {"scale": 3}, 0), ((7,), {"MODE": "sum"}, 14)]:
        sum_kernel[(1,)](out, *values, **keywords)
        assert out.tolist() == [expected, len(values)]


def test_variadic_parameters_are_no_keyword():
    with pytest.raises(KeyError, match="Keyword argument values was specified but unrecognised"):
        sum_kernel[(1,)](np.zeros(2, np.float32), values=(1, 2))


@triton.jit
def keyword_only(out, *, x, y=5):
    tl.store(out, x * 10 + y)


def test_keyword_only_parameters():
    out = np.zeros(1, np.int32)
    keyword_only[(1,)](out, x=3)
    assert out[0] == 35
    keyword_only[(1,)](out, y=1, x=4)
    assert out[0] == 41
    with pytest.raises(TypeError, match="takes 1 positional arguments but 2 were given"):
        keyword_only[(1,)](out, 3)
    with pytest.raises(TypeError, match="missing argument 'x'"):
        keyword_only[(1,)](out)


@triton.jit
def each_array(*arrays, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    for i in tl.static_range(len(arrays)):
        tl.store(arrays[i] + offsets, tl.load(arrays[i] + offsets) + i + 1)


def test_arrays_of_several_types():
    arrays = [np.zeros(16, dtype) for dtype in (np.float32, np.int8, np.uint64, np.float16)]
    each_array[(1,)](*arrays, BLOCK=16)
    for i, array in enumerate(arrays):
        np.testing.assert_array_equal(array, np.full(16, i + 1, array.dtype))
    arrays[2].flags.writeable = False
    with pytest.raises(ValueError, match="argument 'arrays.2' is a read-only array"):
        each_array[(1,)](*arrays, BLOCK=16)


@triton.jit
def mixed_kernel(out, view, rest):
    combine, nothing, nested = rest
    tl.static_assert(nothing is None)
    tl.store(out, tl.load(view.pointer) + view.size)
    tl.store(out + 1, combine(nested[0], nested[1][0]))
    tl.store(out + 2, nested[1][1])
    tl.store(out + 3, nested[-1])


def test_everything_in_tuples():
    x, out = np.full(1, 5, np.float64), np.zeros(4, np.float64)
    kernels = set()
    for function, expected in ((add, 20.5), (multiply, 66.0)):
        rest = (function, None, (16.5, (4, 2**40), -0.25))
        kernels.add(mixed_kernel[(1,)](out, View(x, 3), rest))
        assert out.tolist() == [8.0, expected, 2.0**40, -0.25]
    assert len(kernels) == 2


def test_fields_are_found_by_name():
    x, out = np.full(1, 5, np.float64), np.zeros(4, np.float64)
    rest = (add, None, (1.0, (2, 3), 4.0))
    mixed_kernel[(1,)](out, View(x, 3), rest)
    assert out[0] == 8.0
    mixed_kernel[(1,)](out, Swapped(40, x), rest)
    assert out[0] == 45.0
    with pytest.raises(triton.CompilationError, match="no attribute 'pointer'"):
        mixed_kernel[(1,)](out, (x, 3), rest)


@triton.jit
def constants_kernel(out, values):
    tl.static_assert(isinstance(values[0], tl.constexpr))
    tl.static_assert(values[1] == 7)
    tl.store(out + values[0] + tl.arange(0, values[1] + 1), values[2])


def test_ones_and_constants_in_tuples():
    out = np.zeros(9, np.int32)
    kernel = constants_kernel[(1,)](out, (1, tl.constexpr(7), 3))
    assert out.tolist() == [0] + [3] * 8
    assert kernel.src.signature["values"] == ("constexpr", "constexpr", "i32")
    assert kernel.src.constants == {(1, 0): 1, (1, 1): 7}
    assert constants_kernel[(1,)](out, (np.int64(1), tl.constexpr(7), 5)) is kernel
    with pytest.raises(triton.CompilationError):
        constants_kernel[(1,)](out, (2, tl.constexpr(7), 3))


@triton.jit
def pair_kernel(out, pair):
    tl.store(out, pair[0] + pair[1])


def test_specialisation_of_tuples():
    out = np.zeros(1, np.int64)
    pair_kernel.dispatcher.clear()
    plain = pair_kernel[(1,)](out, (2, 3))
    assert pair_kernel[(1,)](out, (5, 7)) is plain and out[0] == 12
    others = [(16, 3), (2, 16), (2, 1), (2, 2**40), (2, True), (2, 2.5), (2, 2**63), (2, (3,))]
    kernels = {plain}
    for pair in others[:-1]:
        kernels.add(pair_kernel[(1,)](out, pair))
    assert len(kernels) == pair_kernel.dispatcher.entries == len(others)
    assert pair_kernel[(1,)](out, (32, 5)).src.attrs == {
        (0,): [["tt.divisibility", 16]], (1, 0): [["tt.divisibility", 16]]}
    with pytest.raises(triton.CompilationError):
        pair_kernel[(1,)](out, others[-1])


def test_tuples_that_look_alike_are_told_apart():
    """Where a tuple begins and ends is part of the key."""

    @triton.jit
    def lengths(out, t):
        tl.store(out, len(t))
        if len(t) == 2:
            tl.store(out + 1, len(t[0]))

    out = np.zeros(2, np.int32)
    for value, expected in [(((2, 3), 4), [2, 2]), (((2,), (3, 4)), [2, 1]), ((2, 3, 4), [3, 0]),
                            (((), (2, 3, 4)), [2, 0]), ((), [0, 0])]:
        out[:] = 0
        lengths[(1,)](out, value)
        assert out.tolist() == expected, value


@triton.jit(do_not_specialize=["values"])
def unspecialised(out, *values):
    tl.store(out, values[0] + values[1])


def test_do_not_specialize_holds_for_what_a_tuple_holds():
    out = np.zeros(1, np.int32)
    kernels = {unspecialised[(1,)](out, *pair) for pair in [(1, 2), (16, 3), (5, 1)]}
    assert len(kernels) == 1 and out[0] == 6


@triton.jit
def annotated(out, *values: tl.int64):
    tl.store(out, values[0] << 40)


def test_annotation_of_variadic_parameters():
    out = np.zeros(1, np.int64)
    kernel = annotated[(1,)](out, 1)
    assert out[0] == 1 << 40 and kernel.src.signature["values"] == ("i64",)
    with pytest.raises(TypeError, match="argument 'values.1' is of type float, but is annotated"):
        annotated[(1,)](out, 1, 2.5)


@triton.jit
def scalar(out, n: tl.int32):
    tl.store(out, n)


def test_errors_name_the_item():
    out = np.zeros(4, np.float32)
    with pytest.raises(TypeError, match="argument 'pair.1.0' of type list cannot be passed"):
        pair_kernel[(1,)](out, (1, ([2], 3)))
    with pytest.raises(OverflowError, match="argument 'pair.0': integer argument"):
        pair_kernel[(1,)](out, (2**64, 1))
    with pytest.raises(TypeError, match="argument 'n' is of type tuple, but is annotated i32"):
        scalar[(1,)](out, (1, 2))


def test_shapes_are_tuples():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    out = torch.zeros(1, dtype=torch.int32)
    pair_kernel[(1,)](out, torch.empty(3, 5).shape)
    assert out[0] == 8


@triton.jit
def calling_kernel(out, p, n):
    tl.store(out, total(n))
    tl.store(out + 1, total(n, 2, n, scale=10))
    tl.store(out + 2, total(*p))
    tl.store(out + 3, total(*p, 1, scale=n))
    view = View(p[0], p[1])
    tl.store(out + 4, field(view))
    tl.store(out + 5, field(Swapped(p[0], p[1])))


@triton.jit
def field(view):
    return view.size * 100


def test_functions_that_kernels_call():
    out = np.zeros(6, np.int32)
    calling_kernel[(1,)](out, (3, 4), 5)
    assert out.tolist() == [5, 120, 7, 40, 400, 300]


def default_scale():
    return 3


@triton.jit
def defaults_kernel(out, n=default_scale(), pair=(4, None), KIND: tl.constexpr = tl.float32):
    tl.static_assert(pair[1] is None)
    tl.store(out, (n + pair[0]).to(KIND))


def test_default_arguments():
    out = np.zeros(1, np.float32)
    assert defaults_kernel[(1,)](out).src.signature["pair"] == ("i32", "constexpr")
    assert out[0] == 7
    defaults_kernel[(1,)](out, pair=(10, None), KIND=tl.float16)
    assert out[0] == 13


def test_grid_functions_and_hooks_see_the_tuple():
    out, seen = np.zeros(1, np.int64), []
    pair = (2, 3)

    def grid(meta):
        seen.append(meta["pair"])
        return (1,)

    def hook(*args, **kwargs):
        seen.append((args[1], kwargs))

    pair_kernel.pre_run_hooks.append(hook)
    try:
        pair_kernel[grid](out, pair, num_warps=8)
    finally:
        pair_kernel.pre_run_hooks.remove(hook)
    assert seen == [(pair, {"num_warps": 8}), pair] and seen[1] is pair
    sizes = []
    sum_kernel[lambda meta: (sizes.append(meta["values"]) or 1,)](np.zeros(2, np.float32), 4, 5)
    assert sizes == [(4, 5)]
