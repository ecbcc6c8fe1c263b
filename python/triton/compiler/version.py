"""What of the compiler itself decides code: part of every cache key."""

from __future__ import annotations

import os

from ..digest import digest_of

VERSION = "3.7.0"


_key: str | None = None


def triton_key() -> str:
    """Changes with every file of the front end and with the compiler's library.

    Files are told apart by size and time of change: reading them all would cost more
    than loading a cached kernel.
    """
    global _key
    if _key is not None:
        return _key
    from .. import _C

    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parts = [VERSION]
    folders = [os.path.join(root, *f) for f in (("language",), ("language", "semantics"),
                                                ("compiler",))]
    folders += list(_C.__path__)
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.name.endswith((".py", ".so")) and "_runtime" not in entry.name:
                    status = entry.stat()
                    parts.append(f"{entry.name}:{status.st_size}:{status.st_mtime_ns}")
    _key = digest_of(*parts)
    return _key
