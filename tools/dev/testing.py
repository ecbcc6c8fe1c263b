"""`./dev test`: GoogleTest programs, lit, pytest and tools/check, counted together."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from provision import PYTHON, ROOT, VENV, environment, stop

LIT_SUFFIXES = (".mlir", ".ttir", ".test")
PYTEST_ROOTS = (ROOT / "python" / "test", ROOT / "test")
PASSED_OVER = {"build", ".venv", ".git", "__pycache__", "Inputs"}


class Counts:
    """Passed, failed and skipped over all kinds of tests."""

    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = 0

    def add(self, kind: str, passed: int, failed: int, skipped: int, start: float) -> None:
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        print(f"-- {kind}: {passed} passed, {failed} failed, {skipped} skipped "
              f"({time.time() - start:.0f} s)", flush=True)


class Selection:
    """Which tests the arguments name: files, folders, pytest ids, GoogleTest programs."""

    def __init__(self, tree: Path, arguments: list[str]) -> None:
        self.everything = not arguments
        files = []
        for folder, below, names in os.walk(ROOT):
            below[:] = sorted(set(below) - PASSED_OVER)
            files += [Path(folder, name) for name in names]
        programs = {p.name: p for p in sorted((tree / "gtest").glob("*"))
                    if p.is_file() and os.access(p, os.X_OK)}
        sources = {p.stem: p for p in files if p.suffix == ".cpp" and p.stem in programs}
        lit = [p for p in files if p.suffix in LIT_SUFFIXES and "test" in p.parent.parts]
        pytests = [p for p in files if re.fullmatch(r"test_.*\.py", p.name)]

        self.programs: list[Path] = list(programs.values()) if self.everything else []
        self.lit = sorted(map(str, lit)) if self.everything else []
        self.pytest = [str(r) for r in PYTEST_ROOTS if any(r in p.parents for p in pytests)] \
            if self.everything else []
        for argument in arguments:
            path = Path(argument.partition("::")[0]).resolve()

            def named(file: Path) -> bool:
                return path == file or path in file.parents

            found_programs = [p for name, p in programs.items()
                              if name == argument or name in sources and named(sources[name])]
            found_lit = sorted(str(p) for p in lit if named(p))
            found_pytest = any(named(p) for p in pytests)
            if not (found_programs or found_lit or found_pytest):
                stop(f"no test is, or lies in, {argument}")
            self.programs += found_programs
            self.lit += found_lit
            if found_pytest:
                self.pytest.append(argument.replace(argument.partition("::")[0], str(path), 1))


def attempt(command: list[object], limit: float | None, **options: object) -> tuple[int, str]:
    """Exit status and output; a command that takes longer than its limit fails."""
    try:
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=ROOT, errors="replace", text=True,
                              timeout=limit, **options)  # type: ignore[call-overload]
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        said = (late.stdout or b"").decode(errors="replace")
        return 124, f"{said}\nstopped after {limit:.0f} s\n"


def run_gtests(programs: list[Path], counts: Counts) -> None:
    start, passed, failed, skipped = time.time(), 0, 0, 0
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            status, said = attempt([program, f"--gtest_output=json:{report}"], 900,
                                   env=environment())
            summary = json.loads(report.read_text()) if report.exists() else {}
        results = [case for suite in summary.get("testsuites", ())
                   for case in suite.get("testsuite", ())
                   if case.get("result") != "SUPPRESSED"]  # DISABLED_: measurements
        bad = sum("failures" in case for case in results)
        idle = sum(case.get("result") == "SKIPPED" for case in results)
        passed, skipped = passed + len(results) - bad - idle, skipped + idle
        failed += max(bad, 1) if status != 0 else bad
        if status != 0:
            print(f"FAILED: {program.name} (status {status})\n{said[-8000:]}")
        for reason in re.findall(r": Skipped\n(.+)", said):
            print(f"skipped: {program.name}: {reason}")
    counts.add("GoogleTest", passed, failed, skipped, start)


def run_lit(files: list[str], counts: Counts) -> None:
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        status, said = attempt([VENV / "bin" / "lit", "-q", "--output", report, *files], 1800,
                               env=environment())
        tests = json.loads(report.read_text())["tests"] if report.exists() else []
    skipped = [t for t in tests if t["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED")]
    bad = [t for t in tests if t not in skipped and t["code"] not in ("PASS", "XFAIL", "FLAKYPASS")]
    for test in bad:
        print(f"{test['code']}: {test['name']}\n{test['output'][-6000:]}")
    for test in skipped:
        reason = (test["output"].strip() or "needs a feature that this machine lacks").splitlines()
        print(f"skipped: {test['name']}: {reason[-1]}")
    failed = len(bad)
    if status != 0 and not bad:
        print(said[-6000:])
        failed = 1
    counts.add("lit", len(tests) - len(bad) - len(skipped), failed, len(skipped), start)


def run_pytest(paths: list[str], counts: Counts, everything: bool) -> None:
    start, passed, failed, skipped = time.time(), 0, 0, 0
    more = {"TRIREME_TEST_ALL": "1"} if everything else {}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [str(PYTHON), "-m", "pytest", "-q", "-rs", "--no-header",
                   "-p", "no:cacheprovider",
                   f"-n{len(os.sched_getaffinity(0))}", "--dist=loadgroup",
                   f"--junitxml={report}", *paths]
        try:
            status = subprocess.run(
                command, cwd=ROOT, timeout=None if everything else 3600,
                env=environment(TRITON_CACHE_DIR=str(Path(folder) / "cache"), **more)).returncode
        except subprocess.TimeoutExpired:
            print("pytest: stopped after an hour")
            status = 124
        if report.exists():
            for suite in ElementTree.parse(report).iter("testsuite"):
                bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
                idle = int(suite.get("skipped", 0))
                passed += int(suite.get("tests", 0)) - bad - idle
                failed, skipped = failed + bad, skipped + idle
    if status not in (0, 5):  # 5: nothing was collected
        failed = max(failed, 1)
    counts.add("pytest", passed, failed, skipped, start)


def run_checks(counts: Counts) -> None:
    start = time.time()
    status, said = attempt([sys.executable, ROOT / "tools" / "check" / "run.py"], 600)
    passed = len(re.findall(r"^ok: ", said, re.M))
    failed = len(re.findall(r"^FAILED: ", said, re.M))
    if status != 0:
        failed = max(failed, 1)
        print(said[-8000:])
    counts.add("checks", passed, failed, 0, start)


def run_tests(tree: Path, arguments: list[str], everything: bool) -> int:
    """Runs what is asked for; the last line is the sum. Gives the exit status."""
    counts, chosen = Counts(), Selection(tree, arguments)
    if chosen.programs:
        run_gtests(chosen.programs, counts)
    if chosen.lit:
        run_lit(chosen.lit, counts)
    if chosen.pytest:
        run_pytest(chosen.pytest, counts, everything)
    if chosen.everything:
        run_checks(counts)
    if counts.passed + counts.failed == 0:
        print("no test ran")
        counts.failed = 1
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped", flush=True)
    return 1 if counts.failed else 0
