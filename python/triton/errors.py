"""Every error the package raises on purpose. All survive pickling."""

from __future__ import annotations

from typing import Any

_LINES_SHOWN = 12


class TritonError(Exception):
    """Base of all errors of this package."""


class CompilationError(TritonError):
    """A kernel cannot be compiled: its source up to the place, a caret, and why.

    ``src`` is the function's source from ``def`` on, ``node`` the place in it, ``origin``
    the file and line.
    """

    def __init__(self, src: str | None, node: Any, error_message: Any = None,
                 origin: str | None = None) -> None:
        self.src, self.node, self.error_message, self.origin = src, node, error_message, origin
        self.message = self._text()
        super().__init__(self.message)

    def _text(self) -> str:
        parts = []
        if self.src is not None and self.node is not None and hasattr(self.node, "lineno"):
            line, column = self.node.lineno, self.node.col_offset
            shown = self.src.splitlines()[:line][-_LINES_SHOWN:]
            place = f" ({self.origin})" if self.origin else ""
            parts += [f"at {line}:{column}:{place}", *shown, " " * column + "^"]
        elif self.origin:
            parts.append(f"at {self.origin}:")
        if self.error_message is not None:
            parts.append(str(self.error_message))
        return "\n".join(parts)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        # The position is all a copy in another process needs of the node.
        node = self.node
        if node is not None and hasattr(node, "lineno"):
            import ast

            node = ast.copy_location(ast.Pass(), node)
        return type(self), (self.src, node, self.error_message, self.origin)


class CompileTimeAssertionFailure(CompilationError):
    """tl.static_assert did not hold."""


class UnsupportedLanguageConstruct(CompilationError):
    """Python that kernels cannot contain."""


class KernelError(TritonError, RuntimeError):
    """A running kernel stopped: a fault in a program, or a launch that was refused."""

    def __init__(self, message: str, kernel: str = "", program: tuple = (), signal: int = 0,
                 address: int = 0) -> None:
        super().__init__(message)
        self.kernel, self.program, self.signal, self.address = kernel, program, signal, address

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.kernel, self.program, self.signal, self.address)


def kernel_error(message: str, *details: Any) -> KernelError:
    """A `KernelError`; with the source line where ``message`` ends in "(file:line)"."""
    place = message.rpartition("\n")[2]
    if place.startswith("(") and place.endswith(")"):
        import linecache

        file, _, line = place[1:-1].rpartition(":")
        text = linecache.getline(file, int(line)).strip() if line.isdigit() else ""
        if text:
            message = f"{message}\n    {text}\n    ^"
    return KernelError(message, *details)


class InternalCompilerError(TritonError):
    """The compiler itself failed; the message names the reproducer it wrote."""


class OutOfResources(TritonError):
    """A kernel needs more of something than there is."""

    def __init__(self, required: Any, limit: Any, name: str) -> None:
        self.required, self.limit, self.name = required, limit, name
        super().__init__(f"out of resource: {name}, Required: {required}, Hardware limit: {limit}. "
                         "Reducing block sizes or `num_stages` may help.")

    def __reduce__(self) -> Any:
        return type(self), (self.required, self.limit, self.name)


class PTXASError(TritonError):
    """Never raised here; autotuning scripts catch it."""


class AutotunerError(TritonError):
    """No configuration of an autotuned kernel could be run."""


class InterpreterError(TritonError):
    """A kernel failed under TRITON_INTERPRET=1."""
