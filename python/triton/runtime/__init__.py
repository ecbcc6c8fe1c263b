"""Launching: jit, drivers, cache."""

from ..errors import InterpreterError, KernelError, OutOfResources
from .driver import driver
from .jit import JITFunction, KernelInterface, MockTensor, TensorWrapper, reinterpret

__all__ = ["InterpreterError", "JITFunction", "KernelError", "KernelInterface", "MockTensor",
           "OutOfResources", "TensorWrapper", "driver", "reinterpret"]
