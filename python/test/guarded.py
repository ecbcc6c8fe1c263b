"""Arrays that end, or begin, at a page that must not be touched."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np

_libc = ctypes.CDLL(None, use_errno=True)
_PAGE = mmap.PAGESIZE


def guarded(shape: tuple[int, ...] | int, dtype: object, at_end: bool = True,
            shift: int = 0) -> np.ndarray:
    """An uninitialised array whose last byte is the last before a PROT_NONE page.

    With ``at_end`` false its first byte is the first after one. ``shift`` moves it away
    from the guard by that many elements, to make it unaligned.
    """
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    dtype = np.dtype(dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    room = -(-max(size + shift * dtype.itemsize, 1) // _PAGE) * _PAGE
    region = mmap.mmap(-1, room + 2 * _PAGE)
    base = ctypes.addressof(ctypes.c_char.from_buffer(region))
    for guard in (base, base + _PAGE + room):
        if _libc.mprotect(ctypes.c_void_p(guard), _PAGE, 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
    start = _PAGE + room - size - shift * dtype.itemsize if at_end else _PAGE + shift * dtype.itemsize
    flat = np.frombuffer(region, np.uint8, size, start) if size else np.zeros(0, np.uint8)
    return flat.view(dtype).reshape(shape)


def guarded_copy(values: np.ndarray, at_end: bool = True, shift: int = 0) -> np.ndarray:
    array = guarded(values.shape, values.dtype, at_end, shift)
    array[...] = values
    return array
