"""Run-time errors, under upstream's module name."""

from ..errors import (  # noqa: F401
    AutotunerError, InterpreterError, KernelError, OutOfResources, PTXASError,
)
