"""01: vector addition.

A kernel is one *program* that runs many times: program `pid` adds the elements
`pid * BLOCK .. pid * BLOCK + BLOCK`. `tl.load` and `tl.store` take a block of addresses;
the mask keeps the last program inside the arrays.
"""

import numpy as np
import triton
import triton.language as tl
from report import report


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def add(x: np.ndarray, y: np.ndarray, out: np.ndarray):
    n = out.size
    # The grid says how many programs run; it may depend on the meta-parameters.
    return add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n, BLOCK=4096)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    x, y = (rng.random(16_000_003, np.float32) for _ in range(2))
    out = np.empty_like(x)
    report("vector add", f"{x.size} f32", lambda: add(x, y, out), out, x + y, 1e-7,
           gigabytes=3 * x.nbytes / 1e9)
