"""`if`, `for`, `while`: structured operations that carry the names they change.

A block of statements is first emitted into a region of its own; what the names hold
afterwards decides what the operation yields.
"""

from __future__ import annotations

import ast
from typing import Any

from ..errors import CompilationError, UnsupportedLanguageConstruct
from ..language import iterating
from ..language.semantics.promotion import computation_type
from ..language.types import constexpr, dtype, unwrap
from ..language.values import base_value, flatten, rebuild, tensor, tuple as kernel_tuple, type_of
from .emission import Returned

_NO_LICM = "#llvm.loop_annotation<licm = <disable = true>>"
_CONSTANT_CONDITIONS = (bool, int, type(None))


def assigned_names(nodes: Any) -> list[str]:
    """Names that statements assign anywhere in them, in order of appearance."""
    found: dict[str, None] = {}
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                found[inner.id] = None
    return list(found)


def has_return(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Return) for inner in ast.walk(node))


class ControlFlow:
    """Mixed into the emitter; see functions.py."""

    # -- conditions --------------------------------------------------------------------

    def condition(self, value: Any, what: str = "if") -> Any:
        """A constant, or a scalar int1 tensor."""
        if isinstance(value, kernel_tuple):
            return constexpr(len(value) > 0)
        if not isinstance(value, tensor):
            constant = unwrap(value)
            if type(constant) not in _CONSTANT_CONDITIONS:
                raise TypeError(
                    f"`{what}` conditionals can only accept values of type "
                    "{bool, int, NoneType}, not objects of type "
                    f"{type(constant).__name__}")
            return constexpr(bool(constant))
        if value.type.is_block():
            if value.type.numel != 1:
                raise ValueError("Boolean value of Tensor with more than one value is ambiguous")
            value = self.semantic.item(value)
        return self.semantic.to_bool(value)

    # -- regions -----------------------------------------------------------------------

    def _branch(self, block: Any, statements: list[ast.stmt], before: dict[str, Any]
                ) -> tuple[dict[str, Any], Returned | None]:
        """Emits statements at the end of ``block``; gives the names afterwards."""
        self.names = dict(before)
        self.ir.builder.at_end(block)
        self.nested += 1
        result = self.run(statements)
        self.nested -= 1
        return self.names, result

    def _open_if(self, condition: tensor) -> tuple[Any, Any, Any]:
        op = self.ir.op("scf.if", [condition.handle], [], regions=2)
        return op, op.regions[0].add_block([], []), op.regions[1].add_block([], [])

    def _close_if(self, draft: Any, condition: tensor, blocks: Any, yields: Any) -> list[Any]:
        """The final operation with result types; the draft's contents move into it."""
        builder = self.ir.builder
        builder.before(draft)
        types = [str(h.type) for h in yields[0]]
        final = self.ir.op("scf.if", [condition.handle], types, regions=2)
        for region, block, handles in zip(final.regions, blocks, yields):
            target = region.add_block([], [])
            block.move_ops_to_end_of(target)
            builder.at_end(target)
            self.ir.op("scf.yield", handles)
        draft.erase()
        builder.after(final)
        return list(final.results)

    # -- if ----------------------------------------------------------------------------

    def visit_If(self, node: ast.If, rest: list[ast.stmt]) -> Returned | None:
        condition = self.condition(self.visit(node.test))
        returns = has_return(node)
        if isinstance(condition, constexpr):
            chosen = node.body if condition.value else node.orelse
            return self.run(chosen + rest if returns else chosen)
        if returns:
            if self.loops:
                raise self.error(node, "Cannot have `return` statements inside `while` or `for` "
                                 "statements in triton", UnsupportedLanguageConstruct)
            return self._if_returning(node, condition, rest)
        self._if_joining(node, condition)
        return None

    def _if_returning(self, node: ast.If, condition: tensor, rest: list[ast.stmt]) -> Returned:
        """Each branch runs to the end of the function; the operation yields its result."""
        before, loc = self.names, self.ir.builder.loc
        draft, then_block, else_block = self._open_if(condition)
        values: list[Any] = []
        for block, statements in ((then_block, node.body), (else_block, node.orelse)):
            _, returned = self._branch(block, [*statements, *rest], before)
            values.append(self.return_value(returned.value) if returned is not None else None)
        for i, block in enumerate((then_block, else_block)):
            if values[i] is None:
                # The end of the function: its value is not to be used, and 0 is no poison.
                self.ir.builder.at_end(block)
                values[i] = constexpr(None) if values[1 - i] is None else self._zero(values[1 - i])
        self.ir.builder.loc = loc
        self.names = before
        if type_of(values[0]) != type_of(values[1]):
            # What is wrong is the function as a whole: the returns may be far apart.
            line, _ = self.function.file_position(node)
            raise self.error(self.function.parse().body[0],
                             f"Return type mismatch: {type_of(values[0])} and {type_of(values[1])}, "
                             f"by the condition in line {line}")
        results = self._close_if(draft, condition, (then_block, else_block),
                                 [flatten(v) for v in values])
        return Returned(rebuild(values[0], iter(results)))

    def _zero(self, like: Any) -> Any:
        """A value of the type of ``like``, for a path that returns none."""
        if isinstance(like, kernel_tuple):
            return kernel_tuple([self._zero(v) for v in like.values], like.type)
        if not isinstance(like, tensor):
            return constexpr(None) if isinstance(like, base_value) else like
        if like.dtype.is_ptr():
            bits = type_of(like).with_element_ty(dtype("int64"))
            return self.semantic.cast(tensor(self.ir.constant(bits.ir, 0), bits), like.dtype)
        return tensor(self.ir.constant(like.type.ir, 0), like.type)

    def _if_joining(self, node: ast.If, condition: tensor) -> None:
        before, loc = self.names, self.ir.builder.loc
        draft, then_block, else_block = self._open_if(condition)
        then_names, _ = self._branch(then_block, node.body, before)
        else_names, _ = self._branch(else_block, node.orelse, before)
        self.ir.builder.loc = loc
        joined: list[tuple[str, Any, Any]] = []
        after = dict(before)
        for name in then_names:
            if name not in else_names:
                continue
            then_value, else_value = then_names[name], else_names[name]
            if then_value is else_value:
                after[name] = then_value
                continue
            if _same_constant(then_value, else_value):
                after[name] = then_value
                continue
            then_value = self._in(then_block, then_value)
            else_value = self._in(else_block, else_value)
            self._check_join(name, then_value, else_value, before.get(name))
            joined.append((name, then_value, else_value))
        yields = ([h for _, v, _ in joined for h in flatten(v)],
                  [h for _, _, v in joined for h in flatten(v)])
        results = iter(self._close_if(draft, condition, (then_block, else_block), yields))
        for name, value, _ in joined:
            after[name] = rebuild(value, results)
        self.names = after

    def _in(self, block: Any, value: Any) -> Any:
        """A number becomes a value, made at the end of ``block``."""
        self.ir.builder.at_end(block)
        return self.decay(value)

    def _check_join(self, name: str, then_value: Any, else_value: Any, initial: Any) -> None:
        then_type, else_type = type_of(then_value), type_of(else_value)
        if then_type == else_type:
            return
        if initial is not None:
            before = type_of(self.decay(initial)) if not isinstance(initial, base_value) \
                else initial.type
            for which, value in (("then", then_type), ("else", else_type)):
                if value != before:
                    raise TypeError(f"initial value for `{name}` is of type {before}, but the "
                                    f"{which} block redefines it as {value}")
        raise TypeError(f"Mismatched type for {name} between then block ({then_type}) and else "
                        f"block ({else_type})")

    # -- for ---------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> None:
        if node.orelse:
            raise self.error(node, "`else` of a loop is not supported", UnsupportedLanguageConstruct)
        iterator = unwrap(self.visit(node.iter))
        if isinstance(iterator, iterating.static_range):
            self._unrolled(node, iterator)
        elif isinstance(iterator, iterating.range):
            self._loop(node, iterator)
        else:
            raise RuntimeError("Only `range` and `static_range` iterators are currently supported")

    def _unrolled(self, node: ast.For, iterator: Any) -> None:
        bounds = [unwrap(v) for v in (iterator.start, iterator.end, iterator.step)]
        if not all(isinstance(b, int) for b in bounds):
            raise ValueError("static_range needs constants; use tl.range for bounds that are known "
                             "at run time")
        self.loops += 1
        for i in range(*bounds):
            self.assign(node.target, constexpr(i))
            self.run(node.body)
        self.loops -= 1

    def _bounds(self, iterator: Any) -> tuple[list[tensor], bool]:
        """Start, end and step as scalars of one integer type; whether it counts down."""
        step = unwrap(iterator.step)
        if isinstance(step, int) and step == 0:
            raise ValueError("For loop step must not be zero")
        down = isinstance(step, (int, float)) and step < 0
        bounds = [iterator.start, iterator.end, -step if down else iterator.step]
        if down:
            bounds[0], bounds[1] = bounds[1], bounds[0]
        values = []
        for bound in bounds:
            value = self.semantic.to_tensor(bound)
            if value.type.is_block():
                raise TypeError("For loop bounds and step must be a scalar, got " + str(value))
            if not value.dtype.is_int():
                raise TypeError("For loop bounds and step must all be ints, are ("
                                + ", ".join(str(self.semantic.to_tensor(b).dtype) for b in bounds)
                                + ")")
            values.append(value)
        common = values[0].dtype
        for value in values[1:]:
            common = computation_type(common, False, value.dtype, False, False)
        if common.int_bitwidth < 32:
            common = type(common)("int32")
        return [self.semantic.cast(v, common) for v in values], down

    def _loop(self, node: ast.For, iterator: Any) -> None:
        if not isinstance(node.target, ast.Name):
            raise self.error(node, "a loop over a range has one name as its target",
                             UnsupportedLanguageConstruct)
        (start, end, step), down = self._bounds(iterator)
        builder, loc = self.ir.builder, self.ir.builder.loc
        index_name = node.target.id
        before = self.names
        carried = self._carried(node.body, skip=index_name)
        initial = [h for v in carried.values() for h in flatten(v)]
        types = [str(h.type) for h in initial]
        attributes = _hints(iterator)
        if start.dtype.is_int_unsigned():
            attributes["unsignedCmp"] = "unit"
        op = self.ir.op("scf.for", [start.handle, end.handle, step.handle, *initial], types,
                        attributes, regions=1)
        block = op.regions[0].add_block([self.ir.type(t) for t in [start.type.ir, *types]],
                                        [loc] * (1 + len(types)))
        builder.at_end(block)
        handles = iter(block.args)
        index = tensor(next(handles), start.type)
        self._enter(before, carried, handles)
        if down:
            index = self.semantic.binary("sub", end, index, sanitize=False)
            index = self.semantic.binary("add", index, start, sanitize=False)
        self.bind(index_name, index)
        inside = self._loop_body(node.body, carried, before, index_name)
        builder.loc = loc
        self.ir.op("scf.yield", [h for v in inside for h in flatten(v)])
        builder.after(op)
        self._enter(before, carried, op.results)

    def _carried(self, statements: Any, skip: str = "") -> dict[str, Any]:
        """Values, as the loop begins, of the names that exist and are assigned in it."""
        carried = {}
        for name in assigned_names(statements):
            if name in self.names and name != skip:
                if name in self.fixed:
                    raise ValueError(f"cannot reassign constexpr {name} in the loop")
                value = self.decay(self.names[name])
                if flatten(value):
                    carried[name] = value
        return carried

    def _loop_body(self, statements: list[ast.stmt], carried: dict[str, Any],
                   before: dict[str, Any], skip: str = "") -> list[Any]:
        """Emits the body; gives the carried names' values at its end, types checked."""
        self.loops += 1
        self.nested += 1
        self.run(statements)
        self.nested -= 1
        self.loops -= 1
        for name in assigned_names(statements):
            # None, a type, a function: known while compiling, so the same in each iteration.
            if name in before and name not in carried and name != skip \
                    and type_of(self.names[name]) != type_of(before[name]):
                raise ValueError(f"cannot reassign constexpr {name} in the loop")
        return self._kept(carried)

    def _kept(self, carried: dict[str, Any]) -> list[Any]:
        """What the carried names hold now, types checked."""
        values = []
        for name, first in carried.items():
            value = self.decay(self.names[name])
            if type_of(value) != type_of(first):
                raise CompilationError(None, None, (
                    f"Loop-carried variable {name} has initial type {type_of(first)} but is "
                    f"re-assigned to {type_of(value)} in loop! Please make sure that the type "
                    "stays consistent."))
            values.append(value)
        return values

    # -- while -------------------------------------------------------------------------

    def visit_While(self, node: ast.While) -> None:
        if node.orelse:
            raise self.error(node, "`else` of a loop is not supported", UnsupportedLanguageConstruct)
        builder, loc = self.ir.builder, self.ir.builder.loc
        before = self.names
        carried = self._carried([node.test, *node.body])
        initial = [h for v in carried.values() for h in flatten(v)]
        types = [str(h.type) for h in initial]
        op = self.ir.op("scf.while", initial, types, regions=2)
        ir_types = [self.ir.type(t) for t in types]
        test, body = (r.add_block(ir_types, [loc] * len(types)) for r in op.regions)

        builder.at_end(test)
        self._enter(before, carried, test.args)
        condition = unwrap(self.visit(node.test))
        if isinstance(condition, iterating.condition):
            if unwrap(condition.disable_licm):
                op.set_attr("llvm.loop_annotation", self.ir.attr(_NO_LICM))
            condition = condition.condition
        condition = self.condition(condition, "while")
        condition = self.semantic.to_tensor(condition)
        kept = self._kept(carried)  # `:=` in the test may have changed some
        self.ir.op("scf.condition", [condition.handle, *(h for v in kept for h in flatten(v))])

        builder.at_end(body)
        self._enter(before, carried, body.args)
        values = self._loop_body(node.body, carried, before)
        builder.loc = loc
        self.ir.op("scf.yield", [h for v in values for h in flatten(v)])
        builder.after(op)
        self._enter(before, carried, op.results)

    def _enter(self, before: dict[str, Any], carried: dict[str, Any], handles: Any) -> None:
        """Names as a block or what follows the loop sees them: those of before, the carried ones
        with these values; none that the body alone defines."""
        handles = iter(handles)
        self.names = dict(before)
        for name, value in carried.items():
            self.bind(name, rebuild(value, handles))

    # -- conditional expression ----------------------------------------------------------

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        condition = self.condition(self.visit(node.test))
        if isinstance(condition, constexpr):
            return self.visit(node.body if condition.value else node.orelse)
        if any(isinstance(n, ast.NamedExpr) for arm in (node.body, node.orelse)
               for n in ast.walk(arm)):
            raise self.error(node, "`:=` in an arm of a conditional expression whose condition is "
                             "known at run time only; use an `if` statement",
                             UnsupportedLanguageConstruct)
        loc = self.ir.builder.loc
        draft, then_block, else_block = self._open_if(condition)
        values = []
        for block, arm in ((then_block, node.body), (else_block, node.orelse)):
            self.ir.builder.at_end(block)
            values.append(self.decay(self.visit(arm)))
        self.ir.builder.loc = loc
        if type_of(values[0]) != type_of(values[1]):
            raise TypeError("Ternary expression with dynamic condition has inconsistent types "
                            f"{type_of(values[0])} and {type_of(values[1])}")
        results = self._close_if(draft, condition, (then_block, else_block),
                                 [flatten(v) for v in values])
        return rebuild(values[0], iter(results))


def _hints(iterator: iterating.range) -> dict[str, str]:
    """The options of `tl.range` as attributes, with upstream's names."""
    numbers = {"tt.num_stages": iterator.num_stages,
               "tt.loop_unroll_factor": iterator.loop_unroll_factor}
    flags = {"tt.disallow_acc_multi_buffer": iterator.disallow_acc_multi_buffer,
             "tt.flatten": iterator.flatten, "tt.warp_specialize": iterator.warp_specialize}
    found = {name: f"{unwrap(value)} : i32" for name, value in numbers.items()
             if unwrap(value) is not None}
    found.update({name: "unit" for name, value in flags.items() if unwrap(value)})
    if unwrap(iterator.disable_licm):
        found["llvm.loop_annotation"] = _NO_LICM
    return found


def _same_constant(a: Any, b: Any) -> bool:
    return (isinstance(a, constexpr) and isinstance(b, constexpr)
            and type(a.value) is type(b.value) and bool(a.value == b.value)
            and not isinstance(a.value, (int, float)))
