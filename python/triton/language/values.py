"""Kernel values: tensors (scalars and blocks) and tuples of values."""

from __future__ import annotations

import builtins
import functools
from typing import Any, Callable, Iterator, Sequence

from .types import base_type, block_type, constexpr, constexpr_type, dtype, unwrap

BUILTIN_FLAG = "__triton_builtin__"


def builtin(fn: Callable) -> Callable:
    """Marks a function that emits operations: the code generator passes ``_semantic``."""
    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("_semantic") is None:
            raise ValueError(
                "Did you forget to add @triton.jit ? "
                "(`_semantic` argument must be provided outside of JIT functions.)"
            )
        return fn(*args, **kwargs)

    setattr(wrapper, BUILTIN_FLAG, True)
    return wrapper


def is_builtin(fn: Any) -> bool:
    return getattr(fn, BUILTIN_FLAG, False)


def takes_semantic(fn: Any) -> bool:
    """Whether Python code asks for what operations are emitted with."""
    import inspect  # slow to import, and rarely needed

    try:
        return "_semantic" in inspect.signature(fn).parameters
    except (TypeError, ValueError):  # some of C's callables have no signature
        return False


def must_use_result(what: Any) -> Any:
    """Decorator: a call whose value nobody takes is a mistake. May be given the advice
    that the error ends with."""
    if isinstance(what, str):
        return functools.partial(_mark_result, advice=what)
    return _mark_result(what)


def _mark_result(fn: Any, advice: str = "Assign what it returns.") -> Any:
    fn.__must_use_result__ = advice
    return fn


def tensor_member(fn: Any) -> Any:
    """Makes a builtin or jit function a method of tensors too."""
    setattr(tensor, fn.__name__, fn)
    return fn


class base_value:
    """What a kernel variable may hold and control flow may carry."""

    is_kernel_value = True
    type: Any

    def flatten(self) -> list[Any]:
        """The IR values this value is made of."""
        raise NotImplementedError

    def rebuild(self, handles: Iterator[Any]) -> "base_value":
        """The same value with other IR values, taken in flatten()'s order."""
        raise NotImplementedError


class tensor(base_value):
    """A scalar or a block: an IR value and its type."""

    def __init__(self, handle: Any, type: base_type) -> None:
        self.handle = handle
        self.type = type
        self.shape = builtins.tuple(constexpr(n) for n in type.shape) if type.is_block() else ()
        self.dtype = type.scalar

    @property
    def numel(self) -> constexpr:
        return constexpr(self.type.numel if self.type.is_block() else 1)

    def flatten(self) -> list[Any]:
        return [self.handle]

    def rebuild(self, handles: Iterator[Any]) -> "tensor":
        return tensor(next(handles), self.type)

    def __str__(self) -> str:
        return str(self.type)

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise TypeError("the value of a tensor is not known while the kernel is compiled")

    def __iter__(self) -> Any:
        raise TypeError("a tensor cannot be iterated over while the kernel is compiled")


class tuple_type(base_type):
    def __init__(self, types: Sequence[Any], fields: Sequence[str] | None = None) -> None:
        self.types = list(types)
        self.fields = fields
        self.name = f"[{','.join(map(str, types))}]"

    def mangle(self) -> str:
        names = self.fields or [""] * len(self.types)
        return f"T{'_'.join(name + t.mangle() for name, t in zip(names, self.types))}T"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, constexpr_type):  # a tuple of constants is a constant too
            return (isinstance(other.value, builtins.tuple)
                    and self.types == [constexpr_type(unwrap(v)) for v in other.value])
        return (isinstance(other, tuple_type) and self.types == other.types
                and (self.fields or None) == (other.fields or None))

    def __hash__(self) -> int:
        return hash(builtins.tuple(self.types))

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class slice_type(base_type):
    """The type of every `slice`: what it selects is known while the kernel is compiled."""

    name = "slice"

    def mangle(self) -> str:
        return "SL"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, slice_type)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class slice(base_value):  # noqa: A001 - the name is upstream's
    """Constant bounds of a part of a tuple: ``t[tl.slice(0, 2)]`` is ``t[0:2]``."""

    def __init__(self, start: Any = None, stop: Any = None, step: Any = None) -> None:
        self.start, self.stop, self.step = (unwrap(v) for v in (start, stop, step))
        for bound in (self.start, self.stop, self.step):
            if bound is not None and not isinstance(bound, int):
                raise TypeError(f"the bounds of a slice are constant integers, got {bound}")
        self.type = slice_type()

    def flatten(self) -> list[Any]:
        return []

    def rebuild(self, handles: Iterator[Any]) -> "slice":
        return self

    def __repr__(self) -> str:
        return f"slice({self.start}, {self.stop}, {self.step})"


class tuple(base_value):  # noqa: A001 - the name is upstream's
    """A tuple of kernel values; may have field names (namedtuples)."""

    def __init__(self, values: Sequence[Any], type: tuple_type | None = None) -> None:
        self.values = [wrap(v) for v in values]
        fields = type.fields if type is not None else getattr(values, "_fields", None)
        self.fields = fields
        self.type = tuple_type([v.type for v in self.values], fields)
        self.returned = False  # by a jit function: its numbers become values when it is assigned

    def flatten(self) -> list[Any]:
        return [h for v in self.values for h in flatten(v)]

    def rebuild(self, handles: Iterator[Any]) -> "tuple":
        return tuple([rebuild(v, handles) for v in self.values], self.type)

    def __getitem__(self, index: Any) -> Any:
        index = unwrap(index)
        if isinstance(index, int):
            return self.values[index]
        if isinstance(index, (slice, builtins.slice)):
            parts = (unwrap(index.start), unwrap(index.stop), unwrap(index.step))
            return tuple(self.values[builtins.slice(*parts)])
        raise TypeError(f"a tuple is indexed by a constant, got {index}")

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__.get("fields")
        if fields and name in fields:
            return self.values[list(fields).index(name)]
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Any:
        return iter(self.values)

    def __add__(self, other: Any) -> "tuple":
        return tuple(self.values + list(other))

    def __mul__(self, count: Any) -> "tuple":
        return tuple(self.values * unwrap(count))

    def __eq__(self, other: object) -> Any:
        return constexpr(list(self.values) == list(other))  # type: ignore[call-overload]

    def __hash__(self) -> int:
        return hash(builtins.tuple(self.values))

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self.values))})"


def wrap(value: Any) -> Any:
    """A Python value as a kernel value: numbers, types and functions become constexpr."""
    if isinstance(value, (base_value, constexpr)):
        return value
    if isinstance(value, (builtins.tuple, list)):
        return tuple(value)
    return constexpr(value)


def flatten(value: Any) -> list[Any]:
    return value.flatten() if isinstance(value, base_value) else []


def is_constant(value: Any) -> bool:
    """A constant, or a tuple of nothing else."""
    if isinstance(value, tuple):
        return all(is_constant(v) for v in value.values)
    return not isinstance(value, base_value)


def rebuild(value: Any, handles: Iterator[Any]) -> Any:
    return value.rebuild(handles) if isinstance(value, base_value) else value


def type_of(value: Any) -> Any:
    return value.type if isinstance(value, (base_value, constexpr)) else constexpr_type(value)


__all__ = ["base_value", "block_type", "builtin", "dtype", "flatten", "is_builtin", "rebuild",
           "must_use_result", "slice", "slice_type", "tensor", "tensor_member", "tuple", "tuple_type",
           "type_of", "wrap"]
