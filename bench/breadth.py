"""Kernels beyond the tutorials against hand-written C, numpy and torch, one thread each."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Callable

import breadth_kernels as k
import numpy as np
from kernels import report, torch_peer
from measure import Table, interleaved
from triton import cdiv


def c_peers() -> Any:
    """The loops of peers.c; None where there is no clang-22 (the figure names it)."""
    compiler = shutil.which("clang-22") or shutil.which("clang-22", path="/usr/lib/llvm-22/bin")
    if compiler is None:
        print("bench: clang-22 is not installed; its rows are left out")
        return None
    library = Path(tempfile.mkdtemp()) / "peers.so"
    subprocess.run([compiler, "-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC",
                    Path(__file__).with_name("peers.c"), "-o", library, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def bound(function: Any, *arguments: Any) -> Callable[[], Any]:
    """A call of C with arrays and sizes."""
    converted = [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_size_t(a)
                 for a in arguments]
    return lambda: function(*converted)


def check(got: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(got, expected, rtol=2e-4, atol=2e-5)


def run(table: Table) -> None:
    from triton.runtime.jit import native

    native().set_num_threads(1)
    rng, torch, peers = np.random.default_rng(0), torch_peer(), c_peers()
    x = rng.standard_normal((1024, 4096)).astype(np.float32)
    ours, other = np.empty_like(x), np.empty_like(x)
    n = x.size

    calls = {"ours": lambda: k.gelu[(cdiv(n, 4096),)](x, ours, n, BLOCK=4096)}
    if torch:
        tx = torch.from_numpy(x)
        calls["torch"] = lambda: torch.nn.functional.gelu(tx)
    if peers:
        calls["c erff"] = bound(peers.gelu_erff, x, other, n)
        times = interleaved(calls, rounds=7)
        check(ours, other)
        report(table, "GELU 4M f32", times, n / 1e9, "Gelem/s", "c erff", 15)

    if torch:
        w, b = (rng.standard_normal(4096).astype(np.float32) for _ in range(2))
        tw, tb = torch.from_numpy(w), torch.from_numpy(b)
        calls = {"ours": lambda: k.layer_norm[(1024,)](x, w, b, ours, 4096, 1e-5, BLOCK=4096),
                 "torch": lambda: torch.nn.functional.layer_norm(tx, (4096,), tw, tb)}
        times = interleaved(calls)
        check(ours, calls["torch"]().numpy())
        report(table, "layer norm 1024 x 4096 f32", times, 2 * x.nbytes / 1e9, "GB/s", "torch", 1.0)

        labels, loss = rng.integers(0, 4096, 1024), np.empty(1024, np.float32)
        tl = torch.from_numpy(labels)
        calls = {"ours": lambda: k.cross_entropy[(1024,)](x, labels, loss, 4096, BLOCK=4096),
                 "torch": lambda: torch.nn.functional.cross_entropy(tx, tl, reduction="none")}
        times = interleaved(calls)
        check(loss, calls["torch"]().numpy())
        report(table, "cross entropy 1024 x 4096 f32", times, x.nbytes / 1e9, "GB/s", "torch", 1.0)

        import importlib

        softmax = importlib.import_module("kernels").tutorial("fused-softmax").softmax
        calls = {"ours": lambda: softmax(x, ours), "torch": lambda: torch.softmax(tx, 1)}
        times = interleaved(calls)
        report(table, "softmax 1024 x 4096 f32", times, 2 * x.nbytes / 1e9, "GB/s", "torch", 1.0)

    sums, expected = np.empty(4096, np.float32), np.empty(4096, np.float32)
    calls = {"ours": lambda: k.sum_columns[(4096 // 1024,)](x, sums, 1024, 4096, ROWS=8, COLUMNS=1024),
             "numpy": lambda: np.sum(x, 0, out=expected)}
    if peers:
        calls["c"] = bound(peers.sum_columns, x, expected, 1024, 4096)
    times = interleaved(calls)
    check(sums, x.sum(0, dtype=np.float64))
    report(table, "column sums 1024 x 4096 f32", times, x.nbytes / 1e9, "GB/s",
           "c" if peers else "numpy", 0.7)

    flipped, other = np.empty((4096, 1024), np.float32), np.empty((4096, 1024), np.float32)
    calls = {"ours": lambda: k.transpose[(1024 // 32, 4096 // 32)](x, flipped, 1024, 4096, TILE=32),
             "numpy": lambda: np.copyto(other, x.T)}
    if peers:
        calls["c"] = bound(peers.transpose, x, other, 1024, 4096)
    times = interleaved(calls)
    np.testing.assert_array_equal(flipped, x.T)
    report(table, "transpose 1024 x 4096 f32", times, 2 * x.nbytes / 1e9, "GB/s",
           "c" if peers else "numpy", 0.7)

    words = rng.standard_normal((50_000, 512)).astype(np.float32)
    ids = rng.integers(0, 50_000, 8192)
    found, taken = np.empty((8192, 512), np.float32), np.empty((8192, 512), np.float32)
    for name, call in (
        ("blocks of rows", lambda: k.embedding[(8192 // 16,)](ids, words, found, 8192, WIDTH=512, ROWS=16)),
        ("a row a program", lambda: k.embedding_row[(8192,)](ids, words, found, WIDTH=512)),
    ):
        found[:] = 0
        times = interleaved({"ours": call, "np.take": lambda: np.take(words, ids, 0, out=taken)})
        np.testing.assert_array_equal(found, taken)
        report(table, f"embedding, {name}", times, 2 * found.nbytes / 1e9, "GB/s", "np.take", 0.8)

    report_alone(table)


def report_alone(table: Table) -> None:
    """What has no peer that does the same."""
    n = 4_000_000
    out = np.empty(n, np.float32)
    numbers = np.random.default_rng(0).integers(0, 256, n).astype(np.int32)
    bins = np.zeros(256, np.int32)
    rng = np.random.default_rng(0)
    draws = {"ours": lambda: k.random[(cdiv(n, 4096),)](out, 7, n, BLOCK=4096),
             "numpy": lambda: rng.random(n, np.float32)}
    report(table, "rand 4M f32 (numpy: PCG64)", interleaved(draws, rounds=7), n / 1e9, "Gelem/s",
           "numpy", None)
    draws = {"ours": lambda: k.normal[(cdiv(n, 4096),)](out, 7, n, BLOCK=4096),
             "numpy": lambda: rng.standard_normal(n, np.float32)}
    report(table, "randn 4M f32 (numpy: PCG64)", interleaved(draws, rounds=7), n / 1e9, "Gelem/s",
           "numpy", None)
    counts = {"ours": lambda: k.count[(cdiv(n, 1024),)](numbers, bins, n, BLOCK=1024),
              "numpy": lambda: np.bincount(numbers, minlength=256)}
    report(table, "atomic adds, 4M into 256 bins", interleaved(counts, rounds=7), n / 1e9, "Gelem/s",
           "numpy", None)
    counts["ours"] = lambda: k.histogram[(cdiv(n, 4096),)](numbers, bins, n, BLOCK=4096, BINS=256)
    report(table, "tl.histogram, 4M into 256 bins", interleaved(counts, rounds=7), n / 1e9, "Gelem/s",
           "numpy", None)

    ones = np.empty(1 << 20, np.float32)
    times = interleaved({"ours": lambda: k.one_element[(1 << 20,)](ones)})
    each = times["ours"] / (1 << 20) * 1e9
    table.add("1M programs of one element", f"{each:.1f} ns a program", "", each, most=60)
