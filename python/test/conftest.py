"""Shared by all tests: arrays next to guard pages, and a cache of their own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

ALL = os.environ.get("TRIREME_TEST_ALL") == "1"


@pytest.fixture(scope="session", autouse=True)
def poisoned_scratch():
    """Kernels that read scratch they have not written see NaN."""
    from triton.runtime.jit import native

    native().set_poison_scratch(True)


@pytest.fixture(params=[True, False], ids=["ends-at-guard", "begins-at-guard"])
def at_end(request):
    return request.param


@pytest.fixture
def fresh_cache(tmp_path, monkeypatch):
    """An empty disk cache."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def pytest_addoption(parser):
    parser.addoption("--compile-times", metavar="FILE",
                     help="append a line for each compilation: milliseconds in all, of them in "
                          "the front end, kernel, module")


@pytest.fixture(scope="session", autouse=True)
def compile_times(request):
    path = request.config.getoption("--compile-times")
    if path is None:
        yield
        return
    from triton import knobs

    def listen(src, times, cache_hit: bool, **about) -> None:
        if not cache_hit:
            fn = getattr(src, "fn", None)
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{times.total / 1e3:.1f} {times.ir_initialization / 1e3:.1f} "
                           f"{src.name} {getattr(fn, 'module', '?')}\n")

    with knobs.compilation.scope():
        knobs.compilation.listener = listen
        yield
