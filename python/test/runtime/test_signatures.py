"""The type and the specialisation that each argument has in a kernel's signature."""

import enum

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl


@triton.jit
def any_kernel(x):
    pass


@triton.jit(do_not_specialize=["x"])
def unspecialised(x):
    pass


@triton.jit(do_not_specialize_on_alignment=[0])
def unaligned(x):
    pass


@triton.jit
def const_kernel(x: tl.const):
    pass


def row(kernel, value):
    arguments, rows, options = kernel.dispatcher.specialize(value)
    assert list(arguments) == ["x"] and not options
    return rows[0]


class Color(enum.Enum):
    RED = 1


@pytest.mark.parametrize("value,expected", [
    (None, ("constexpr", None)),
    (True, ("u1", None)), (False, ("u1", None)),
    (1, ("constexpr", 1)), (0, ("i32", "D")), (2, ("i32", "")), (-16, ("i32", "D")),
    (2**31 - 1, ("i32", "")), (-(2**31), ("i32", "D")), (2**31, ("i64", "D")),
    (2**63 - 1, ("i64", "")), (-(2**63), ("i64", "D")), (2**63, ("u64", "D")),
    (2**64 - 1, ("u64", "")),
    (1.0, ("fp32", None)), (float("nan"), ("fp32", None)), (1e300, ("fp32", None)),
    (np.float64(1), ("fp32", None)), (np.float32(2.5), ("fp32", None)),
    (np.int8(1), ("constexpr", 1)), (np.int64(48), ("i32", "D")), (np.uint64(2**63), ("u64", "D")),
    (np.bool_(True), ("u1", None)),
    ((), ((), None)), ((2, (1, 0.5)), ((("i32", ""), ((("constexpr", 1), ("fp32", None)), None)), None)),
], ids=str)
def test_values(value, expected):
    assert row(any_kernel, value) == expected


@pytest.mark.parametrize("value", [tl.constexpr(3), tl.float16, "text", any_kernel, len, Color.RED],
                         ids=repr)
def test_constants(value):
    if isinstance(value, enum.Enum):
        with pytest.raises(TypeError, match="cannot be passed to a kernel"):
            row(any_kernel, value)
        value = tl.constexpr(value)
    assert row(any_kernel, value) == ("constexpr", value)


def test_what_is_not_specialised():
    for value in (1, 16, 3):
        assert row(unspecialised, value) == ("i32", None)
        assert row(unaligned, value) == (("constexpr", 1) if value == 1 else ("i32", ""))
    array = np.zeros(32, np.float32)
    assert row(unspecialised, array) == ("*fp32", None)
    assert row(unaligned, array) == ("*fp32", "")


def aligned(count, dtype):
    raw = np.zeros(count * np.dtype(dtype).itemsize + 16, np.uint8)
    start = -raw.ctypes.data % 16
    return raw[start:start + count * np.dtype(dtype).itemsize].view(dtype)


NUMPY = {"float16": "fp16", "float32": "fp32", "float64": "fp64", "bool": "i1",
         **{f"int{n}": f"i{n}" for n in (8, 16, 32, 64)},
         **{f"uint{n}": f"u{n}" for n in (8, 16, 32, 64)}}
NARROW = {"bfloat16": "bf16", "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5",
          "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2fnuz": "fp8e5b16"}


@pytest.mark.parametrize("name,short", [*NUMPY.items(), *NARROW.items()])
def test_numpy_arrays(name, short):
    array = aligned(32, getattr(ml_dtypes, name) if name in NARROW else name)
    assert row(any_kernel, array) == (f"*{short}", "D")
    offset = array[1:] if array.itemsize < 16 else array
    assert row(any_kernel, offset) == (f"*{short}", "")
    assert row(const_kernel, array) == (f"*k{short}", "D")


@pytest.mark.parametrize("name", ["int4", "uint4", "float8_e4m3", "float8_e8m0fnu", "float4_e2m1fn"])
def test_element_types_that_kernels_lack(name):
    with pytest.raises(TypeError, match="argument 'x': element type .* is not one a kernel can use"):
        row(any_kernel, np.zeros(4, getattr(ml_dtypes, name)))


@pytest.mark.parametrize("name,short", [*NUMPY.items(), *NARROW.items()])
def test_torch_tensors(name, short):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    tensor = torch.zeros(64, dtype=torch.uint8)[:32].view(getattr(torch, name))
    assert row(any_kernel, tensor) == (f"*{short}", "D")


LANGUAGE = ["int1", *(f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)), "float16",
            "bfloat16", "float32", "float64", "float8e4nv", "float8e5", "float8e4b8", "float8e5b16",
            "float8e4b15"]


@pytest.mark.parametrize("name", LANGUAGE)
def test_reinterpreted_arrays(name):
    dtype = getattr(tl, name)
    short = NUMPY.get(dtype.codegen_name, dtype.name) if name != "int1" else "i1"
    array = aligned(32, np.uint8)
    assert row(any_kernel, triton.reinterpret(array, dtype)) == (f"*{short}", "D")
    assert row(any_kernel, triton.MockTensor(dtype)) == (f"*{short}", "D")


ANNOTATIONS = [(tl.int8, "i8"), (tl.uint16, "u16"), (tl.int32, "i32"), ("i64", "i64"),
               ("tl.int32", "i32"), ("uint64", "u64"), (tl.float16, "fp16"), (tl.bfloat16, "bf16"),
               ("fp64", "fp64"), (tl.float32, "fp32"), (tl.int1, "u1"), ("u1", "u1")]


@pytest.mark.parametrize("annotation,short", ANNOTATIONS, ids=lambda a: str(a))
def test_annotations(annotation, short):
    def taker(x):
        pass

    taker.__annotations__ = {"x": annotation}
    kernel = triton.jit(taker)
    specialised = short[0] in "iu" and short != "u1"
    for value in (1, 16, 3):
        key = ("D" if value == 16 else "") if specialised else None
        assert row(kernel, value) == (short, key)


@pytest.mark.parametrize("annotation", ["*i1", tl.pointer_type(tl.int1), "*u1"], ids=str)
def test_pointers_to_bools(annotation):
    def taker(x):
        pass

    taker.__annotations__ = {"x": annotation}
    assert row(triton.jit(taker), np.zeros(32, bool))[0] == "*i1"


def test_unknown_annotations_say_nothing():
    def taker(x: "whatever"):  # noqa: F821
        pass

    assert row(triton.jit(taker), 3) == ("i32", "")


def test_integers_beyond_64_bits():
    for value in (2**64, -(2**63) - 1, 10**30):
        with pytest.raises(OverflowError, match="argument 'x': integer argument .* 64 bits"):
            row(any_kernel, value)


def test_options_are_split_from_arguments():
    array = np.zeros(1, np.float32)
    arguments, rows, options = any_kernel.dispatcher.specialize(num_warps=8, x=array, debug=True)
    assert arguments["x"] is array and rows[0][0] == "*fp32"
    assert options == {"num_warps": 8, "debug": True}
    binder = any_kernel.create_binder()[-1]
    assert binder(3) == ({"x": 3}, (("i32", ""),), {})


@triton.jit
def arrive(out, i, small: tl.int8, half: tl.float16, brain: tl.bfloat16, double: "fp64",
           unsigned: tl.uint32, flag: tl.int1):
    tl.static_assert(i.dtype == tl.uint64)
    tl.static_assert(small.dtype == tl.int8)
    tl.static_assert(half.dtype == tl.float16)
    tl.static_assert(brain.dtype == tl.bfloat16)
    tl.static_assert(double.dtype == tl.float64)
    tl.static_assert(unsigned.dtype == tl.uint32)
    tl.static_assert(flag.dtype == tl.int1)
    tl.store(out, (i >> 32).to(tl.float64))
    tl.store(out + 1, small)
    tl.store(out + 2, half)
    tl.store(out + 3, brain)
    tl.store(out + 4, double)
    tl.store(out + 5, unsigned)
    tl.store(out + 6, flag)


@pytest.mark.parametrize("number", [0.1, 3, True, np.float32(0.1), 1e6, float("inf"), -0.0, 65519.9])
def test_arguments_arrive_as_annotated(number):
    out = np.zeros(7, np.float64)
    arrive[(1,)](out, 2**64 - 1, -128, number, number, number, 2**32 - 1, True)
    with np.errstate(over="ignore"):
        half = np.float16(number)
    brain = np.array(number, np.float64).astype(ml_dtypes.bfloat16)
    expected = [2**32 - 1, -128, half, brain, float(number), 2**32 - 1, 1]
    np.testing.assert_array_equal(out, np.array([float(v) for v in expected]))


def test_annotated_integers_that_do_not_fit():
    out = np.zeros(7, np.float64)
    for position, value in ((2, 128), (2, -129), (6, -1), (6, 2**32)):
        arguments = [out, 2**63, 0, 0, 0, 0, 0, False]
        arguments[position] = value
        with pytest.raises(OverflowError, match="does not fit its type"):
            arrive[(1,)](*arguments)


NAMES = [f"a{i}" for i in range(63)]


@triton.jit
def wide(out, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18,
         a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36,
         a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54,
         a55, a56, a57, a58, a59, a60, a61, a62: tl.int8):
    tl.store(out, a0)
    tl.store(out + 1, tl.load(a31))
    tl.store(out + 2, a32 + a34)
    tl.store(out + 4, a61)
    tl.store(out + 3, a62)


def test_64_arguments():
    out = np.zeros(5, np.float64)
    arguments = [float(i) if i % 2 else 2**40 + i for i in range(63)]
    arguments[31], arguments[62] = np.full(1, 77, np.float32), -5
    wide[(1,)](out, *arguments)
    assert out.tolist() == [2**40, 77, 2**41 + 66, -5, 61]
    keywords = dict(zip(NAMES[40:], arguments[40:]))
    out[:] = 0
    wide[(1,)](out, *arguments[:40], **keywords)
    assert out.tolist() == [2**40, 77, 2**41 + 66, -5, 61]


@triton.jit
def const_store(x: tl.const, out):
    tl.store(out, tl.load(x))


@triton.jit
def const_broken(x: tl.const, out):
    tl.store(x, tl.load(out))


def test_const_pointers():
    x, out = np.full(1, 3, np.int32), np.zeros(1, np.int32)
    x.flags.writeable = False
    const_store[(1,)](x, out)
    assert out[0] == 3
    with pytest.raises(triton.CompilationError, match="Cannot store to a constant pointer"):
        const_broken[(1,)](x, out)
