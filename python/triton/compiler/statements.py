"""Statements without control flow: assignments, expressions, assertions."""

from __future__ import annotations

import ast
from typing import Any

from ..errors import CompilationError, UnsupportedLanguageConstruct
from ..language import debugging
from ..language.aggregates import aggregate_value
from ..language.types import constexpr, unwrap
from ..language.values import base_value, tensor, tuple as kernel_tuple, wrap
from .emission import Returned


class Statements:
    """Mixed into the emitter; see functions.py."""

    def run(self, statements: list[ast.stmt]) -> Returned | None:
        """Visits statements up to the first `return` that is always reached."""
        for position, statement in enumerate(statements):
            self.locate(statement)
            result = self.visit_statement(statement, statements[position + 1:])
            if result is not None:
                return result
        return None

    def visit_statement(self, node: ast.stmt, rest: list[ast.stmt]) -> Returned | None:
        try:
            if isinstance(node, ast.If):
                return self.visit_If(node, rest)
            if isinstance(node, ast.Return):
                return self.visit_Return(node)
            visitor = getattr(self, f"visit_{type(node).__name__}", None)
            if visitor is None:
                raise self.error(node, f"unsupported AST node type: {type(node).__name__}",
                                 UnsupportedLanguageConstruct)
            visitor(node)
            return None
        except CompilationError as error:
            raise self.placed(error, node) from error.__cause__
        except RecursionError:
            if self.compilation.open:
                raise
            raise self.error(node, "calls or expressions are nested too deeply; recursion has to "
                             "end at a constant condition") from None
        except Exception as error:
            raise self.error(node, _message(error)) from error

    def placed(self, error: CompilationError, node: ast.AST) -> CompilationError:
        """Errors raised without a place get this one."""
        if error.src is not None:
            return error
        return self.error(node, error.error_message, type(error))

    def visit_Return(self, node: ast.Return) -> Returned:
        if self.loops:
            raise self.error(node, "Cannot have `return` statements inside `while` or `for` "
                             "statements in triton", UnsupportedLanguageConstruct)
        value = self.visit(node.value) if node.value is not None else constexpr(None)
        return Returned(value)

    def visit_Pass(self, node: ast.Pass) -> None:
        pass

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring
        self.dropped = node.value
        self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        condition = self.visit(node.test)
        message = self.visit(node.msg) if node.msg is not None else constexpr("")
        self.call(debugging.device_assert, [condition, message], {})

    # -- assignment --------------------------------------------------------------------

    def decay(self, value: Any) -> Any:
        """A number that is assigned becomes a value known at run time."""
        return self.semantic.decay(value)

    def stored(self, target: ast.expr, value: Any) -> Any:
        """What an assignment gives the target. Names declared as tl.constexpr keep constants;
        a field says itself whether it holds one."""
        if isinstance(target, ast.Attribute) or (
                isinstance(target, ast.Name) and target.id in self.declared):
            return value
        if isinstance(value, kernel_tuple) and value.returned:
            return self.return_value(value)
        return self.decay(value)

    def bind(self, name: str, value: Any) -> None:
        """Gives the value the name, for the kernel and for who reads its TTIR."""
        self.names[name] = value
        if isinstance(value, tensor):
            value.handle.set_name(name)

    def assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            if target.id in self.declared and isinstance(value, tensor):
                raise ValueError(f"{target.id} is annotated as constexpr, but its value has type "
                                 f"{value.type} and is only known at run time")
            self.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Attribute):
            self._set_field(target, value)
        elif isinstance(target, ast.Subscript):
            raise NotImplementedError("__setitem__ is not supported in triton")
        else:
            raise NotImplementedError(f"cannot assign to {ast.unparse(target)}")

    def _set_field(self, target: ast.Attribute, value: Any) -> None:
        """Only an aggregate has fields, and only while its `__init__` runs."""
        owner = self.visit(target.value)
        if not isinstance(owner, aggregate_value):
            raise NotImplementedError("Attribute assignment is not supported in triton")
        if self.nested:
            raise NotImplementedError("fields are set outside of loops and of branches whose "
                                      "condition is known at run time only")
        setattr(owner, target.attr, value)

    def _unpack(self, target: Any, value: Any) -> None:
        value = wrap(unwrap(value)) if not isinstance(value, base_value) else value
        if not isinstance(value, kernel_tuple):
            raise ValueError(f"cannot unpack {value} into {len(target.elts)} names")
        values, names = list(value.values), target.elts
        starred = [i for i, e in enumerate(names) if isinstance(e, ast.Starred)]
        if starred:
            first, after = starred[0], len(names) - starred[0] - 1
            if len(values) < len(names) - 1:
                raise ValueError(f"not enough values to unpack (expected at least "
                                 f"{len(names) - 1}, got {len(values)})")
            middle = values[first:len(values) - after]
            values = values[:first] + [kernel_tuple(middle)] + values[len(values) - after:]
            names = [e.value if isinstance(e, ast.Starred) else e for e in names]
        if len(values) != len(names):
            raise ValueError(f"cannot unpack {len(values)} values into {len(names)} names")
        for name, part in zip(names, values):
            self.assign(name, self.stored(name, part))

    def visit_Assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            raise self.error(node, "simultaneous multiple assignment is not supported.",
                             UnsupportedLanguageConstruct)
        target, value = node.targets[0], self.visit(node.value)
        self.assign(target, self.stored(target, value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if not isinstance(node.target, ast.Name):
            raise NotImplementedError("only names can be annotated")
        annotation = unwrap(self.visit(node.annotation))
        name = node.target.id
        if annotation is constexpr:
            if name in self.names:
                raise ValueError(f"{name} is already defined. constexpr cannot be reassigned.")
            self.fixed.add(name)
            self.declared.add(name)
        if node.value is not None:
            self.assign(node.target, self.stored(node.target, self.visit(node.value)))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        left = ast.copy_location(_as_load(node.target), node.target)
        value = self.visit(ast.copy_location(ast.BinOp(left, node.op, node.value), node))
        self.assign(node.target, self.stored(node.target, value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        raise self.error(node, "nested function definition is not supported.",
                         UnsupportedLanguageConstruct)

    def visit_Break(self, node: ast.AST) -> None:
        raise self.error(node, f"unsupported AST node type: {type(node).__name__}: leave the loop "
                         "by its condition (`while`), or mask what the rest would do",
                         UnsupportedLanguageConstruct)

    visit_Continue = visit_Break

    def visit_With(self, node: ast.With) -> None:
        if any(isinstance(n, ast.Return) for n in ast.walk(node)):
            raise self.error(node, "Cannot have `return` statements inside `with` statements",
                             UnsupportedLanguageConstruct)
        managers = []
        for item in node.items:
            manager = unwrap(self.visit(item.context_expr))
            if not hasattr(manager, "__enter__"):
                raise self.error(node, f"{ast.unparse(item.context_expr)} is not a context manager "
                                 "for kernels", UnsupportedLanguageConstruct)
            managers.append(manager)
            entered = manager.__enter__()
            if item.optional_vars is not None:
                self.assign(item.optional_vars, wrap(entered))
        self.run(node.body)
        for manager in reversed(managers):
            manager.__exit__(None, None, None)


def _as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    if not isinstance(target, ast.Name):
        raise NotImplementedError("__setitem__ is not supported in triton")
    return ast.Name(target.id, ast.Load())


def _message(error: Exception) -> str:
    text = str(error)
    return text if text else type(error).__name__
