"""TRIREME_REMARKS=perf: what slows a kernel down is said on its line."""

import re

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.compiler import ASTSource


@triton.jit
def strided(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * stride)
    tl.store(out_ptr + i, x)


@triton.jit
def every_third(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i * 3, tl.load(x_ptr + i))


@triton.jit
def by_index(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.load(x_ptr + i))
    tl.store(out_ptr + i, x)


@triton.jit
def used_after_store(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, x + 1)
    tl.store(out_ptr + BLOCK + i, x)


@triton.jit
def partly_masked(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n).to(tl.int8), mask=i < n)


@triton.jit
def along_one_axis(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.cumsum(tl.load(x_ptr + i), 0))


@triton.jit
def remainder(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i).to(tl.float32)
    tl.store(out_ptr + i, (x % 3.5).to(tl.int32))


@triton.jit
def many_at_once(x_ptr, out_ptr, BLOCK: tl.constexpr, COUNT: tl.constexpr):
    i = tl.arange(0, BLOCK)
    values = ()
    for k in tl.static_range(COUNT):
        values = values + (tl.load(x_ptr + k * BLOCK + i),)
    total = values[0]
    for k in tl.static_range(COUNT - 1):
        total = total * values[COUNT - 1 - k] + values[k]
    tl.store(out_ptr + i, total)


@triton.jit
def plain(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2, mask=i < n)


def remarks(kernel, *args, capfd, **meta):
    """(source line, text at the caret, message) of each remark, and what was printed."""
    capfd.readouterr()
    kernel[(1,)](np.zeros(4096, np.int32), *args, **meta)
    lines = capfd.readouterr().err.splitlines()
    found = []
    for head, text, caret in zip(lines[::3], lines[1::3], lines[2::3]):
        match = re.fullmatch(r"(.*):(\d+):\d+: remark: perf: (.*)", head)
        assert match and match[1] == __file__, head
        assert caret.strip() == "^"
        found.append((text.strip(), text[len(caret) - 1:], match[3]))
    return found


@pytest.fixture
def out(monkeypatch, fresh_cache):
    monkeypatch.setenv("TRIREME_REMARKS", "perf")
    return np.zeros(8192, np.int32)


@pytest.mark.parametrize("kernel, args, meta, caret, message", [
    (strided, (5,), {}, "tl.load(x_ptr + i * stride)", "is not known to be 1; they are loaded one by one"),
    (every_third, (), {}, "tl.store(out_ptr + i * 3", "lie 3 apart and are stored one by one"),
    (by_index, (), {}, "tl.load(x_ptr + tl.load", "by an index each and loaded one by one"),
    (used_after_store, (), {}, "tl.load(x_ptr + i)", "copied to scratch first, as memory is written between"),
    (along_one_axis, (), {}, "tl.cumsum(", "one element after the other"),
    (remainder, (), {}, "x % 3.5", "a function of the C library is called"),
    (many_at_once, (), {"COUNT": 40}, "tl.store(out_ptr", "vectors are needed at once"),
], ids=lambda v: getattr(v, "__name__", None))
def test_remark(kernel, args, meta, caret, message, out, capfd):
    found = remarks(kernel, out, *args, BLOCK=64, capfd=capfd, **meta)
    assert any(at.startswith(caret) and message in said for _, at, said in found), found


def test_no_masked_access(out, capfd):
    if "x86-64-v4" in triton.runtime.driver.active.get_current_target().arch:
        pytest.skip("this CPU has masked access to bytes")
    found = remarks(partly_masked, out.view(np.int8), 50, BLOCK=64, capfd=capfd)
    assert any(at.startswith("tl.store(") and "one element at a time" in said for _, at, said in found)


def test_nothing_to_say(out, capfd):
    assert remarks(plain, out, 64, BLOCK=64, capfd=capfd) == []


def test_a_cached_kernel_says_the_same(out, capfd):
    source = ASTSource(strided, {"x_ptr": "*i32", "out_ptr": "*i32", "stride": "i32",
                                 "BLOCK": "constexpr"}, {"BLOCK": 32})
    said = []
    for _ in range(2):
        capfd.readouterr()
        triton.compile(source)
        said.append(capfd.readouterr().err)
    assert "is not known to be 1" in said[0] and said[0] == said[1]


def test_silent_unless_asked(monkeypatch, fresh_cache, capfd):
    monkeypatch.delenv("TRIREME_REMARKS", raising=False)
    assert remarks(strided, np.zeros(64, np.int32), 9, BLOCK=16, capfd=capfd) == []


def test_unknown_category(monkeypatch, out):
    monkeypatch.setenv("TRIREME_REMARKS", "speed")
    with pytest.warns(RuntimeWarning, match="'speed' is no category; they are perf, sched"):
        plain[(1,)](np.zeros(16, np.int32), out, 16, BLOCK=16)


@triton.jit
def product(x_ptr, y_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :])
    y = tl.load(y_ptr + k[:, None] * N + n[None, :])
    tl.store(out_ptr + m[:, None] * N + n[None, :], tl.dot(x, y))


@pytest.mark.parametrize("shape, said", [
    ((64, 32, 16), ["product of 64 x 32 x 16, computed in f32: tiles of",
                    "B is read where it lies, then packed to panels of",
                    "as 64 rows of A share them"]),
    ((8, 32, 16), ["stay in registers along K; A is read where it lies, B is read where it lies"]),
    ((1, 1024, 8), ["B is streamed row by row, as few rows of A share it"]),
], ids=str)
def test_what_was_decided(shape, said, monkeypatch, fresh_cache, capfd):
    monkeypatch.setenv("TRIREME_REMARKS", "sched")
    M, N, K = shape
    product[(1,)](np.zeros((M, K), np.float32), np.zeros((K, N), np.float32),
                  np.zeros((M, N), np.float32), M, N, K)
    lines = capfd.readouterr().err.splitlines()
    dots = [i for i, line in enumerate(lines) if "product of" in line]
    assert len(dots) == 1 and all(part in lines[dots[0]] for part in said), lines
    assert lines[dots[0] + 1].strip().startswith("tl.store(") and "tl.dot(" in lines[dots[0] + 1]
    assert any(f"sched: store of {M} x {N} elements in vectors of" in line for line in lines)
