"""Mistakes in the source of a kernel: the message, and the caret under the place."""

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error

OUT = np.zeros(64, np.float32)
limit = 3


@triton.jit
def block_size_not_a_power_of_two(p):
    tl.store(p, tl.sum(tl.arange(0, 48)))


@triton.jit
def block_too_large(p):
    tl.store(p, tl.sum(tl.zeros([2097152], tl.float32)))


@triton.jit
def shapes_do_not_match(p):
    a = tl.arange(0, 16)
    b = tl.arange(0, 32)
    tl.store(p + a, a + b)


@triton.jit
def undefined_name(p):
    tl.store(p, undefined_thing)  # noqa: F821


@triton.jit
def ordinary_global(p):
    tl.store(p, limit)


@triton.jit
def try_statement(p):
    try:
        tl.store(p, 1)
    except ValueError:
        pass


@triton.jit
def break_statement(p):
    for i in range(4):
        break


@triton.jit
def chained_comparison(p, n):
    tl.store(p, 1, mask=0 < n < 5)


@triton.jit
def mask_of_wrong_shape(p):
    offsets = tl.arange(0, 16)
    tl.store(p + offsets, 1.0, mask=tl.arange(0, 32) < 5)


@triton.jit
def mask_of_floats(p):
    offsets = tl.arange(0, 16)
    tl.store(p + offsets, 1.0, mask=offsets * 1.0)


@triton.jit
def type_changes_in_loop(p):
    x = 1
    for i in range(4):
        x = x + 0.5
    tl.store(p, x)


@triton.jit
def type_differs_by_branch(p, n):
    if n > 3:
        x = 1
    else:
        x = 2.0
    tl.store(p, x)


@triton.jit
def return_in_loop(p):
    for i in range(4):
        return


@triton.jit
def attribute_assignment(p):
    p.x = 3


@triton.jit
def nested_function(p):
    def inner():
        pass


@triton.jit
def load_of_a_number(p):
    tl.load(3)


@triton.jit
def store_to_a_number(p):
    tl.store(p.to(tl.int64), 3)


@triton.jit
def float_bitwise(p):
    tl.store(p, 1.5 & tl.program_id(0))


@triton.jit
def condition_of_a_block(p):
    if tl.arange(0, 4) > 2:
        tl.store(p, 1)


@triton.jit
def unknown_attribute(p):
    tl.store(p, tl.no_such_function(3))


@triton.jit
def runtime_block_size(p, n):
    tl.store(p + tl.arange(0, n), 1)


@triton.jit
def bad_axis(p):
    tl.store(p, tl.program_id(3))


@triton.jit
def bad_reshape(p):
    tl.store(p, tl.sum(tl.reshape(tl.arange(0, 16), [3])))


@triton.jit
def static_assertion(p):
    tl.static_assert(1 == 2, "one is not two")


@triton.jit
def returns_a_value(p):
    return 3


@triton.jit
def pointer_sum(p):
    tl.store(p + p, 1)


@triton.jit
def unused_advance(p):
    b = tl.make_block_ptr(p, [64], [1], [0], [16], [0])
    tl.advance(b, [16])


@triton.jit
def dot_shapes(p):
    a = tl.zeros([16, 16], tl.float32)
    b = tl.zeros([32, 16], tl.float32)
    tl.store(p, tl.sum(tl.dot(a, b)))


@triton.jit
def not_there_yet(p):
    tl.store(p, tl.inline_asm_elementwise("nop", "=r,r", [p], tl.int32, True, 1))


CASES = [
    (block_size_not_a_power_of_two, "arange's range must be a power of 2", "tl.arange(0, 48)", {}),
    (block_too_large, "exceeds triton maximum tensor numel", "tl.zeros([2097152]", {}),
    (shapes_do_not_match, "incompatible dimensions at index 0: 16 and 32", "a + b", {}),
    (undefined_name, "undefined_thing is not defined", "undefined_thing", dict(cause=NameError)),
    (ordinary_global, "Cannot access global variable limit", "limit", dict(cause=NameError)),
    (try_statement, "unsupported AST node type: Try", "try:", {}),
    (break_statement, "unsupported AST node type: Break", "break", {}),
    (mask_of_wrong_shape, "Cannot make_shape_compatible: incompatible dimensions at index 0: 32 and "
     "16", "tl.store(p + offsets", {}),
    (mask_of_floats, "Mask must have boolean scalar type", "tl.store(p + offsets", {}),
    (type_changes_in_loop, "Loop-carried variable x has initial type int32 but is re-assigned to "
     "fp32 in loop! Please make sure that the type stays consistent.", "for i in", {}),
    (return_in_loop, "Cannot have `return` statements inside `while` or `for`", "return", {}),
    (attribute_assignment, "Attribute assignment is not supported", "p.x = 3", {}),
    (nested_function, "nested function definition is not supported", "def inner", {}),
    (load_of_a_number, "Unsupported ptr type", "tl.load(3)", {}),
    (store_to_a_number, "Unsupported ptr type int64", "tl.store(p.to", {}),
    (float_bitwise, "invalid operands of type", "1.5 & tl", {}),
    (condition_of_a_block, "Boolean value of Tensor with more than one value is ambiguous",
     "if tl.arange", {}),
    (unknown_attribute, "has no attribute 'no_such_function'", "tl.no_such_function", {}),
    (bad_axis, "program_id axis must be 0, 1, or 2 but got 3", "tl.program_id(3)", {}),
    (bad_reshape, "reshape() cannot change total number of elements", "tl.reshape", {}),
    (static_assertion, "one is not two", "tl.static_assert", {}),
    (returns_a_value, "a kernel that is launched returns nothing", "def returns_a_value", {}),
    (pointer_sum, "cannot add pointers together", "p + p", {}),
    (unused_advance, "The result of tl.advance is not being used", "tl.advance(b", {}),
    (dot_shapes, "not compatible for matmul", "tl.dot(a, b)", {}),
    (not_there_yet, "not supported yet: tl.inline_asm_elementwise",
     "tl.inline_asm_elementwise", {}),
]


@pytest.mark.parametrize("kernel,message,caret,more", CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_mistake(kernel, message, caret, more):
    with compile_error(message, caret, **more):
        kernel[(1,)](OUT)


@pytest.mark.parametrize("kernel,message,caret", [
    (chained_comparison, "simultaneous multiple comparison is not supported", "0 < n < 5"),
    (type_differs_by_branch, "Mismatched type for x between then block (int32) and else block "
     "(fp32)", "if n > 3"),
    (runtime_block_size, "arange's arguments must be of type tl.constexpr", "tl.arange(0, n)"),
], ids=lambda c: getattr(c, "__name__", ""))
def test_mistake_with_argument(kernel, message, caret):
    with compile_error(message, caret):
        kernel[(1,)](OUT, 7)


@triton.jit
def inner(x):
    return x + undefined_in_callee  # noqa: F821


@triton.jit
def outer(p):
    tl.store(p, inner(3))


def test_mistake_in_a_called_function():
    with pytest.raises(triton.CompilationError) as caught:
        outer[(1,)](OUT)
    assert "inner(3)" in str(caught.value)
    assert "undefined_in_callee is not defined" in str(caught.value.__cause__)
    assert "code_generator.py" not in str(caught.value)


def test_errors_survive_pickling():
    import pickle

    with pytest.raises(triton.CompilationError) as caught:
        undefined_name[(1,)](OUT)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@triton.jit
def unrolled_beyond_reason(p, n):
    x = n
    for _ in tl.static_range(200):
        x = five_hundred(x)
    tl.store(p, x)


@triton.jit
def five_hundred(x):
    for i in tl.static_range(500):
        x = (x ^ i) * 5 + 1
    return x


def test_too_much_code():
    with pytest.raises(triton.CompilationError, match="operations after stage ttir; the limit is "
                       "250000: unroll less"):
        unrolled_beyond_reason[(1,)](np.zeros(1, np.int32), 7)


def test_time_budget():
    from triton._C import _compiler

    text = "module { tt.func public @k(%n: i32) { tt.return } }"
    assert _compiler.compile(text, {"target": "host"}).image
    with pytest.raises(_compiler.CompileError, match=r"the kernel took 0.0 s up to stage ttir; the limit is 0.0 s"):
        _compiler.compile(text, {"target": "host", "time_budget": 0.0})
