"""dot, reduce, scan, gather, histogram: elements meet each other."""

from __future__ import annotations

from typing import Any

from .types import float32, unwrap
from .values import builtin, tensor, tensor_member, tuple as kernel_tuple


@builtin
def dot(
    input: Any, other: Any, acc: Any = None, input_precision: Any = None, allow_tf32: Any = None,
    max_num_imprecise_acc: Any = None, out_dtype: Any = None, _semantic: Any = None,
) -> tensor:
    """Matrix product of [M, K] and [K, N] (or batches of them) plus ``acc``.

    Floats below 32 bits accumulate in fp32, int8 in int32. ``input_precision`` lets other
    backends round fp32 operands; here they are multiplied as they are.
    """
    if unwrap(allow_tf32) is not None:
        if unwrap(input_precision) is not None:
            raise ValueError("Only one of input_precision and allow_tf32 can be specified")
        input_precision = "tf32" if unwrap(allow_tf32) else "ieee"
    return _semantic.dot(input, other, acc, input_precision, max_num_imprecise_acc, out_dtype)


@builtin
def dot_scaled(
    lhs: Any, lhs_scale: Any, lhs_format: Any, rhs: Any, rhs_scale: Any, rhs_format: Any,
    acc: Any = None, fast_math: Any = False, lhs_k_pack: Any = True, rhs_k_pack: Any = True,
    out_dtype: Any = float32, _semantic: Any = None,
) -> tensor:
    """Matrix product of scaled operands of few bits, in fp32.

    Formats: "e2m1" (two in a uint8, the even one low, along K or with ``*_k_pack`` false
    along the other dimension), "e4m3", "e5m2", "bf16", "fp16". Scales, [M, K / 32] and
    [N, K / 32] (or / 16), are powers of two in uint8, or fp8e4nv; None or one element: 1.
    """
    return _semantic.dot_scaled(lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc,
                                lhs_k_pack, rhs_k_pack, out_dtype)


def _inputs(input: Any) -> tuple[list[tensor], bool]:
    if isinstance(input, (kernel_tuple, tuple, list)):
        return list(input), True
    return [input], False


def _results(values: list[tensor], many: bool) -> Any:
    return kernel_tuple(values) if many else values[0]


@tensor_member
@builtin
def reduce(input: Any, axis: Any, combine_fn: Any, keep_dims: Any = False, _semantic: Any = None,
           _generator: Any = None) -> Any:
    """Combines along ``axis`` (None: all elements) with a jit function of scalars.

    ``input`` may be a tuple of equally shaped blocks; then ``combine_fn`` takes the left
    elements followed by the right ones and returns a tuple.
    """
    values, many = _inputs(input)
    rank = len(values[0].shape)

    def combine(*args: Any) -> Any:
        return _generator.call_for_value(combine_fn, args)

    results = _semantic.reduce(values, axis, combine)
    if unwrap(keep_dims):
        axis = unwrap(axis)
        axes = range(rank) if axis is None else [axis % rank]
        kept = []
        for result in results:
            for a in axes:
                result = _semantic.expand_dims(result, a)
            kept.append(result)
        results = kept
    return _results(results, many)


@builtin
def _reduce_with_indices(input: Any, axis: Any, combine_fn: Any, keep_dims: Any = False,
                         _semantic: Any = None, _generator: Any = None) -> Any:
    """Combines (element, its int32 index along ``axis``; None: among all elements)."""
    shape = [unwrap(n) for n in input.shape]
    dims, axis = (len(shape), unwrap(axis))
    if axis is None:
        value = _semantic.reshape(input, [input.numel])
        index = _semantic.arange(0, input.numel)
        found = reduce((value, index), 0, combine_fn, _semantic=_semantic, _generator=_generator)
        return kernel_tuple([_semantic.full([1] * dims, v, v.dtype) for v in found]
                            if unwrap(keep_dims) else found)
    index = _semantic.arange(0, shape[axis])
    for other in range(dims):
        if other != axis % dims:
            index = _semantic.expand_dims(index, other)
    index = _semantic.broadcast_to(index, shape)
    return reduce((input, index), axis, combine_fn, keep_dims, _semantic=_semantic,
                  _generator=_generator)


@tensor_member
@builtin
def associative_scan(input: Any, axis: Any, combine_fn: Any, reverse: Any = False,
                     _semantic: Any = None, _generator: Any = None) -> Any:
    """Inclusive scan along ``axis`` with a jit function of scalars, from the end with
    ``reverse``."""
    values, many = _inputs(input)

    def combine(*args: Any) -> Any:
        return _generator.call_for_value(combine_fn, args)

    return _results(_semantic.scan(values, axis, combine, reverse), many)


@tensor_member
@builtin
def histogram(input: Any, num_bins: Any, mask: Any = None, _semantic: Any = None) -> tensor:
    """int32[num_bins]: how often each of 0 .. num_bins-1 occurs in ``input``."""
    return _semantic.histogram(input, num_bins, mask)


@tensor_member
@builtin
def gather(src: Any, index: Any, axis: Any, _semantic: Any = None) -> tensor:
    """``src`` picked along ``axis`` by ``index``."""
    return _semantic.gather(src, index, axis)


__all__ = ["associative_scan", "dot", "dot_scaled", "gather", "histogram", "reduce"]
