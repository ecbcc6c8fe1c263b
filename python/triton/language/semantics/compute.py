"""dot, reduce, scan, gather, histogram."""

from __future__ import annotations

import math
from typing import Any, Callable, Sequence

from ... import knobs
from ..types import block_type, dtype, float16, float32, float64, int32, unwrap
from ..values import tensor, tuple as kernel_tuple
from .shapes import wrap_axis

_PRECISIONS = {"tf32": 0, "tf32x3": 1, "ieee": 2, "bf16x3": 3, "bf16x6": 4}


class Compute:
    ir: Any
    options: Any
    combining: bool

    def dot(self, lhs: Any, rhs: Any, acc: Any, precision: Any, max_imprecise: Any,
            out_dtype: Any) -> tensor:
        for value in (lhs, rhs):
            if not isinstance(value, tensor) or not value.type.is_block():
                raise ValueError("dot operands must be blocks")
        a, b = lhs.dtype, rhs.dtype
        narrow = a.is_fp8() and b.is_fp8()
        if a != b and not narrow:
            raise ValueError(f"Both operands must be same dtype. Got {a} and {b}")
        if a.name not in ("int8", "uint8", "fp16", "bf16", "fp32", "fp64") and not narrow:
            raise ValueError(f"Unsupported dtype {a} for dot")
        left, right = list(lhs.type.shape), list(rhs.type.shape)
        if len(left) < 2 or len(left) != len(right):
            raise ValueError(
                f"Both inputs must be either 2D or 3D; (lhs: {left} vs rhs: {right})")
        if left[-1] != right[-2]:
            raise ValueError(
                f"First input shape ({left}) and second input shape {right} are not compatible "
                f"for matmul (second index of first shape ({left[-1]}) must be equal to first "
                f"index of second shape ({right[-2]})")
        if left[:-2] != right[:-2]:
            raise ValueError(f"dot operands have different batches: {left[:-2]} of the first input "
                             f"and {right[:-2]} of the second")
        precision = str(unwrap(precision) or knobs.language.fp32_default or "ieee").lower()
        if precision not in _PRECISIONS:
            raise ValueError(
                f"input_precision must be one of {tuple(_PRECISIONS)}. Got {precision}")
        max_imprecise = unwrap(max_imprecise)
        if narrow and max_imprecise is not None and max_imprecise > left[-1]:
            raise ValueError(f"max_num_imprecise_acc ({max_imprecise}) must be <= K ({left[-1]})")
        acc = None if unwrap(acc) is None else acc
        type = block_type(self._dot_type(a, acc, unwrap(out_dtype)), [*left[:-1], right[-1]])
        if acc is not None and (not isinstance(acc, tensor) or acc.type != type):
            kind = acc.type if isinstance(acc, tensor) else repr(unwrap(acc))
            raise ValueError(f"accumulator must be {type}, got {kind}")
        if narrow:
            # Every 8-bit float is one of fp16; sums are kept in fp32 all the same.
            lhs, rhs = self.cast(lhs, float16), self.cast(rhs, float16)
        if len(left) > 3:
            return self._batched_dot(lhs, rhs, acc, precision, type)
        if acc is None:
            acc = tensor(self.ir.constant(type.ir, 0), type)
        attrs = {}
        if precision != "ieee":
            attrs["inputPrecision"] = f"{_PRECISIONS[precision]} : i32"
        handle = self.ir.value("tt.dot", [lhs.handle, rhs.handle, acc.handle], type.ir, attrs)
        return tensor(handle, type)

    def _dot_type(self, operand: dtype, acc: Any, out_dtype: Any) -> dtype:
        """The type a product of blocks of ``operand`` is summed in and has."""
        if operand.is_int():
            if operand.name != "int8":
                raise ValueError("only int8 supported!")
            return int32
        if out_dtype is not None and out_dtype.is_bf16():
            raise ValueError("out_dtype=bfloat16 is unsupported. Please use out_dtype=float32/"
                             "float16 and cast with `.to(tl.bfloat16)`")
        if operand.is_fp32() or operand.is_bf16():
            return float32
        if operand.is_fp64():
            return float64
        result = out_dtype or (acc.dtype if isinstance(acc, tensor) else float32)
        if result not in (float16, float32):
            raise ValueError(f"a dot of {operand} gives float32 or float16, not {result}")
        return result

    def _batched_dot(self, lhs: tensor, rhs: tensor, acc: Any, precision: str,
                     type: block_type) -> tensor:
        """All dimensions in front of the last two as one."""
        flat = []
        for value in (lhs, rhs, acc):
            if value is not None:
                shape = list(value.type.shape)
                value = self.reshape(value, [math.prod(shape[:-2]), *shape[-2:]])
            flat.append(value)
        return self.reshape(self.dot(*flat, precision, None, type.element_ty), type.shape)

    # -- regions -----------------------------------------------------------------------

    def _call_in_region(self, op: Any, scalars: Sequence[dtype], function: Callable) -> list[Any]:
        """Opens the region of ``op`` and calls the function in it on scalars."""
        builder = self.ir.builder
        types = [self.ir.type(t.ir) for t in scalars]
        block = op.regions[0].add_block(types, [builder.loc] * len(types))
        builder.at_end(block)
        results = function(*(tensor(h, t) for h, t in zip(block.args, scalars)))
        return list(results) if isinstance(results, kernel_tuple) else [results]

    def _combine_region(self, op: Any, terminator: str, scalars: Sequence[dtype],
                        combine: Callable) -> None:
        """Fills the region of a reduce or scan by calling the combine function."""
        builder = self.ir.builder
        saved, outer = builder.save(), self.combining
        self.combining = True
        results = self._call_in_region(op, [*scalars, *scalars], combine)
        self.combining = outer
        if len(results) != len(scalars):
            raise ValueError(f"combine function must return {len(scalars)} values, "
                             f"returned {len(results)}")
        handles = []
        for result, type in zip(results, scalars):
            result = self.to_tensor(result)
            if result.type != type:
                raise ValueError(f"combine function must return {type}, returned {result.type}; "
                                 "cast the result or the input")
            handles.append(result.handle)
        self.ir.op(terminator, handles)
        builder.restore(saved)

    def map_elementwise(self, inputs: Sequence[Any], function: Callable) -> list[tensor]:
        builder = self.ir.builder
        values = [self.to_tensor(v) for v in inputs]
        if not values or not any(v.type.is_block() for v in values):
            raise ValueError("map_elementwise needs at least one block")
        for _ in range(2):  # the second time, the first one has everything's shape
            for i in range(1, len(values)):
                values[0], values[i] = self.broadcast_pair(values[0], values[i])
        scalars = [v.dtype for v in values]
        shape = values[0].type.shape
        # What the function returns decides the types of the operation: it is made after its
        # contents, which move into it.
        operands, attrs = [v.handle for v in values], {"pack": "1 : i32"}
        draft = self.ir.op("tt.map_elementwise", operands, [], attrs, regions=1)
        returned = [self.to_tensor(r) for r in self._call_in_region(draft, scalars, function)]
        self.ir.op("tt.map_elementwise.return", [r.handle for r in returned])
        builder.before(draft)
        results = [block_type(r.dtype, shape) for r in returned]
        op = self.ir.op("tt.map_elementwise", operands, [r.ir for r in results], attrs, regions=1)
        source = draft.regions[0].blocks[0]
        target = op.regions[0].add_block([self.ir.type(t.ir) for t in scalars],
                                         [builder.loc] * len(scalars))
        source.move_ops_to_end_of(target)
        for old, new in zip(source.args, target.args):
            old.replace_all_uses_with(new)
        draft.erase()
        builder.after(op)
        return [tensor(h, r) for h, r in zip(op.results, results)]

    def reduce(self, inputs: Sequence[tensor], axis: Any, combine: Callable) -> list[tensor]:
        axis = unwrap(axis)
        if axis is None:
            inputs = [self.reshape(t, [t.numel.value], allow_reorder=True) for t in inputs]
            axis = 0
        rank = len(inputs[0].type.shape)
        if not -rank <= axis < rank:
            raise ValueError(f"reduction axis must be < inputs rank ({rank}), got {axis}")
        axis = wrap_axis(axis, rank)
        shape = list(inputs[0].type.shape)
        for t in inputs:
            if list(t.type.shape) != shape:
                raise ValueError("all reduction inputs must have the same shape")
        del shape[axis]
        scalars = [t.dtype for t in inputs]
        results = [block_type(s, shape) if shape else s for s in scalars]
        op = self.ir.op("tt.reduce", [t.handle for t in inputs], [r.ir for r in results],
                        {"axis": f"{axis} : i32"}, regions=1)
        self._combine_region(op, "tt.reduce.return", scalars, combine)
        return [tensor(h, r) for h, r in zip(op.results, results)]

    def scan(self, inputs: Sequence[tensor], axis: Any, combine: Callable,
             reverse: Any) -> list[tensor]:
        axis = unwrap(axis)
        rank = len(inputs[0].type.shape)
        if not -rank <= axis < rank:
            raise ValueError(f"scan axis {axis} must be < inputs rank ({rank})")
        axis = wrap_axis(axis, rank)
        scalars = [t.dtype for t in inputs]
        attrs = {"axis": f"{axis} : i32", "reverse": "true" if unwrap(reverse) else "false"}
        op = self.ir.op("tt.scan", [t.handle for t in inputs], [t.type.ir for t in inputs], attrs,
                        regions=1)
        self._combine_region(op, "tt.scan.return", scalars, combine)
        return [tensor(h, t.type) for h, t in zip(op.results, inputs)]

    def histogram(self, value: Any, bins: Any, mask: Any) -> tensor:
        if not isinstance(value, tensor) or len(value.type.shape) != 1:
            raise ValueError("histogram only supports 1D input")
        if not value.dtype.is_int():
            raise ValueError("histogram only supports integer input")
        result = block_type(int32, [unwrap(bins)])
        operands = [value.handle]
        if mask is not None and unwrap(mask) is not None:
            mask = self.broadcast_to(self.to_bool(mask), value.type.shape)
            operands.append(mask.handle)
        return tensor(self.ir.value("tt.histogram", operands, result.ir), result)

    def gather(self, source: tensor, index: tensor, axis: Any) -> tensor:
        if not index.dtype.is_int():
            raise ValueError("index must be an integer tensor")
        rank = len(source.type.shape)
        if len(index.type.shape) != rank:
            raise ValueError("source and index tensors must have the same rank")
        axis = wrap_axis(unwrap(axis), rank)
        for d in range(rank):
            if d != axis and source.type.shape[d] != index.type.shape[d]:
                raise ValueError(f"index dim {d} must match the corresponding source dim")
        result = block_type(source.dtype, index.type.shape)
        handle = self.ir.value("tt.gather", [source.handle, index.handle], result.ir,
                               {"axis": f"{axis} : i32"})
        return tensor(handle, result)
