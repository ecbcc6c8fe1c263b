"""Compiled kernels on disk.

An entry is a directory named by its key: the image, its TTIR and a manifest with their
checksums. It is written beside its place and renamed into it, so that readers, in other
processes too, see all of it or nothing. An entry that does not match its manifest is
put aside and made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import uuid
import warnings
from typing import Any

from .. import knobs

_MANIFEST = "manifest.json"
_private: tempfile.TemporaryDirectory | None = None


class Entry:
    """One kernel on disk: ``path(name)`` of each file, ``manifest`` with the metadata."""

    def __init__(self, directory: str, manifest: dict[str, Any]) -> None:
        self.directory, self.manifest = directory, manifest

    def path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def text(self, name: str) -> str:
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


def _checksum(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def find(key: str) -> Entry | None:
    """The entry of a key if it is there and whole."""
    directory = os.path.join(knobs.cache.dir, key)
    try:
        with open(os.path.join(directory, _MANIFEST), encoding="utf-8") as file:
            manifest = json.load(file)
        if manifest.get("key") != key:
            raise ValueError("another key")
        for name, expected in manifest["files"].items():
            with open(os.path.join(directory, name), "rb") as file:
                if _checksum(file.read()) != expected:
                    raise ValueError(f"{name} was changed")
    except FileNotFoundError:
        if not os.path.isdir(directory):
            return None
        _put_aside(directory)
        return None
    except NotADirectoryError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        _put_aside(directory)
        return None
    return Entry(directory, manifest)


def store(key: str, files: dict[str, bytes], metadata: dict[str, Any]) -> Entry:
    """Writes an entry; where the cache cannot be written, one that lasts as the process."""
    manifest = {**metadata, "key": key, "files": {n: _checksum(d) for n, d in files.items()}}
    root = knobs.cache.dir
    try:
        return _write(root, key, files, manifest)
    except OSError as problem:
        warnings.warn(
            f"the kernel cache {root!r} cannot be written ({problem.strerror or problem}); the "
            "kernel is kept for this process only. Free space there, or set TRITON_CACHE_DIR to "
            "a directory you can write to.", RuntimeWarning, stacklevel=2)
    return _write(private_directory(), key, files, manifest)


def private_directory() -> str:
    """A directory that is removed when the process ends."""
    global _private
    if _private is None or not os.path.isdir(_private.name):
        _private = tempfile.TemporaryDirectory(prefix="triton-")
    return _private.name


def _write(root: str, key: str, files: dict[str, bytes], manifest: dict[str, Any]) -> Entry:
    os.makedirs(root, exist_ok=True)
    final = os.path.join(root, key)
    draft = os.path.join(root, f"tmp.{os.getpid()}.{uuid.uuid4().hex}")
    os.mkdir(draft)
    try:
        for name, data in {**files, _MANIFEST: json.dumps(manifest).encode()}.items():
            with open(os.path.join(draft, name), "wb") as file:
                file.write(data)
        for _ in range(8):
            try:
                os.rename(draft, final)
                return Entry(final, manifest)
            except OSError:
                # Somebody was first; theirs is as good if it is whole.
                if root == knobs.cache.dir and not knobs.compilation.always_compile:
                    other = find(key)
                    if other is not None:
                        return other
                _put_aside(final)
        raise OSError(f"entry {key} cannot be replaced")
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put_aside(directory: str) -> None:
    # Renamed first: another process may have the files open.
    aside = f"{directory}.old.{os.getpid()}.{uuid.uuid4().hex}"
    try:
        os.rename(directory, aside)
    except OSError:
        return
    shutil.rmtree(aside, ignore_errors=True)
