"""Types and values of arithmetic between every pair of element types.

The expected types are computed here from the rules as upstream documents them, apart
from the implementation's table.
"""

import itertools

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error
from guarded import guarded, guarded_copy
from language.ttir import ttir_of

INTS = ["int1", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["fp8e4nv", "fp8e5", "fp16", "bf16", "fp32", "fp64"]
TYPES = INTS + FLOATS
DIVISIONS = ("truediv", "floordiv", "mod")
BITS = ("and", "or", "xor", "lshift", "rshift")


def width(name):
    return int("".join(c for c in name.partition("e")[0] if c.isdigit())) if "fp8" not in name else 8


def unsigned(name):
    return name.startswith("u") or name == "int1"


def integers(a, b):
    if unsigned(a) == unsigned(b):
        return a if width(a) > width(b) else b
    u, s = (a, b) if unsigned(a) else (b, a)
    return u if width(u) >= width(s) else s


def expected(a, b, op):
    """The result's type, or None where the operands are refused."""
    both = {a, b}
    if not both & set(FLOATS):
        if op in DIVISIONS and unsigned(a) != unsigned(b):
            return None
        common = integers(a, b)
        if op == "truediv":
            return "fp32"
        return common
    if op in BITS or op == "floordiv":
        return None
    for name in ("fp64", "fp32"):
        if name in both:
            return name
    if "fp16" in both:
        return "fp32" if op in DIVISIONS else "fp16"
    if "bf16" in both:
        return "bf16" if both == {"bf16"} and op not in DIVISIONS else "fp32"
    if both <= {"fp8e4nv", "fp8e5"}:
        return a if a == b else "fp16"
    return None  # fp8 with an integer


_RESULTS = {}


@tl.core.builtin
def survey(_semantic=None):
    """Applies each operator to each pair of types; records the type of the result."""
    for a, b in itertools.product(TYPES, TYPES):
        x, y = (_semantic.full([4], _semantic.to_tensor(1), tl.dtype(name)) if "fp8" not in name
                else _semantic.bitcast(_semantic.full([4], 1, tl.int8), tl.dtype(name))
                for name in (a, b))
        for op in ("add", "sub", "mul", *DIVISIONS, *BITS):
            _RESULTS[a, b, op] = _attempt(lambda: _semantic.binary(op, x, y))
        for op in ("lt", "eq", "ne"):
            _RESULTS[a, b, op] = _attempt(lambda: _semantic.compare(op, x, y))
        _RESULTS[a, b, "where"] = _attempt(lambda: _semantic.where(tl.constexpr(True), x, y))


def _attempt(function):
    try:
        return function().type.element_ty.name
    except TypeError:
        return None


@triton.jit
def surveys(out):
    survey()


@pytest.fixture(scope="module")
def results():
    if not _RESULTS:
        ttir_of(surveys, {"out": "*i32"})
    return _RESULTS


@pytest.mark.parametrize("op", ["add", "sub", "mul", *DIVISIONS, *BITS, "where", "lt", "eq", "ne"])
def test_type_of_each_pair(results, op):
    for a, b in itertools.product(TYPES, TYPES):
        wanted = expected(a, b, op)
        if op in ("lt", "eq", "ne"):
            wanted = wanted and "int1"
        assert results[a, b, op] == wanted, f"{a} {op} {b}: {results[a, b, op]}, expected {wanted}"


_LITERALS = {}


@tl.core.builtin
def survey_of_literals(_semantic=None):
    for name, literal in itertools.product(TYPES[:9] + FLOATS[2:], (True, 1, 2.5, 1e300, 2**40)):
        x = _semantic.full([4], _semantic.to_tensor(1), tl.dtype(name))
        for op in ("add", "truediv"):
            for swapped in (False, True):
                pair = (tl.constexpr(literal), x) if swapped else (x, tl.constexpr(literal))
                try:
                    found = _semantic.binary(op, *pair).type.element_ty.name
                except (TypeError, ValueError) as error:
                    found = str(error)
                _LITERALS[name, literal, type(literal), op, swapped] = found


@triton.jit
def surveys_of_literals(out):
    survey_of_literals()


def kind(name):
    return 0 if name == "int1" else 1 if name in INTS else 2


def literal_type(value):
    if isinstance(value, bool):
        return "int1"
    if isinstance(value, int):
        return "int32" if value < 2**31 else "int64"
    return "fp64" if abs(value) > 3.5e38 else "fp32"


def test_type_with_literals():
    """A literal takes the tensor's type unless its kind is higher."""
    ttir_of(surveys_of_literals, {"out": "*i32"})
    for (name, literal, _, op, swapped), found in _LITERALS.items():
        own = literal_type(literal)
        if kind(own) <= kind(name):
            wanted = name
            if op == "truediv":
                wanted = "fp32" if name in (*INTS, "fp16", "bf16") else name
            if kind(name) == 1 and not isinstance(literal, bool) and literal >= 2**width(name):
                wanted = f"Scalar {literal} is out of range for type {name}"
            elif kind(name) == 1 and literal == 2**40 and width(name) < 64:
                wanted = f"Scalar {literal} is out of range for type {name}"
        else:
            wanted = expected(*((own, name) if swapped else (name, own)), op)
        if wanted is None:
            assert "different signedness" in found, (name, literal, op, found)
        else:
            assert found == wanted, f"{name} {op} {literal!r}: {found}, expected {wanted}"


@triton.jit
def literals(out, u, i):
    x = tl.load(u)
    tl.static_assert(tl.to_tensor(True).dtype == tl.int1)
    tl.static_assert(tl.to_tensor(3).dtype == tl.int32)
    tl.static_assert(tl.to_tensor(2**31).dtype == tl.uint32)
    tl.static_assert(tl.to_tensor(2**32).dtype == tl.int64)
    tl.static_assert(tl.to_tensor(2**63).dtype == tl.uint64)
    tl.static_assert(tl.to_tensor(-2**63).dtype == tl.int64)
    tl.static_assert(tl.to_tensor(1.0).dtype == tl.float32)
    tl.static_assert(tl.to_tensor(float("inf")).dtype == tl.float32)
    tl.static_assert(tl.to_tensor(1e-40).dtype == tl.float64)
    tl.static_assert(tl.to_tensor(3e38).dtype == tl.float32)
    tl.static_assert(tl.to_tensor(1e39).dtype == tl.float64)
    tl.static_assert((x + i).dtype == tl.int32)  # a scalar value is not a literal
    tl.store(out, x)


def test_types_of_literals():
    assert "tt.store" in ttir_of(literals, {"out": "*i32", "u": "*u8", "i": "i32"})


def test_literals_keep_their_type_in_ir():
    @triton.jit
    def kernel(out, VALUE: tl.constexpr):
        x = VALUE
        tl.store(out, x.to(tl.float64))

    for value, text in [(3, "i32"), (2**40, "i64"), (1.5, "f32"), (1e300, "f64")]:
        assert f": {text}" in ttir_of(kernel, {"out": "*fp64", "VALUE": "constexpr"},
                                      {"VALUE": value})


# -- values ------------------------------------------------------------------------------


@triton.jit
def operate(out, x_ptr, y_ptr, OP: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    x, y = tl.load(x_ptr + i), tl.load(y_ptr + i)
    if OP == "<<":
        r = x << y
    elif OP == ">>":
        r = x >> y
    elif OP == "~":
        r = ~x
    elif OP == "-":
        r = -x
    elif OP == "//":
        r = x // y
    elif OP == "%":
        r = x % y
    elif OP == "/":
        r = x / y
    else:
        r = tl.where(x > y, x, y)
    tl.store(out + i, r)


def run(op, x, y, result):
    out = guarded(x.shape, result)
    operate[(1,)](out, guarded_copy(x), guarded_copy(y), op, len(x))
    return out


@pytest.mark.parametrize("left", ["int8", "uint8", "int32", "uint32", "int64"])
@pytest.mark.parametrize("right", ["int8", "uint8", "int32", "uint32"])
def test_shifts(left, right):
    """The left operand's sign decides what is shifted in; both are promoted first."""
    rng = np.random.default_rng(3)
    info = np.iinfo(left)
    x = rng.integers(info.min, info.max, 64, dtype=left, endpoint=True)
    y = rng.integers(0, width(left), 64).astype(right)
    common = integers(left, right)
    bits = width(common)
    for op in ("<<", ">>"):
        exact = []
        for a, b in zip(x.tolist(), y.tolist()):
            a %= 2**bits  # as the promoted type's bits
            if not unsigned(left) and a >= 2**(bits - 1):
                a -= 2**bits
            exact.append((a << b if op == "<<" else a >> b) % 2**bits)
        got = run(op, x, y, common)
        assert [int(v) % 2**bits for v in got] == exact, op


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64"])
def test_division_truncates(dtype):
    rng = np.random.default_rng(3)
    info = np.iinfo(dtype)
    x = rng.integers(info.min, info.max, 64, dtype=dtype, endpoint=True)
    y = rng.integers(1, 7, 64).astype(dtype)
    if not unsigned(dtype):
        y[::2] = -y[::2]
    pairs = list(zip(x.tolist(), y.tolist()))
    quotient = [abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in pairs]
    assert run("//", x, y, dtype).tolist() == quotient
    assert run("%", x, y, dtype).tolist() == [a - q * b for (a, b), q in zip(pairs, quotient)]
    np.testing.assert_allclose(run("/", x, y, "float32"), x.astype(np.float32) / y.astype(np.float32),
                               rtol=1e-6)
    assert run("~", x, y, dtype).tolist() == (~x).tolist()
    assert run("-", x, y, dtype).tolist() == (0 - x).tolist()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floats(dtype):
    x = np.array([0.0, -0.0, 1.5, -7.25, np.inf, np.nan, 5.5, -5.5], dtype)
    y = np.array([1.0, 2.0, 0.5, 2.0, 3.0, 1.0, -2.0, 2.0], dtype)
    negative = run("-", x, y, dtype)
    np.testing.assert_array_equal(negative, -x)
    assert np.signbit(negative[:2]).tolist() == [True, False]
    wide = "float32" if dtype == "float16" else dtype
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(run("%", x, y, wide), np.fmod(x.astype(wide), y.astype(wide)))
        np.testing.assert_array_equal(run("/", x, y, wide), x.astype(wide) / y.astype(wide))
        np.testing.assert_array_equal(run("where", x, y, dtype), np.where(x > y, x, y))


# -- checks that integers do not wrap ------------------------------------------------------


@triton.jit
def sums(out, a, b, WIDE: tl.constexpr, CHECK: tl.constexpr):
    x, y = tl.load(a), tl.load(b)
    if WIDE:
        x = x.to(tl.int64)
    if CHECK:
        tl.store(out, x + y)
        tl.store(out, x - y)
        tl.store(out, x * y)
        tl.store(out, -x)
    else:
        tl.store(out, tl.add(x, y, sanitize_overflow=False))
        tl.store(out, tl.sub(x, y, sanitize_overflow=False))
        tl.store(out, tl.mul(x, y, sanitize_overflow=False))


def overflow_checks(type_name, wide=False, check=True, **options):
    text = ttir_of(sums, {"out": f"*{type_name}", "a": f"*{type_name}", "b": f"*{type_name}",
                          "WIDE": "constexpr", "CHECK": "constexpr"},
                   {"WIDE": wide, "CHECK": check}, **options)
    return [line.split('"')[1] for line in text.splitlines() if "tt.assert" in line]


@pytest.mark.parametrize("type_name,bits", [("i8", 8), ("u8", 8), ("i32", 32), ("u32", 32)])
def test_overflow_is_asserted_with_debug(type_name, bits):
    wanted = [f"int{bits} overflow detected for operation {op}" for op in ("add", "sub", "mul", "sub")]
    assert overflow_checks(type_name, debug=True) == wanted
    assert overflow_checks(type_name, debug=True, sanitize_overflow=True) == wanted
    assert overflow_checks(type_name, debug=True, sanitize_overflow=False) == []
    assert overflow_checks(type_name) == []
    assert overflow_checks(type_name, debug=True, check=False) == []
    assert overflow_checks("i32", wide=True, debug=True) == []
    assert overflow_checks("fp32", debug=True) == []


@triton.jit
def library(out, seed, n):
    i = tl.arange(0, 16)
    x = tl.randint(seed, i)
    tl.store(out + i, tl.sum(x) + tl.rand(seed, i).to(tl.int32) + tl.cumsum(i))


def test_library_functions_may_wrap():
    """Random numbers and sums are made of integers that wrap on purpose."""
    text = ttir_of(library, {"out": "*i32", "seed": "i32", "n": "i32"}, debug=True)
    assert text.count("tt.assert") == 2  # the additions in the kernel itself


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def combined(out, x):
    i = tl.arange(0, 16)
    v = tl.load(x + i)
    tl.store(out + i, tl.associative_scan(v, 0, plus))
    tl.store(out + 16, tl.reduce(v, 0, plus))
    tl.store(out + i, plus(tl.load(out + i), 0))


def test_partial_results_of_reductions_may_wrap():
    out, x = guarded(17, np.int32), np.arange(16, dtype=np.int32)
    combined[(1,)](out, guarded_copy(x), debug=True)
    np.testing.assert_array_equal(out, np.append(np.cumsum(x), x.sum()))
    text = ttir_of(combined, {"out": "*i32", "x": "*i32"}, debug=True)
    assert text.count("tt.assert") == 1  # the call outside of them is checked


# -- mistakes ------------------------------------------------------------------------------


@triton.jit
def mistake(p, WHAT: tl.constexpr):
    i = tl.arange(0, 4)
    u = i.to(tl.uint32)
    f = i.to(tl.float32)
    if WHAT == "signedness":
        i // u
    elif WHAT == "remainder":
        u % i
    elif WHAT == "quotient":
        i / u
    elif WHAT == "negative":
        u + -1
    elif WHAT == "range":
        i.to(tl.int8) + 300
    elif WHAT == "nonrepresentable":
        i + 2**64
    elif WHAT == "bits":
        f & i
    elif WHAT == "shift":
        f << 1
    elif WHAT == "invert":
        ~f
    elif WHAT == "floor":
        f // 2
    elif WHAT == "pointers":
        p + p
    elif WHAT == "pointer and float":
        p + f
    elif WHAT == "difference":
        p - p
    elif WHAT == "from an integer":
        i - p
    elif WHAT == "minus a pointer":
        -p
    elif WHAT == "where":
        tl.where(i > 2, p, i)
    elif WHAT == "broadcast":
        i[:, None] + tl.zeros([2, 2], tl.int32)
    elif WHAT == "broadcast_to":
        tl.broadcast_to(i, [4, 4])
    elif WHAT == "size":
        i.to(tl.float16, bitcast=True)
    elif WHAT == "rounding":
        f.to(tl.float64, fp_downcast_rounding="rtz")
    elif WHAT == "rounding mode":
        f.to(tl.float16, fp_downcast_rounding="up")
    elif WHAT == "fp8":
        f.to(tl.float8e4b15)
    elif WHAT == "exp":
        tl.exp(i)
    elif WHAT == "umulhi":
        tl.umulhi(i.to(tl.int8), i.to(tl.int8))
    elif WHAT == "sqrt_rn":
        tl.sqrt_rn(f.to(tl.float64))
    elif WHAT == "fdiv":
        tl.fdiv(i, i)
    else:
        tl.clamp(i, 0, 3)


@pytest.mark.parametrize("what,message", [
    ("signedness", "Cannot use /, #, or % with int32 and uint32 because they have different signedness"),
    ("remainder", "Cannot use /, #, or % with uint32 and int32 because they have different signedness"),
    ("quotient", "because they have different signedness"),
    ("negative", "Cannot perform a binary operation between an unsigned tensor and a negative scalar"),
    ("range", "Scalar 300 is out of range for type int8"),
    ("nonrepresentable", f"Nonrepresentable integer {2**64}"),
    ("bits", "invalid operands of type"), ("shift", "invalid operands of type"),
    ("invert", "wrong type argument to unary invert (fp32)"), ("floor", "unexpected type fp32"),
    ("pointers", "cannot add pointers together"), ("pointer and float", "incompatible types"),
    ("difference", "cannot subtract a pointer from a pointer"),
    ("from an integer", "cannot subtract a pointer from an integer"),
    ("minus a pointer", "wrong type argument to unary minus (pointer<fp32>)"),
    ("where", "incompatible types"),
    ("broadcast", "Cannot make_shape_compatible: incompatible dimensions at index 0: 4 and 2"),
    ("broadcast_to", "Cannot broadcast, rank mismatch"),
    ("size", "Cannot bitcast data-type of size 32 to data-type of size 16"),
    ("rounding", "fp_downcast_rounding should be set only for truncating fp conversions"),
    ("rounding mode", "Unknown rounding mode 'up'"),
    ("fp8", "type fp8e4b15 not supported in this architecture"),
    ("exp", "Expected dtype ['fp32', 'fp64'] but got int32"),
    ("umulhi", "Expected dtype ['int32', 'int64', 'uint32', 'uint64'] but got"),
    ("sqrt_rn", "Expected dtype ['fp32'] but got fp64"),
    ("fdiv", "both operands of fdiv must have floating scalar type"),
    ("clamp", "Unexpected dtype int32 for clamp"),
])
def test_mistakes(what, message):
    with compile_error(message, "", cause=(TypeError, ValueError)):
        mistake[(1,)](np.zeros(4, np.float32), what)


@triton.jit
def constant(out, VALUE: tl.constexpr, TYPE: tl.constexpr):
    tl.store(out + tl.arange(0, 4), tl.full([4], VALUE, TYPE))


@pytest.mark.parametrize("kind,value,expected", [
    ("int8", 255, -1), ("uint8", -1, 255), ("uint64", 2**64 - 1, 2**64 - 1), ("int64", -2**63, -2**63),
    ("int32", 2.7, 2), ("int32", -2.7, -2), ("int8", 1e9, 127), ("uint8", -3.0, 0),
    ("int64", float("inf"), 2**63 - 1), ("int32", float("-inf"), -2**31), ("int32", float("nan"), 0),
    ("bool", 128, True), ("bool", 0.1, True), ("bool", float("nan"), True), ("bool", 0.0, False),
    ("float16", 65519, 65504), ("float16", 1e-7, float(np.float16(1e-7))), ("float16", 65520.0, np.inf),
    ("float32", 2**24 + 1, 2**24), ("float32", 1e-45, float(np.float32(1e-45))),
    ("float64", 2**53 + 1, 2.0**53), ("float64", 1e-310, 1e-310),
])
def test_constants_of_a_type(kind, value, expected):
    """Integers wrap, floats are truncated and limited, NaN is 0; floats round to nearest."""
    out = guarded(4, kind)
    constant[(1,)](out, value, getattr(tl, "int1" if kind == "bool" else kind))
    assert out.tolist() == [expected] * 4
