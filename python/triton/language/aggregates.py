"""Aggregates: classes of kernel values, with named fields and methods.

Known to the front end only: an aggregate is the values of its fields.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

from ..digest import digest_of
from .function import ConstexprFunction, Function
from .types import base_type, constexpr
from .values import (
    BUILTIN_FLAG, base_value, flatten, is_constant, rebuild, takes_semantic, tensor, type_of, wrap,
)

_COMPUTING = "being computed"
_MADE_BY_PYTHON = ("__dict__", "__weakref__", "__annotations__", "__init__")


class aggregate_type(base_type):
    def __init__(self, kind: type, types: dict[str, Any]) -> None:
        self.kind, self.types = kind, types
        fields = ", ".join(f"{name}: {type}" for name, type in types.items())
        self.name = f"{kind.__qualname__}<{fields}>"

    def mangle(self) -> str:
        fields = "_".join(type.mangle() for type in self.types.values())
        return f"{self.kind.__module__}.{self.kind.__qualname__}<{fields}>"

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, aggregate_type) and self.kind is other.kind
                and self.types == other.types)

    def __hash__(self) -> int:
        return hash((self.kind, tuple(self.types.values())))

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class _Keyed(type):
    """Gives each aggregate class the identity that caches need."""

    @property
    def cache_key(cls) -> str:
        if cls.__dict__.get("_key") is None:  # its own, not that of a base
            cls._key = _COMPUTING  # its methods may name the class
            try:
                parts = [f"{cls.__module__}.{cls.__qualname__}"]
                parts += [f"{n}:{a}" for n, a in getattr(cls, "fields", {}).items()]
                parts += [f"{n}={_identity(v)}" for n, v in sorted(cls.__dict__.items())
                          if n not in ("_key", "fields", "defaults")]
                parts += [f"{n}={v!r}" for n, v in getattr(cls, "defaults", {}).items()]
                parts += [b.cache_key for b in cls.__bases__ if isinstance(b, _Keyed)]
                cls._key = digest_of(*parts)
            except BaseException:
                cls._key = None
                raise
        return cls._key


class aggregate_value(base_value, metaclass=_Keyed):
    """Base of what `aggregate` makes. Fields are assigned until `seal`."""

    fields: dict[str, Any] = {}  # name -> annotation, inherited ones first
    defaults: dict[str, Any] = {}
    initializer: Callable | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """On the host; kernels make theirs by FunctionEmitter."""
        self.initialize(args, kwargs, None)
        self.seal(lambda value: value)

    def initialize(self, args: Any, kwargs: dict[str, Any], semantic: Any) -> None:
        """Gives the fields their values, by an `__init__` that Python runs if there is one."""
        initializer = self.initializer
        if initializer is None:
            self.fill(args, kwargs)
        elif takes_semantic(initializer):
            initializer(self, *args, **{"_semantic": semantic, **kwargs})
        else:
            initializer(self, *args, **kwargs)

    def fill(self, args: Any, kwargs: dict[str, Any]) -> None:
        """What a class without an `__init__` of its own is made of."""
        names, kind = list(self.fields), type(self).__qualname__
        if len(args) > len(names):
            raise TypeError(f"{kind} has {len(names)} fields, got {len(args)} values")
        given = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in names:
                raise TypeError(f"{kind} has no field '{name}'")
            if name in given:
                raise TypeError(f"{kind} got two values for field '{name}'")
            given[name] = value
        for name, value in {**self.defaults, **given}.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if "type" in self.__dict__:
            raise AttributeError(f"cannot assign to field '{name}' on immutable aggregate "
                                 f"{type(self).__qualname__}; use tl.aggregate_replace")
        if name not in self.fields:
            raise AttributeError(f"{type(self).__qualname__} has no field '{name}'")
        self.__dict__[name] = wrap(value)

    def seal(self, decay: Callable[[Any], Any]) -> "aggregate_value":
        """Checks the fields and makes them final. ``decay`` makes values of numbers."""
        kind = type(self).__qualname__
        for name, annotation in self.fields.items():
            if name not in self.__dict__:
                raise TypeError(f"field '{name}' of {kind} has no value")
            value = self.__dict__[name]
            expected = self.resolve(annotation)
            if expected is tensor:
                self.__dict__[name] = value = decay(value)
            if expected is constexpr and is_constant(value):
                continue
            if isinstance(expected, type) and issubclass(expected, (base_value, constexpr)) \
                    and not isinstance(value, expected):
                raise TypeError(f"field '{name}' of {kind} is a {expected.__qualname__}, got "
                                f"{type_of(value)}")
        self.__dict__["type"] = aggregate_type(
            type(self), {name: type_of(self.__dict__[name]) for name in self.fields})
        return self

    @classmethod
    def resolve(cls, annotation: Any) -> Any:
        """An annotation kept as text (`from __future__ import annotations`) as what it names."""
        if not isinstance(annotation, str):
            return annotation
        import sys

        names = vars(sys.modules.get(cls.__module__, object))
        head, *rest = annotation.split(".")
        found = names.get(head)
        for part in rest:
            found = getattr(found, part, None)
        return found

    def with_fields(self, values: dict[str, Any]) -> Any:
        """The same with other values; sealed by the caller."""
        made = type(self).__new__(type(self))
        for name in self.fields:
            setattr(made, name, values.get(name, self.__dict__[name]))
        return made

    def flatten(self) -> list[Any]:
        return [h for name in self.fields for h in flatten(self.__dict__[name])]

    def rebuild(self, handles: Iterator[Any]) -> "aggregate_value":
        fields = {name: rebuild(self.__dict__[name], handles) for name in self.fields}
        return self.with_fields(fields).seal(lambda value: value)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={self.__dict__.get(name)}" for name in self.fields)
        return f"{type(self).__qualname__}({fields})"


def _identity(member: Any) -> str:
    member = member.value if isinstance(member, constexpr) else member
    if isinstance(member, (Function, ConstexprFunction)):
        return member.cache_key
    if callable(member) and hasattr(member, "__code__"):
        return ConstexprFunction(member).cache_key
    return str(type(member).__name__) if callable(member) else repr(member)


def aggregate(cls: type) -> Any:
    """Decorator: a class whose annotated fields hold kernel values.

    Instances are made in kernels, from the fields in order or by name (class attributes
    are defaults) or by an `__init__`, a jit function; they do not change afterwards.
    Methods are jit functions, builtins or constexpr functions.
    """
    bases = tuple(b for b in cls.__bases__ if b is not object)
    if not all(issubclass(b, aggregate_value) for b in bases):
        raise TypeError("Aggregates can only inherit from other aggregates")
    own = dict(cls.__dict__.get("__annotations__", {}))
    fields: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for base in reversed(bases):
        fields.update(base.fields)
        defaults.update(base.defaults)
    fields.update(own)
    defaults.update({name: wrap(cls.__dict__[name]) for name in own if name in cls.__dict__})
    members = {name: value for name, value in cls.__dict__.items()
               if name not in _MADE_BY_PYTHON and name not in own}
    for name, value in members.items():
        if isinstance(value, staticmethod):
            # Kept from being bound to an instance.
            members[name] = constexpr(value.__func__)
    initializer = cls.__dict__.get("__init__") or (
        None if own else next((b.initializer for b in bases if b.initializer), None))
    if initializer is not None and not isinstance(initializer, Function):
        initializer = staticmethod(initializer)
    members.update(fields=fields, defaults=defaults, initializer=initializer,
                   __qualname__=cls.__qualname__)
    return _Keyed(cls.__name__, bases or (aggregate_value,), members)


def aggregate_replace(obj: Any, _semantic: Any = None, **fields: Any) -> Any:
    """A copy of the aggregate ``obj`` with other values in some fields."""
    if not isinstance(obj, aggregate_value):
        raise TypeError(f"aggregate_replace expects an aggregate instance, got {type_of(obj)}")
    for name in fields:
        if name not in obj.fields:
            raise TypeError(f"{type(obj).__qualname__} has no field '{name}'")
    made = obj.with_fields(fields)
    return made.seal(_semantic.decay if _semantic is not None else lambda value: value)


# Unlike what emits operations this may be called on the host.
setattr(aggregate_replace, BUILTIN_FLAG, True)
