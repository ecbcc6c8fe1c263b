"""Launching: jit, drivers, cache."""

from ..errors import InterpreterError, KernelError, OutOfResources
from .driver import driver
from .autotuner import Autotuner, Config, Heuristics, autotune, heuristics
from .jit import JITFunction, KernelInterface, MockTensor, TensorWrapper, reinterpret

__all__ = ["Autotuner", "Config", "Heuristics", "autotune", "heuristics", "InterpreterError", "JITFunction", "KernelError", "KernelInterface", "MockTensor",
           "OutOfResources", "TensorWrapper", "driver", "reinterpret"]
