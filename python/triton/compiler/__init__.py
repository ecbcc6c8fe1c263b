"""From Python functions to TTIR, and on to kernels. Loaded when first needed."""

import importlib
from typing import Any

from . import errors
from .errors import CompilationError

_LAZY = ("ASTSource", "CompiledKernel", "IRSource")
_MODULES = ("code_generator", "compiler")


def compile(src: Any, target: Any = None, options: Any = None, _env_vars: Any = None) -> Any:
    """Compiles a source; see `triton.compiler.compiler.compile`."""
    from .compiler import compile as compile_source

    return compile_source(src, target, options, _env_vars)


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from . import compiler

        return getattr(compiler, name)
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__} has no attribute {name!r}")


__all__ = ["ASTSource", "CompilationError", "CompiledKernel", "IRSource", "compile",
           "errors"]
