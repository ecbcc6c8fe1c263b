"""Runs a kernel for any target: in process where the host can, else under QEMU."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
import triton
from guarded import guarded_copy
from triton.compiler import ASTSource
from triton.runtime.jit import dtype_name, native

ROOT = Path(__file__).resolve().parents[2]
_RVV = ("v=true,zfh=true,zvfh=true,zba=true,zbb=true,zbs=true,zbc=true,zicond=true,zicbop=true,"
        "rvv_ta_all_1s=true,rvv_ma_all_1s=true")
# target: (QEMU's CPU, VLEN)
RISCV = {"spacemit-x60": 256, "rv64gcv": 128, "rv64gcv+zvl1024b": 1024}
ARM = ["armv8.2-a"]
X86 = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]


def _runs_here(target: str) -> bool:
    host = native().resolve_target("host").partition(":")[2].partition("+")[0]
    return target in X86 and host in X86 and X86.index(target) <= X86.index(host)


def needs(target: str) -> None:
    """Skips the test where the target cannot be executed."""
    if _runs_here(target):
        return
    if target not in RISCV and target not in ARM:
        pytest.skip(f"this CPU does not execute {target}")
    arch = _arch(target)
    if shutil.which(f"qemu-{arch}") is None or not _runner(arch).exists():
        pytest.skip(f"no qemu-{arch}, or trireme-run is not built for {arch}")


def _arch(target: str) -> str:
    return "riscv64" if target in RISCV else "aarch64"


def _runner(arch: str) -> Path:
    return ROOT / "build" / arch / "bin" / "trireme-run"


def compiled(kernel, args, meta, target, options=None):
    """The kernel for these arguments, whatever the target."""
    signature, constants = {}, {}
    meta = {**{p.name: p.default for p in kernel.params if p.has_default}, **meta}
    values = dict(zip((n for n in kernel.arg_names if n not in meta), args))
    for name in kernel.arg_names:
        if name in meta:
            signature[name], constants[name] = "constexpr", meta[name]
        elif hasattr(values[name], "dtype"):
            signature[name] = "*" + dtype_name(values[name].dtype)
        else:
            signature[name] = "fp32" if isinstance(values[name], float) else (
                "i32" if -(2**31) <= values[name] < 2**31 else "i64")
    return triton.compile(ASTSource(kernel, signature, constants), target=target, options=options)


def run(kernel, grid, *args, target, options=None, **meta):
    """Launches for ``target``; arrays are changed in place."""
    made = compiled(kernel, args, meta, target, options)
    if _runs_here(target):
        made.image.run(grid, args)
        return
    with tempfile.TemporaryDirectory() as folder:
        words = []
        for i, value in enumerate(args):
            if hasattr(value, "dtype"):
                path = Path(folder) / f"{i}.bin"
                path.write_bytes(np.ascontiguousarray(value).tobytes())
                words.append(str(path))
            else:
                words.append(repr(value))
        arch = _arch(target)
        cpu = f"rv64,vlen={RISCV[target]},{_RVV}" if arch == "riscv64" else "max"
        done = subprocess.run(
            [f"qemu-{arch}", "-cpu", cpu, "-L", f"/usr/{arch}-linux-gnu", str(_runner(arch)),
             made.entry.path("kernel.so"), ",".join(map(str, grid)), *words],
            capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{done.returncode}: {done.stderr}"
        for i, value in enumerate(args):
            if hasattr(value, "dtype"):
                data = np.frombuffer((Path(folder) / f"{i}.bin").read_bytes(), value.dtype)
                value[...] = data.reshape(value.shape)


@contextlib.contextmanager
def redirected(target):
    """Within it, ``kernel[grid](...)`` runs for ``target``: tests written for this CPU run there."""

    def launcher(kernel, grid):
        def launch(*args, **meta):
            values = dict(zip(kernel.arg_names, args))
            known = {p.name for p in kernel.params if p.is_constexpr} | {
                name for name, value in values.items() if value is None}
            meta.update((name, values.pop(name)) for name in known & values.keys())
            run(kernel, grid, *values.values(), target=target, **meta)
        return launch

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(triton.JITFunction, "__getitem__", launcher)
        yield


def empty(shape, dtype):
    """An output array, filled so that what is not written shows."""
    return guarded_copy(np.full(shape, 77, dtype))
