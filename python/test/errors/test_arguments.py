"""Arguments that do not fit the kernel's parameters."""

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import launch_error


@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)


@triton.jit
def annotated(out_ptr, count: tl.int8, scale: "fp32"):
    tl.store(out_ptr, count * scale)


X, OUT = np.ones(8, np.float32), np.zeros(8, np.float32)


def test_too_few():
    with launch_error(TypeError, "kernel 'kernel' missing argument 'n', 'BLOCK'"):
        kernel[(1,)](X, OUT)


def test_too_many():
    with launch_error(TypeError, "takes 4 arguments but 5 were given"):
        kernel[(1,)](X, OUT, 8, 8, 8)


def test_twice():
    with launch_error(TypeError, "got multiple values for argument 'n'"):
        kernel[(1,)](X, OUT, 8, 8, n=8)


def test_unknown_keyword():
    with launch_error(KeyError, "Keyword argument BLOK was specified but unrecognised", "BLOCK"):
        kernel[(1,)](X, OUT, 8, BLOCK=8, BLOK=8)


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, object(), 1j, {1}],
                         ids=["list", "dict", "object", "complex", "set"])
def test_no_array(value):
    with launch_error(TypeError, "argument 'x_ptr'", "expected an array, a number, a bool, None or a tuple"):
        kernel[(1,)](value, OUT, 8, BLOCK=8)


@pytest.mark.parametrize("array", [
    np.ones(8, np.complex64), np.array(["a"] * 8), np.ones(8, ">f4"),
    np.zeros(8, [("a", "f4")]), np.ones(8, np.longdouble), np.array([None] * 8)],
    ids=lambda a: str(a.dtype))
def test_element_types(array):
    with launch_error(TypeError, "not one"):
        kernel[(1,)](array, OUT, 8, BLOCK=8)


def test_read_only_array_that_is_written():
    frozen = np.zeros(8, np.float32)
    frozen.flags.writeable = False
    with launch_error(ValueError, "kernel 'kernel': argument 'out_ptr' is a read-only array",
                      "pass a writable copy"):
        kernel[(1,)](X, frozen, 8, BLOCK=8)
    kernel[(1,)](frozen, OUT, 8, BLOCK=8)  # reading it is fine


def test_integers_that_do_not_fit():
    with launch_error(OverflowError, "'count' = 300 does not fit its type i8"):
        annotated[(1,)](OUT, 300, 1.0)
    with launch_error(OverflowError, "does not fit 64 bits"):
        kernel[(1,)](X, OUT, 1 << 64, BLOCK=8)


def test_annotated_type():
    with launch_error(TypeError, "argument 'count' is of type float, but is annotated i8"):
        annotated[(1,)](OUT, 1.5, 1.0)
    with launch_error(TypeError, "argument 'scale' is of type numpy.ndarray"):
        annotated[(1,)](OUT, 1, X)


@pytest.mark.parametrize("grid,kind,message", [
    (4, TypeError, "write (4,)"),
    ((), ValueError, "0 axes"),
    ((1, 1, 1, 1), ValueError, "4 axes"),
    ((-1,), ValueError, "axis 0 of the grid is -1"),
    ((1, 2.5), TypeError, "axis 1 of the grid is 2.5"),
    ("abc", TypeError, "of type str"),
    (None, TypeError, "of type NoneType"),
    (lambda meta: meta["BLOCK"], TypeError, "write (8,)"),
    (lambda meta: (1 << 70,), TypeError, "axis 0"),
    ((1 << 40,), Exception, "the limit is 2147483647"),
], ids=["int", "empty", "four", "negative", "float", "str", "None", "callable", "huge", "long"])
def test_grid(grid, kind, message):
    with launch_error(kind, message, "kernel 'kernel'"):
        kernel[grid](X, OUT, 8, BLOCK=8)


def test_host_call():
    with launch_error(RuntimeError, "Cannot call @triton.jit'd outside of the scope of a kernel"):
        kernel(X, OUT, 8, 8)


def test_other_device():
    class Remote:
        dtype, device = np.dtype("f4"), "cuda:0"

        def data_ptr(self):
            return 16

    with launch_error(ValueError, "cuda:0", "copy it there first"):
        kernel[(1,)](Remote(), OUT, 8, BLOCK=8)
