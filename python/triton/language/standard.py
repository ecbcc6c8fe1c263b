"""The standard library: functions of the language written in the language."""

from __future__ import annotations

from . import core
from .function import Function, constexpr_function
from .values import tensor_member

_jit = Function


@constexpr_function
def _log2(i):
    return i.bit_length() - 1


@constexpr_function
def _widened(dtype):
    """The type small values are compared in when only the value is asked for."""
    if dtype.is_int():
        if dtype.int_bitwidth < 32:
            return core.int32 if dtype.is_int_signed() else core.uint32
        return dtype
    return core.float32 if dtype.primitive_bitwidth < 32 else dtype


@constexpr_function
def _sum_type(dtype, asked):
    if asked is not None:
        return asked
    if dtype.is_int() and dtype.int_bitwidth < 32:
        return core.int32 if dtype.is_int_signed() else core.uint32
    return dtype


@constexpr_function
def _scan_type(dtype, asked):
    asked = _sum_type(dtype, asked)
    return core.float32 if asked.is_bf16() else asked


@constexpr_function
def _indexed_type(dtype):
    return core.float32 if dtype.is_bf16() else dtype


@constexpr_function
def _last(shape, dim):
    """``dim`` (None: the last) as an index from the front."""
    return (len(shape) - 1 if dim is None else dim) % len(shape)


@constexpr_function
def _without(shape, dim):
    return [n for i, n in enumerate(shape) if i != dim % len(shape)]


@tensor_member
@_jit
def cdiv(x, div):
    """Ceiling of x / div."""
    return (x + div - 1) // div


@tensor_member
@_jit
def sigmoid(x):
    """1 / (1 + exp(-x))."""
    return 1 / (1 + core.exp(-x))


@tensor_member
@_jit
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    """exp(x) normalised along ``dim`` (None: 0)."""
    axis: core.constexpr = 0 if dim is None else dim
    z = x - max(x, axis, keep_dims=True)
    num = core.exp(z)
    den = sum(num, axis, keep_dims=True)
    return core.fdiv(num, den, ieee_rounding)


@tensor_member
@_jit
def ravel(x, can_reorder=False):
    """All elements as one dimension."""
    return core.reshape(x, [x.numel], can_reorder=can_reorder)


@_jit
def swizzle2d(i, j, size_i, size_j, size_g):
    """Renumbers a row-major [size_i, size_j] grid in groups of ``size_g`` rows, each group
    column by column."""
    ij = i * size_j + j
    size_gj = size_g * size_j
    group_id = ij // size_gj
    off_i = group_id * size_g
    size_g = core.minimum(size_i - off_i, size_g)
    ij = ij % size_gj
    new_i = off_i + ij % size_g
    new_j = ij // size_g
    return new_i, new_j


@_jit
def zeros(shape, dtype):
    """A block of zeros."""
    return core.full(shape, 0, dtype)


@_jit
def zeros_like(input):
    """Zeros of the shape and type of ``input``."""
    return zeros(input.shape, input.dtype)


@_jit
def interleave(a, b):
    """a[0], b[0], a[1], b[1], ... along the last dimension."""
    c = core.join(a, b)
    if len(c.shape) == 1:
        return c
    else:
        return core.reshape(c, c.shape[:-2] + [2 * c.shape[-2]])


@_jit
def squeeze(x, dim: core.constexpr):
    """Without dimension ``dim``, which has extent 1."""
    return core.reshape(x, _without(x.shape, dim))


@_jit
def unsqueeze(x, dim: core.constexpr):
    """With a new dimension of extent 1 at ``dim``."""
    return core.expand_dims(x, dim)


# -- reductions ------------------------------------------------------------------------


@_jit
def _sum_combine(a, b):
    return core.add(a, b, sanitize_overflow=False)


@_jit
def _xor_combine(a, b):
    return a ^ b


@_jit
def _or_combine(a, b):
    return a | b


@_jit
def _prod_combine(a, b):
    return core.mul(a, b, sanitize_overflow=False)


@_jit
def _elementwise_max(a, b):
    return core.maximum(a, b)


@_jit
def _elementwise_min(a, b):
    return core.minimum(a, b)


# With indices, too, a NaN loses against every number: `value != value` holds for NaN only.


@_jit
def _argmax_left(value1, index1, value2, index2):
    tie = value1 == value2 and index1 < index2
    gt = value1 > value2 or tie or value2 != value2
    return core.where(gt, value1, value2), core.where(gt, index1, index2)


@_jit
def _argmax_fast(value1, index1, value2, index2):
    gt = value1 > value2 or value2 != value2
    return core.where(gt, value1, value2), core.where(gt, index1, index2)


@_jit
def _argmin_left(value1, index1, value2, index2):
    tie = value1 == value2 and index1 < index2
    lt = value1 < value2 or tie or value2 != value2
    return core.where(lt, value1, value2), core.where(lt, index1, index2)


@_jit
def _argmin_fast(value1, index1, value2, index2):
    lt = value1 < value2 or value2 != value2
    return core.where(lt, value1, value2), core.where(lt, index1, index2)


@_jit
def _extremum(input, axis, return_indices, tie_break_left, keep_dims, combine, left, fast):
    if return_indices:
        input = input.to(_indexed_type(input.dtype))
        if tie_break_left:
            return core._reduce_with_indices(input, axis, left, keep_dims)
        else:
            return core._reduce_with_indices(input, axis, fast, keep_dims)
    else:
        return core.reduce(input.to(_widened(input.dtype)), axis, combine, keep_dims=keep_dims)


@tensor_member
@_jit
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True,
        keep_dims=False):
    """Largest element along ``axis`` (None: of all), NaN ignored; with its index."""
    return _extremum(input, axis, return_indices, return_indices_tie_break_left, keep_dims,
                     _elementwise_max, _argmax_left, _argmax_fast)


@tensor_member
@_jit
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True,
        keep_dims=False):
    """Smallest element along ``axis`` (None: of all), NaN ignored; with its index."""
    return _extremum(input, axis, return_indices, return_indices_tie_break_left, keep_dims,
                     _elementwise_min, _argmin_left, _argmin_fast)


@tensor_member
@_jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    """int32 index of the largest element along ``axis``."""
    _, index = max(input, axis, return_indices=True,
                   return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return index


@tensor_member
@_jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    """int32 index of the smallest element along ``axis``."""
    _, index = min(input, axis, return_indices=True,
                   return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return index


@tensor_member
@_jit
def sum(input, axis=None, keep_dims=False, dtype: core.constexpr = None):
    """Sum along ``axis`` (None: of all); integers below 32 bits add up in 32."""
    return core.reduce(input.to(_sum_type(input.dtype, dtype)), axis, _sum_combine,
                       keep_dims=keep_dims)


@tensor_member
@_jit
def xor_sum(input, axis=None, keep_dims=False):
    """Exclusive or of the integers along ``axis`` (None: of all)."""
    core.static_assert(input.type.scalar.is_int(), "xor_sum only supported for integers")
    return core.reduce(input, axis, _xor_combine, keep_dims=keep_dims)


@tensor_member
@_jit
def reduce_or(input, axis, keep_dims=False):
    """Or of the integers along ``axis``."""
    core.static_assert(input.type.scalar.is_int(), "reduce_or only supported for integers")
    return core.reduce(input, axis, _or_combine, keep_dims=keep_dims)


# -- scans -----------------------------------------------------------------------------


@tensor_member
@_jit
def cumsum(input, axis=0, reverse=False, dtype: core.constexpr = None):
    """Running sums along ``axis``."""
    return core.associative_scan(input.to(_scan_type(input.dtype, dtype)), axis, _sum_combine,
                                 reverse)


@tensor_member
@_jit
def cumprod(input, axis=0, reverse=False):
    """Running products along ``axis``."""
    return core.associative_scan(input.to(_indexed_type(input.dtype)), axis, _prod_combine,
                                 reverse)


# Upstream's module has them too; they need what is above.
from .sorting import bitonic_merge, flip, sort, topk  # noqa: E402,F401
