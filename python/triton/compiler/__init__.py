"""From Python functions to TTIR, and on to kernels."""

from ..errors import CompilationError
from .compiler import ASTSource, CompiledKernel, IRSource, compile

__all__ = ["ASTSource", "CompilationError", "CompiledKernel", "IRSource", "compile"]
