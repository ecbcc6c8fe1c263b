"""Runs a program as compiled and in the model, and says where they differ."""

from __future__ import annotations

import importlib.util
import itertools
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np
from guarded import guarded
from triton.runtime.jit import native

from .arithmetic import FLOATS, NUMPY
from .program import Machine, Program

_numbers = itertools.count()
THREADS = (1, 4)


@dataclass
class Failure:
    kind: str  # what two failures of one cause have in common
    text: str


@dataclass
class Result:
    failure: Failure | None = None
    seconds: float = 0.0  # of the first launch, which compiles
    shown: list[str] = field(default_factory=list)


def imported(source: str, folder: Path) -> ModuleType:
    name = f"fuzz_program_{next(_numbers)}"
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _difference(program: Program, name: str, got: np.ndarray, expected: np.ndarray) -> str | None:
    """Bytes that differ, as elements of the buffer's first array; any NaN is as good as another."""
    array = next(a for a in program.arrays if a.buffer == name)
    kind = np.dtype(np.uint8) if array.dtype == "int1" else NUMPY[array.dtype]
    a, b = (v[:v.size // kind.itemsize * kind.itemsize].view(kind) for v in (got, expected))
    bits = (v.view(f"u{kind.itemsize}") for v in (a, b))
    wrong = np.not_equal(*bits)
    if array.dtype in FLOATS:
        wrong &= ~(np.isnan(a) & np.isnan(b))
    places = np.flatnonzero(wrong)
    if places.size == 0:
        return None
    some = ", ".join(f"[{i}] is {a[i]!r}, expected {b[i]!r}" for i in places[:6])
    return f"{array.name} ({array.dtype}): {places.size} of {a.size} elements differ: {some}"


def check(program: Program, folder: Path) -> Result:
    """Runs with one thread and with four; BadProgram comes through."""
    expected = Machine(program).run()
    module = imported(program.source(), folder)
    result = Result()
    for threads in THREADS:
        native().set_num_threads(threads)
        memory = {}
        for name, data in program.buffers.items():
            memory[name] = guarded(data.size, np.uint8, program.at_end)
            memory[name][...] = data
        args = []
        for name in program.used():
            if name in program.scalars:
                args.append(program.scalars[name][1])
                continue
            array = next(a for a in program.arrays if a.name == name)
            part, kind = memory[array.buffer][array.start:], NUMPY[array.dtype]
            args.append(part[:part.size // kind.itemsize * kind.itemsize].view(kind))
        begin = time.perf_counter()
        try:
            module.kernel[program.grid](*args, enable_fp_fusion=program.fusion)
        except Exception as error:
            last = str(error).strip().splitlines() or [""]
            words = " ".join(w for w in " ".join(last[-2:]).split() if not any(map(str.isdigit, w)))
            result.failure = Failure(f"{type(error).__name__}: {words[:160]}",
                                     f"{type(error).__name__}: {error}")
            return result
        if threads == THREADS[0]:
            result.seconds = time.perf_counter() - begin
        for name in program.buffers:
            text = _difference(program, name, memory[name], expected[name])
            if text is not None:
                result.shown.append(f"{threads} thread{'s' * (threads > 1)}: {text}")
        if result.shown:
            result.failure = Failure("wrong values", "\n".join(result.shown))
            return result
    return result
