"""Types of kernel values: scalars, pointers, blocks, and compile-time constants."""

from __future__ import annotations

import enum
import math
from typing import Any, Sequence

TRITON_MAX_TENSOR_NUMEL = 1048576

# name: (bits, kind, text in IR). kind: b(ool), i(nt), u(nsigned), f(loat), v(oid).
_DTYPES = {
    "void": (0, "v", ""),
    "int1": (1, "b", "i1"),
    "int8": (8, "i", "i8"),
    "int16": (16, "i", "i16"),
    "int32": (32, "i", "i32"),
    "int64": (64, "i", "i64"),
    "uint8": (8, "u", "i8"),
    "uint16": (16, "u", "i16"),
    "uint32": (32, "u", "i32"),
    "uint64": (64, "u", "i64"),
    "fp8e4b15": (8, "f", "i8"),
    "fp8e4nv": (8, "f", "f8E4M3FN"),
    "fp8e4b8": (8, "f", "f8E4M3FNUZ"),
    "fp8e5": (8, "f", "f8E5M2"),
    "fp8e5b16": (8, "f", "f8E5M2FNUZ"),
    "fp16": (16, "f", "f16"),
    "bf16": (16, "f", "bf16"),
    "fp32": (32, "f", "f32"),
    "fp64": (64, "f", "f64"),
}


def _names_of(kinds: str) -> list[str]:
    return [name for name, (_, kind, _) in _DTYPES.items() if kind in kinds]


# (mantissa bits, exponent bias)
_FLOATS = {
    "fp8e4b15": (3, 15), "fp8e4nv": (3, 7), "fp8e4b8": (3, 8), "fp8e5": (2, 15),
    "fp8e5b16": (2, 16), "fp16": (10, 15), "bf16": (7, 127), "fp32": (23, 127),
    "fp64": (52, 1023),
}

_LONG_NAMES = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64"}


class base_type:
    """The type of a kernel value."""

    def is_block(self) -> bool:
        return False

    def is_ptr(self) -> bool:
        return False

    @property
    def scalar(self) -> "base_type":
        return self


class dtype(base_type):
    """A scalar type, by its short name (``"fp32"``, ``"int8"``, ...)."""

    SINT_TYPES = _names_of("i")
    UINT_TYPES = _names_of("bu")
    FP_TYPES = _names_of("f")
    STANDARD_FP_TYPES = [name for name in FP_TYPES if not name.startswith("fp8")]
    OTHER_TYPES = _names_of("v")

    class SIGNEDNESS(enum.Enum):
        SIGNED = 0
        UNSIGNED = 1

    class KIND(enum.IntEnum):
        BOOLEAN = 0
        INTEGRAL = 1
        FLOATING = 2

    def __init__(self, name: Any) -> None:
        name = getattr(name, "value", name)
        if name not in _DTYPES:
            raise ValueError(f"unknown dtype {name!r}; known: {', '.join(_DTYPES)}")
        self.name = name
        self.primitive_bitwidth, self._kind, self.ir = _DTYPES[name]
        self.itemsize = (self.primitive_bitwidth + 7) // 8
        if self._kind in "biu":
            self.int_bitwidth = self.primitive_bitwidth
            self.int_signedness = (
                dtype.SIGNEDNESS.SIGNED if self._kind == "i" else dtype.SIGNEDNESS.UNSIGNED
            )
        elif self._kind == "f":
            self.fp_mantissa_width, self.exponent_bias = _FLOATS[name]

    def is_void(self) -> bool:
        return self._kind == "v"

    def is_floating(self) -> bool:
        return self._kind == "f"

    def is_standard_floating(self) -> bool:
        return self.name in dtype.STANDARD_FP_TYPES

    def is_fp8(self) -> bool:
        return self.name.startswith("fp8")

    def is_int(self) -> bool:
        return self._kind in "biu"

    def is_bool(self) -> bool:
        return self._kind == "b"

    def is_int_signed(self) -> bool:
        return self._kind == "i"

    def is_int_unsigned(self) -> bool:
        return self._kind in "bu"

    @staticmethod
    def is_dtype(name: str) -> bool:
        return name in _DTYPES

    @staticmethod
    def is_const() -> bool:
        return False

    def kind(self) -> "dtype.KIND":
        if self.is_bool():
            return dtype.KIND.BOOLEAN
        return dtype.KIND.FLOATING if self.is_floating() else dtype.KIND.INTEGRAL

    def get_int_min_value(self) -> int:
        return -(1 << (self.int_bitwidth - 1)) if self.is_int_signed() else 0

    def get_int_max_value(self) -> int:
        return (1 << (self.int_bitwidth - int(self.is_int_signed()))) - 1

    @property
    def shape(self) -> list[int]:
        return []

    def with_element_ty(self, element: "dtype") -> "dtype":
        return element

    def to_ir(self, builder: Any = None) -> str:
        return self.ir

    def mangle(self) -> str:
        if self.is_int():
            return ("i" if self.is_int_signed() else "u") + str(self.int_bitwidth)
        return self.name

    @property
    def cache_key_part(self) -> str:
        return self.name

    @property
    def codegen_name(self) -> str:
        return _LONG_NAMES.get(self.name, self.name)

    def __eq__(self, other: object) -> bool:
        other = getattr(other, "value", other) if isinstance(other, constexpr) else other
        return type(other) is type(self) and other.name == self.name  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(("dtype", self.name))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        name = self.codegen_name
        return f"triton.language.{'float' + name[2:] if name.startswith('fp8') else name}"


for _bits in (1, 8, 16, 32, 64):

    def _is_width(self: dtype, _bits: int = _bits) -> bool:
        return self.name == f"int{_bits}"

    def _is_uwidth(self: dtype, _bits: int = _bits) -> bool:
        return self.name == f"uint{_bits}"

    setattr(dtype, f"is_int{_bits}", _is_width)
    if _bits > 1:
        setattr(dtype, f"is_uint{_bits}", _is_uwidth)
for _name in _FLOATS:

    def _is_float(self: dtype, _name: str = _name) -> bool:
        return self.name == _name

    setattr(dtype, f"is_{_name}", _is_float)


class pointer_type(dtype):
    """Pointer to elements of ``element_ty``; stores through a const one are errors."""

    def __init__(self, element_ty: dtype, address_space: int = 1, const: bool = False) -> None:
        element_ty = getattr(element_ty, "value", element_ty)
        if not isinstance(element_ty, dtype):
            raise TypeError(f"element_ty has type `{type(element_ty).__name__}`; expected `dtype`")
        self.element_ty = element_ty
        self.address_space = address_space
        self.const = const
        self.name = f"pointer<{element_ty}>" if not const else f"const_pointer<{element_ty}>"
        self.primitive_bitwidth = 64
        self.itemsize = 8
        self._kind = "p"
        # A bool in memory is a byte.
        self.ir = f"!tt.ptr<{element_ty.ir}>"

    def is_ptr(self) -> bool:
        return True

    def is_const(self) -> bool:  # type: ignore[override]
        return self.const

    def mangle(self) -> str:
        return ("Pk" if self.const else "P") + self.element_ty.mangle()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, pointer_type)
            and self.element_ty == other.element_ty
            and self.const == other.const
        )

    def __hash__(self) -> int:
        return hash(("pointer", self.element_ty, self.const))

    def __repr__(self) -> str:
        return self.name


class block_type(dtype):
    """A statically shaped block of elements."""

    def __init__(self, element_ty: dtype, shape: Sequence[Any]) -> None:
        self.element_ty = element_ty
        self.shape_list = tuple(_extent(i, n) for i, n in enumerate(shape))
        if not self.shape_list:
            raise TypeError("0d block_type is forbidden")
        self.numel = validate_block_shape(self.shape_list)
        self.name = f"<{list(self.shape_list)}, {element_ty}>"
        self.primitive_bitwidth = element_ty.primitive_bitwidth
        self.itemsize = element_ty.itemsize
        self._kind = "blk"
        self.ir = f"tensor<{'x'.join(map(str, self.shape_list))}x{element_ty.ir}>"

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.shape_list

    @property
    def scalar(self) -> dtype:  # type: ignore[override]
        return self.element_ty

    def is_block(self) -> bool:
        return True

    def is_int(self) -> bool:
        return False

    def is_floating(self) -> bool:
        return False

    def with_element_ty(self, element: dtype) -> "block_type":
        return block_type(element, self.shape_list)

    def mangle(self) -> str:
        return f"{self.element_ty.mangle()}S{'_'.join(map(str, self.shape_list))}S"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, block_type)
            and self.element_ty == other.element_ty
            and self.shape_list == other.shape_list
        )

    def __hash__(self) -> int:
        return hash(("block", self.element_ty, self.shape_list))

    def __repr__(self) -> str:
        return f"{self.element_ty}[{', '.join(f'constexpr[{n}]' for n in self.shape_list)}]"

    __str__ = __repr__


def _extent(index: int, extent: Any) -> int:
    extent = unwrap(extent)
    if not isinstance(extent, int):
        raise TypeError(f"Shape element {index} must have type `constexpr[int]`, got {extent}: the "
                        "shape of a block is known while the kernel is compiled")
    return extent


def validate_block_shape(shape: Sequence[int]) -> int:
    """Number of elements; raises ValueError for what no block can have."""
    numel = 1
    for i, extent in enumerate(shape):
        if extent <= 0 or extent & (extent - 1):
            raise ValueError(f"Shape element {i} must be a power of 2")
        numel *= extent
    if numel > TRITON_MAX_TENSOR_NUMEL:
        raise ValueError(
            f"numel ({numel}) exceeds triton maximum tensor numel ({TRITON_MAX_TENSOR_NUMEL})"
        )
    return numel


class constexpr_type(base_type):
    """The type of a compile-time constant: its value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def mangle(self) -> str:
        mangle = getattr(self.value, "mangle", None)
        return f"c{mangle() if callable(mangle) else repr(self.value)}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, constexpr_type):
            return NotImplemented  # a tuple's type knows whether it is the same
        return self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"constexpr[{self.value}]"


def unwrap(value: Any) -> Any:
    """The Python value of a constexpr, anything else unchanged."""
    return value.value if isinstance(value, constexpr) else value


class constexpr:
    """A compile-time constant; arithmetic on it is done by Python."""

    def __init__(self, value: Any) -> None:
        while isinstance(value, constexpr):
            value = value.value
        self.value = value
        self.type = constexpr_type(value)

    def __repr__(self) -> str:
        return f"constexpr[{self.value}]"

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))

    def __bool__(self) -> bool:
        return bool(self.value)

    def __index__(self) -> int:
        return self.value.__index__()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.value(*args, **kwargs)

    def __getitem__(self, *args: Any) -> Any:
        return constexpr(self.value.__getitem__(*(unwrap(a) for a in args)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.value, name)

    def __len__(self) -> int:
        return len(self.value)

    def logical_and(self, other: Any) -> "constexpr":
        return constexpr(self.value and unwrap(other))

    def logical_or(self, other: Any) -> "constexpr":
        return constexpr(self.value or unwrap(other))


_BINARY = (
    "add sub mul truediv floordiv mod pow lshift rshift and or xor eq ne lt le gt ge"
).split()


def _install_constexpr_operators() -> None:
    import operator

    for name in _BINARY:
        fn = getattr(operator, name, None) or getattr(operator, f"{name}_")

        def forward(self: constexpr, other: Any, _fn: Any = fn) -> Any:
            if getattr(other, "is_kernel_value", False):
                return NotImplemented
            return constexpr(_fn(self.value, unwrap(other)))

        def reflected(self: constexpr, other: Any, _fn: Any = fn) -> Any:
            return constexpr(_fn(unwrap(other), self.value))

        setattr(constexpr, f"__{name}__", forward)
        if name not in ("eq", "ne", "lt", "le", "gt", "ge"):
            setattr(constexpr, f"__r{name}__", reflected)
    for name in ("neg", "pos", "invert"):
        fn = getattr(operator, name)
        setattr(constexpr, f"__{name}__", lambda self, _fn=fn: constexpr(_fn(self.value)))


_install_constexpr_operators()

void = dtype("void")
int1, int8, int16, int32, int64 = (dtype(f"int{n}") for n in (1, 8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (dtype(f"uint{n}") for n in (8, 16, 32, 64))
float8e4b15, float8e4nv, float8e4b8 = dtype("fp8e4b15"), dtype("fp8e4nv"), dtype("fp8e4b8")
float8e5, float8e5b16 = dtype("fp8e5"), dtype("fp8e5b16")
float16, bfloat16, float32, float64 = (dtype(n) for n in ("fp16", "bf16", "fp32", "fp64"))
pi32_t = pointer_type(int32)


class const:
    """Annotation: a pointer parameter that the kernel does not store through."""


def get_int_dtype(bitwidth: int, signed: bool) -> dtype:
    return dtype(("int" if signed or bitwidth == 1 else "uint") + str(unwrap(bitwidth)))


def dtype_of_literal(value: Any) -> dtype:
    """The type a Python number has when no tensor decides it."""
    if isinstance(value, bool):
        return int1
    if isinstance(value, int):
        for candidate in (int32, uint32, int64, uint64):
            if candidate.get_int_min_value() <= value <= candidate.get_int_max_value():
                return candidate
        raise ValueError(f"Nonrepresentable integer {value}.")
    if isinstance(value, float):
        magnitude = abs(value)
        largest = 2.0**127 * (2 - 2**-23)
        if magnitude == 0.0 or math.isinf(value) or math.isnan(value):
            return float32
        return float32 if 2.0**-126 <= magnitude <= largest else float64
    raise TypeError(f"cannot convert {value!r} of type {type(value)} to tensor")


def str_to_ty(name: str, const_arg: Any = None) -> Any:
    """The type of a signature entry such as ``"*fp32"``, ``"i32"``, ``"constexpr"``."""
    if name == "constexpr":
        return constexpr_type(const_arg)
    if name.startswith("*"):
        is_const = name.startswith("*k")
        return pointer_type(str_to_ty(name[2 if is_const else 1:]), const=is_const)
    short = {"i1": "int1", "u1": "int1", "B": "int1"}
    for bits in (8, 16, 32, 64):
        short[f"i{bits}"], short[f"u{bits}"] = f"int{bits}", f"uint{bits}"
    return dtype(short.get(name, name))
