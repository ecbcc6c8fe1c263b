"""What goes wrong around kernels: files of IR, the cache, faults; Python goes on."""

import os
import signal
import warnings
from pathlib import Path

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import still_works
from guarded import guarded


@triton.jit
def copy_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)


def test_ttir_with_a_syntax_error(tmp_path):
    path = tmp_path / "broken.ttir"
    path.write_text("module {\n  tt.func @k(%a: i32) {\n    %b = arith.addi %a, : i32\n  }\n}\n")
    with pytest.raises(triton.CompilationError) as caught:
        triton.compile(str(path))
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"{path}:3:")
    assert lines[1].startswith("    %b = arith.addi")
    assert lines[2].strip() == "^"
    still_works()


def test_fault_in_a_kernel_is_named():
    x = guarded(100, np.float32)
    x[...] = 1
    out = np.zeros(4096, np.float32)
    with pytest.raises(triton.errors.KernelError) as caught:
        copy_kernel[(4,)](x, out, 4096, BLOCK=1024)  # n is a lie
    error = caught.value
    assert "kernel 'copy_kernel' faulted in program (" in str(error)
    assert "past the start of argument 'x_ptr'" in str(error)
    assert error.signal in (signal.SIGSEGV, signal.SIGBUS)
    still_works()


@pytest.mark.parametrize("fault", ["segv", "abort", "fatal", "stack"])
def test_compiler_fault(fault, fresh_cache):
    x = np.ones(8, np.float32)
    out = np.zeros(8, np.float32)
    with pytest.raises(triton.errors.InternalCompilerError) as caught:
        copy_kernel[(1,)](x, out, 8, BLOCK=16, force_fault=fault)
    text = str(caught.value)
    assert "bug of the compiler" in text and "trireme-opt --stop-after=so" in text
    reproducer = Path(next(word for word in text.split() if word.endswith(".ttir;"))[:-1])
    assert "tt.func public @copy_kernel" in reproducer.read_text()
    copy_kernel[(1,)](x, out, 8, BLOCK=16)
    np.testing.assert_array_equal(out, x)
    still_works()


def run_once(block):
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    copy_kernel.dispatcher.clear()
    kernel = copy_kernel[(1,)](x, out, 64, BLOCK=block)
    np.testing.assert_array_equal(out, x)
    return kernel


def test_cache_directory_that_is_a_file(tmp_path, monkeypatch):
    place = tmp_path / "occupied"
    place.write_text("")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(place))
    with pytest.warns(RuntimeWarning, match="occupied.*cannot be written.*TRITON_CACHE_DIR"):
        run_once(64)
    still_works()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_full_disk(tmp_path, monkeypatch):
    import builtins

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "full"))
    real = builtins.open

    def full(path, mode="r", *args, **kwargs):
        if "w" in mode and str(path).startswith(str(tmp_path)):
            return real("/dev/full", mode, *args, **kwargs)
        return real(path, mode, *args, **kwargs)

    monkeypatch.setattr(builtins, "open", full)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        run_once(128)
    monkeypatch.undo()
    assert not list((tmp_path / "full").glob("*/kernel.so"))
    still_works()


def test_entries_are_reused_and_damaged_ones_made_again(fresh_cache):
    first = run_once(64)
    assert first.times  # compiled
    assert not run_once(64).times  # found
    for name in ("kernel.so", "manifest.txt", "kernel.ttir", "metadata.json"):
        path = fresh_cache / first.hash / name
        good = path.read_bytes()
        for bad in (b"", good[:-5], good[:40] + b"\0" * 8 + good[48:]):
            # Another file under the name: the old one is mapped in this process.
            other = fresh_cache / "damaged"
            other.write_bytes(bad)
            other.rename(path)
            assert run_once(64).times, name
            assert path.read_bytes() == good
        path.unlink()
        assert run_once(64).times
    assert sorted(p.name for p in fresh_cache.iterdir()) == [first.hash]


def test_always_compile(fresh_cache, monkeypatch):
    run_once(64)
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")
    assert run_once(64).times
    assert run_once(64).times


def test_dump_path(tmp_path, monkeypatch, fresh_cache):
    monkeypatch.setenv("SPINE_TRITON_DUMP_PATH", str(tmp_path / "dump"))
    run_once(64)
    (folder,) = (tmp_path / "dump").iterdir()
    stages = [p.name.split("-")[1].split(".")[0] for p in sorted(folder.iterdir())]
    assert stages == ["ttir", "linalg", "sched", "vector", "llvm", "llir", "asm", "obj", "so"]
    assert all(p.stat().st_size for p in folder.iterdir())


def test_dump_path_that_cannot_be_written(tmp_path, monkeypatch, fresh_cache):
    place = tmp_path / "occupied"
    place.write_text("")
    monkeypatch.setenv("SPINE_TRITON_DUMP_PATH", str(place))
    with pytest.warns(RuntimeWarning, match="are not dumped"):
        run_once(64)


def test_malformed_knob(monkeypatch, fresh_cache):
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "perhaps")
    with pytest.warns(RuntimeWarning, match="TRITON_ALWAYS_COMPILE='perhaps' is ignored"):
        run_once(64)


def test_no_warnings_when_all_is_well(fresh_cache):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run_once(64)


def test_cache_that_is_cleared_between_compiling_and_launching(fresh_cache):
    import shutil

    from triton.compiler import ASTSource

    types = {"x_ptr": "*fp32", "out_ptr": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    kernel = triton.compile(ASTSource(copy_kernel, types, {"BLOCK": 64}))
    shutil.rmtree(fresh_cache)
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    kernel[(1,)](x, out, 64)
    np.testing.assert_array_equal(out, x)


def test_a_good_entry_is_never_put_aside(fresh_cache):
    """Many processes look for and store one key at once; whoever has it can load it."""
    import subprocess
    import sys

    code = (
        "import os, sys\n"
        "from triton.runtime import cache\n"
        "for round in range(60):\n"
        "    key = f'key{round}'\n"
        "    entry = cache.find(key) or cache.store(key, {'kernel.so': b'x' * 1000}, {})\n"
        "    assert open(entry.path('kernel.so'), 'rb').read() == b'x' * 1000\n")
    children = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
                for _ in range(6)]
    for child in children:
        _, errors = child.communicate(timeout=120)
        assert child.returncode == 0, errors
    assert len(list(fresh_cache.iterdir())) == 60


def test_file_of_ir_is_compiled_and_launched(tmp_path):
    """In a process that does nothing else."""
    import subprocess
    import sys

    path = tmp_path / "double.ttir"
    path.write_text("""module {
  tt.func public @double(%p: !tt.ptr<f32>, %n: i32) {
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %s = tt.splat %n : i32 -> tensor<16xi32>
    %m = arith.cmpi slt, %r, %s : tensor<16xi32>
    %b = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %q = tt.addptr %b, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %x = tt.load %q, %m : tensor<16x!tt.ptr<f32>>
    %y = arith.addf %x, %x : tensor<16xf32>
    tt.store %q, %y, %m : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
""")
    code = ("import array, triton\nx = array.array('f', range(10))\n"
            f"triton.compile({str(path)!r})[(1,)](x, 10)\nprint(list(x))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == str([2.0 * i for i in range(10)]), done.stderr


_FAULTS_AFTER_INTERRUPT = """
import os, signal, sys
import numpy as np
import triton
from errors.test_processes import copy_kernel
x, out = np.ones(8, np.float32), np.zeros(8, np.float32)
for block in (16, 32):  # compile, load, interrupt, and again
    copy_kernel[(1,)](x, out, 8, BLOCK=block)
    try:
        os.kill(os.getpid(), signal.SIGINT)
        raise SystemExit("not interrupted")
    except KeyboardInterrupt:
        pass
bad = triton.reinterpret(type("Nowhere", (), dict(data_ptr=lambda self: 16,
                         dtype=np.dtype("f4")))(), triton.language.float32)
try:
    copy_kernel[(1,)](bad, out, 8, BLOCK=16)
except triton.errors.KernelError as error:
    print("kernel", error.signal)
try:
    copy_kernel[(1,)](x, out, 8, BLOCK=64, force_fault="segv")
except triton.errors.InternalCompilerError:
    print("compiler")
"""


def test_faults_after_an_interrupt_are_still_errors(fresh_cache):
    import subprocess
    import sys

    folder = str(Path(__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])}
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    done = subprocess.run([sys.executable, "-c", code + _FAULTS_AFTER_INTERRUPT], env=env,
                          capture_output=True, text=True)
    assert done.stdout.split() == ["kernel", str(int(signal.SIGSEGV)), "compiler"], done.stderr
