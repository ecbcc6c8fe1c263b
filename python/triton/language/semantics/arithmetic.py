"""Arithmetic, comparisons, logic, and element-wise functions."""

from __future__ import annotations

import warnings
from typing import Any

from ..types import constexpr, dtype, dtype_of_literal, float32, float64, int1, int32, int64, unwrap
from ..values import tensor
from .promotion import computation_type

# Python operator -> (float op, signed op, unsigned op); None: not for that kind.
_OPS = {
    "add": ("arith.addf", "arith.addi", "arith.addi"),
    "sub": ("arith.subf", "arith.subi", "arith.subi"),
    "mul": ("arith.mulf", "arith.muli", "arith.muli"),
    "truediv": ("arith.divf", None, None),
    "floordiv": (None, "arith.divsi", "arith.divui"),
    "mod": ("arith.remf", "arith.remsi", "arith.remui"),
    "and": (None, "arith.andi", "arith.andi"),
    "or": (None, "arith.ori", "arith.ori"),
    "xor": (None, "arith.xori", "arith.xori"),
    "lshift": (None, "arith.shli", "arith.shli"),
    "rshift": (None, "arith.shrsi", "arith.shrui"),
}
_DIVISIONS = ("truediv", "floordiv", "mod")

# comparison -> (float predicate, signed, unsigned) as arith's enum values. Floats are
# ordered (false with NaN) except ne.
_FCMP = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13}
_ICMP = {"eq": (0, 0), "ne": (1, 1), "lt": (2, 6), "le": (3, 7), "gt": (4, 8), "ge": (5, 9)}

# Operations of the math dialect under the names that functions of the language have.
_MATH_NAMES = {"rint": "roundeven", "pow": "powf"}


class Arithmetic:
    ir: Any
    options: Any
    combining: bool

    # -- operands ----------------------------------------------------------------------

    def _literal(self, value: Any) -> Any:
        value = unwrap(value)
        return value if isinstance(value, (bool, int, float)) else None

    def binary_operands(
        self, lhs: Any, rhs: Any, division: bool = False, promote: bool = True
    ) -> tuple[tensor, tensor]:
        """Both operands as tensors of one type and shape."""
        left, right = self._literal(lhs), self._literal(rhs)
        if left is not None and right is not None:
            lhs = self.to_tensor(lhs)
            left = None
        lhs_type = dtype_of_literal(left) if left is not None else self.to_tensor(lhs).dtype
        rhs_type = dtype_of_literal(right) if right is not None else self.to_tensor(rhs).dtype
        if promote and not lhs_type.is_ptr() and not rhs_type.is_ptr():
            common = computation_type(
                lhs_type, left is not None, rhs_type, right is not None, division
            )
            for literal, type in ((left, common), (right, common)):
                if literal is not None and type.is_int():
                    if literal < 0 and type.is_int_unsigned() and not isinstance(literal, bool):
                        raise ValueError(
                            "Cannot perform a binary operation between an unsigned tensor and a "
                            "negative scalar. Perform a explicit cast on one of them."
                        )
                    if not type.get_int_min_value() <= literal <= type.get_int_max_value():
                        raise ValueError(f"Scalar {literal} is out of range for type {type}")
            lhs = self.scalar_constant(left, common) if left is not None else self.cast(lhs, common)
            rhs = (
                self.scalar_constant(right, common) if right is not None else self.cast(rhs, common)
            )
        return self.broadcast_pair(self.to_tensor(lhs), self.to_tensor(rhs))

    def _emit(self, op: str, lhs: tensor, rhs: tensor) -> tensor:
        return tensor(self.ir.value(op, [lhs.handle, rhs.handle], lhs.type.ir), lhs.type)

    # -- operators ---------------------------------------------------------------------

    def binary(self, name: str, lhs: Any, rhs: Any, sanitize: bool = True) -> Any:
        """``lhs name rhs`` for a Python operator name of ``_OPS``.

        With ``sanitize``, and the option of that name, integers are checked not to wrap.
        """
        if name in ("add", "sub"):
            pointer = self._pointer_arithmetic(name, lhs, rhs)
            if pointer is not None:
                return pointer
        if name == "pow":
            raise TypeError("unsupported operator '**' on tensors; use tl.extra.libdevice.pow")
        if name == "matmul":
            return self.dot(lhs, rhs, None, None, None, float32)
        if name not in _OPS:
            raise TypeError(f"unsupported operator {name} on tensors")
        a, b = self.binary_operands(lhs, rhs, division=name in _DIVISIONS)
        scalar = a.dtype
        if name == "truediv" and scalar.is_int():
            a, b = self.cast(a, float32), self.cast(b, float32)
            scalar = float32
        floating, signed, unsigned = _OPS[name]
        if scalar.is_ptr():
            raise TypeError(f"unexpected type {scalar} for operator {name}")
        op = floating if scalar.is_floating() else signed if scalar.is_int_signed() else unsigned
        if name == "rshift" and scalar.is_int():
            # Whether the sign is shifted in is up to the left operand before promotion.
            shifted = lhs if isinstance(lhs, tensor) else rhs if isinstance(rhs, tensor) else a
            op = signed if shifted.dtype.is_int_signed() else unsigned
        if op is None:
            if name == "floordiv":
                raise TypeError(f"unexpected type {scalar}: // needs integers; use / or tl.floor")
            raise TypeError(f"invalid operands of type {a.type} and {b.type} for {name}")
        if sanitize and name in ("add", "sub", "mul"):
            self._check_overflow(name, op, a, b)
        return self._emit(op, a, b)

    def _check_overflow(self, name: str, op: str, a: tensor, b: tensor) -> None:
        """Asserts that the result, computed in 64 bits, fits the type."""
        scalar = a.dtype
        # Which partial results a reduction makes is the compiler's choice: they may wrap.
        if self.combining or not getattr(self.options, "sanitize_overflow", False) \
                or not scalar.is_int() or scalar.is_bool() or scalar.int_bitwidth >= 64:
            return
        exact = self._emit(op, self.cast(a, int64), self.cast(b, int64))
        fits = self.logical(
            "and", self.compare("le", exact, constexpr(scalar.get_int_max_value())),
            self.compare("ge", exact, constexpr(scalar.get_int_min_value())))
        self.device_assert(fits, f"int{scalar.int_bitwidth} overflow detected for operation {name}",
                           None)

    def _pointer_arithmetic(self, name: str, lhs: Any, rhs: Any) -> tensor | None:
        def is_pointer(value: Any) -> bool:
            return isinstance(value, tensor) and value.dtype.is_ptr()

        if is_pointer(lhs) and is_pointer(rhs):
            raise TypeError("cannot add pointers together" if name == "add"
                            else "cannot subtract a pointer from a pointer")
        if is_pointer(rhs):
            if name == "sub":
                raise TypeError("cannot subtract a pointer from an integer")
            lhs, rhs = rhs, lhs
        if not is_pointer(lhs):
            return None
        offset = self.to_tensor(rhs)
        if not offset.dtype.is_int():
            raise TypeError(f"incompatible types {lhs.type} and {offset.type} for {name}")
        if name == "sub":
            offset = self.unary("neg", offset)
        pointer, offset = self.broadcast_pair(lhs, offset)
        # The offset is signed; a narrow unsigned one must not become negative.
        if offset.dtype.is_int_unsigned() and offset.dtype.int_bitwidth < 64:
            wide = offset.type.with_element_ty(int64)
            offset = tensor(self.ir.value("arith.extui", [offset.handle], wide.ir), wide)
        handle = self.ir.value("tt.addptr", [pointer.handle, offset.handle], pointer.type.ir)
        return tensor(handle, pointer.type)

    def compare(self, name: str, lhs: Any, rhs: Any) -> tensor:
        a, b = self.binary_operands(lhs, rhs)
        if a.dtype.is_ptr():
            a = self.cast(a, int64)
        if b.dtype.is_ptr():
            b = self.cast(b, int64)
        result = a.type.with_element_ty(int1)
        if a.dtype.is_floating():
            attrs = {"predicate": f"{_FCMP[name]} : i64"}
            handle = self.ir.value("arith.cmpf", [a.handle, b.handle], result.ir, attrs)
        else:
            signed, unsigned = _ICMP[name]
            predicate = signed if a.dtype.is_int_signed() else unsigned
            attrs = {"predicate": f"{predicate} : i64"}
            handle = self.ir.value("arith.cmpi", [a.handle, b.handle], result.ir, attrs)
        return tensor(handle, result)

    def unary(self, name: str, value: Any) -> Any:
        value = self.to_tensor(value)
        scalar = value.dtype
        if scalar.is_ptr():
            word = {"neg": "minus", "pos": "plus"}.get(name, name)
            raise ValueError(f"wrong type argument to unary {word} ({scalar})")
        if name == "pos":
            return value
        if name == "neg":
            if scalar.is_floating():
                return tensor(self.ir.value("arith.negf", [value.handle], value.type.ir), value.type)
            return self.binary("sub", self.full_like(value, 0), value)
        if name == "invert":
            if scalar.is_floating():
                raise ValueError(f"wrong type argument to unary invert ({scalar})")
            return self._emit("arith.xori", value, self.full_like(value, -1))
        if name == "not":
            return self.unary("invert", self.bitcast(value, int1)) if scalar.primitive_bitwidth == 1 \
                else self.compare("eq", value, constexpr(0))
        raise TypeError(f"unknown unary operator {name}")

    def full_like(self, value: tensor, constant: Any) -> tensor:
        return tensor(self.ir.constant(value.type.ir, constant), value.type)

    def logical(self, name: str, lhs: Any, rhs: Any) -> tensor:
        a, b = self.broadcast_pair(self.to_bool(lhs), self.to_bool(rhs))
        return self._emit("arith.andi" if name == "and" else "arith.ori", a, b)

    def to_bool(self, value: Any) -> tensor:
        value = self.to_tensor(value)
        return value if value.dtype == int1 else self.compare("ne", value, constexpr(0))

    # -- functions ---------------------------------------------------------------------

    def where(self, condition: Any, x: Any, y: Any) -> tensor:
        condition = self.to_tensor(condition)
        if condition.dtype != int1:
            warnings.warn("tl.where with a non-boolean condition is deprecated and will error out "
                          f"in a future triton release. Got {condition.dtype}", stacklevel=2)
            condition = self.to_bool(condition)
        x, y = self.binary_operands(x, y)
        if x.dtype != y.dtype:
            raise TypeError(f"incompatible types {x.type} and {y.type} for where")
        if condition.type.is_block() or x.type.is_block():
            if condition.type.is_block():
                condition, x = self.broadcast_pair(condition, x)
                x, y = self.broadcast_pair(x, y)
        handle = self.ir.value("arith.select", [condition.handle, x.handle, y.handle], x.type.ir)
        return tensor(handle, x.type)

    def extremum(self, name: str, x: Any, y: Any, propagate_nan: bool) -> tensor:
        """minimum or maximum; without ``propagate_nan`` a NaN loses against a number."""
        x, y = self.binary_operands(x, y)
        if x.dtype.is_floating():
            op = {"min": ("minnumf", "minimumf"), "max": ("maxnumf", "maximumf")}[name]
            if x.dtype.is_bf16():
                x, y = self.cast(x, float32), self.cast(y, float32)
            return self._emit("arith." + op[int(propagate_nan)], x, y)
        if x.dtype.is_int():
            suffix = "si" if x.dtype.is_int_signed() else "ui"
            return self._emit(f"arith.{name}{suffix}", x, y)
        raise TypeError(f"Unexpected dtype {x.dtype}")

    def clamp(self, x: Any, low: Any, high: Any, propagate_nan: bool) -> tensor:
        x = self.to_tensor(x)
        if not x.dtype.is_floating():
            raise TypeError(f"Unexpected dtype {x.dtype} for clamp; expected a float type")
        if x.dtype.is_bf16():
            x = self.cast(x, float32)
        low, high = self.cast(low, x.dtype), self.cast(high, x.dtype)
        x, low = self.broadcast_pair(x, low)
        x, high = self.broadcast_pair(x, high)
        low, _ = self.broadcast_pair(low, x)
        attrs = {"propagateNan": f"{65535 if propagate_nan else 0} : i32"}
        handle = self.ir.value("tt.clampf", [x.handle, low.handle, high.handle], x.type.ir, attrs)
        return tensor(handle, x.type)

    def math(self, name: str, *args: Any) -> tensor:
        """One operation of the math dialect, for fp32 and fp64; fp16 and bf16 by way of fp32."""
        args = tuple(self.to_tensor(a) for a in args)
        if len(args) == 2:
            args = self.binary_operands(*args)
        x = args[0]
        if x.dtype.is_fp16() or x.dtype.is_bf16():
            return self.cast(self.math(name, *(self.cast(a, float32) for a in args)), x.dtype)
        if x.dtype not in (float32, float64):
            raise ValueError(f"Expected dtype ['fp32', 'fp64'] but got {x.dtype}")
        op = "math." + _MATH_NAMES.get(name, name)
        return tensor(self.ir.value(op, [a.handle for a in args], x.type.ir), x.type)

    def count_bits(self, name: str, x: Any) -> tensor:
        """ctlz, cttz or ctpop of an integer, as int32."""
        x = self.to_tensor(x)
        if not x.dtype.is_int():
            raise ValueError(f"Expected an integer but got {x.dtype}")
        handle = self.ir.value("math." + name, [x.handle], x.type.ir)
        return self.cast(tensor(handle, x.type), int32)

    def precise(self, op: str, *args: Any) -> tensor:
        args = tuple(self.to_tensor(a) for a in args)
        if len(args) == 2:
            args = self.binary_operands(*args)
        for a in args:
            if a.dtype != float32:
                raise ValueError(f"Expected dtype ['fp32'] but got {a.dtype}")
        return tensor(self.ir.value(op, [a.handle for a in args], args[0].type.ir), args[0].type)

    def abs(self, x: Any) -> tensor:
        x = self.to_tensor(x)
        if x.dtype.is_fp8():
            bits = self.bitcast(x, dtype("int8"))
            return self.bitcast(self.binary("and", bits, constexpr(0x7F)), x.dtype)
        if x.dtype.is_floating():
            return tensor(self.ir.value("math.absf", [x.handle], x.type.ir), x.type)
        if x.dtype.is_int_signed():
            return tensor(self.ir.value("math.absi", [x.handle], x.type.ir), x.type)
        if x.dtype.is_int_unsigned():
            return x
        raise ValueError(f"Unexpected dtype {x.dtype}")

    def fma(self, x: Any, y: Any, z: Any) -> tensor:
        x, y = self.binary_operands(x, y)
        x, z = self.binary_operands(x, z)
        x, y = self.binary_operands(x, y)
        if not x.dtype.is_floating():
            raise ValueError(f"fma needs floats, got {x.dtype}")
        return tensor(self.ir.value("math.fma", [x.handle, y.handle, z.handle], x.type.ir), x.type)

    def umulhi(self, x: Any, y: Any) -> tensor:
        x, y = self.binary_operands(x, y)
        if not x.dtype.is_int() or x.dtype.int_bitwidth not in (32, 64):
            raise ValueError(f"Expected dtype ['int32', 'int64', 'uint32', 'uint64'] but got {x.dtype}")
        return self._emit("tt.mulhiui", x, y)

    def fdiv(self, x: Any, y: Any) -> tensor:
        x, y = self.binary_operands(x, y, division=True)
        if not x.dtype.is_floating():
            raise TypeError("both operands of fdiv must have floating scalar type")
        return self._emit("arith.divf", x, y)
