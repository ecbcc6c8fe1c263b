"""What kernels may ask about the target at compile time: every target here is a CPU."""

from __future__ import annotations

from typing import Any, Callable

from .function import constexpr_function

# Gives the active driver's target; the runtime, which knows drivers, puts it here.
provider: Callable[[], Any] = lambda: None


@constexpr_function
def current_target():
    """The target that kernels are compiled for."""
    return provider()


@constexpr_function
def is_cuda():
    return False


@constexpr_function
def cuda_capability_geq(major, minor=0):
    return False


@constexpr_function
def is_hip():
    return False


@constexpr_function
def is_hip_cdna3():
    return False


@constexpr_function
def is_hip_cdna4():
    return False


@constexpr_function
def is_hip_gfx1250():
    return False
