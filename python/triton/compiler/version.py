"""What of the compiler itself decides code: part of every cache key."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

VERSION = "3.7.0"


@functools.lru_cache(maxsize=None)
def triton_key() -> str:
    """Changes with every file of the front end and with the compiler's library.

    Files are told apart by size and time of change: reading them all would cost more
    than loading a cached kernel.
    """
    from .. import _C

    root = Path(__file__).resolve().parents[1]
    parts = [VERSION]
    folders = [root / "language", root / "language" / "semantics", root / "compiler"]
    folders += [Path(p) for p in _C.__path__]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.name.endswith((".py", ".so")) and "_runtime" not in entry.name:
                    status = entry.stat()
                    parts.append(f"{entry.name}:{status.st_size}:{status.st_mtime_ns}")
    return hashlib.sha256("|".join(parts).encode()).hexdigest()
