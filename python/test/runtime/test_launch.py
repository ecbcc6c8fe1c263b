"""Launching: specialisation, hooks, drivers, threads, processes, interruption."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.backends.spine_triton.driver import CPUDriver
from triton.runtime.jit import native


@triton.jit
def fill_kernel(out, value, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, value + offsets, mask=offsets < n)


def fill(n=1000, value=3, dtype=np.int32, **options):
    out = np.zeros(n, dtype)
    kernel = fill_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](out, value, n, BLOCK=64,
                                                                        **options)
    np.testing.assert_array_equal(out, value + np.arange(n))
    return kernel


def test_keyword_and_default_arguments():
    out = np.zeros(10, np.int32)
    fill_kernel[(1,)](BLOCK=16, n=10, value=2, out=out)
    np.testing.assert_array_equal(out, 2 + np.arange(10))


def test_specialisation():
    fill_kernel.dispatcher.clear()
    one, plain, multiple = fill(value=1), fill(value=3), fill(value=32)
    assert len({one.hash, plain.hash, multiple.hash}) == 3
    assert fill(value=5) is plain and fill(value=48) is multiple
    assert "tt.divisibility = 16" in multiple.asm["ttir"]
    assert fill(value=2**40, dtype=np.int64) is not plain
    assert fill_kernel.dispatcher.entries == 4


@triton.jit(do_not_specialize=["value"])
def unspecialised(out, value):
    tl.store(out, value)


def test_do_not_specialize():
    out = np.zeros(1, np.int32)
    kernels = set()
    for value in (1, 3, 32):
        kernels.add(unspecialised[(1,)](out, value).hash)
        assert out[0] == value
    assert len(kernels) == 1


@pytest.mark.parametrize("value,other", [(True, 1), (1, 1.0), (0.0, -0.0), ("a", "b"), (None, 0)])
def test_constants_are_told_apart(value, other):
    @triton.jit
    def constant(out, C: tl.constexpr):
        tl.store(out, 1)

    out = np.zeros(1, np.int32)
    assert constant[(1,)](out, C=value).hash != constant[(1,)](out, C=other).hash
    assert constant.dispatcher.entries == 2


def test_options_of_other_backends_are_taken():
    assert fill(num_warps=8, num_stages=2, num_ctas=1).metadata.num_warps == 8


def test_stages_can_be_read():
    kernel = fill()
    for stage, text in [("ttir", "tt.func public @fill_kernel"), ("linalg", "access.store"),
                        ("sched", "func.func"), ("llir", "define"), ("asm", "fill_kernel")]:
        assert text in kernel.asm[stage], stage
    assert kernel.asm["obj"][:4] == kernel.asm["so"][:4] == b"\x7fELF"
    with pytest.raises(KeyError, match="Unknown key: 'ptx'"):
        kernel.asm["ptx"]


def test_hooks():
    seen = []

    def enter(metadata):
        seen.append(("enter", metadata.get()["name"]))

    def leave(metadata):
        seen.append(("exit", metadata.get()["name"]))

    triton.knobs.runtime.launch_enter_hook.add(enter)
    triton.knobs.runtime.launch_exit_hook.add(leave)
    try:
        fill()
    finally:
        triton.knobs.runtime.launch_enter_hook.remove(enter)
        triton.knobs.runtime.launch_exit_hook.remove(leave)
    fill()
    assert seen == [("enter", "fill_kernel"), ("exit", "fill_kernel")]


def test_driver_can_be_set():
    triton.runtime.driver.set_active(CPUDriver())
    try:
        fill()
        assert triton.runtime.driver.active.get_current_target().backend == "cpu"
    finally:
        triton.runtime.driver.reset_active()


def test_other_target_compiles_but_does_not_launch():
    out = np.zeros(16, np.int32)
    triton.runtime.driver.set_active(CPUDriver(target="spacemit-x60"))
    try:
        kernel = fill_kernel.warmup(out, 3, 16, BLOCK=16, grid=(1,))
        assert "vsetvli" in kernel.asm["asm"] or "vsetivli" in kernel.asm["asm"]
        with pytest.raises(triton.errors.KernelError, match="spacemit-x60.*cannot run on this"):
            fill_kernel[(1,)](out, 3, 16, BLOCK=16)
        with pytest.raises(Exception, match="no-such-cpu"):
            triton.runtime.driver.set_active(CPUDriver(target="no-such-cpu"))
    finally:
        triton.runtime.driver.reset_active()
    fill()


@triton.jit
def row_sums(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + offsets, mask=offsets < columns, other=0.0)
    tl.store(out_ptr + row, tl.sum(x, axis=0))


def test_same_bits_for_any_number_of_threads():
    x = np.random.default_rng(0).standard_normal((777, 1000)).astype(np.float32)
    results = []
    for threads in (1, 2, 3, 8):
        native().set_num_threads(threads)
        out = np.zeros(777, np.float32)
        row_sums[(777,)](x, out, 1000, BLOCK=1024)
        results.append(out)
    native().set_num_threads(0)
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


def test_num_threads_variable():
    code = "from triton.runtime.jit import native; print(native().num_threads())"
    for count in ("1", "3"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env={**os.environ, "TRIREME_NUM_THREADS": count})
        assert done.stdout.strip() == count, done.stderr


def test_launches_from_many_threads():
    fill_kernel.dispatcher.clear()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        kernels = list(pool.map(lambda i: fill(n=500 + i % 7, value=i % 5), range(200)))
    assert all(kernels)


def _in_child(queue):
    try:
        fill()
        queue.put("done")
    except BaseException as error:  # noqa: BLE001 - told to the parent
        queue.put(repr(error))


def test_fork_after_launch():
    fill(n=100_000)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == "done"
    child.join(timeout=60)
    fill(n=100_000)


_CHILD = """
import numpy as np, sys
sys.path.insert(0, {folder!r})
from test_launch import fill
for n in (10, 100, 1000):
    fill(n)
"""


def test_processes_that_share_a_cache(fresh_cache):
    folder = os.path.dirname(__file__)
    paths = os.pathsep.join([os.path.dirname(folder), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": paths, "TRITON_CACHE_DIR": str(fresh_cache)}
    children = [subprocess.Popen([sys.executable, "-c", _CHILD.format(folder=folder)], env=env,
                                 stderr=subprocess.PIPE, text=True) for _ in range(6)]
    for child in children:
        _, errors = child.communicate(timeout=120)
        assert child.returncode == 0, errors
    assert not [p for p in fresh_cache.iterdir() if p.name.startswith("tmp.") or ".old." in p.name]


def test_a_hit_loads_no_compiler(fresh_cache):
    folder = os.path.dirname(__file__)
    paths = os.pathsep.join([os.path.dirname(folder), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": paths, "TRITON_CACHE_DIR": str(fresh_cache)}
    code = _CHILD.format(folder=folder) + (
        "\nprint('compiler' if 'triton._C._compiler' in sys.modules else 'none',"
        " 'LLVM' in open('/proc/self/maps').read())")
    seen = [subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True,
                           check=True).stdout.strip() for _ in range(2)]
    assert seen == ["compiler True", "none False"]


@triton.jit
def slow_kernel(out, n):
    # A chain that no compiler shortens: some ten microseconds for n of 10,000.
    x = tl.program_id(0)
    for _ in range(n):
        x = (x * 1664525 + 1013904223) ^ (x >> 7)
    tl.store(out + tl.program_id(0) % 64, x)


def test_interrupt():
    out = np.zeros(64, np.int32)
    slow_kernel[(1,)](out, 10)
    # A shell's background jobs inherit SIGINT ignored; then Python installs no handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.time()
    try:
        with pytest.raises(KeyboardInterrupt):
            slow_kernel[(5_000_000,)](out, 10_000)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert time.time() - start < 20
    fill()


@triton.jit
def many(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, out):
    tl.store(out, a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9
             + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9)


def test_many_arguments():
    out = np.zeros(1, np.float32)
    many[(1,)](*range(20), out)
    assert out[0] == 190


def test_warmup_without_memory():
    kernel = fill_kernel.warmup(triton.MockTensor(tl.int32), 3, 16, BLOCK=16, grid=(1,))
    assert "fill_kernel" in kernel.asm["ttir"]
    torch = pytest.importorskip("torch")
    kernel = fill_kernel.warmup(torch.float64, 3, 16, BLOCK=16, grid=(1,))
    assert "!tt.ptr<f64>" in kernel.asm["ttir"]


def test_autotune_and_heuristics():
    configs = [triton.Config({"BLOCK": b}) for b in (16, 64, 256)]

    @triton.autotune(configs=configs, key=["n"])
    @triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
    @triton.jit
    def tuned(out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        if EVEN:
            tl.store(out + offsets, offsets)
        else:
            tl.store(out + offsets, offsets, mask=offsets < n)

    for n in (1024, 1000):
        out = np.zeros(n, np.int32)
        tuned[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](out, n)
        np.testing.assert_array_equal(out, np.arange(n))
    assert tuned.best_config in configs


def test_profile_of_compilation_is_kept(fresh_cache):
    fill_kernel.dispatcher.clear()
    assert fill(n=33).times["total"] > 0


def test_keys_computed_by_many_threads_agree():
    def make():
        @triton.jit
        def inner(x):
            return x + SHARED

        @triton.jit
        def outer(out):
            tl.store(out, inner(1))

        return outer

    for _ in range(20):
        kernel = make()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            keys = set(pool.map(lambda _: kernel.cache_key, range(8)))
        assert len(keys) == 1 and "computed" not in keys.pop()


SHARED = tl.constexpr(3)


@triton.jit
def squares(out, rows, N: tl.constexpr):
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        i = tl.arange(0, N)
        tl.store(out + row * N + i, i * i + row)


def test_a_grid_sized_by_the_device(fresh_cache):
    """As upstream's persistent kernels do it: by registers, shared memory and multiprocessors."""
    driver = triton.runtime.driver.active
    properties = driver.utils.get_device_properties(driver.get_current_device())
    out = np.zeros((100, 64), np.int32)
    kernel = squares.warmup(out, 100, N=64, grid=(1,))
    kernel._init_handles()
    by_registers = properties["max_num_regs"] // (kernel.n_regs * properties["warpSize"])
    by_memory = properties["max_shared_mem"] // kernel.metadata.shared
    programs = min(100, properties["multiprocessor_count"] * min(by_registers, by_memory))
    assert programs >= 1
    squares[(programs,)](out, 100, N=64)
    np.testing.assert_array_equal(out, np.arange(64)**2 + np.arange(100)[:, None])
