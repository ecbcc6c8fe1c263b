"""Random programs give what the model gives, bit for bit, with any number of threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from .arithmetic import BINARY
from .generator import generate
from .program import BadProgram, Program
from .running import check
from .shrinking import shrunk

# Seeds of the sample that fail because of a known defect; with its description.
OPEN: dict[int, str] = {}


def failure_text(seed: int, program: Program, folder: Path, seconds: float = 60) -> str | None:
    """None if the program does what it should; else all one needs to repeat it."""
    failure = check(program, folder).failure
    if failure is None:
        return None

    def fails(candidate: Program) -> bool:
        try:
            found = check(candidate, folder).failure
        except BadProgram:
            return False
        return found is not None and found.kind == failure.kind

    small = shrunk(program, fails, seconds)
    found = check(small, folder).failure or failure
    values = {n: v for n, (_, v) in small.scalars.items() if n in small.used()}
    places = ", ".join(f"{a.name} is {a.dtype} at {a.buffer}+{a.start}" for a in small.arrays
                       if a.name in small.used())
    return (f"seed {seed}: {found.kind}\n{small.source()}\n"
            f"# grid {small.grid}, arguments {values}, enable_fp_fusion={small.fusion}\n"
            f"# {places}\n{found.text}\n"
            f"Repeat with: pytest python/test/fuzz --fuzz-seeds={seed}:{seed + 1}")


def test_random_program(fuzz_seed: int, tmp_path: Path, fresh_cache: Path) -> None:
    try:
        text = failure_text(fuzz_seed, generate(fuzz_seed), tmp_path)
    except BadProgram as reason:
        pytest.skip(f"seed {fuzz_seed} leaves its result open: {reason}")
    assert text is None, text


def test_a_wrong_result_is_shown_small(tmp_path: Path, fresh_cache: Path,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it is the model that is wrong: it subtracts where kernels add."""
    monkeypatch.setitem(BINARY, "+", BINARY["-"])
    for seed in range(50):
        program = generate(seed)
        if check(program, tmp_path).failure is not None:
            break
    text = failure_text(seed, program, tmp_path, seconds=5)
    assert text is not None
    assert f"--fuzz-seeds={seed}:{seed + 1}" in text and "expected" in text and " + " in text
    kernel = text[text.index("def kernel"):text.index("# grid")]
    assert kernel.count("\n") < min(25, program.source().count("\n"))
