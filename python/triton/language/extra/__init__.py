"""Extensions of the language, at upstream's paths; each is imported when it is used."""

from __future__ import annotations

from typing import Any

__all__ = ["cpu", "cuda", "libdevice"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return importlib.import_module(f".{name}", __name__)
