"""One hash for keys and checksums, without loading OpenSSL (8 ms) as hashlib does."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # the extension behind hashlib.blake2b in CPython
except ImportError:
    from hashlib import blake2b


def digest(data: bytes) -> str:
    """52 hexadecimal digits."""
    return blake2b(data, digest_size=26).hexdigest()


def digest_of(*parts: str) -> str:
    """Of several texts, kept apart."""
    return digest("\0".join(parts).encode())
