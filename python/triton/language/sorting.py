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
def _paired(shape, numel):
    """All elements as a hypercube over the last dimension: [rest, 2, 2, ...]."""
    n = _log2(shape[-1])
    return [numel >> n] + [2] * n


@constexpr_function
def _int_of(dtype):
    return core.get_int_dtype(dtype.primitive_bitwidth, True)


@constexpr_function
def _position(rank, bit):
    """Shape of an index along hypercube axis ``bit`` (0 is the fastest)."""
    return [2 if axis == rank - 1 - bit else 1 for axis in range(rank)]


@constexpr_function
def _axis(rank, bit):
    return rank - 1 - bit


@_jit
def _swap_step(cube, bit: core.constexpr, descending):
    """Compares each pair along ``bit``; ``descending`` says per pair which order."""
    rank: core.constexpr = len(cube.shape)
    axis: core.constexpr = _axis(rank, bit)
    upper = core.reshape(core.arange(0, 2), _position(rank, bit)) == 1
    kind: core.constexpr = _int_of(cube.dtype)
    bits = cube.to(kind, bitcast=True)
    partner = (bits ^ xor_sum(bits, axis, True)).to(cube.dtype, bitcast=True)
    swap = (cube > partner) != (upper != descending)
    same = cube == partner
    swap = swap & (same == 0)
    return core.where(swap, partner, cube)


@_jit
def _merge_cube(cube, stage: core.constexpr, order, n: core.constexpr):
    """Bitonic merge of runs of 2**stage; ``order`` 2 alternates between runs."""
    rank: core.constexpr = len(cube.shape)
    if order == 2:
        descending = core.reshape(core.arange(0, 2), _position(rank, stage)) == 1
    else:
        descending = order != 0
    for i in core.static_range(stage):
        cube = _swap_step(cube, stage - 1 - i, descending)
    return cube


@tensor_member
@_jit
def sort(x, dim: core.constexpr = None, descending: core.constexpr = 0):
    """``x`` sorted along its last dimension."""
    axis: core.constexpr = _last(x.shape, dim)
    core.static_assert(axis == len(x.shape) - 1, "only minor dimension is currently supported")
    n: core.constexpr = _log2(x.shape[axis])
    cube = core.reshape(x, _paired(x.shape, x.numel))
    for i in core.static_range(1, n + 1):
        cube = _merge_cube(cube, i, 2 if i < n else descending, n)
    return core.reshape(cube, x.shape)


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
    cube = core.reshape(x, _paired(x.shape, x.numel))
    return core.reshape(_merge_cube(cube, n, descending, n), x.shape)


@constexpr_function
def _flip_shape(shape, axis):
    return list(shape[:axis]) + [2] * _log2(shape[axis]) + list(shape[axis + 1:])


@tensor_member
@_jit
def flip(x, dim=None):
    """``x`` reversed along ``dim`` (None: the last)."""
    axis: core.constexpr = _last(x.shape, dim)
    steps: core.constexpr = _log2(x.shape[axis])
    kind: core.constexpr = _int_of(x.dtype)
    y = core.reshape(x.to(kind, bitcast=True), _flip_shape(x.shape, axis))
    for i in core.static_range(steps):
        y = y ^ xor_sum(y, axis + i, True)
    return core.reshape(y, x.shape).to(x.dtype, bitcast=True)


