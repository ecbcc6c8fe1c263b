"""How each mistake is checked: kind, message, caret, and that the process goes on."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
import triton
import triton.language as tl


@triton.jit
def _healthy(p):
    tl.store(p, 7)


def still_works() -> None:
    out = np.zeros(1, np.int32)
    _healthy[(1,)](out)
    assert out[0] == 7


@contextlib.contextmanager
def compile_error(message: str, caret: str, kind: type = triton.CompilationError,
                  cause: type | None = None):
    """The block raises ``kind`` with ``message``; the line above the caret, from the caret
    on, begins with ``caret``; the file is named."""
    with pytest.raises(kind) as caught:
        yield caught
    text = str(caught.value)
    assert message in text, text
    lines = text.splitlines()
    carets = [i for i, line in enumerate(lines) if line.strip() == "^"]
    assert carets, text
    column = lines[carets[0]].index("^")
    assert lines[carets[0] - 1][column:].startswith(caret), text
    assert ".py:" in text, text
    if cause is not None:
        assert isinstance(caught.value.__cause__, cause), repr(caught.value.__cause__)
    still_works()


@contextlib.contextmanager
def launch_error(kind: type, *messages: str):
    with pytest.raises(kind) as caught:
        yield
    for message in messages:
        assert message in str(caught.value), str(caught.value)
    still_works()
