"""Compiled kernels on disk.

An entry is a directory named by its key: the image, its TTIR and a manifest with their
checksums. It is written beside its place and renamed into it, so that readers, in other
processes too, see all of it or nothing. An entry that does not match its manifest is
put aside and made again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tempfile

from .. import knobs
from ..digest import digest

_MANIFEST = "manifest.txt"
_METADATA = "metadata.json"
_private: tempfile.TemporaryDirectory | None = None


class Entry:
    """One kernel on disk: its files, and ``metadata`` read when asked for."""

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def text(self, name: str) -> str:
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    @property
    def metadata(self) -> dict[str, Any]:
        import json

        return json.loads(self.text(_METADATA))


def find(key: str) -> Entry | None:
    """The entry of a key if it is there and whole."""
    directory = os.path.join(knobs.cache.dir, key)
    try:
        identity = os.stat(directory).st_ino
    except OSError:
        return None
    try:
        with open(os.path.join(directory, _MANIFEST), encoding="utf-8") as file:
            first, *rows = file.read().splitlines()
        if first != key or rows.pop() != "end":
            raise ValueError("another key, or cut off")
        for row in rows:
            expected, name = row.split(" ", 1)
            with open(os.path.join(directory, name), "rb") as file:
                if digest(file.read()) != expected:
                    raise ValueError(f"{name} was changed")
    except (OSError, ValueError, IndexError):
        _put_aside(directory, identity)
        return None
    return Entry(directory)


def store(key: str, files: dict[str, bytes], metadata: dict[str, Any]) -> Entry:
    """Writes an entry; where the cache cannot be written, one that lasts as the process."""
    import json

    files = {**files, _METADATA: json.dumps(metadata).encode()}
    rows = [key, *(f"{digest(data)} {name}" for name, data in files.items()), "end", ""]
    files[_MANIFEST] = "\n".join(rows).encode()
    root = knobs.cache.dir
    try:
        return _write(root, key, files)
    except OSError as problem:
        import warnings

        warnings.warn(
            f"the kernel cache {root!r} cannot be written ({problem.strerror or problem}); the "
            "kernel is kept for this process only. Free space there, or set TRITON_CACHE_DIR to "
            "a directory you can write to.", RuntimeWarning, stacklevel=2)
    return _write(private_directory(), key, files)


def private_directory() -> str:
    """A directory that is removed when the process ends."""
    import tempfile

    global _private
    if _private is None or not os.path.isdir(_private.name):
        _private = tempfile.TemporaryDirectory(prefix="triton-")
    return _private.name


def _write(root: str, key: str, files: dict[str, bytes]) -> Entry:
    import shutil
    import uuid

    os.makedirs(root, exist_ok=True)
    final = os.path.join(root, key)
    draft = os.path.join(root, f"tmp.{os.getpid()}.{uuid.uuid4().hex}")
    os.mkdir(draft)
    try:
        for name, data in files.items():
            with open(os.path.join(draft, name), "wb") as file:
                file.write(data)
        for _ in range(8):
            try:
                os.rename(draft, final)
                return Entry(final)
            except OSError:
                # Somebody was first. Keys decide every byte, so theirs is as good if it is
                # whole; if it is not, finding it takes it away.
                if root != knobs.cache.dir:
                    return Entry(final)
                other = find(key)
                if other is not None:
                    return other
        raise OSError(f"entry {key} cannot be replaced")
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put_aside(directory: str, identity: int) -> None:
    """Takes a damaged entry away, unless another process has replaced it meanwhile."""
    import shutil
    import uuid

    # Renamed first: another process may have the files open.
    aside = f"{directory}.old.{os.getpid()}.{uuid.uuid4().hex}"
    try:
        if os.stat(directory).st_ino != identity:
            return
        os.rename(directory, aside)
    except OSError:
        return
    shutil.rmtree(aside, ignore_errors=True)
