#!/usr/bin/env python3
"""What reviewers would otherwise look for: one `ok:` or `FAILED:` line a check."""

from __future__ import annotations

import ast
import fnmatch
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
LINES_STOP = {".cpp": 800, ".h": 800, ".c": 800, ".py": 800, ".td": 500}
LINES_WARN = 400
README_LINES = 15
# Where reading the environment is the file's purpose.
READS_ENVIRONMENT = ("python/triton/knobs.py", "runtime/pool/CpuCount.cpp", "python/test/",
                     "python/tutorials/", "bench/", "tools/", "dev", "lit.cfg.py")


def tree() -> list[Path]:
    """The files of the checkout that .gitignore does not name."""
    patterns = [line.strip("/") for line in read(Path(".gitignore")).splitlines()
                if line and not line.startswith("#")]

    def kept(name: str) -> bool:
        return name != ".git" and not any(fnmatch.fnmatch(name, p) for p in patterns)

    found = []
    for folder, below, names in os.walk(ROOT):
        below[:] = sorted(filter(kept, below))
        found += [Path(folder, name).relative_to(ROOT) for name in sorted(filter(kept, names))]
    return found


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
        if path.name.endswith("Test.cpp") or str(path).startswith("cmake/"):
            continue
        room = room_of(str(path), rooms)
        if room is None:
            yield f"{path}:1: no row of layers.toml says what this room may depend on; add one"
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


def check_links(files: list[Path]) -> Iterator[str]:
    """LINK lines of CMakeLists.txt follow layers.toml"""
    rooms = layers()["cpp"]
    scripts = [p for p in files if p.name == "CMakeLists.txt" and len(p.parts) > 1]
    library = re.compile(r"trireme_(?:compiler|runtime)_library\((\w+)")
    home = {name: str(p.parent) for p in scripts for name in library.findall(read(p))}
    call = re.compile(r"trireme_(?:compiler_library|runtime_library|tool|python_module)\([^)]*\)"
                      r"|target_link_libraries\([^)]*\)")
    for path in scripts:
        room, text = room_of(str(path.parent), rooms), read(path)
        for match in call.finditer(text) if room else ():
            if "Test" in match[0].split()[0]:
                continue
            linked = re.split(r"\bLINK\b|PRIVATE|PUBLIC", match[0])[-1]
            for name in re.findall(r"\btrireme_\w+", linked):
                if name in home and not allowed(home[name], room, rooms):
                    number = text.count("\n", 0, match.start()) + 1
                    yield f"{path}:{number}: {room} may not link {name}; see layers.toml"


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Modules of the package that a file imports, as paths."""
    def known(name: str) -> bool:
        return (ROOT / "python" / f"{name}.py").exists() or (ROOT / "python" / name).is_dir()

    package = path.relative_to("python").parts[:-1]
    for node in ast.walk(ast.parse(read(path))):
        if isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else ()
            module = "/".join([*base, *(node.module.split(".") if node.module else [])])
            for alias in node.names:
                full = f"{module}/{alias.name}"
                yield node.lineno, full if known(full) else module
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.replace(".", "/")


def runs_at_import(path: Path) -> Iterator[ast.stmt]:
    """Statements of a module that its import executes, functions left out."""
    waiting: list[ast.AST] = [ast.parse(read(path))]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.stmt):
                yield node
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                waiting.append(node)


def check_imports(files: list[Path]) -> Iterator[str]:
    """Python imports follow layers.toml"""
    rooms = layers()["python"]
    for path in files:
        if path.parts[:2] != ("python", "triton") or path.suffix != ".py":
            continue
        inside = "/".join(path.with_suffix("").parts[1:])
        room = room_of(inside, rooms)
        if inside == "triton/__init__":  # composes the package
            continue
        if room is None:
            yield f"{path}:1: no row of layers.toml says what this may import; add one"
            continue
        for node in runs_at_import(path):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else \
                [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            for name in names:
                if name.split(".")[0] in ("numpy", "torch"):
                    yield f"{path}:{node.lineno}: imports {name}; do so where it is used"
        for number, target in imports_of(path):
            if not allowed(target, room, rooms) and room_of(target, rooms):
                yield f"{path}:{number}: {room} may not import {target}; see layers.toml"


def check_sizes(files: list[Path]) -> Iterator[str]:
    """no file is longer than its stop"""
    for path in files:
        stop = LINES_STOP.get(path.suffix)
        lines = read(path).count("\n") if stop else 0
        if stop and LINES_WARN < lines <= stop:
            print(f"warning: {path}:1: {lines} lines; the stop is {stop}")
        if stop and lines > stop:
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
        if path.suffix not in (".cpp", ".c") or path.parts[0] == "bench":
            continue
        folder = path.parent
        while folder != Path(".") and not (ROOT / folder / "CMakeLists.txt").exists():
            folder = folder.parent
        name = re.escape(str(path.relative_to(folder)))
        if not re.search(rf"(?<![\w/]){name}\b", read(folder / "CMakeLists.txt")):
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


def check_paths(files: list[Path]) -> Iterator[str]:
    """no file names a path of the machine it was written on"""
    private = re.compile(r"(?<![\w.}/-])/(?:work|tmp/t\w*|root|home)/", re.I)
    for path in files:
        data = (ROOT / path).read_bytes()
        if b"\0" in data or path.parts[:2] == ("tools", "check"):
            continue
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            if match := private.search(line):
                yield f"{path}:{number}: names {match[0]}; use a path inside the checkout"


def check_docs(files: list[Path]) -> Iterator[str]:
    """docs/generated is what the tables say"""
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "doc" / "run.py"), "--check"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        yield from (done.stdout + done.stderr).splitlines() or ["tools/doc failed"]


# Constants of the language, CMake options and what tests set for themselves.
EXEMPT_VARIABLES = {"TRITON_MAX_TENSOR_NUMEL", "TRIREME_TEST_ALL", "TRIREME_BUILD_TESTS",
                    "TRIREME_IMAGE_", "TRIREME_BUILD_PYTHON", "TRIREME_SYMBOL", "TRIREME_CPU",
                    "TRIREME_FEATURE", "TRIREME_OPTION", "TRIREME_ABI_VERSION"}

CHECKS: list[Callable[[list[Path]], Iterator[str]]] = [
    check_includes, check_links, check_imports, check_sizes, check_environment, check_cmake,
    check_readmes, check_knobs, check_paths, check_docs,
]


def main() -> int:
    files = tree()
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
