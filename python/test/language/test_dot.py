"""tl.dot: every element type, shapes from one element on, batches, accumulators, mistakes."""

import itertools

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error
from guarded import guarded, guarded_copy
from language.ttir import ttir_of
from tolerance import assert_close

SHAPES = [(1, 1, 1), (1, 1, 16), (1, 16, 1), (16, 1, 1), (16, 16, 1), (1, 16, 16), (2, 4, 8),
          (32, 8, 64), (4, 128, 2)]  # M, N, K
TYPES = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64, np.int8]
NAMES = {"ids": lambda d: np.dtype(d).name}


@triton.jit
def product(out, a, b, c, BATCH: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
            OUT: tl.constexpr, WITH_ACC: tl.constexpr, PRECISION: tl.constexpr):
    batch = tl.arange(0, BATCH)[:, None, None]
    m, n, k = tl.arange(0, M)[None, :, None], tl.arange(0, N)[None, None, :], tl.arange(0, K)
    x = tl.load(a + batch * M * K + m * K + k[None, None, :])
    y = tl.load(b + batch * K * N + k[None, :, None] * N + n)
    at = batch * M * N + m * N + n
    if BATCH == 1:
        x, y = x.reshape([M, K]), y.reshape([K, N])
        at = at.reshape([M, N])
    if WITH_ACC:
        r = tl.dot(x, y, acc=tl.load(c + at), out_dtype=OUT, input_precision=PRECISION)
    else:
        r = tl.dot(x, y, out_dtype=OUT, input_precision=PRECISION)
    tl.store(out + at, r)


def check(dtype, M, N, K, batch=1, acc=False, out_dtype=None, result=None, precision=None):
    rng = np.random.default_rng(7)
    kind = np.dtype(dtype)
    if kind.kind == "i":
        a, b = (rng.integers(-128, 128, (batch, *s)).astype(dtype) for s in ((M, K), (K, N)))
        result = np.int32
    else:
        a, b = (rng.standard_normal((batch, *s)).astype(dtype) for s in ((M, K), (K, N)))
        result = result or (np.float64 if kind == np.float64 else np.float32)
    c = (rng.standard_normal((batch, M, N)) * 10).astype(result)
    out = guarded((batch, M, N), result)
    product[(1,)](out, guarded_copy(a), guarded_copy(b), guarded_copy(c), batch, M, N, K, out_dtype,
                  acc, precision)
    wide = np.longdouble if kind == np.float64 else np.float64
    x, y, z = a.astype(wide), b.astype(wide), c.astype(wide) * acc
    exact = x @ y + z
    if kind.kind == "i":
        np.testing.assert_array_equal(out, exact)
        return
    computed = np.float64 if kind == np.float64 else np.float32
    assert_close(out, exact.astype(np.float64), computed, K + 1,
                 magnitude=(np.abs(x) @ np.abs(y) + np.abs(z)).astype(np.float64))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: "x".join(map(str, s)))
@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("dtype", TYPES, **NAMES)
def test_types_and_shapes(dtype, batch, shape):
    for acc in (False, True):
        check(dtype, *shape, batch, acc)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: "x".join(map(str, s)))
def test_fp16_results(shape):
    """Summed in fp32, rounded once at the end."""
    for acc in (False, True):
        check(np.float16, *shape, acc=acc, out_dtype=tl.float16, result=np.float16)


@pytest.mark.parametrize("precision", ["ieee", "tf32", "TF32", "tf32x3", "bf16x3", "bf16x6"])
def test_every_precision_is_at_least_ieee(precision):
    check(np.float32, 32, 32, 32, precision=precision)


@triton.jit
def rank_four(out, a, b, acc_ptr, P: tl.constexpr, Q: tl.constexpr, M: tl.constexpr,
              N: tl.constexpr, K: tl.constexpr):
    at_a, at_b, at_c = tl.arange(0, P * Q * M * K), tl.arange(0, P * Q * K * N), \
        tl.arange(0, P * Q * M * N)
    x = tl.load(a + at_a).reshape([P, Q, M, K])
    y = tl.load(b + at_b).reshape([P, Q, K, N])
    c = tl.load(acc_ptr + at_c).reshape([P, Q, M, N])
    plain = tl.dot(x, y)
    tl.static_assert(plain.shape == (P, Q, M, N))
    tl.store(out + at_c, (tl.dot(x, y, c) + plain).reshape([P * Q * M * N]))


def test_batches_of_several_dimensions():
    rng = np.random.default_rng(1)
    a, b, c = (rng.integers(-8, 8, s).astype(np.float32) for s in
               ((2, 4, 8, 16), (2, 4, 16, 4), (2, 4, 8, 4)))
    out = guarded(c.shape, np.float32)
    rank_four[(1,)](out, guarded_copy(a), guarded_copy(b), guarded_copy(c), 2, 4, 8, 4, 16)
    np.testing.assert_array_equal(out, 2 * (a @ b) + c)


@triton.jit
def result_types(out, A: tl.constexpr, B: tl.constexpr, WANTED: tl.constexpr, OUT: tl.constexpr,
                 ACC: tl.constexpr):
    x = tl.full([16, 16], 0, tl.int8).to(A, bitcast=True) if A.primitive_bitwidth == 8 else \
        tl.zeros([16, 16], A)
    y = tl.full([16, 16], 0, tl.int8).to(B, bitcast=True) if B.primitive_bitwidth == 8 else \
        tl.zeros([16, 16], B)
    if ACC is not None:
        r = tl.dot(x, y, tl.zeros([16, 16], ACC), out_dtype=OUT, max_num_imprecise_acc=16)
    else:
        r = tl.dot(x, y, out_dtype=OUT)
    tl.static_assert(r.dtype == WANTED)
    tl.store(out, tl.sum(r))


FP8 = [tl.float8e4nv, tl.float8e5, tl.float8e5b16]


@pytest.mark.parametrize("a,b,out,acc,wanted", [
    (tl.float16, tl.float16, None, None, tl.float32),
    (tl.float16, tl.float16, tl.float16, None, tl.float16),
    (tl.float16, tl.float16, None, tl.float16, tl.float16),
    (tl.float16, tl.float16, tl.float32, tl.float32, tl.float32),
    (tl.bfloat16, tl.bfloat16, None, None, tl.float32),
    (tl.bfloat16, tl.bfloat16, tl.float16, None, tl.float32),
    (tl.float32, tl.float32, None, tl.float32, tl.float32),
    (tl.float64, tl.float64, None, None, tl.float64),
    (tl.int8, tl.int8, None, None, tl.int32), (tl.int8, tl.int8, None, tl.int32, tl.int32),
    *[(a, b, None, None, tl.float32) for a, b in itertools.product(FP8, FP8)],
    (tl.float8e5, tl.float8e4nv, tl.float16, None, tl.float16),
    (tl.float8e5, tl.float8e4nv, None, tl.float16, tl.float16),
], ids=str)
def test_type_of_the_result(a, b, out, acc, wanted):
    names = {"A": a, "B": b, "WANTED": wanted, "OUT": out, "ACC": acc}
    text = ttir_of(result_types, {"out": "*fp32", **dict.fromkeys(names, "constexpr")}, names)
    assert text.count("tt.dot ") == 1
    if a.is_fp8():
        assert "tensor<16x16xf16> * tensor<16x16xf16>" in text


@triton.jit
def mistake(p, WHAT: tl.constexpr):
    x = tl.zeros([16, 32], tl.float16)
    y = tl.zeros([32, 16], tl.float16)
    narrow = tl.full([16, 64], 0, tl.int8).to(tl.float8e5, bitcast=True)
    if WHAT == "types":
        tl.dot(x, y.to(tl.float32))
    elif WHAT == "int16":
        tl.dot(x.to(tl.int16), y.to(tl.int16))
    elif WHAT == "uint8":
        tl.dot(x.to(tl.uint8), y.to(tl.uint8))
    elif WHAT == "shapes":
        tl.dot(x, x)
    elif WHAT == "ranks":
        tl.dot(x, tl.zeros([1, 32, 16], tl.float16))
    elif WHAT == "vectors":
        tl.dot(tl.zeros([16], tl.float16), tl.zeros([16], tl.float16))
    elif WHAT == "scalars":
        tl.dot(x, 3.0)
    elif WHAT == "batches":
        tl.dot(tl.zeros([2, 16, 32], tl.float16), tl.zeros([4, 32, 16], tl.float16))
    elif WHAT == "bf16 result":
        tl.dot(x, y, out_dtype=tl.bfloat16)
    elif WHAT == "fp64 result":
        tl.dot(x, y, out_dtype=tl.float64)
    elif WHAT == "acc shape":
        tl.dot(x, y, tl.zeros([16, 32], tl.float32))
    elif WHAT == "acc type":
        tl.dot(x, y, tl.zeros([16, 16], tl.float32), out_dtype=tl.float16)
    elif WHAT == "acc of bf16":
        tl.dot(x.to(tl.bfloat16), y.to(tl.bfloat16), tl.zeros([16, 16], tl.bfloat16))
    elif WHAT == "precision":
        tl.dot(x, y, input_precision="half")
    elif WHAT == "both":
        tl.dot(x, y, input_precision="ieee", allow_tf32=True)
    else:
        tl.dot(narrow, narrow.trans(), max_num_imprecise_acc=128)


@pytest.mark.parametrize("what,message", [
    ("types", "Both operands must be same dtype. Got fp16 and fp32"),
    ("int16", "Unsupported dtype int16 for dot"), ("uint8", "only int8 supported!"),
    ("shapes", "are not compatible for matmul (second index of first shape (32) must be equal to "
     "first index of second shape (16)"),
    ("ranks", "Both inputs must be either 2D or 3D; (lhs: [16, 32] vs rhs: [1, 32, 16])"),
    ("vectors", "Both inputs must be either 2D or 3D"), ("scalars", "dot operands must be blocks"),
    ("batches", "dot operands have different batches: [2] of the first input and [4]"),
    ("bf16 result", "out_dtype=bfloat16 is unsupported. Please use out_dtype=float32/float16 and "
     "cast with `.to(tl.bfloat16)`"),
    ("fp64 result", "a dot of fp16 gives float32 or float16, not fp64"),
    ("acc shape", "accumulator must be fp32[constexpr[16], constexpr[16]], got fp32[constexpr[16], "
     "constexpr[32]]"),
    ("acc type", "accumulator must be fp16"), ("acc of bf16", "accumulator must be fp32"),
    ("precision", "input_precision must be one of ('tf32', 'tf32x3', 'ieee', 'bf16x3', 'bf16x6'). "
     "Got half"),
    ("both", "Only one of input_precision and allow_tf32 can be specified"),
    ("imprecise", "max_num_imprecise_acc (128) must be <= K (64)"),
])
def test_mistakes(what, message):
    with compile_error(message, "tl.dot", cause=ValueError):
        mistake[(1,)](np.zeros(1, np.float32), what)
