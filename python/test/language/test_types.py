"""Types and constants as Python sees them."""

import copy
import pickle

import pytest
import triton.language as tl

C = tl.constexpr


@pytest.mark.parametrize("name,bits,size,mangled,long_name,kind", [
    ("int1", 1, 1, "u1", "int1", 0), ("int8", 8, 1, "i8", "int8", 1),
    ("uint64", 64, 8, "u64", "uint64", 1), ("fp8e4nv", 8, 1, "fp8e4nv", "fp8e4nv", 2),
    ("fp16", 16, 2, "fp16", "float16", 2), ("bf16", 16, 2, "bf16", "bfloat16", 2),
    ("fp32", 32, 4, "fp32", "float32", 2), ("fp64", 64, 8, "fp64", "float64", 2)])
def test_dtype(name, bits, size, mangled, long_name, kind):
    d = tl.dtype(name)
    assert (d.name, str(d), d.cache_key_part) == (name, name, name)
    assert (d.primitive_bitwidth, d.itemsize, d.mangle(), d.codegen_name) == (
        bits, size, mangled, long_name)
    assert d.kind() == kind and d.scalar is d and d.shape == []
    assert not (d.is_ptr() or d.is_block() or d.is_const() or d.is_void())
    assert d.with_element_ty(tl.int8) == tl.int8
    assert getattr(d, f"is_{name}")() and d == getattr(tl, repr(d).rpartition(".")[2])
    assert pickle.loads(pickle.dumps(d)) == d and hash(copy.deepcopy(d)) == hash(d)


def test_types_of_constants():
    of = tl.constexpr_type
    pair = tl.tuple([tl.constexpr(5), tl.constexpr(2.5)]).type
    assert pair == of((5, 2.5)) and of((5, 2.5)) == pair and hash(pair) == hash(of((5, 2.5)))
    assert pair != of((5, 2)) and pair != of(5) and of((5,)) != pair
    assert tl.tuple([1, (2, 3)]).type == of((1, (2, 3))) != of((1, (2, 4)))
    assert of(5) == of(5) != of(6) and of(5) != tl.int32


def test_kinds_are_ordered():
    kinds = [t.kind() for t in (tl.int1, tl.int32, tl.float32)]
    assert sorted(reversed(kinds)) == kinds and kinds[0] < kinds[1] < kinds[2]


@pytest.mark.parametrize("dtype,mantissa,bias", [
    (tl.float8e5, 2, 15), (tl.float8e4nv, 3, 7), (tl.float8e4b8, 3, 8), (tl.float8e5b16, 2, 16),
    (tl.float8e4b15, 3, 15), (tl.float16, 10, 15), (tl.bfloat16, 7, 127), (tl.float32, 23, 127),
    (tl.float64, 52, 1023)], ids=str)
def test_floats(dtype, mantissa, bias):
    assert (dtype.fp_mantissa_width, dtype.exponent_bias) == (mantissa, bias)
    assert dtype.is_floating() and not dtype.is_int()
    assert dtype.is_fp8() == (dtype.primitive_bitwidth == 8) != dtype.is_standard_floating()


def test_integers():
    assert tl.int8.get_int_min_value() == -128 and tl.uint8.get_int_max_value() == 255
    assert tl.int1.is_bool() and tl.int1.is_int_unsigned() and tl.int1.get_int_max_value() == 1
    assert tl.int32.is_int_signed() and tl.int32.int_bitwidth == 32
    assert tl.int32.int_signedness == tl.dtype.SIGNEDNESS.SIGNED
    assert tl.uint8.int_signedness == tl.dtype.SIGNEDNESS.UNSIGNED
    assert tl.core.get_int_dtype(16, True) == tl.int16 and tl.core.get_int_dtype(8, False) == tl.uint8
    assert tl.dtype.is_dtype("fp32") and not tl.dtype.is_dtype("float")
    with pytest.raises(ValueError, match="unknown dtype 'int7'"):
        tl.dtype("int7")


def test_pointers_and_blocks():
    p = tl.pointer_type(tl.float16)
    assert p.is_ptr() and p.element_ty == tl.float16 and p.mangle() == "Pfp16" and not p.is_const()
    k = tl.pointer_type(tl.int8, const=True)
    assert k.is_const() and k.mangle() == "Pki8" and k != tl.pointer_type(tl.int8)
    assert tl.pi32_t == tl.pointer_type(tl.int32)
    b = tl.block_type(tl.float32, [4, C(8)])
    assert b.shape == (4, 8) and b.numel == 32 and b.is_block() and b.scalar == tl.float32
    assert b.mangle() == "fp32S4_8S" and repr(b) == "fp32[constexpr[4], constexpr[8]]"
    assert b.with_element_ty(tl.int8) == tl.block_type(tl.int8, [4, 8])
    for shape, message in [([3], "Shape element 0 must be a power of 2"),
                           ([2, 0], "Shape element 1 must be a power of 2"),
                           ([2**21], "numel .2097152. exceeds triton maximum tensor numel .1048576.")]:
        with pytest.raises(ValueError, match=message):
            tl.block_type(tl.float32, shape)
    with pytest.raises(TypeError, match="0d block_type is forbidden"):
        tl.block_type(tl.float32, [])


def test_names_of_types():
    assert tl.str_to_ty("*fp32", None) == tl.pointer_type(tl.float32)
    assert tl.str_to_ty("*ki8", None) == tl.pointer_type(tl.int8, const=True)
    assert tl.str_to_ty("i1", None) == tl.str_to_ty("u1", None) == tl.int1
    assert tl.str_to_ty("**i32", None).element_ty == tl.pi32_t
    assert tl.str_to_ty("constexpr", 3) == tl.constexpr_type(3)
    assert tl.tuple_type([tl.int32, tl.pi32_t]).mangle() == "Ti32_Pi32T"
    assert tl.constexpr_type(3).mangle() == "c3"


def test_constants_fold():
    assert [repr(v) for v in (C(3) + 4, 4 - C(3), C(7) // 2, -C(7) // 2, -C(7) % 4, ~C(3), 2 ** C(3),
                              C(5) & 3, 5 ^ C(3), C(1) << 2, C(2.0) / 4, C(C(3)), C("a"))] == [
        "constexpr[7]", "constexpr[1]", "constexpr[3]", "constexpr[-4]", "constexpr[1]",
        "constexpr[-4]", "constexpr[8]", "constexpr[1]", "constexpr[6]", "constexpr[4]",
        "constexpr[0.5]", "constexpr[3]", "constexpr[a]"]
    assert (C(3) < 4).value is True and (C(3) == 3).value is True and (C(3) != C(3)).value is False
    assert bool(C(0)) is False and [1, 2, 3][C(1)] == 2 and int(C(3)) == 3
    assert C((1, 2))[0].value == 1 and len(C((1, 2))) == 2 and [v.value for v in C((1, 2))] == [1, 2]
    assert C("ab").upper() == "AB" and C(len)([1]) == 1
    assert C(1).logical_and(0).value == 0 and C(0).logical_or(5).value == 5
    assert hash(C(3)) == hash(C(3)) and C(3) in {C(3): 1} and C(3).type == tl.constexpr_type(3)
    assert pickle.loads(pickle.dumps(C(3))).value == 3 and copy.deepcopy(C(3)).value == 3


def test_values_have_no_truth_outside_kernels():
    value = tl.tensor(None, tl.block_type(tl.int32, [4]))
    assert value.shape == (4,) and value.numel == 4 and str(value) == "int32[constexpr[4]]"
    with pytest.raises(TypeError):
        bool(value)
    with pytest.raises(TypeError):
        iter(value)
    with pytest.raises(ValueError, match="Did you forget to add @triton.jit"):
        tl.load(value)
