"""Functions: their emission, calls to them, and calls to everything else."""

from __future__ import annotations

import ast
import inspect
import json
from collections import namedtuple
from typing import Any, Callable, Sequence

from ..errors import CompilationError, UnsupportedLanguageConstruct
from ..language import debugging, descriptor, elementwise, iterating
from ..language.aggregates import aggregate_value
from ..language.function import ConstexprFunction, Function
from ..language.types import constexpr, str_to_ty, unwrap
from ..language.values import (
    base_value, flatten, is_builtin, is_constant, rebuild, takes_semantic, tensor,
    tuple as kernel_tuple, tuple_type, type_of, wrap,
)
from .control_flow import ControlFlow
from .emission import BoundMethod, Compilation, Returned
from .expressions import Expressions
from .statements import Statements


class FunctionEmitter(Statements, ControlFlow, Expressions):
    """Visits the syntax tree of one function for one set of argument types."""

    def __init__(self, compilation: Compilation, function: Function) -> None:
        self.compilation = compilation
        self.function = function
        self.ir = compilation.ir
        self.semantic = compilation.semantic
        self.names: dict[str, Any] = {}
        self.loops = 0
        self.nested = 0  # regions of this function that are open
        self.fixed: set[str] = set()  # parameters and names declared as tl.constexpr
        self.declared: set[str] = set()  # the latter: only constants are assigned to them
        self.dropped: Any = None  # the expression of a statement: nobody takes its value
        self.loc = self.ir.builder.loc

    # -- emission ----------------------------------------------------------------------

    def emit(self, name: str, arguments: dict[str, Any], public: bool,
             attributes: dict[tuple, dict[str, str]] | None = None) -> Any:
        """Emits the function as ``@name``; gives the prototype of its result.

        ``arguments`` holds constants and prototypes of the values it will be called with;
        ``attributes`` by path go to IR arguments.
        """
        node = self.function.parse().body[0]
        if not isinstance(node, ast.FunctionDef):
            raise UnsupportedLanguageConstruct(self.function.src, node, "a kernel must be a `def`")
        builder = self.ir.builder
        saved, outer_loc = builder.save(), builder.loc
        self.locate(node)
        builder.at_end(self.compilation.module.body)
        prototypes = [h for value in arguments.values() for h in flatten(value)]
        types = [str(h.type) if not isinstance(h, str) else h for h in prototypes]
        op = self.ir.op(
            "tt.func", [], [],
            {"sym_name": json.dumps(name), "function_type": f"({', '.join(types)}) -> ()",
             "sym_visibility": '"public"' if public else '"private"'}, regions=1)
        if self.function.noinline:
            op.set_attr("noinline", self.ir.attr("true"))
        block = op.regions[0].add_block([self.ir.type(t) for t in types],
                                        self._argument_locations(arguments))
        builder.at_end(block)
        handles = iter(block.args)
        for parameter, value in arguments.items():
            value = rebuild(value, handles)
            try:
                # Only launches pass descriptors in parts.
                value = descriptor.received(value, self.semantic) if public else value
            except (TypeError, ValueError) as wrong:
                raise self.error(node, f"argument '{parameter}': {wrong}") from wrong
            self.names[parameter] = value
        self.fixed = {p.name for p in self.function.params if p.is_constexpr}
        result = self.run(node.body)
        value = result.value if isinstance(result, Returned) else constexpr(None)
        returned = flatten(value)  # constants are known to who calls
        self.locate(node)
        self.ir.op("tt.return", returned)
        signature = f"({', '.join(types)}) -> ({', '.join(str(h.type) for h in returned)})"
        op.set_attr("function_type", self.ir.attr(signature))
        if attributes:
            self._set_argument_attributes(op, arguments, attributes)
        builder.restore(saved)
        builder.loc = outer_loc
        return value

    def _argument_locations(self, arguments: dict[str, Any]) -> list[Any]:
        """Launches find what they pass by the names in these: "t.0" is in the tuple t."""
        loc, context = self.ir.builder.loc, self.compilation.context
        names = list(arguments)
        return [context.loc_name(".".join([names[path[0]], *map(str, path[1:])]), loc)
                for path in _paths(arguments)]

    def _set_argument_attributes(self, op: Any, arguments: dict[str, Any],
                                 attributes: dict[tuple, dict[str, str]]) -> None:
        entries = []
        for path in _paths(arguments):
            pairs = attributes.get(path, {})
            entries.append("{" + ", ".join(f"{k} = {v}" for k, v in pairs.items()) + "}")
        if any(entry != "{}" for entry in entries):
            op.set_attr("arg_attrs", self.ir.attr(f"[{', '.join(entries)}]"))

    def return_value(self, value: Any) -> Any:
        """Numbers in what a function returned become values: where it is assigned, and where a
        condition of run time decides which it is."""
        if isinstance(value, kernel_tuple):
            return kernel_tuple([self.return_value(v) for v in value.values], value.type)
        return self.decay(value)

    def call_for_value(self, fn: Any, args: Sequence[Any]) -> Any:
        """What a function that a builtin was given returns for ``args``, as values."""
        return self.return_value(self.call(fn, list(args), {}))

    # -- errors and places -------------------------------------------------------------

    def locate(self, node: ast.AST) -> None:
        if hasattr(node, "lineno"):
            line, column = self.function.file_position(node)
            self.ir.builder.loc = self.compilation.context.loc_file(
                self.function.file_name, line, column)

    def error(self, node: ast.AST, message: str, kind: type = CompilationError) -> CompilationError:
        line, _ = self.function.file_position(node)
        return kind(self.function.src, node, message, f"{self.function.file_name}:{line}")

    # -- calls -------------------------------------------------------------------------

    def call(self, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Calls anything a kernel may call, with kernel values."""
        function = unwrap(function)
        if isinstance(function, BoundMethod):
            return self.call(function.function, [function.receiver, *args], kwargs)
        if isinstance(function, Function):
            return self._call_function(function, args, kwargs)
        replacement = _PYTHON_BUILTINS.get(function) if _hashable(function) else None
        if replacement is not None:
            return replacement(self, args, kwargs)
        if isinstance(function, ConstexprFunction):
            return wrap(function(*_constants(args), **_constants(kwargs)))
        if is_builtin(function):
            return self._call_builtin(function, args, kwargs)
        if isinstance(function, type):
            return self._call_type(function, args, kwargs)
        if callable(function):
            return self._call_python(function, args, kwargs)
        raise TypeError(f"{function!r} cannot be called")

    def _call_builtin(self, function: Callable, args: list[Any], kwargs: dict[str, Any]) -> Any:
        extra: dict[str, Any] = {"_semantic": self.semantic}
        # Of the function within: a builtin may show other parameters than it has.
        if "_generator" in inspect.signature(inspect.unwrap(function)).parameters:
            extra["_generator"] = self
        result = function(*args, **extra, **kwargs)
        return wrap(result) if result is not None else constexpr(None)

    def _call_python(self, function: Callable, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A function that Python runs as the kernel is compiled. It may put values together,
        but only what takes `_semantic` can compute with them."""
        if takes_semantic(function):
            return wrap(function(*args, _semantic=self.semantic, **kwargs))
        try:
            return wrap(function(*_constants(args), **_constants(kwargs)))
        except (AttributeError, TypeError, ValueError) as error:
            if not any(isinstance(v, tensor) for v in [*args, *kwargs.values()]):
                raise
            raise TypeError(f"`{getattr(function, '__qualname__', function)}` is an ordinary "
                            f"Python function: it can be called with constants only ({error}); "
                            "decorate it with @triton.jit") from error

    def _call_type(self, function: type, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if issubclass(function, (iterating.base_range, iterating.condition)):
            return constexpr(function(*args, **kwargs))
        if issubclass(function, aggregate_value):
            return self._construct(function, args, kwargs)
        if issubclass(function, kernel_tuple):
            return kernel_tuple(list(args[0]) if args else [])
        if issubclass(function, constexpr):
            if not is_constant(args[0]):
                raise ValueError("tl.constexpr of a value that is only known at run time")
            return wrap(unwrap(args[0]))
        if issubclass(function, tuple) and hasattr(function, "_fields"):
            return kernel_tuple(function(*args, **kwargs))
        return wrap(function(*_constants(args), **_constants(kwargs)))

    def _construct(self, kind: type, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A new aggregate."""
        value = kind.__new__(kind)
        initializer = kind.initializer
        if isinstance(initializer, Function):
            # Emitted in place: a call would only see a copy of the new value.
            emitter = FunctionEmitter(self.compilation, initializer)
            emitter.names = bind(initializer, [value, *args], kwargs)
            saved = self.ir.builder.loc
            emitter.run(initializer.parse().body[0].body)
            self.ir.builder.loc = saved
        else:
            value.initialize(args, kwargs, self.semantic)
        return value.seal(self.decay)

    def _call_function(self, function: Function, args: list[Any], kwargs: dict[str, Any]) -> Any:
        arguments = bind(function, args, kwargs)
        if function.noinline:
            for name, value in arguments.items():
                if isinstance(value, tensor) and value.type.is_block():
                    raise UnsupportedLanguageConstruct(
                        None, None, f"Function {function.__name__} is marked noinline, but was "
                        f"called with non-scalar argument {name}:{value}")
        types = tuple(type_of(v).mangle() for v in arguments.values())
        # In combine functions some checks are left out.
        key = function, types, self.semantic.combining
        functions = self.compilation.functions
        if key not in functions:
            if key in self.compilation.open:
                raise ValueError(f"{function.__name__} calls itself with the same types: "
                                 "recursion has to end at a constant condition")
            name = self.compilation.new_symbol(
                f"{function.module}.{function.__qualname__}__{'_'.join(types)}")
            self.compilation.open.append(key)
            try:
                emitter = FunctionEmitter(self.compilation, function)
                functions[key] = name, emitter.emit(name, arguments, public=False)
            finally:
                self.compilation.open.pop()
        name, prototype = functions[key]
        operands = [h for value in arguments.values() for h in flatten(value)]
        results = [str(h.type) for h in flatten(prototype)]
        op = self.ir.op("tt.call", operands, results, {"callee": f"@{json.dumps(name)}"})
        result = rebuild(prototype, iter(op.results))
        if isinstance(result, kernel_tuple):
            result.returned = True
        return result


def bind(function: Function, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments by parameter name, defaults filled in, constants where annotated."""
    try:
        bound = function.signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{function.__name__}(): {error}") from None
    bound.apply_defaults()
    arguments: dict[str, Any] = {}
    for param in function.params:
        value = wrap(bound.arguments[param.name])
        if param.is_constexpr and isinstance(value, tensor):
            raise TypeError(f"{function.__name__}(): parameter {param.name} is a tl.constexpr, "
                            f"but the argument is a value of type {value.type}")
        arguments[param.name] = value
    return arguments


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _constants(values: Any) -> Any:
    if isinstance(values, dict):
        return {k: _constant(v) for k, v in values.items()}
    return [_constant(v) for v in values]


def _constant(value: Any) -> Any:
    if isinstance(value, kernel_tuple):
        items = [_constant(v) for v in value.values]
        return namedtuple("Fields", value.fields)(*items) if value.fields else tuple(items)
    return unwrap(value)


def _print(self: FunctionEmitter, args: list[Any], kwargs: dict[str, Any]) -> Any:
    return self.call(debugging.device_print, args, kwargs)


def _minmax(name: str) -> Callable:
    return lambda self, args, kwargs: elementwise.extremum_of(name, args, self.semantic)


def _number(kind: type) -> Callable:
    def convert(self: FunctionEmitter, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if isinstance(args[0], base_value):
            raise TypeError(f"{kind.__name__}() takes a constant here; use x.to(...) for values "
                            "that are known at run time")
        return constexpr(kind(unwrap(args[0])))

    return convert


def _isinstance(self: FunctionEmitter, args: list[Any], kwargs: dict[str, Any]) -> Any:
    kinds = _constant(wrap(args[1]))
    return constexpr(isinstance(args[0], kinds) or isinstance(unwrap(args[0]), kinds))


_PYTHON_BUILTINS: dict[Any, Callable] = {
    len: lambda self, args, kwargs: constexpr(len(unwrap(args[0]))),
    print: _print,
    min: _minmax("min"),
    max: _minmax("max"),
    int: _number(int),
    float: _number(float),
    range: lambda self, args, kwargs: constexpr(iterating.range(*args, **kwargs)),
    list: lambda self, args, kwargs: kernel_tuple(list(args[0]) if args else []),
    isinstance: _isinstance,
    getattr: lambda self, args, kwargs: self.attribute(args[0], unwrap(args[1]), *args[2:]),
    hasattr: lambda self, args, kwargs: constexpr(self.has_attribute(args[0], unwrap(args[1]))),
}


def _paths(arguments: dict[str, Any]) -> list[tuple]:
    """For each IR argument the index of its parameter, then of its place in tuples."""

    def below(path: tuple, value: Any) -> list[tuple]:
        if isinstance(value, kernel_tuple):
            return [found for i, item in enumerate(value.values)
                    for found in below((*path, i), item)]
        return [path] * len(flatten(value))

    return [path for i, value in enumerate(arguments.values()) for path in below((i,), value)]


def signature_prototype(type: Any, constants: dict[tuple, Any], path: tuple) -> Any:
    """A kernel parameter's prototype: its IR type as text stands for the handle."""
    if isinstance(type, tuple):
        items = [signature_prototype(t, constants, (*path, i)) for i, t in enumerate(type)]
        return kernel_tuple(items, tuple_type([], getattr(type, "_fields", None)))
    if type == "constexpr":
        return wrap(constants[path])
    found = str_to_ty(type)
    return tensor(found.ir, found)
