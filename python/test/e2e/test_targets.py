"""The kernels of this folder on targets other than this CPU: RISC-V and Arm run under QEMU."""

import math

import ml_dtypes
import numpy as np
import pytest
import triton
from conftest import ALL
from e2e import (
    test_atomics,
    test_elementwise,
    test_indexing,
    test_memory_order,
    test_models,
    test_norms,
    test_products,
    test_reductions,
    test_sorting,
    test_synchronisation,
)
from e2e import test_attention as attention
from e2e.test_attention import attention_kernel
from e2e.test_elementwise import add_kernel, shift_kernel, strided_kernel
from e2e.test_matrix import matmul_kernel, row_sum_kernel, softmax_kernel, transpose_kernel
from e2e.test_models import gelu_kernel
from executors import ARM, RISCV, empty, needs, redirected, run
from guarded import guarded_copy
from language import test_carried_values, test_random, test_scans
from tolerance import assert_close

NAMES = dict(ids=lambda d: np.dtype(d).name)


@pytest.fixture(params=["x86-64-v2", *RISCV, *ARM])
def target(request):
    needs(request.param)
    return request.param


def normal(shape, dtype, seed=0):
    return guarded_copy(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int8,
                                   np.int64], **NAMES)
def test_vector_add(dtype, target):
    for n in (0, 1, 7, 8, 9, 31, 33, 127, 257):
        x, y = (guarded_copy((np.random.default_rng(s).standard_normal(n) * 20).astype(dtype))
                for s in (1, 2))
        out = empty(n, dtype)
        run(add_kernel, (triton.cdiv(n, 64),), x, y, out, n, target=target, BLOCK=64)
        exact = x + y if np.dtype(dtype).kind == "i" else x.astype(float) + y.astype(float)
        assert_close(out, exact)


@pytest.mark.parametrize("distance", [0, 1, 16, 40])
def test_shifted_copy(distance, target):
    n = 100
    memory = guarded_copy(np.arange(n + distance, dtype=np.float32))
    expected = memory.copy()
    expected[distance:] = memory[:n].copy()
    run(shift_kernel, (1,), memory, n, distance, target=target, BLOCK=128)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_strides(stride, target):
    n = 77
    x = normal(n * stride, np.float32)
    out = empty(2 * n, np.float32)
    run(strided_kernel, (3,), x, out, n, stride, 2, target=target, BLOCK=32)
    np.testing.assert_array_equal(out[::2], x[::stride] + 1)
    assert (out[1::2] == 77).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], **NAMES)
def test_softmax(dtype, target):
    x = normal((3, 100), dtype)
    out = empty(x.shape, dtype)
    run(softmax_kernel, (3,), out, x, 100, 100, 100, target=target, BLOCK=128)
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(1, keepdims=True))
    assert_close(out, e / e.sum(1, keepdims=True), np.float32, 100, ulps=10)


@pytest.mark.parametrize("dtype", [np.float32, np.float16], **NAMES)
def test_row_sum(dtype, target):
    x = normal((4, 333), dtype)
    out = empty(4, np.float32)
    run(row_sum_kernel, (4,), x, out, 333, 333, target=target, BLOCK=64)
    wide = x.astype(np.float64)
    assert_close(out, wide.sum(1), np.float32, 333, magnitude=np.abs(wide).sum(1))


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.int64], **NAMES)
def test_transpose(dtype, target):
    x = guarded_copy((np.random.default_rng(0).standard_normal((19, 37)) * 50).astype(dtype))
    out = empty((37, 19), dtype)
    run(transpose_kernel, (2, 2), x, out, 19, 37, target=target, BM=16, BN=32)
    np.testing.assert_array_equal(out, x.T)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], **NAMES)
@pytest.mark.parametrize("shape", [(16, 16, 16), (33, 47, 21)], ids=str)
def test_matmul(dtype, shape, target):
    M, N, K = shape
    a, b = normal((M, K), dtype, 1), normal((K, N), dtype, 2)
    c = empty((M, N), np.float32)
    run(matmul_kernel, (triton.cdiv(M, 32), triton.cdiv(N, 32)), a, b, c, M, N, K, K, 1, N, 1, N, 1,
        target=target, BM=32, BN=32, BK=16)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    assert_close(c, wide_a @ wide_b, np.float32, K, magnitude=np.abs(wide_a) @ np.abs(wide_b))


def test_gelu(target):
    x = normal(300, np.float32)
    out = empty(300, np.float32)
    run(gelu_kernel, (2,), x, out, 300, target=target, BLOCK=256)
    wide = x.astype(np.float64)
    exact = 0.5 * wide * (1 + np.vectorize(math.erf)(wide / np.sqrt(2)))
    assert_close(out, exact, ulps=8, magnitude=np.abs(wide))


@pytest.mark.parametrize("dtype", [np.float32, np.float16], **NAMES)
def test_attention(dtype, target):
    length, head = 40, 32
    q, k, v = (normal((length, head), dtype, s) for s in range(3))
    out = empty((length, head), dtype)
    run(attention_kernel, (3, 1), q, k, v, out, length, head**-0.5, target=target, HEAD=head, BM=16,
        BN=16, CAUSAL=True)
    scores = q.astype(np.float64) @ k.astype(np.float64).T * head**-0.5
    scores = np.where(np.tril(np.ones((length, length), bool)), scores, -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    wide = v.astype(np.float64)
    assert_close(out, p @ wide, dtype, head, magnitude=p @ np.abs(wide), ulps=16)


f16, bf16, f32 = np.float16, ml_dtypes.bfloat16, np.float32
# Tests of this CPU with some of their arguments; under redirected() they run elsewhere.
KERNELS = {
    "operands": lambda: test_elementwise.test_two_operands(bf16, 65, 1, 1, 1, 1, 16, True),
    "planes": lambda: test_elementwise.test_two_dimensions(np.int16, (17, 33), "rows", "rows", (8, 64), True),
    "activations": lambda: test_models.test_activations(f16, 100, 64, True),
    "cross entropy": lambda: test_models.test_cross_entropy(150, np.int64, True),
    "dropout": lambda: test_models.test_dropout(),
    "welford": lambda: test_models.test_welford(),
    "online softmax": lambda: test_norms.test_online_softmax(bf16, 100, 0, 64, True),
    "layer norm": lambda: test_norms.test_layer_norm_with_partial_sums(f16, 64, 17, 4, True),
    "variance": lambda: test_norms.test_variance_along_an_axis(0, (40, 33), True),
    "group norm": lambda: test_norms.test_group_norm((2, 6, 10, 3), True),
    "matrix-vector": lambda: test_products.test_matrix_vector(bf16, (64, 32), False, (16, 16), True),
    "block pointers": lambda: test_products.test_block_pointers(f16, (33, 40, 20), "nn", (16, 16, 16), True),
    "batched": lambda: test_products.test_batched(f32, (3, 20, 9, 33), 2, True),
    "linear": lambda: test_products.test_linear_layer(bf16, (20, 33, 50), "silu", True, True),
    "two stages": lambda: attention.test_attention_in_two_stages(f16, 40, 77, 4, (16, 16), True),
    "paged": lambda: attention.test_paged_decoding(f16, 8, True),
    "rows by index": lambda: test_indexing.test_rows_by_index(f16, np.int64, 37, (8, 16), True),
    "hashed": lambda: test_indexing.test_hashed_indices(1000, True),
    "largest block": lambda: test_indexing.test_largest_block(100_003, True),
    "convolution": lambda: test_indexing.test_convolution_of_channels(f16, 2, 1, 3, (1, 3, 9, 11, 4), True),
    "three dimensions": lambda: [test_reductions.test_three_dimensions(d, (4, 8, 16), a, w)
                                 for d, a, w in [(f16, 2, "max"), (np.int8, 1, "sum"), (np.uint64, 0, "min"),
                                                 (bf16, None, "sum")]],
    "ties": lambda: test_reductions.test_first_of_equal_extrema(True, 64),
    "nan": lambda: test_reductions.test_extremum_passes_nan_over(False, 64),
    "ordered": lambda: test_reductions.test_operands_keep_their_order(1, (4, 128)),
    "sort": lambda: test_sorting.test_rows_sorted(f16, (4, 8), True, False),
    "top k": lambda: test_sorting.test_largest_k(8, 50, True),
    "cumulative": lambda: test_scans.test_cumulative(f16, (2, 4, 16), 2, True, "sum"),
    "recurrence": lambda: test_scans.test_scans_of_several_values((2, 4, 16), 1, True),
    "gather": lambda: test_scans.test_gather(np.int8, (2, 4, 16), 1, 32, np.int64),
    "histogram": lambda: test_scans.test_histogram(np.uint8, 60, 128),
    "random": lambda: test_random.test_words(2**62 + 12345, 2**40 + 3, 10),
    "both sides": lambda: test_memory_order.test_load_on_both_sides_of_a_store(
        "halves", "hashed", "shifted", 64, None, True),
    "reverse": lambda: test_memory_order.test_in_place_permutation(100, "reverse", True),
    "rounds": lambda: test_memory_order.test_rounds_that_read_the_round_before(16, 3, True),
    "rotating": lambda: test_carried_values.test_tiles_that_rotate(16, 10),
    "while": lambda: test_carried_values.test_while_and_if_that_carry_blocks(30),
    "chosen pointer": lambda: test_carried_values.test_pointer_chosen_in_a_branch(5, True),
    "atomics": lambda: [test_atomics.attempt(op, dtype, test_atomics.block_kernel, 5, True, 16)
                        for op, dtype in [("add", f16), ("add", np.float64), ("max", f32), ("cas", np.int64),
                                          ("cas", np.uint16), ("xchg", np.uint32), ("xor", np.int32)]],
    "spin lock": lambda: test_synchronisation.test_spin_lock(32, None),
    "look back": lambda: test_synchronisation.test_scan_over_programs(2000, "look back", None, True),
    "chained": lambda: test_synchronisation.test_scan_over_programs(2000, "chained", None, True),
    "places": lambda: test_synchronisation.test_places_given_out_by_atomics(1000, None, True),
}


def places():
    """Each kernel under every target with ALL, else for one RISC-V, every third for Arm."""
    vectors = list(RISCV)
    return [(target, name) for k, name in enumerate(KERNELS)
            for target in ([*vectors, *ARM] if ALL else [vectors[k % 3], *ARM[k % 3:]])]


@pytest.mark.parametrize("target,name", places())
def test_kernel_elsewhere(target, name):
    needs(target)
    with redirected(target):
        KERNELS[name]()
