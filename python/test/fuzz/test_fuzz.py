"""Random programs give what the model gives, bit for bit, with any number of threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from .generator import generate
from .program import BadProgram, Program
from .running import check
from .shrinking import shrunk

# Seeds of the sample that fail because of a known defect; with its description.
OPEN: dict[int, str] = {
    9: "umulhi of a uniform block is not lowered in an address",
    30: "a load is done after a store where a loop uses its value",
    63: "reductions of int1 along rows are not lowered",
    198: "a load is done after a store where two roots use its value",
}


def failure_text(seed: int, program: Program, folder: Path) -> str | None:
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

    small = shrunk(program, fails)
    found = check(small, folder).failure or failure
    values = {n: v for n, (_, v) in small.scalars.items() if n in small.used()}
    places = ", ".join(f"{a.name} is {a.dtype} at {a.buffer}+{a.start}" for a in small.arrays
                       if a.name in small.used())
    return (f"seed {seed}: {found.kind}\n{small.source()}\n# grid {small.grid}, arguments {values}, "
            f"enable_fp_fusion={small.fusion}\n# {places}\n{found.text}\n"
            f"Repeat with: pytest python/test/fuzz --fuzz-seeds={seed}:{seed + 1}")


def test_random_program(fuzz_seed: int, tmp_path: Path, fresh_cache: Path) -> None:
    try:
        text = failure_text(fuzz_seed, generate(fuzz_seed), tmp_path)
    except BadProgram as reason:
        pytest.skip(f"seed {fuzz_seed} leaves its result open: {reason}")
    assert text is None, text
