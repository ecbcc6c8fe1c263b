"""The names and signatures of the language that kernels and libraries rely on."""

import inspect
import re
from typing import NamedTuple

import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded_copy
from language.ttir import ttir_of
from triton.language.function import ConstexprFunction, Function

STANDARD = """argmax argmin bitonic_merge cdiv cumprod cumsum flip interleave max min ravel
    reduce_or sigmoid softmax sort squeeze sum swizzle2d topk unsqueeze xor_sum zeros
    zeros_like""".split()
CORE = """PropagateNan TRITON_MAX_TENSOR_NUMEL add advance aggregate_replace arange
    associative_scan assume atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or
    atomic_xchg atomic_xor block_type broadcast broadcast_to cast cat clamp condition const
    constexpr constexpr_type debug_barrier device_assert device_print dot dot_scaled dtype
    expand_dims expect_zero full gather histogram inline_asm_elementwise join load
    load_tensor_descriptor make_block_ptr make_tensor_descriptor map_elementwise max_constancy
    max_contiguous maximum minimum mul multiple_of num_programs permute pi32_t pointer_type
    program_id range reduce reshape slice split static_assert static_print static_range store
    store_tensor_descriptor sub tensor tensor_descriptor tensor_descriptor_type to_tensor trans
    tuple tuple_type view void where""".split()
DTYPES = """int1 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float8e4b15 float8e4nv
    float8e4b8 float8e5 float8e5b16 float16 bfloat16 float32 float64""".split()
MATH = """abs ceil cos div_rn erf exp exp2 fdiv floor fma log log2 rsqrt sin sqrt sqrt_rn
    umulhi""".split()
RANDOM = """pair_uniform_to_normal philox philox_impl rand rand4x randint randint4x randn
    randn4x uint_to_uniform_float""".split()
MODULES = ["core", "extra", "math", "random", "semantic", "standard", "target_info"]
# What libraries import although it is not meant for kernels.
INNER = {
    "core": """base_value base_type builtin is_builtin extern extern_elementwise dispatch
        must_use_result get_int_dtype _aggregate _unwrap_if_constexpr _tensor_member_fn builtin_max
        builtin_min _promote_bfloat16_to_float32 _reduce_with_indices""".split() + CORE + DTYPES,
    "math": MATH + ["_check_dtype"], "random": RANDOM, "semantic": ["TritonSemantic"],
    "standard": STANDARD + ["_log2"],
    "target_info": """current_target is_cuda cuda_capability_geq is_hip is_hip_cdna3 is_hip_cdna4
        is_hip_gfx1250""".split(),
}
MEMBERS = """broadcast_to trans permute split view item reshape expand_dims cast store advance
    atomic_add atomic_max atomic_min atomic_and atomic_or atomic_xor atomic_xchg atomic_cas reduce
    associative_scan histogram gather abs exp exp2 log log2 cos sin sqrt sqrt_rn rsqrt erf floor
    ceil cdiv sigmoid softmax ravel max min argmax argmin sum xor_sum reduce_or cumsum cumprod flip
    to logical_and logical_or""".split()


def test_names():
    names = [*STANDARD, *CORE, *DTYPES, *MATH, *RANDOM, *MODULES, "str_to_ty"]
    assert [n for n in names if not hasattr(tl, n)] == []
    for module, inner in INNER.items():
        assert [n for n in inner if not hasattr(getattr(tl, module), n)] == [], module
    assert tl.TRITON_MAX_TENSOR_NUMEL == 1048576
    assert [n for n in MEMBERS if not hasattr(tl.tensor, n)] == []
    top = ["aggregate", "constexpr_function", "must_use_result", "cdiv", "next_power_of_2",
           "set_allocator"]
    assert [n for n in top if not hasattr(triton, n)] == []


# Parameters after the operands, which calls name.
SIGNATURES = {
    "arange": "start end", "full": "shape value dtype", "zeros": "shape dtype",
    "cat": "input other can_reorder=False dim=0", "program_id": "axis", "num_programs": "axis",
    "expand_dims": "input axis", "reshape": "input *shape can_reorder=False",
    "broadcast_to": "input *shape", "ravel": "x can_reorder=False", "trans": "input *dims",
    "permute": "input *dims", "join": "a b", "interleave": "a b", "flip": "x dim=None",
    "squeeze": "x dim", "unsqueeze": "x dim", "swizzle2d": "i j size_i size_j size_g",
    "load": "pointer mask=None other=None boundary_check=() padding_option='' cache_modifier='' "
            "eviction_policy='' volatile=False",
    "store": "pointer value mask=None boundary_check=() cache_modifier='' eviction_policy=''",
    "make_block_ptr": "base shape strides offsets block_shape order", "advance": "base offsets",
    "make_tensor_descriptor": "base shape strides block_shape padding_option='zero'",
    "load_tensor_descriptor": "desc offsets", "store_tensor_descriptor": "desc offsets value",
    "dot": "input other acc=None input_precision=None allow_tf32=None max_num_imprecise_acc=None "
           "out_dtype=None",
    "dot_scaled": "lhs lhs_scale lhs_format rhs rhs_scale rhs_format acc=None fast_math=False "
                  "lhs_k_pack=True rhs_k_pack=True out_dtype=triton.language.float32",
    "reduce": "input axis combine_fn keep_dims=False",
    "associative_scan": "input axis combine_fn reverse=False",
    "max": "input axis=None return_indices=False return_indices_tie_break_left=True "
           "keep_dims=False",
    "min": "input axis=None return_indices=False return_indices_tie_break_left=True "
           "keep_dims=False",
    "argmax": "input axis tie_break_left=True keep_dims=False",
    "argmin": "input axis tie_break_left=True keep_dims=False",
    "sum": "input axis=None keep_dims=False dtype=None",
    "xor_sum": "input axis=None keep_dims=False", "reduce_or": "input axis keep_dims=False",
    "cumsum": "input axis=0 reverse=False dtype=None", "cumprod": "input axis=0 reverse=False",
    "sort": "x dim=None descending=0", "topk": "x k dim=None descending=True",
    "bitonic_merge": "x dim=None descending=0",
    "softmax": "x dim=None keep_dims=False ieee_rounding=False",
    "histogram": "input num_bins mask=None", "gather": "src index axis",
    "where": "condition x y", "expect_zero": "x mask", "add": "x y sanitize_overflow=True",
    "sub": "x y sanitize_overflow=True", "mul": "x y sanitize_overflow=True",
    "minimum": "x y propagate_nan=<PropagateNan.NONE: 0>",
    "maximum": "x y propagate_nan=<PropagateNan.NONE: 0>",
    "clamp": "x min max propagate_nan=<PropagateNan.NONE: 0>",
    "cast": "input dtype fp_downcast_rounding=None bitcast=False",
    "map_elementwise": "scalar_fn *args pack=1", "cdiv": "x div",
    "fdiv": "x y ieee_rounding=False",
    **{f"atomic_{name}": "pointer val mask=None sem=None scope=None"
       for name in "add max min and or xor xchg".split()},
    "atomic_cas": "pointer cmp val sem=None scope=None",
    "static_print": "*values sep=' ' end='\\n' file=None flush=False",
    "static_assert": "cond msg=''", "device_print": "prefix *args hex=False",
    "device_assert": "cond msg='' mask=None", "assume": "cond", "multiple_of": "input values",
    "max_contiguous": "input values", "max_constancy": "input values", "debug_barrier": "",
    "inline_asm_elementwise": "asm constraints args dtype is_pure pack",
    "range": "arg1 arg2=None step=None num_stages=None loop_unroll_factor=None "
             "disallow_acc_multi_buffer=False flatten=False warp_specialize=False "
             "disable_licm=False",
    "static_range": "arg1 arg2=None step=None", "condition": "arg1 disable_licm=False",
    "philox_impl": "c0 c1 c2 c3 k0 k1 n_rounds=constexpr[10]",
    "philox": "seed c0 c1 c2 c3 n_rounds=constexpr[10]",
    "rand": "seed offset n_rounds=constexpr[10]", "randint": "seed offset n_rounds=constexpr[10]",
    "randn": "seed offset n_rounds=constexpr[10]",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name):
    function = getattr(tl, name)
    function = function.fn if isinstance(function, Function) else function
    parts = []
    for p in inspect.signature(function).parameters.values():
        if p.name in ("_semantic", "_generator"):
            continue
        star = "*" if p.kind is p.VAR_POSITIONAL else ""
        default = "" if p.default is p.empty else f"={p.default!r}"
        parts.append(f"{star}{p.name}{default}")
    assert " ".join(parts) == SIGNATURES[name]


def test_api_generation_is_visible():
    assert "_semantic" in inspect.signature(tl.core.view).parameters


def test_target_info():
    from triton.language import target_info

    assert target_info.current_target() == triton.runtime.driver.active.get_current_target()
    for name in INNER["target_info"][1:]:
        function = getattr(target_info, name)
        assert isinstance(function, ConstexprFunction)
        assert function(*([9] if "capability" in name else [])) is False


@triton.jit
def chosen_by_target(out):
    if tl.target_info.is_cuda() or tl.target_info.cuda_capability_geq(9, 0):
        tl.store(out, 1)
    elif tl.target_info.current_target().backend == "cpu":
        tl.store(out, 2)


def test_target_info_in_a_kernel():
    out = np.zeros(1, np.int32)
    chosen_by_target[(1,)](out)
    assert out[0] == 2


def test_check_dtype():
    @tl.math._check_dtype(dtypes=["fp32", "fp64"])
    def function(x):
        return x

    value = tl.tensor(None, tl.float32)
    assert function(value) is value
    with pytest.raises(ValueError, match=r"Expected dtype \['fp32', 'fp64'\] but got int32"):
        function(x=tl.tensor(None, tl.int32))


@triton.jit
def collatz(n, limit):
    steps = 0
    while (n > 1) & (steps < limit):
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps, n * 1.0


@triton.jit
def mapped(out, ends, x):
    i = tl.arange(0, 16)
    steps, end = tl.map_elementwise(collatz, tl.load(x + i), 100)
    tl.store(out + i, steps)
    tl.store(ends + i, end)


@triton.jit
def mapped_in_pairs(out, x):
    i = tl.arange(0, 16)
    tl.store(out + i, tl.map_elementwise(collatz, tl.load(x + i), 100, pack=2))


def test_map_elementwise_in_ttir():
    text = ttir_of(mapped, {"out": "*i32", "ends": "*fp32", "x": "*i32"})
    assert '"tt.map_elementwise"' in text and "(tensor<16xi32>, tensor<16xi32>) -> " \
        "(tensor<16xi32>, tensor<16xf32>)" in text
    assert "tt.map_elementwise.return" in text and text.count('"tt.map_elementwise"(') == 1


def collatz_in_python(n, limit):
    steps = 0
    while n > 1 and steps < limit:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps, float(n)


def test_map_elementwise_with_branches():
    x = guarded_copy(np.array([27, *range(1, 16)], np.int32))
    out, ends = guarded_copy(np.zeros(16, np.int32)), guarded_copy(np.zeros(16, np.float32))
    mapped[(1,)](out, ends, x)
    expected = [collatz_in_python(int(v), 100) for v in x]
    np.testing.assert_array_equal(out, [steps for steps, _ in expected])
    np.testing.assert_array_equal(ends, [end for _, end in expected])


@triton.jit
def square_plus(a, b):
    return a * a + b


@triton.jit
def mapped_by_vectors(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = tl.map_elementwise(square_plus, x, x * 3)
    tl.store(out_ptr + i, y + tl.sum(y, 0))


def test_map_elementwise_without_branches():
    x, out = guarded_copy(np.arange(64, dtype=np.int32)), guarded_copy(np.zeros(64, np.int32))
    kernel = mapped_by_vectors[(1,)](x, out, BLOCK=64)
    y = x * x + 3 * x
    np.testing.assert_array_equal(out, y + y.sum())
    assert "width = 1," not in kernel.asm["sched"]


def test_map_elementwise_pack():
    with pytest.raises(triton.CompilationError, match="not supported yet: tl.map_elementwise with pack"):
        ttir_of(mapped_in_pairs, {"out": "*i32", "x": "*i32"})


@triton.jit
def named_values(out, n, pair):
    first, second = pair
    total = tl.full((), 0, tl.int32)
    other = first + second
    for step in range(n):
        total += step
        other, total = total, other
    copy = total
    tl.store(out, copy)


def test_names_of_the_kernel_are_those_of_its_ttir():
    text = ttir_of(named_values, {"out": "*i32", "n": "i32", "pair": ("i32", "i32")})
    assert "@named_values(%out: !tt.ptr<i32>, %n: i32, %pair.0: i32, %pair.1: i32)" in text
    assert "%other = arith.addi %pair.0, %pair.1" in text
    # The results of a loop have one location and so no names; what it carries has.
    assert re.search(r"%\d+:2 = scf.for %step = .* iter_args\(%total_\d+ = %total, "
                     r"%other_\d+ = %other\)", text), text


class Pair(NamedTuple):
    left: tl.constexpr
    right: tl.constexpr


@triton.constexpr_function
def swapped(pair):
    return Pair(pair.right, pair.left)


@triton.jit
def choices_between_tuples(out):
    tl.static_assert(((3, 4) or (5, 6)) == (3, 4))
    tl.static_assert(((3, 4) and (5, 6)) == (5, 6))
    tl.static_assert((() or (5, 6)) == (5, 6))
    tl.static_assert(((1, 2) and (3, 4) and (5, 6)) == (5, 6))
    tl.static_assert((() and tl.program_id(0)) == ())
    tl.static_assert(swapped(Pair(1, 2)).left == 2)
    tl.store(out, swapped(Pair(1, 2)).right)


def test_tuples_of_constants():
    out = np.zeros(1, np.int32)
    choices_between_tuples[(1,)](out)
    assert out[0] == 1


@triton.jit
def takes_a_bit(out, v: "tl.uint1"):
    tl.store(out, v)


def test_annotation_of_one_bit():
    out = np.zeros(1, np.float32)
    kernel = takes_a_bit[(1,)](out, True)
    assert "%v: i1" in kernel.asm["ttir"] and out[0] == 1.0


@triton.jit
def chooses_by_numbers(out):
    tl.store(out, tl.where(tl.full((), 2, tl.uint32), 3.0, 4.0))


def test_where_of_numbers_warns(fresh_cache):
    out = np.zeros(1, np.float32)
    with pytest.warns(UserWarning, match="tl.where with a non-boolean condition .* Got uint32"):
        chooses_by_numbers[(1,)](out)
    assert out[0] == 3.0


@triton.jit
def seeds_with_a_fraction(out, seed):
    tl.store(out, tl.rand(seed, 0))


def test_a_seed_is_an_integer():
    with pytest.raises(triton.errors.CompilationError) as caught:
        seeds_with_a_fraction[(1,)](np.zeros(1, np.float32), 2.5)
    assert "the seed of random numbers is an integer" in str(caught.value.__cause__ or caught.value)


def test_an_error_says_where_first_and_what_last():
    import traceback

    with pytest.raises(triton.errors.CompilationError) as caught:
        mistake[(1,)](np.zeros(1, np.float32))
    lines = str(caught.value).splitlines()
    line = mistake.def_file_line_number + 1
    assert lines[0] == f"at 2:18: ({__file__}:{line})"
    assert lines[-1] == "missing is not defined"
    shown = "".join(traceback.format_exception(caught.value))
    assert "code_generator.py" not in shown.rpartition("direct cause")[2]


@triton.jit
def mistake(out):
    tl.store(out, missing)  # noqa: F821
