"""What operations mean, under upstream's module name."""

from .semantics import Semantic as TritonSemantic

__all__ = ["TritonSemantic"]
