"""Triton for CPUs: kernels in Python, compiled in this process, run over the cores.

Nothing heavy is imported here: numpy, torch and the compiler are loaded when a kernel
first needs them.
"""

from .compiler.version import VERSION as __version__


def _refuse_another_triton() -> None:
    """Two distributions that own one package overwrite each other's files."""
    import os

    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for name in os.listdir(folder):
        if name.startswith("triton-") and name.endswith((".dist-info", ".egg-info")):
            raise ImportError(
                f"the distribution {name.rpartition('.')[0]} is installed in {folder} too, and both "
                "own the package `triton`: uninstall one, then reinstall the other "
                "(`pip uninstall triton trireme`, `pip install trireme`)")


_refuse_another_triton()

from . import errors, knobs, language, runtime, testing  # noqa: E402
from .compiler import compile
from .errors import CompilationError, InterpreterError, OutOfResources, TritonError
from .language.aggregates import aggregate
from .language.function import constexpr_function
from .language.values import must_use_result
from .runtime._allocation import set_allocator
from .runtime.autotuner import Autotuner, Config, Heuristics, autotune, heuristics
from .runtime.jit import (
    JITFunction, KernelInterface, MockTensor, TensorWrapper, jit, reinterpret,
)


@constexpr_function
def cdiv(x: int, y: int) -> int:
    """Ceiling of x / y."""
    return (x + y - 1) // y


@constexpr_function
def next_power_of_2(n: int) -> int:
    """The smallest power of two that is not below ``n``."""
    return 1 << (n - 1).bit_length() if n > 0 else 0


__all__ = [
    "Autotuner", "CompilationError", "Config", "Heuristics", "InterpreterError", "JITFunction",
    "KernelInterface", "MockTensor", "OutOfResources", "TensorWrapper", "TritonError", "aggregate",
    "autotune", "cdiv", "compile", "constexpr_function", "errors", "heuristics", "jit", "knobs",
    "language", "must_use_result", "next_power_of_2", "reinterpret", "runtime", "set_allocator",
    "testing",
]
