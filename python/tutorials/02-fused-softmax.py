"""02: fused softmax.

One program a row. The row is loaded once, the maximum, the exponentials and their sum
are computed on it, and the result is stored: memory is read once and written once, where
numpy makes four passes.
"""

import numpy as np
import triton
import triton.language as tl
from report import report


@triton.jit
def softmax_kernel(out_ptr, x_ptr, out_stride, x_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    # Columns beyond the row must not win the maximum: they read as -inf.
    x = tl.load(x_ptr + row * x_stride + offsets, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    result = numerator / tl.sum(numerator, axis=0)
    tl.store(out_ptr + row * out_stride + offsets, result, mask=mask)


def softmax(x: np.ndarray, out: np.ndarray):
    rows, columns = x.shape
    return softmax_kernel[(rows,)](out, x, columns, columns, columns,
                                   BLOCK=triton.next_power_of_2(columns))


def softmax_numpy(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    x = np.random.default_rng(0).standard_normal((1823, 4000)).astype(np.float32)
    out = np.empty_like(x)
    report("softmax", "1823 x 4000 f32", lambda: softmax(x, out), out,
           softmax_numpy(x.astype(np.float64)), 1e-6, gigabytes=2 * x.nbytes / 1e9)
