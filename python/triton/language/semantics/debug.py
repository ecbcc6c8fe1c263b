"""Program ids, prints, assertions, hints."""

from __future__ import annotations

import json
from typing import Any, Sequence

from ..types import int32, unwrap
from ..values import tensor


class Debug:
    ir: Any
    options: Any

    def program_id(self, axis: Any) -> tensor:
        return self._grid("tt.get_program_id", "program_id", axis)

    def num_programs(self, axis: Any) -> tensor:
        return self._grid("tt.get_num_programs", "num_programs", axis)

    def _grid(self, op: str, name: str, axis: Any) -> tensor:
        axis = unwrap(axis)
        if axis not in (0, 1, 2):
            raise ValueError(f"{name} axis must be 0, 1, or 2 but got {axis}")
        return tensor(self.ir.value(op, [], "i32", {"axis": f"{axis} : i32"}), int32)

    def device_print(self, prefix: Any, args: Sequence[Any], hex: Any) -> None:
        prefix = unwrap(prefix)
        if not isinstance(prefix, str):
            raise ValueError(f"device_print takes a text first, then values; got {prefix}")
        values = [self.to_tensor(a) for a in args]
        if values and not prefix.endswith(" "):
            prefix += " "
        if values and not prefix.endswith(": "):
            prefix = prefix[:-1] + ": "
        if len(prefix) > 2 and not prefix.startswith(" "):
            prefix = " " + prefix
        signed = ", ".join(str(int(v.dtype.is_int_signed())) for v in values)
        attrs = {"prefix": json.dumps(prefix), "hex": "true" if unwrap(hex) else "false",
                 "isSigned": f"array<i32: {signed}>" if values else "array<i32>"}
        self.ir.op("tt.print", [v.handle for v in values], [], attrs)

    def device_assert(self, condition: Any, message: Any, mask: Any) -> None:
        if not getattr(self.options, "debug", False):
            return
        condition = self.to_bool(condition)
        if mask is not None and unwrap(mask) is not None:
            condition = self.logical("or", condition, self.unary("not", self.to_bool(mask)))
        self.ir.op("tt.assert", [condition.handle], [], {"message": json.dumps(str(unwrap(message)))})

    def assume(self, condition: Any) -> None:
        condition = self.to_tensor(condition)
        self.ir.op("llvm.intr.assume", [condition.handle], [],
                   {"op_bundle_sizes": "array<i32>"})

    def debug_barrier(self) -> None:
        self.ir.op("tt.debug_barrier")

    def hint(self, name: str, value: tensor, numbers: Sequence[Any]) -> tensor:
        """Divisibility, contiguity or constancy: an attribute on the operation."""
        numbers = [unwrap(n) for n in numbers]
        rank = max(1, len(value.type.shape) if value.type.is_block() else 0)
        if len(numbers) != rank:
            raise ValueError(f"Shape of input to {name} does not match the length of values")
        owner = value.handle.owner
        if owner is not None:
            text = f"dense<{numbers}> : tensor<{len(numbers)}xi32>"
            owner.set_attr(f"tt.{name}", self.ir.attr(text))
        return value

    def not_supported(self, name: str) -> Any:
        raise NotImplementedError(f"not supported yet: {name}")
