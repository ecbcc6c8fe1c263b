"""Extensions of the language, at upstream's paths."""

from . import cpu, cuda, libdevice

__all__ = ["cpu", "cuda", "libdevice"]
