"""The TTIR a kernel becomes, for what has to be seen there."""

from __future__ import annotations

from typing import Any


def ttir_of(kernel: Any, signature: dict[str, str], constants: Any = None, **options: Any) -> str:
    from triton.backends.spine_triton.compiler import parse_options
    from triton.compiler.compiler import ASTSource, _context

    source = ASTSource(kernel, signature, constants)
    module = source.make_ir(_context(), parse_options(options))
    module.verify()
    return str(module)
