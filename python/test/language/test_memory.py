"""Loads, stores, atomics, prints, assertions: what they become in TTIR, and their mistakes."""

import re

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error
from language.ttir import ttir_of


def lines(text, name):
    return [line.strip() for line in text.splitlines() if name in line]


@triton.jit
def hints(out, x, CACHE: tl.constexpr, EVICT: tl.constexpr, WRITE: tl.constexpr):
    i = tl.arange(0, 8)
    v = tl.load(x + i, cache_modifier=CACHE, eviction_policy=EVICT, volatile=True)
    tl.store(out + i, v, cache_modifier=WRITE, eviction_policy=EVICT)


@pytest.mark.parametrize("cache,evict,write", [
    ("", "", ""), (".ca", "evict_first", ".wb"), (".cg", "evict_last", ".cg"),
    (".cs", "", ".cs"), (".cv", "", ".wt")])
def test_hints(cache, evict, write):
    names = {"CACHE": cache, "EVICT": evict, "WRITE": write}
    text = ttir_of(hints, {"out": "*fp32", "x": "*fp32", **dict.fromkeys(names, "constexpr")}, names)
    load, store = lines(text, "tt.load")[0], lines(text, "tt.store")[0]
    assert "isVolatile = true" in load
    for option, line in ((cache, load), (write, store)):
        if option:
            assert f"cacheModifier = {option[1:]}" in line
        else:
            assert "cacheModifier" not in line
    for line in (load, store):
        assert (f"evictionPolicy = {evict}" in line) == bool(evict)


@triton.jit
def masks(out, x, n):
    i = tl.arange(0, 8)
    rows = i[:, None] * 4 + tl.arange(0, 4)[None, :]
    a = tl.load(x + rows, mask=i[:, None] < n, other=7.9)
    b = tl.load(x + rows, mask=tl.arange(0, 4) < n, other=tl.arange(0, 4))
    c = tl.load(x + rows, mask=n > 3)
    tl.store(out + rows, a + b + c, mask=(i < n)[:, None])
    tl.store(out, tl.load(x, mask=n > 3, other=1), mask=n > 3)


def test_masks_and_values_take_the_pointers_shape():
    x = np.arange(32, dtype=np.int32)
    for n in (2, 5):
        out = np.zeros(32, np.int32)
        masks[(1,)](out, x, n)
        grid, columns = x.reshape(8, 4), np.arange(4)
        a = np.where(np.arange(8)[:, None] < n, grid, 7)
        b = np.where(columns < n, grid, columns)
        expected = np.where(np.arange(8)[:, None] < n, a + b + (grid if n > 3 else 0), 0)
        if n > 3:
            expected[0, 0] = x[0]
        np.testing.assert_array_equal(out.reshape(8, 4), expected)


@triton.jit
def bools(out, x, COUNT: tl.constexpr):
    i = tl.arange(0, COUNT)
    tl.store(out + i, tl.load(x + i) & (i % 2 == 0))
    tl.store(out, tl.load(x + 1))


def test_bools_are_bytes():
    x = np.array([0, 1, 1, 1, 1, 0, 1, 0], bool)
    out = np.zeros(8, bool)
    bools[(1,)](out, x, 8)
    expected = x & (np.arange(8) % 2 == 0)
    expected[0] = True
    np.testing.assert_array_equal(out.view(np.uint8), expected)
    text = ttir_of(bools, {"out": "*i1", "x": "*i1", "COUNT": "constexpr"}, {"COUNT": 8})
    assert all("!tt.ptr<i8>" in line for line in lines(text, "tt.load") + lines(text, "tt.store"))


# -- atomics -------------------------------------------------------------------------------


@triton.jit
def rmw(p, NAME: tl.constexpr, SEM: tl.constexpr, SCOPE: tl.constexpr):
    i = tl.arange(0, 8)
    op: tl.constexpr = getattr(tl, NAME)
    old = op(p + i, 3, mask=i < 5, sem=SEM, scope=SCOPE)
    tl.static_assert(old.shape == (8,) and old.dtype == p.dtype.element_ty)
    tl.store(p + i, old)


def rmw_text(name, kind, sem=None, scope=None):
    names = {"NAME": f"atomic_{name}", "SEM": sem, "SCOPE": scope}
    return ttir_of(rmw, {"p": f"*{kind}", **dict.fromkeys(names, "constexpr")}, names)


@pytest.mark.parametrize("kind", ["i32", "u32", "i64", "u64"])
@pytest.mark.parametrize("name", ["add", "max", "min", "and", "or", "xor", "xchg"])
def test_atomics_of_integers(name, kind):
    unsigned = "u" if kind[0] == "u" and name in ("max", "min") else ""
    spelled = {"xchg": "exch"}.get(name, unsigned + name)
    found = lines(rmw_text(name, kind), "tt.atomic_rmw")
    assert len(found) == 1 and f"tt.atomic_rmw {spelled}, acq_rel, gpu, " in found[0]


@pytest.mark.parametrize("kind", ["fp16", "bf16", "fp32", "fp64"])
def test_atomic_add_of_floats(kind):
    assert "tt.atomic_rmw fadd, acq_rel, gpu, " in rmw_text("add", kind)


@pytest.mark.parametrize("kind", ["fp32", "fp64"])
@pytest.mark.parametrize("name", ["max", "min"])
def test_atomic_extremum_of_floats(name, kind):
    """By the bits: numbers from 0 up as signed integers, negative ones as unsigned."""
    found = lines(rmw_text(name, kind), "tt.atomic_rmw")
    other = {"max": "umin", "min": "umax"}[name]
    assert [re.search(r"tt.atomic_rmw (\w+),", line)[1] for line in found] == [name, other]


@pytest.mark.parametrize("sem", ["acquire", "release", "acq_rel", "relaxed"])
@pytest.mark.parametrize("scope", ["gpu", "cta", "sys"])
def test_orders_and_scopes(sem, scope):
    assert f"tt.atomic_rmw add, {sem}, {scope}, " in rmw_text("add", "i32", sem, scope)


@triton.jit
def cas(p):
    i = tl.arange(0, 8)
    old = tl.atomic_cas(p + i, 0, i, sem="acquire", scope="sys")
    tl.static_assert(old.dtype == p.dtype.element_ty)
    tl.store(p + i, old + tl.atomic_cas(p, 0, 1))


@pytest.mark.parametrize("kind", ["i16", "i32", "u64", "fp16", "fp32", "fp64"])
def test_compare_and_swap(kind):
    text = ttir_of(cas, {"p": f"*{kind}"})
    assert "tt.atomic_cas acquire, sys, " in text and "tt.atomic_cas acq_rel, gpu, " in text


# -- what looks at values -------------------------------------------------------------------


@triton.jit
def lookups(out, x, n):
    i = tl.arange(0, 16)
    h = tl.histogram(i, 8, mask=i < n)
    tl.static_assert(h.dtype == tl.int32 and h.shape == (8,))
    tl.store(out + tl.arange(0, 8), h + tl.load(x + i).to(tl.int8).histogram(8))
    source = tl.load(x + i).reshape([4, 4])
    g = tl.gather(source, tl.zeros([4, 8], tl.int64), -1)
    tl.static_assert(g.shape == (4, 8) and g.dtype == tl.float32)
    tl.store(out + tl.arange(0, 32), g.reshape([32]))


def test_histogram_and_gather():
    text = ttir_of(lookups, {"out": "*fp32", "x": "*fp32", "n": "i32"})
    histograms = lines(text, "tt.histogram")
    assert len(histograms) == 2 and "tensor<16xi32> -> tensor<8xi32>" in histograms[0]
    assert "tensor<16xi8> -> tensor<8xi32>" in histograms[1]
    gather = lines(text, "tt.gather")
    assert len(gather) == 1 and "axis = 1" in gather[0]


@triton.jit
def prints(x, n, PREFIX: tl.constexpr):
    if n > 3:
        tl.device_print(PREFIX, x.to(tl.uint32), n, hex=True)
    else:
        tl.device_print(PREFIX)
        print(PREFIX, 1.5)


@pytest.mark.parametrize("prefix,alone,before_values", [
    ("", "", ": "), ("x", "x", " x: "), ("ab", "ab", " ab: "), ("x: ", " x: ", " x: "),
    ("no arg", " no arg", " no arg: "), ("tail ", " tail ", " tail: ")])
def test_prints(prefix, alone, before_values):
    text = ttir_of(prints, {"x": "i32", "n": "i32", "PREFIX": "constexpr"}, {"PREFIX": prefix})
    many, none, number = lines(text, "tt.print")
    assert f'"{before_values}"' in many and "hex = true" in many
    assert "isSigned = array<i32: 0, 1>" in many
    assert f'"{alone}"' in none and f'"{before_values}"' in number and "hex = false" in number


@triton.jit
def assertions(p, n):
    i = tl.arange(0, 8)
    x = tl.load(p + i)
    tl.device_assert(x > n, "too small", mask=i < n)
    assert n > 3, "n"
    tl.store(p + i, tl.expect_zero(x, i < 2))


def test_assertions_are_there_with_debug():
    signature = {"p": "*fp32", "n": "i32"}
    assert "tt.assert" not in ttir_of(assertions, signature)
    text = ttir_of(assertions, signature, debug=True)
    first, second, third = lines(text, "tt.assert")
    assert '"too small"' in first and "tensor<8xi1>" in first and '"n"' in second
    assert '"expected zero"' in third


# -- mistakes ------------------------------------------------------------------------------


@triton.jit
def mistake(p, c: tl.const, small, n, WHAT: tl.constexpr):
    i = tl.arange(0, 8)
    if WHAT == "other":
        tl.load(p, other=3)
    elif WHAT == "cache":
        tl.load(p, cache_modifier=".zz")
    elif WHAT == "store cache":
        tl.store(p, n, cache_modifier=".ca")
    elif WHAT == "evict":
        tl.load(p, eviction_policy="zz")
    elif WHAT == "boundary":
        tl.load(p, boundary_check=(0,))
    elif WHAT == "store boundary":
        tl.store(p, n, boundary_check=(0,))
    elif WHAT == "block mask":
        tl.load(tl.make_block_ptr(p, [8], [1], [0], [4], [0]), mask=n > 3)
    elif WHAT == "block nan":
        b = tl.make_block_ptr(p.to(tl.pi32_t), [8], [1], [0], [4], [0])
        tl.load(b, boundary_check=(0,), padding_option="nan")
    elif WHAT == "block dimension":
        tl.load(tl.make_block_ptr(p, [8], [1], [0], [4], [0]), boundary_check=(1,))
    elif WHAT == "block order":
        tl.make_block_ptr(p, [8, 8], [8, 1], [0, 0], [4, 4], [0, 0])
    elif WHAT == "block ranks":
        tl.make_block_ptr(p, [8, 8], [1], [0, 0], [4, 4], [1, 0])
    elif WHAT == "const":
        tl.store(c, n)
    elif WHAT == "const atomic":
        tl.atomic_add(c, 1)
    elif WHAT == "wide value":
        tl.store((p + i)[None, :], tl.zeros([2, 8], tl.float32))
    elif WHAT == "wide mask":
        tl.load((p + i)[None, :], mask=tl.zeros([2, 8], tl.int1))
    elif WHAT == "wide atomic":
        tl.atomic_add((p + i)[None, :], tl.zeros([2, 8], tl.float32))
    elif WHAT == "other shape":
        tl.store(p + i, tl.zeros([4], tl.float32))
    elif WHAT == "block value":
        tl.store(p, i)
    elif WHAT == "scalar mask":
        tl.load(p, mask=i < 3)
    elif WHAT == "float mask":
        tl.load(p + i, mask=i * 1.0)
    elif WHAT == "small atomic":
        tl.atomic_add(small, 1)
    elif WHAT == "small cas":
        tl.atomic_cas(small, 1, 1)
    elif WHAT == "float and":
        tl.atomic_and(p, 1)
    elif WHAT == "sem":
        tl.atomic_add(p, 1, sem="weak")
    elif WHAT == "scope":
        tl.atomic_add(p, 1, scope="block")
    elif WHAT == "histogram":
        tl.histogram(i * 1.0, 8)
    elif WHAT == "histogram rank":
        tl.histogram(i[None, :], 8)
    elif WHAT == "gather":
        tl.gather(i, i * 1.0, 0)
    elif WHAT == "gather rank":
        tl.gather(i, i[None, :], 0)
    elif WHAT == "gather shape":
        tl.gather(i.reshape([2, 4]), tl.zeros([4, 4], tl.int32), 1)
    elif WHAT == "print":
        tl.device_print(n)
    elif WHAT == "shape":
        tl.zeros([n], tl.float32)
    elif WHAT == "reduce":
        tl.sum(i, 1)
    elif WHAT == "scan":
        tl.cumsum(i, 1)
    elif WHAT == "hint":
        tl.multiple_of(i, [8, 8])
    elif WHAT == "sort":
        tl.sort(i.reshape([2, 4]), 0)
    elif WHAT == "xor":
        tl.xor_sum(i * 1.0)
    else:
        tl.advance(p, [1])


@pytest.mark.parametrize("what,message", [
    ("other", "`other` cannot be provided without `mask`"),
    ("cache", "Cache modifier .zz not supported"), ("store cache", "Cache modifier .ca not supported"),
    ("evict", "Eviction policy zz not supported"),
    ("boundary", "`padding_option` or `boundary_check` argument is not supported for loading a "
     "tensor of pointers or loading a scalar"),
    ("store boundary", "`boundary_check` argument is not supported for storing a tensor of pointers"),
    ("block mask", "`mask` and `other` arguments cannot be specified for loading block pointers"),
    ("block nan", "Padding option `nan` is not supported for integer block pointers"),
    ("block dimension", "boundary_check has dimension 1, the block has rank 1"),
    ("block order", "Expected a permutation of (0, 1, ..., len(order)-1) in order"),
    ("block ranks", "Expected shape/strides/offsets/block_shape to have the same length"),
    ("const", "Cannot store to a constant pointer"),
    ("const atomic", "Cannot store to a constant pointer"),
    ("wide value", "Expected pointer argument to have shape [2, 8] but got [1, 8]"),
    ("wide mask", "Expected pointer argument to have shape [2, 8] but got [1, 8]"),
    ("wide atomic", "Expected pointer argument to have shape [2, 8] but got [1, 8]"),
    ("other shape", "Cannot make_shape_compatible: incompatible dimensions at index 0: 4 and 8"),
    ("block value", "Value argument cannot be block type if pointer argument is not a block"),
    ("scalar mask", "Mask argument cannot be block type if pointer argument is not a block"),
    ("float mask", "Mask must have boolean scalar type"),
    ("small atomic", "atomic_add does not support int8"),
    ("small cas", "atomic_cas only supports elements with width {16, 32, 64}"),
    ("float and", "atomic_and does not support fp32"),
    ("sem", "Memory semantic weak not supported"), ("scope", "Memory scope block not supported"),
    ("histogram", "histogram only supports integer input"),
    ("histogram rank", "histogram only supports 1D input"),
    ("gather", "index must be an integer tensor"),
    ("gather rank", "source and index tensors must have the same rank"),
    ("gather shape", "index dim 0 must match the corresponding source dim"),
    ("print", "device_print takes a text first, then values; got int32"),
    ("shape", "Shape element 0 must have type `constexpr[int]`, got int32"),
    ("reduce", "reduction axis must be < inputs rank (1), got 1"),
    ("scan", "scan axis 1 must be < inputs rank (1)"),
    ("hint", "does not match the length of values"),
    ("sort", "only minor dimension is currently supported"),
    ("xor", "xor_sum only supported for integers"),
    ("advance", "tl.advance moves block pointers"),
])
def test_mistakes(what, message):
    with compile_error(message, ""):
        mistake[(1,)](np.zeros(8, np.float32), np.zeros(8, np.float32), np.zeros(8, np.int8), 7, what)
