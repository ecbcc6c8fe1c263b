"""--fuzz-seeds=A:B chooses which programs the tests of this folder make."""

from __future__ import annotations

import os

import pytest

# Tests of this folder that are asked for by no seeds: few and the same ones each time.
SAMPLE, ALL_SEEDS = range(0, 80), range(0, 3000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-seeds", default=None, metavar="A:B", help="seeds from A on, below B")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "fuzz_seed" not in metafunc.fixturenames:
        return
    from .test_fuzz import OPEN

    text = metafunc.config.getoption("--fuzz-seeds", None)
    if text is not None:
        first, _, end = text.partition(":")
        seeds = list(range(int(first), int(end or int(first) + 1)))
    else:
        everything = os.environ.get("TRIREME_TEST_ALL") == "1"
        seeds = [s for s in (ALL_SEEDS if everything else SAMPLE) if s not in OPEN]
    metafunc.parametrize("fuzz_seed", seeds)
