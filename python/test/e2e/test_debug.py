"""Prints and assertions of running kernels."""

import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from executors import ARM, RISCV, needs, run
from guarded import guarded_copy


@triton.jit
def print_kernel(p, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(p + i, mask=i < n, other=0)
    tl.device_print("x", x)
    tl.device_print("n", n, hex=True)
    tl.device_print("two", n, x + x)
    tl.device_print("no arg")


def printed(capfd):
    return capfd.readouterr().out


def test_records(capfd):
    x = guarded_copy(np.arange(-3, 7, dtype=np.int32))
    print("before", end="|")
    print_kernel[(1,)](x, 10, BLOCK=16)
    said = printed(capfd)
    assert said == (
        "before|(0, 0, 0) x: [-3, -2, -1,  0,  1,  2,  3,  4,\n"
        "               5,  6,  0,  0,  0,  0,  0,  0]\n"
        "(0, 0, 0) n: 0x0000000a\n"
        "(0, 0, 0) two: 10\n"
        "(0, 0, 0) two: [ -6,  -4,  -2,   0,   2,   4,   6,   8,\n"
        "                 10,  12,   0,   0,   0,   0,   0,   0]\n"
        "(0, 0, 0) no arg\n")


@triton.jit
def print_scalar(p):
    tl.device_print("v", tl.load(p))


@pytest.mark.parametrize("dtype, value, text", [
    (np.int8, -5, "-5"), (np.int16, -5, "-5"), (np.int32, -5, "-5"), (np.int64, -(2**63), str(-2**63)),
    (np.uint8, 250, "250"), (np.uint16, 65535, "65535"), (np.uint32, 2**32 - 1, str(2**32 - 1)),
    (np.uint64, 2**64 - 1, str(2**64 - 1)), (np.bool_, True, "1"), (np.float16, 1.5, "1.500000"),
    (ml_dtypes.bfloat16, -2.5, "-2.500000"), (np.float32, 3.14, "3.140000"),
    (np.float64, 1e10, "10000000000.000000"), (ml_dtypes.float8_e4m3fn, 448, "448.000000"),
    (ml_dtypes.float8_e5m2, -0.25, "-0.250000"), (np.float32, np.nan, "nan"),
    (np.float32, -np.inf, "-inf"), (np.float32, -0.0, "-0.000000"),
])
def test_every_type(dtype, value, text, capfd):
    print_scalar[(1,)](guarded_copy(np.array([value]).astype(dtype)))
    assert printed(capfd) == f"(0, 0, 0) v: {text}\n"


@triton.jit
def print_pointer(p):
    tl.device_print("p", p)
    tl.device_print("q", p + tl.arange(0, 2))


def test_pointers(capfd):
    x = np.zeros(2, np.float32)
    print_pointer[(1,)](x)
    at = x.ctypes.data
    assert printed(capfd) == (f"(0, 0, 0) p: 0x{at:016x}\n"
                              f"(0, 0, 0) q: [0x{at:016x}, 0x{at + 4:016x}]\n")


@triton.jit
def print_program(BLOCK: tl.constexpr):
    x = tl.program_id(0)
    if x % 2 == 1:
        for k in range(2):
            tl.device_print("k", x * 10 + k + tl.arange(0, BLOCK))


def test_records_of_many_threads_do_not_mix(capfd):
    from triton.runtime.jit import native

    before = native().num_threads()
    native().set_num_threads(4)
    try:
        print_program[(100, 2)](BLOCK=2)
    finally:
        native().set_num_threads(before)
    lines = printed(capfd).splitlines()
    expected = [f"({x}, {y}, 0) k: [{10 * x + k:{len(str(10 * x + k + 1))}}, {10 * x + k + 1}]"
                for x in range(1, 100, 2) for y in range(2) for k in range(2)]
    assert sorted(lines) == sorted(expected)


@triton.jit
def assert_kernel(p, rows, limit, COLUMNS: tl.constexpr):
    column = tl.arange(0, COLUMNS)
    for row in range(rows):
        x = tl.load(p + row * COLUMNS + column)
        tl.device_assert(x < limit, "x is below the limit")
        tl.store(p + row * COLUMNS + column, x + 1)


def test_failed_assertion_in_a_loop():
    x = guarded_copy(np.zeros((4, 16), np.float32))
    x[2, 5] = 9
    with pytest.raises(RuntimeError) as caught:
        assert_kernel[(1,)](x, 4, 8.0, COLUMNS=16, debug=True)
    lines = str(caught.value).splitlines()
    assert lines[0] == "device-side assert failed: x is below the limit"
    assert lines[1] == ("kernel 'assert_kernel', program (0, 0, 0), element [5]: 9.000000 and "
                        "8.000000 were compared")
    assert lines[2].startswith("(") and "test_debug.py:" in lines[2]
    assert lines[3].strip() == 'tl.device_assert(x < limit, "x is below the limit")'
    assert lines[4].strip() == "^"
    assert caught.value.program == (0, 0, 0) and caught.value.kernel == "assert_kernel"
    # What came before the assertion has happened, what comes after has not.
    assert (x[:2] == 1).all() and (x[3:] == 0).all()
    assert_kernel[(1,)](x, 2, 8.0, COLUMNS=16, debug=True)
    assert (x[:2] == 2).all()


def test_assertions_are_left_out_without_debug():
    x = guarded_copy(np.full((1, 16), 9, np.float32))
    assert_kernel[(1,)](x, 1, 8.0, COLUMNS=16)
    assert (x == 10).all()


@triton.jit
def assert_statement(n):
    assert n != 3, "three"


def test_assert_statement_names_the_program():
    @triton.jit
    def kernel():
        assert tl.program_id(1) != 3, "three"

    kernel[(2, 3)](debug=True)
    with pytest.raises(RuntimeError, match=r"three\nkernel 'kernel', program \([01], 3, 0\), "
                                           r"3 and 3 were compared"):
        kernel[(2, 5)](debug=True)
    with pytest.raises(RuntimeError, match="three"):
        assert_statement[(1,)](3, debug=True)


@triton.jit
def masked_assert(p, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(p + i, mask=i < n, other=-1)
    tl.device_assert(x >= 0, "sign", mask=i < n)


def test_mask():
    x = guarded_copy(np.arange(5, dtype=np.int32))
    masked_assert[(1,)](x, 5, BLOCK=8, debug=True)
    x[4] = -7
    with pytest.raises(RuntimeError, match=r"sign\nkernel 'masked_assert'.*element \[4\]"):
        masked_assert[(1,)](x, 5, BLOCK=8, debug=True)


def test_many_programs_fail_once():
    with pytest.raises(RuntimeError, match="device-side assert failed: always"):
        always_false[(10_000,)](5, debug=True)


@triton.jit
def always_false(n):
    tl.device_assert(n == 4, "always")


def test_printing_to_a_closed_output_is_no_error(tmp_path):
    script = tmp_path / "closed.py"
    script.write_text("import os, triton, triton.language as tl, numpy as np\n"
                      "@triton.jit\ndef kernel(p):\n    tl.device_print('x')\n    tl.store(p, 1)\n"
                      "x = np.zeros(1, np.int32)\nos.close(1)\nkernel[(1,)](x)\n"
                      "assert x[0] == 1\nos.write(2, b'done')\nos._exit(0)\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.stderr == "done", done.stderr


@pytest.mark.parametrize("target", [*RISCV, *ARM])
def test_targets(target, capfd):
    needs(target)
    x = guarded_copy(np.arange(8, dtype=np.float32))
    with pytest.raises(AssertionError, match=r"element \[4\]: 4.000000 and 4.000000 were compared"):
        run(assert_below, (1,), x, target=target, options={"debug": True})


@triton.jit
def assert_below(p):
    x = tl.load(p + tl.arange(0, 8))
    tl.device_print("x", x)
    tl.device_assert(x < 4, "four")
