"""The knobs: environment, setting, scopes; each does what its row says."""

import os
import subprocess
import sys

import numpy as np
import pytest
import triton
import triton.language as tl
from triton import knobs


@triton.jit
def kernel(out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, i)


def test_environment_then_value_then_environment(monkeypatch):
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "yes")
    assert knobs.compilation.always_compile is True
    with knobs.compilation.scope():
        knobs.compilation.always_compile = False
        assert knobs.compilation.always_compile is False
        assert os.environ["TRITON_ALWAYS_COMPILE"] == "0"
    assert os.environ["TRITON_ALWAYS_COMPILE"] == "yes"
    assert knobs.compilation.always_compile is True
    knobs.compilation.always_compile = False
    del knobs.compilation.always_compile
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "off")
    assert knobs.compilation.always_compile is False


def test_back_to_the_environment(monkeypatch):
    class Knobs(knobs.base_knobs):
        maybe = knobs.env_opt_bool("MAYBE_KNOB")

    some = Knobs()
    monkeypatch.delenv("MAYBE_KNOB", raising=False)
    assert some.maybe is None and some.knobs == {"maybe": None}
    with some.scope():
        some.maybe = True
        assert os.environ["MAYBE_KNOB"] == "1"
        monkeypatch.setenv("MAYBE_KNOB", "no")
        assert some.maybe is True
        some.maybe = knobs.env
        assert some.maybe is False


@triton.jit
def asserts(out, n):
    tl.device_assert(n < 3, "too many")
    tl.store(out, n)


def test_debug_is_read_again(monkeypatch):
    out = np.zeros(1, np.int32)
    monkeypatch.delenv("TRITON_DEBUG", raising=False)
    knobs.refresh_knobs()
    asserts[(1,)](out, 7)
    assert out[0] == 7
    monkeypatch.setenv("TRITON_DEBUG", "1")
    knobs.refresh_knobs()
    with pytest.raises(RuntimeError, match="too many"):
        asserts[(1,)](out, 7)
    with pytest.raises(RuntimeError, match="too many"):
        asserts[(1,)](out, 7, debug=False)
    monkeypatch.delenv("TRITON_DEBUG")
    knobs.refresh_knobs()


def test_home_moves_directories(monkeypatch, tmp_path):
    monkeypatch.delenv("TRITON_CACHE_DIR", raising=False)
    monkeypatch.setenv("TRITON_HOME", str(tmp_path))
    assert knobs.cache.dir == str(tmp_path / ".triton" / "cache")


def test_cache_hook_sees_and_refuses(monkeypatch):
    seen = []

    def hook(**about):
        seen.append(about)
        return True

    kernel.dispatcher.clear()
    out = np.zeros(32, np.int32)
    monkeypatch.setattr(knobs.runtime, "jit_cache_hook", hook)
    assert kernel[(1,)](out, BLOCK=32) is None and not out.any()
    assert seen[0]["fn"].name == "kernel" and "out: *i32" in seen[0]["repr"]
    monkeypatch.undo()
    after = []
    monkeypatch.setattr(knobs.runtime, "jit_post_compile_hook", lambda **about: after.append(about))
    kernel[(1,)](out, BLOCK=32)
    assert (out == np.arange(32)).all() and len(after) == 1


@triton.jit
def broken(out):
    tl.store(out, no_such_name)  # noqa: F821


def test_front_end_debugging(monkeypatch):
    def frames():
        with pytest.raises(triton.CompilationError) as caught:
            broken[(1,)](np.zeros(1, np.int32))
        return [entry.path.name for entry in caught.traceback]

    assert "statements.py" not in frames()
    monkeypatch.setenv("TRITON_FRONT_END_DEBUGGING", "1")
    assert "statements.py" in frames()


def test_debug_and_fusion_make_kernels_of_their_own():
    out = np.zeros(32, np.int32)
    plain = kernel[(1,)](out, BLOCK=32)
    with knobs.language.scope():
        knobs.language.default_fp_fusion = False
        assert kernel[(1,)](out, BLOCK=32).hash != plain.hash
    assert kernel[(1,)](out, BLOCK=32) is plain
    assert kernel[(1,)](out, BLOCK=32, debug=True).hash != plain.hash


def test_interpreter_is_refused():
    code = ("import numpy, sys; sys.path.insert(0, {!r}); from test_knobs import kernel;"
            "kernel[(1,)](numpy.zeros(32, numpy.int32), BLOCK=32)").format(os.path.dirname(__file__))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "TRITON_INTERPRET": "1"})
    assert "not supported yet: TRITON_INTERPRET=1" in done.stderr


def test_every_knob_has_a_purpose():
    for group in knobs.groups().values():
        for name, row in group.knob_descriptors.items():
            assert row.help.endswith("."), name
            getattr(group, name)
