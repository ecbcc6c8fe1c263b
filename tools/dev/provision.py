"""Set-up and build: Debian packages, the virtual environment, CMake and ninja."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterator, NoReturn

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LLVM_BIN = Path("/usr/lib/llvm-22/bin")
REQUIREMENTS = ROOT / "requirements-dev.txt"
TORCH = "torch==2.13.0+cpu"

# Debian packages, the same names on 12 and 13. The last lines are what a program
# for a RISC-V or Arm board, or for QEMU, is linked with.
PACKAGES = """g++ clang-22 lld-22 liblld-22-dev llvm-22-dev llvm-22-tools libmlir-22-dev
mlir-22-tools clang-format-22 libclang-rt-22-dev ccache ninja-build cmake zlib1g-dev
libzstd-dev libedit-dev libgtest-dev python3-dev python3-venv qemu-user
gcc-riscv64-linux-gnu g++-riscv64-linux-gnu libc6-dev-riscv64-cross
gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross""".split()


def say(text: str) -> None:
    """Progress goes to stderr: stdout is the script's or the tests'."""
    print(f"-- {text}", file=sys.stderr, flush=True)


def stop(text: str) -> NoReturn:
    sys.exit(f"./dev: {text}")


def run(*command: object, **options: object) -> None:
    """Runs a command; ./dev ends if it fails."""
    words = [str(word) for word in command]
    status = subprocess.run(words, **options).returncode  # type: ignore[call-overload]
    if status != 0:
        stop(f"failed with status {status}: {' '.join(words)}")


def environment(**more: str) -> dict[str, str]:
    """What scripts, tests and tools run in."""
    path = f"{VENV / 'bin'}:{LLVM_BIN}:{os.environ.get('PATH', '')}"
    python = f"{ROOT / 'python'}:{os.environ.get('PYTHONPATH', '')}".rstrip(":")
    return {**os.environ, "PATH": path, "PYTHONPATH": python,
            "CCACHE_SLOPPINESS": "pch_defines,time_macros", **more}


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """One set-up or build of a checkout at a time."""
    (ROOT / "build").mkdir(exist_ok=True)
    with open(ROOT / "build" / "dev.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("another ./dev is at work here; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# -- set-up ------------------------------------------------------------------------------


def apt(*words: str) -> list[str]:
    """The command line of apt-get, with what makes this user root."""
    become = [] if os.geteuid() == 0 else ["sudo"]
    return [*become, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", *words]


def installed(names: list[str]) -> set[str]:
    query = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
                           capture_output=True, text=True)
    return {line.split()[0] for line in query.stdout.splitlines() if line.endswith(" installed")}


def install_packages() -> None:
    if shutil.which("dpkg-query") is None:
        say(f"not a Debian system; these are taken to be there: {' '.join(PACKAGES)}")
        return
    have = installed(PACKAGES)
    missing = [name for name in PACKAGES if name not in have]
    if missing:
        if os.geteuid() != 0 and shutil.which("sudo") is None:
            stop("packages are missing, and this is neither root nor is there sudo. As root, run:\n"
                 f"  apt-get update && apt-get install -y --no-install-recommends "
                 f"{' '.join(missing)}")
        say(f"installing {len(missing)} Debian packages: {' '.join(missing)}")
        run(*apt("update"), stdout=subprocess.DEVNULL)
        run(*apt("install", "-y", "--no-install-recommends", *missing), stdout=sys.stderr)
    install_qemu()


def install_qemu() -> None:
    """Debian 12's own QEMU lacks half-precision vectors: backports has one that does not."""
    stamp = ROOT / "build" / "qemu.stamp"
    release = Path("/etc/os-release")
    if stamp.exists() or not release.exists() or "bookworm" not in release.read_text():
        return
    version = ""
    if shutil.which("qemu-riscv64"):
        version = subprocess.run(["qemu-riscv64", "--version"], capture_output=True,
                                 text=True).stdout
    match = re.search(r"version (\d+)", version)
    if match is None or int(match[1]) < 10:
        source = Path("/etc/apt/sources.list.d/debian.sources")
        text = source.read_text() if source.exists() else ""
        uri = re.search(r"^URIs:\s*(\S+)", text, re.M)
        key = re.search(r"^Signed-By:\s*(\S+)", text, re.M)
        entry = (f"Types: deb\nURIs: {uri[1] if uri else 'http://deb.debian.org/debian'}\n"
                 "Suites: bookworm-backports\nComponents: main\nSigned-By: "
                 f"{key[1] if key else '/usr/share/keyrings/debian-archive-keyring.gpg'}\n")
        say("installing qemu-user 10 from bookworm-backports")
        tee = ["tee", "/etc/apt/sources.list.d/bookworm-backports.sources"]
        steps = [(tee if os.geteuid() == 0 else ["sudo", *tee], entry), (apt("update"), None),
                 (apt("install", "-y", "--no-install-recommends", "-t", "bookworm-backports",
                      "qemu-user"), None)]
        for command, given in steps:
            done = subprocess.run(command, input=given, text=True, capture_output=True)
            if done.returncode != 0:
                say(f"no QEMU 10; some RISC-V tests will be skipped:\n{done.stderr.strip()}")
                return
    stamp.write_text("")


def identity() -> str:
    """What the virtual environment must have been made from."""
    wanted = REQUIREMENTS.read_text() + sys.version + sys.base_prefix
    return hashlib.sha256(wanted.encode()).hexdigest()


def install_python() -> None:
    stamp = VENV / "requirements.stamp"
    if stamp.exists() and stamp.read_text() == identity() and PYTHON.exists():
        return
    say(f"making {VENV.name} with Python {sys.version.split()[0]}")
    maker = getattr(sys, "_base_executable", sys.executable)  # ./dev may run from .venv itself
    run(maker, "-m", "venv", "--clear", VENV)
    say(f"installing {REQUIREMENTS.name}")
    run(PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", REQUIREMENTS,
        stdout=sys.stderr)
    stamp.write_text(identity())


def install_torch() -> None:
    """The build without CUDA or nothing: the other one brings gigabytes and a `triton`."""
    stamp = VENV / "torch.stamp"
    if stamp.exists():
        return
    say(f"installing {TORCH}")
    done = subprocess.run([PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check",
                           TORCH], capture_output=True)
    if done.returncode != 0:
        say("pip finds no such build; tests that need torch are skipped (once an index that has "
            f"it is configured, remove {stamp.relative_to(ROOT)} to try again)")
    stamp.write_text("installed\n" if done.returncode == 0 else "not found\n")


def setup(with_torch: bool = False) -> None:
    with alone():
        install_packages()
        install_python()
        if with_torch:
            install_torch()


# -- build -------------------------------------------------------------------------------


def configure(tree: Path, preset: str) -> None:
    """Runs cmake unless the tree was made from these presets and this Python."""
    made_from = hashlib.sha256((ROOT / "CMakePresets.json").read_bytes() +
                               identity().encode()).hexdigest()
    stamp = tree / "dev.stamp"
    if (tree / "build.ninja").exists() and stamp.exists() and stamp.read_text() == made_from:
        return
    say(f"configuring {tree.relative_to(ROOT)}")
    tree.mkdir(parents=True, exist_ok=True)
    cmake = "/usr/bin/cmake" if Path("/usr/bin/cmake").exists() else "cmake"
    done = subprocess.run([cmake, "--fresh", "--preset", preset, f"-DPython_EXECUTABLE={PYTHON}"],
                          cwd=ROOT, env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        stop(f"cmake failed:\n{done.stdout}")
    stamp.write_text(made_from)


def build(preset: str = "host-release", targets: tuple[str, ...] = ()) -> Path:
    """Configures when needed and builds; gives the build directory."""
    tree = ROOT / "build" / preset
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    jobs = max(1, min(len(os.sched_getaffinity(0)), memory // 2))
    with alone():
        configure(tree, preset)
        run("ninja", "-C", tree, f"-j{jobs}", *targets, stdout=sys.stderr,
            env=environment(NINJA_STATUS="[%f/%t %es] "))
    return tree
