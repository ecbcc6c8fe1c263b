"""Sorting networks and reversal, written in the language.

Source of the network: K. E. Batcher, "Sorting networks and their applications", 1968.
"""

from __future__ import annotations

from . import core
from .function import Function, constexpr_function
from .standard import _last, _log2, xor_sum
from .values import tensor_member

_jit = Function


@constexpr_function
def _int_of(dtype):
    return core.get_int_dtype(dtype.primitive_bitwidth, True)


@_jit
def _in_order(a, _, b, __):
    """The smaller and the larger of two."""
    swapped = a > b
    return core.where(swapped, b, a), core.where(swapped, a, b)


@_jit
def _swap_step(flat, bit: core.constexpr, stage: core.constexpr, order: core.constexpr):
    """Orders elements 2**bit apart; with ``order`` 2, runs of 2**stage alternate."""
    groups: core.constexpr = flat.numel >> (bit + 1)
    pairs = core.reshape(flat, [groups, 2, 1 << bit])
    upper = core.reshape(core.arange(0, 2), [1, 2, 1]) == 1
    if order == 2:
        run = core.reshape(core.arange(0, groups), [groups, 1, 1]) >> (stage - 1 - bit)
        upper = upper != ((run & 1) == 1)
    elif order != 0:
        upper = upper == 0
    smaller, larger = core.reduce((pairs, pairs), 1, _in_order, keep_dims=True)
    return core.reshape(core.where(upper, larger, smaller), flat.shape)


@_jit
def _merge(flat, stage: core.constexpr, order: core.constexpr):
    """Bitonic merge of runs of 2**stage; ``order`` 2 alternates between runs."""
    for i in core.static_range(stage):
        flat = _swap_step(flat, stage - 1 - i, stage, order)
    return flat


@tensor_member
@_jit
def sort(x, dim: core.constexpr = None, descending: core.constexpr = 0):
    """``x`` sorted along its last dimension."""
    axis: core.constexpr = _last(x.shape, dim)
    core.static_assert(axis == len(x.shape) - 1, "only minor dimension is currently supported")
    n: core.constexpr = _log2(x.shape[axis])
    flat = core.reshape(x, [x.numel])
    for i in core.static_range(1, n + 1):
        flat = _merge(flat, i, 2 if i < n else descending)
    return core.reshape(flat, x.shape)


@constexpr_function
def _halved(shape, k):
    return list(shape[:-1]) + [k]


@_jit
def topk(x, k: core.constexpr, dim: core.constexpr = None, descending: core.constexpr = True):
    """The ``k`` largest (smallest when not ``descending``) along the last dimension, sorted."""
    ordered = sort(x, dim, descending)
    n: core.constexpr = x.shape[-1]
    picked = core.reshape(ordered, _halved(x.shape, n // k) + [k])
    first = core.reshape(core.arange(0, n // k), [n // k, 1]) == 0
    kind: core.constexpr = _int_of(x.dtype)
    bits = core.where(first, picked.to(kind, bitcast=True), 0)
    return xor_sum(bits, len(x.shape) - 1).to(x.dtype, bitcast=True)


@_jit
def bitonic_merge(x, dim: core.constexpr = None, descending: core.constexpr = 0):
    """A bitonic sequence along the last dimension, sorted."""
    axis: core.constexpr = _last(x.shape, dim)
    core.static_assert(axis == len(x.shape) - 1, "only minor dimension is currently supported")
    n: core.constexpr = _log2(x.shape[axis])
    flat = core.reshape(x, [x.numel])
    return core.reshape(_merge(flat, n, descending), x.shape)


@constexpr_function
def _halves(shape, axis, bit):
    """[what comes before, halves of runs of 2**(bit + 1) along ``axis``, what comes after]."""
    before, after = 1, 1
    for extent in shape[:axis]:
        before *= extent
    for extent in shape[axis + 1:]:
        after *= extent
    return [before * (shape[axis] >> (bit + 1)), 2, (1 << bit) * after]


@tensor_member
@_jit
def flip(x, dim=None):
    """``x`` reversed along ``dim`` (None: the last)."""
    axis: core.constexpr = _last(x.shape, dim)
    kind: core.constexpr = _int_of(x.dtype)
    y = x.to(kind, bitcast=True)
    # Exchanging halves at every scale reverses; a ^ (a ^ b) is the other half.
    for i in core.static_range(_log2(x.shape[axis])):
        pairs = core.reshape(y, _halves(x.shape, axis, i))
        y = pairs ^ xor_sum(pairs, 1, True)
    return core.reshape(y, x.shape).to(x.dtype, bitcast=True)
