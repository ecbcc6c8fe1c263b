"""What a `for` or `while` in a kernel iterates over."""

from __future__ import annotations

from typing import Any


class base_range:
    """start, end and step as `range` has them; values may be tensors."""

    def __init__(self, arg1: Any, arg2: Any = None, step: Any = None) -> None:
        if arg2 is None:
            self.start, self.end = 0, arg1
        else:
            self.start, self.end = arg1, arg2
        self.step = 1 if step is None else step

    def __iter__(self) -> Any:
        raise RuntimeError(f"tl.{type(self).__name__} can only be used in @triton.jit'd functions")


class range(base_range):  # noqa: A001 - the name is upstream's
    """A loop at run time. The options are hints for other backends."""

    def __init__(
        self, arg1: Any, arg2: Any = None, step: Any = None, num_stages: Any = None,
        loop_unroll_factor: Any = None, disallow_acc_multi_buffer: bool = False,
        flatten: bool = False, warp_specialize: bool = False, disable_licm: bool = False,
    ) -> None:
        super().__init__(arg1, arg2, step)
        self.num_stages, self.loop_unroll_factor = num_stages, loop_unroll_factor
        self.disallow_acc_multi_buffer, self.flatten = disallow_acc_multi_buffer, flatten
        self.warp_specialize, self.disable_licm = warp_specialize, disable_licm


class static_range(base_range):
    """A loop unrolled while the kernel is compiled; bounds and step are constants."""


class condition:
    """Wraps the test of a `while`; the option is a hint."""

    def __init__(self, arg1: Any, disable_licm: bool = False) -> None:
        self.condition, self.disable_licm = arg1, disable_licm


__all__ = ["condition", "range", "static_range"]
