"""Compile errors, under upstream's module name."""

from ..errors import (  # noqa: F401
    CompilationError, CompileTimeAssertionFailure, UnsupportedLanguageConstruct,
)
