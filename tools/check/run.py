#!/usr/bin/env python3
"""What reviewers would otherwise look for: one `ok:` or `FAILED:` line a check."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
LINES_STOP = {".cpp": 800, ".h": 800, ".c": 800, ".py": 800, ".td": 500}
README_LINES = 15
# Where reading the environment is the file's purpose.
READS_ENVIRONMENT = ("python/triton/knobs.py", "runtime/pool/CpuCount.cpp", "python/test/",
                     "python/tutorials/", "bench/", "tools/", "dev", "lit.cfg.py")


def tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                             capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in listing.splitlines() if (ROOT / line).is_file()]


def read(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def layers() -> dict[str, dict[str, list[str]]]:
    """The subset of TOML that layers.toml uses: tables of quoted keys and lists."""
    tables: dict[str, dict[str, list[str]]] = {}
    table: dict[str, list[str]] = {}
    for line in read(Path("layers.toml")).splitlines():
        if match := re.match(r"\[(\w+)\]", line):
            table = tables.setdefault(match[1], {})
        elif match := re.match(r'"([^"]+)" = \[(.*)\]', line):
            table[match[1]] = re.findall(r'"([^"]+)"', match[2])
    return tables


def room_of(path: str, rooms: dict[str, list[str]]) -> str | None:
    found = [room for room in rooms if path == room or path.startswith(room + "/")
             or path.startswith(room + ".")]
    return max(found, key=len, default=None)


def allowed(target: str, room: str, rooms: dict[str, list[str]]) -> bool:
    return any(target == a or target.startswith(a + "/") or target.startswith(a + ".")
               for a in [room, *rooms[room]])


def check_includes(files: list[Path]) -> Iterator[str]:
    """C++ includes follow layers.toml"""
    rooms = layers()["cpp"]
    for path in files:
        if path.suffix not in (".cpp", ".h", ".c"):
            continue
        room = room_of(str(path), rooms)
        if room is None or path.name.endswith("Test.cpp"):
            continue
        for number, line in enumerate(read(path).splitlines(), 1):
            match = re.match(r'#include "([^"]+)"', line)
            if not match:
                continue
            target = match[1]
            head = target.split("/")[0]
            if head in ("mlir", "llvm", "llvm-c", "lld"):
                target = head.split("-")[0]
            elif "/" not in target:
                continue
            if not allowed(target, room, rooms):
                yield f"{path}:{number}: {room} may not include {match[1]}; see layers.toml"


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Modules of the package that a file imports, as paths."""
    package = path.relative_to("python").parts[:-1]
    for node in ast.walk(ast.parse(read(path))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[:len(package) - node.level + 1]
            module = [*base, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                full = "/".join([*module, alias.name])
                known = (ROOT / "python" / full).with_suffix(".py").exists() or (
                    ROOT / "python" / full).is_dir()
                yield node.lineno, full if known else "/".join(module)


def check_imports(files: list[Path]) -> Iterator[str]:
    """Python imports follow layers.toml"""
    rooms = layers()["python"]
    for path in files:
        if path.parts[:2] != ("python", "triton") or path.suffix != ".py":
            continue
        inside = "/".join(path.with_suffix("").parts[1:])
        room = room_of(inside, rooms)
        if room is None:
            continue
        for number, target in imports_of(path):
            if not allowed(target, room, rooms) and room_of(target, rooms):
                yield f"{path}:{number}: {room} may not import {target}; see layers.toml"


def check_sizes(files: list[Path]) -> Iterator[str]:
    """no file is longer than its stop"""
    for path in files:
        stop = LINES_STOP.get(path.suffix)
        if stop and (lines := read(path).count("\n")) > stop:
            yield f"{path}:1: {lines} lines, the stop is {stop}: split it by concern"


def check_environment(files: list[Path]) -> Iterator[str]:
    """only the tables of knobs read the environment"""
    for path in files:
        if (path.suffix not in (".py", ".cpp", ".h", ".c") or path.name.endswith("Test.cpp")
                or str(path).startswith(READS_ENVIRONMENT)):
            continue
        for number, line in enumerate(read(path).splitlines(), 1):
            if re.search(r"os\.environ|os\.getenv|\bgetenv\(", line):
                yield f"{path}:{number}: reads the environment; add a row to knobs.py"


def check_cmake(files: list[Path]) -> Iterator[str]:
    """every C++ source is named in its room's CMakeLists.txt"""
    for path in files:
        if path.suffix not in (".cpp", ".c"):
            continue
        folder = path.parent
        while folder != Path(".") and not (ROOT / folder / "CMakeLists.txt").exists():
            folder = folder.parent
        if str(path.relative_to(folder)) not in read(folder / "CMakeLists.txt"):
            yield f"{path}:1: is not named in {folder}/CMakeLists.txt"


def check_readmes(files: list[Path]) -> Iterator[str]:
    """every room of C++ has a README of at most 15 lines"""
    rooms = {p.parent for p in files if p.suffix == ".cpp"}
    for room in sorted(rooms):
        readme = ROOT / room / "README.md"
        if room.parts[0] == "tools" or not (ROOT / room / "CMakeLists.txt").exists():
            continue
        if not readme.exists():
            yield f"{room}/README.md:1: missing; say what comes in, what goes out, where to start"
        elif (lines := len(readme.read_text().splitlines())) > README_LINES:
            yield f"{room}/README.md:1: {lines} lines, the limit is {README_LINES}"


def check_knobs(files: list[Path]) -> Iterator[str]:
    """every environment variable we name is a row of a table"""
    table = read(Path("python/triton/knobs.py"))
    for path in files:
        if path.suffix not in (".md", ".py") or path.parts[0] in ("tools",) or path.name == "dev":
            continue
        for number, line in enumerate(read(path).splitlines(), 1):
            for name in re.findall(r"\b(?:TRITON|TRIREME|SPINE_TRITON)_[A-Z0-9_]+\b", line):
                if f'"{name}"' not in table and name not in EXEMPT_VARIABLES:
                    yield f"{path}:{number}: {name} is no row of python/triton/knobs.py"


# Constants of the language, CMake options and what tests set for themselves.
EXEMPT_VARIABLES = {"TRITON_MAX_TENSOR_NUMEL", "TRIREME_TEST_ALL", "TRIREME_BUILD_TESTS",
                    "TRIREME_IMAGE_", "TRIREME_BUILD_PYTHON", "TRIREME_SYMBOL", "TRIREME_CPU",
                    "TRIREME_FEATURE", "TRIREME_OPTION", "TRIREME_ABI_VERSION"}

CHECKS: list[Callable[[list[Path]], Iterator[str]]] = [
    check_includes, check_imports, check_sizes, check_environment, check_cmake, check_readmes,
    check_knobs,
]


def main() -> int:
    files = tracked()
    failed = 0
    for check in CHECKS:
        problems = list(check(files))
        for problem in problems:
            print(problem)
        print(f"{'FAILED' if problems else 'ok'}: {check.__doc__}")
        failed += bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
