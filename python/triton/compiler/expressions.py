"""Expressions: names, operators, calls, attributes, indexing."""

from __future__ import annotations

import ast
import builtins
import types
from typing import Any

from ..errors import CompilationError, UnsupportedLanguageConstruct
from ..language import shaping
from ..language.function import ConstexprFunction, Function, is_language_name
from ..language.types import constexpr, unwrap
from ..language.values import base_value, is_builtin, tensor, tuple as kernel_tuple, wrap
from .emission import BoundMethod

_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and",
    ast.BitOr: "or", ast.BitXor: "xor", ast.MatMult: "matmul",
}
_COMPARE = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt",
            ast.GtE: "ge"}
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "not"}
_PYTHON_NAMES = ("len", "list", "range", "float", "int", "isinstance", "getattr", "hasattr",
                 "print", "min", "max", "bool", "tuple", "str")


class Expressions:
    """Mixed into the emitter; see functions.py."""

    def visit(self, node: ast.AST) -> Any:
        saved = self.ir.builder.loc
        self.locate(node)
        try:
            visitor = getattr(self, f"visit_{type(node).__name__}", None)
            if visitor is None:
                raise self.error(node, f"unsupported AST node type: {type(node).__name__}",
                                 UnsupportedLanguageConstruct)
            return visitor(node)
        except CompilationError as error:
            if error.src is None:
                raise self.placed(error, node) from error.__cause__
            if isinstance(node, ast.Call) and error.src is not self.function.src:
                # The callee's place is in the cause, ours on top.
                raise self.error(node, error.error_message, type(error)) from error
            raise
        except RecursionError:
            raise
        except Exception as error:
            raise self.error(node, str(error) or type(error).__name__) from error
        finally:
            self.ir.builder.loc = saved

    # -- names and constants -----------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.names:
            return self.names[node.id]
        try:
            value = self.function.lookup(node.id)
        except KeyError:
            if node.id in _PYTHON_NAMES:
                return constexpr(getattr(builtins, node.id))
            raise NameError(f"{node.id} is not defined") from None
        if not is_language_name(value) and not callable(value):
            if not getattr(self.compilation.options, "allow_globals", False):
                raise NameError(
                    f"Cannot access global variable {node.id} from within @jit'ed function. "
                    "Triton kernels can only access global variables that are instanstiated as "
                    f"constexpr (`{node.id} = triton.language.constexpr(...)`), or pass it as an "
                    "argument.")
        return wrap(value)

    def visit_Constant(self, node: ast.Constant) -> Any:
        return constexpr(node.value)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        values: list[Any] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                values += list(self.visit(element.value))
            else:
                values.append(self.visit(element))
        return kernel_tuple(values)

    visit_List = visit_Tuple

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        if len(node.generators) != 1:
            raise ValueError("nested comprehensions are not supported")
        generator = node.generators[0]
        saved, values = dict(self.names), []
        for element in self.visit(generator.iter):
            self.assign(generator.target, wrap(element))
            if all(unwrap(self.visit(test)) for test in generator.ifs):
                values.append(self.visit(node.elt))
        self.names = saved
        return kernel_tuple(values)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
                continue
            value = self.visit(part.value)
            if isinstance(value, base_value):
                raise NotImplementedError("f-strings in kernels take constants only; use "
                                          "tl.device_print for values known at run time")
            value = unwrap(value)
            if part.conversion != -1:
                value = {"s": str, "r": repr, "a": ascii}[chr(part.conversion)](value)
            spec = unwrap(self.visit(part.format_spec)) if part.format_spec else ""
            parts.append(format(value, spec))
        return constexpr("".join(parts))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        value = self.stored(node.target, self.visit(node.value))
        self.assign(node.target, value)
        return value

    # -- operators ---------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        name = _BINARY[type(node.op)]
        if isinstance(left, constexpr) and isinstance(right, constexpr):
            return self._fold(name, left, right)
        if isinstance(left, kernel_tuple) or isinstance(right, kernel_tuple):
            return self._tuple_operator(name, left, right)
        return self.semantic.binary(name, left, right)

    def _fold(self, name: str, left: constexpr, right: constexpr) -> constexpr:
        method = {"and": "__and__", "or": "__or__"}.get(name, f"__{name}__")
        return getattr(left, method)(right)

    def _tuple_operator(self, name: str, left: Any, right: Any) -> kernel_tuple:
        if name == "add" and isinstance(left, kernel_tuple) and isinstance(right, kernel_tuple):
            return left + right
        if name == "mul":
            return left * right if isinstance(left, kernel_tuple) else right * left
        raise TypeError(f"unsupported operator {name} on tuples")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        name = _UNARY[type(node.op)]
        if isinstance(value, constexpr):
            return constexpr(not value.value) if name == "not" else getattr(value, f"__{name}__")()
        if isinstance(value, kernel_tuple) and name == "not":
            return constexpr(len(value) == 0)
        if not isinstance(value, tensor):
            kind = type(value).__name__
            raise self.error(node, f"AST unary operator '__{name}__' is not (currently) implemented "
                             f"on type {kind}", UnsupportedLanguageConstruct)
        return self.semantic.unary(name, value)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) != 1:
            raise self.error(node, "simultaneous multiple comparison is not supported",
                             UnsupportedLanguageConstruct)
        left, right = self.visit(node.left), self.visit(node.comparators[0])
        kind = type(node.ops[0])
        if kind in (ast.Is, ast.IsNot):
            same = unwrap(left) is unwrap(right)
            return constexpr(same if kind is ast.Is else not same)
        if kind in (ast.In, ast.NotIn):
            if isinstance(left, tensor):
                raise TypeError("`in` needs a constant on its left")
            inside = unwrap(left) in [unwrap(v) for v in unwrap(right)]
            return constexpr(inside if kind is ast.In else not inside)
        name = _COMPARE[kind]
        if isinstance(left, constexpr) and isinstance(right, constexpr):
            return getattr(left, f"__{name}__")(right)
        if isinstance(left, kernel_tuple) or isinstance(right, kernel_tuple):
            same = isinstance(right, kernel_tuple) and bool(unwrap(left == right))
            return constexpr(same if name == "eq" else not same)
        if unwrap(left) is None or unwrap(right) is None:
            return constexpr(name == "ne")
        return self.semantic.compare(name, left, right)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        conjunction = isinstance(node.op, ast.And)
        result: Any = None
        for operand in node.values:
            value = self.visit(operand)
            is_tuple = isinstance(value, kernel_tuple)
            if is_tuple and result is not None:
                raise TypeError("a tuple cannot be an operand of `and` or `or` after a value that "
                                "is only known at run time")
            if is_tuple or not isinstance(value, base_value):
                # A constant that decides ends the evaluation; one that does not is neutral. Of a
                # tuple it is known whether it is empty.
                if bool(len(value) if is_tuple else unwrap(value)) != conjunction:
                    return value if result is None else self.semantic.logical(
                        "and" if conjunction else "or", result, value)
                if result is None and operand is node.values[-1]:
                    return value
                continue
            result = value if result is None else self.semantic.logical(
                "and" if conjunction else "or", result, value)
        return result if result is not None else constexpr(conjunction)

    # -- calls, attributes, indexing -----------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Any:
        function = self.visit(node.func)
        args: list[Any] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                args += list(self.visit(argument.value))
            else:
                args.append(self.visit(argument))
        kwargs = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.error(node, "** in a call is not supported", UnsupportedLanguageConstruct)
            kwargs[keyword.arg] = self.visit(keyword.value)
        result = self.call(function, args, kwargs)
        if node is self.dropped:
            self._refuse_unused(node, unwrap(function))
        return result

    def _refuse_unused(self, node: ast.Call, function: Any) -> None:
        function = function.function if isinstance(function, BoundMethod) else function
        # The mark may be below @triton.jit as well as above it.
        marked = (function, getattr(function, "fn", None))
        advice = next((m for f in marked if (m := getattr(f, "__must_use_result__", ""))), "")
        if advice:
            raise self.error(node, f"The result of {ast.unparse(node.func)} is not being used. "
                             f"{advice}")

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        return self.attribute(self.visit(node.value), node.attr)

    def has_attribute(self, value: Any, name: str) -> bool:
        holder = value if isinstance(value, base_value) else unwrap(value)
        return hasattr(holder, name) or name == "T"

    def attribute(self, value: Any, name: str, *default: Any) -> Any:
        """``value.name`` in a kernel."""
        if isinstance(value, constexpr) and isinstance(value.value, (bool, int, float)) \
                and not hasattr(value.value, name) and name not in ("value", "type") \
                and hasattr(tensor, name):
            value = self.semantic.to_tensor(value)
        if isinstance(value, tensor):
            if name == "T":
                return self.call(shaping.trans, [value], {})
        if isinstance(value, base_value):
            found = getattr(value, name, _MISSING)
        else:
            holder = value if name in ("value", "type") else unwrap(value)
            found = getattr(holder, name, _MISSING)
        if found is _MISSING:
            if default:
                return wrap(default[0])
            kind = value.type if isinstance(value, base_value) else repr(unwrap(value))
            raise AttributeError(f"{kind} has no attribute '{name}'")
        if isinstance(found, types.MethodType) and isinstance(found.__func__, ConstexprFunction):
            found = found.__func__
        if isinstance(found, (Function, ConstexprFunction)) and isinstance(value, base_value):
            return constexpr(BoundMethod(found, value))
        if isinstance(value, tensor) and name == "shape":
            return kernel_tuple(list(found))
        if isinstance(found, (tuple, list)) and not is_builtin(found):
            return kernel_tuple(list(found))
        return wrap(found)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        value = self.visit(node.value)
        index = self.visit(node.slice)
        if isinstance(value, tensor):
            return shaping.index(value, index, self.semantic)
        if isinstance(value, kernel_tuple):
            return wrap(value[index])
        method = getattr(type(value), "__getitem__", None)
        if isinstance(value, base_value) and isinstance(method, Function):
            return self.call(BoundMethod(method, value), [index], {})
        holder = unwrap(value)
        return wrap(holder[unwrap(index)])

    def visit_Slice(self, node: ast.Slice) -> Any:
        parts = (node.lower, node.upper, node.step)
        return constexpr(slice(*(unwrap(self.visit(p)) if p is not None else None for p in parts)))


_MISSING = object()
