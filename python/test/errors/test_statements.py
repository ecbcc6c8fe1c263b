"""Statements that kernels may not contain, and names whose type or value changes."""

import numpy as np
import pytest
import triton
import triton.language as tl
from errors.mistakes import compile_error, still_works

annotated: tl.constexpr = 42


@triton.jit
def nested_comprehension(p, n):
    x = [(i, j) for i in (1, 2) for j in (3, 4)]  # noqa: F841


@triton.jit
def dictionary(p, n):
    x = {}  # noqa: F841


@triton.jit
def set_(p, n):
    x = {1, 2}  # noqa: F841


@triton.jit
def lambda_(p, n):
    x = lambda y: y  # noqa: F841,E731


@triton.jit
def generator(p, n):
    tl.static_print(i for i in (1, 2))


@triton.jit
def loop_over_a_tuple(p, n):
    for i in (1, 2, 3):
        tl.store(p, i)


@triton.jit
def two_targets(p, n):
    a = b = n  # noqa: F841


@triton.jit
def set_item(p, n):
    p[0] = n


@triton.jit
def return_in_while(p, n):
    while n < 10:
        return


@triton.jit
def return_in_with(p, n):
    with n:
        return


@triton.jit
def with_a_number(p, n):
    with n:
        pass


@triton.jit
def raise_(p, n):
    raise ValueError("x")


@triton.jit
def import_(p, n):
    import math  # noqa: F401


@triton.jit
def global_(p, n):
    global annotated
    tl.store(p, n)


@triton.jit
def delete(p, n):
    del n


@triton.jit
def continue_(p, n):
    for _ in range(n):
        continue


@triton.jit
def else_of_a_loop(p, n):
    for _ in range(n):
        pass
    else:
        pass


@triton.jit
def keywords_from_a_dictionary(p, n):
    tl.store(p, n, **n)


@triton.jit
def defined_in_one_branch(p, n):
    if n > 3:
        x = 1
    tl.store(p, x)


@triton.jit
def defined_in_a_loop(p, n):
    for i in range(n):
        x = i
    tl.store(p, x)


@triton.jit
def constant_changes_in_loop(p, n):
    x: tl.constexpr = 3
    for i in range(n):
        x = i
    tl.store(p, x)


@triton.jit
def constant_changes_in_while(p, n):
    x: tl.constexpr = 3
    while n > 0:
        n -= 1
        x = x + 1
    tl.store(p, x)


@triton.jit
def none_changes_in_loop(p, n):
    x = None
    for i in range(n):
        x = i
    tl.static_assert(x is None)


@triton.jit
def type_changes_in_loop(p, n):
    x = tl.float32
    for i in range(n):
        x = tl.float16
    tl.store(p, n.to(x))


@triton.jit
def shape_changes_in_loop(p, n):
    x = n
    for i in range(n):
        x = x + tl.arange(0, 4)
    tl.store(p, tl.sum(x))


@triton.jit
def type_changes_in_while(p, n):
    x = True
    while x:
        x = 3


@triton.jit
def float_bounds(p, n):
    for i in range(1.5):
        pass


@triton.jit
def block_bounds(p, n):
    for i in range(tl.arange(0, 4)):
        pass


@triton.jit
def zero_step(p, n):
    for i in range(0, n, 0):
        pass


@triton.jit
def unrolled_at_run_time(p, n):
    for i in tl.static_range(n):
        pass


@triton.jit
def then_redefines(p, n):
    x = n
    if n > 3:
        x = 2.0
    tl.store(p, x)


@triton.jit
def else_redefines(p, n):
    x = n
    if n > 3:
        pass
    else:
        x = tl.zeros([4], tl.int32)
    tl.store(p, x)


@triton.jit
def types_by_branch(p, n):
    if n > 3:
        kind = tl.float32
    else:
        kind = tl.float16
    tl.store(p, n.to(kind))


@triton.jit
def text_condition(p, n):
    if "a":
        tl.store(p, 1)


@triton.jit
def float_condition(p, n):
    if 1.5:
        tl.store(p, 1)


@triton.jit
def ternary_types(p, n):
    tl.store(p, 1 if n > 3 else 2.0)


@triton.jit
def walrus_in_an_arm(p, n):
    tl.store(p, (x := n) if n > 3 else 5)  # noqa: F841


@triton.jit
def forever_of_values(n):
    return forever_of_values(n)


@triton.jit
def calls_forever_of_values(p, n):
    tl.store(p, forever_of_values(n))


@triton.jit
def forever(n: tl.constexpr):
    return forever(n + 1)


@triton.jit
def calls_forever(p, n):
    tl.store(p, forever(0))


@triton.jit
def takes_a_constant(n, size: tl.constexpr):
    return n + size


@triton.jit
def constant_from_a_value(p, n):
    tl.store(p, takes_a_constant(1, size=n))


@triton.jit
def either(n):
    if n > 3:
        return 1
    else:
        return 2.0


@triton.jit
def calls_either(p, n):
    tl.store(p, either(n))


@triton.jit
def annotated_global(p, n):
    tl.store(p, annotated)


@triton.jit
def constexpr_of_a_value(p, n):
    x: tl.constexpr = n
    tl.store(p, x)


@triton.jit
def declared_of_a_value(p, n):
    x: tl.constexpr
    x = n
    tl.store(p, x)


def plus_one(x):
    return x + 1


@triton.jit
def python_that_computes(p, n):
    tl.store(p, plus_one(n))


@triton.jit
def constexpr_again(p, n):
    x = 1
    x: tl.constexpr = 2
    tl.store(p, x)


@triton.jit
def extremum_of_nan(p, n):
    tl.store(p, max(1.0, float("nan")))


@triton.jit
def text_of_a_value(p, n):
    tl.static_print(f"{n}")


@triton.jit
def int_of_a_value(p, n):
    tl.store(p, int(n))


@triton.jit
def number_index(p, n):
    tl.store(p, tl.arange(0, 4)[0])


@triton.must_use_result
@triton.jit
def marked(n):
    return n


@triton.jit
@triton.must_use_result("Store it.")
def marked_below(n):
    return n


@triton.jit
def drops(p, n):
    marked(n)


@triton.jit
def drops_too(p, n):
    marked_below(n)


@triton.jit(noinline=True)
def separate(x):
    return x


@triton.jit
def block_to_noinline(p, n):
    separate(tl.arange(0, 4))


@triton.jit
def power(p, n):
    tl.store(p, n**2)


@triton.jit
def unpack_too_few(p, n):
    a, b = (n, n, n)


@triton.jit
def unpack_a_number(p, n):
    a, b = n


CASES = [
    (nested_comprehension, "nested comprehensions are not supported", "[(i, j)"),
    (dictionary, "unsupported AST node type: Dict", "{}"),
    (set_, "unsupported AST node type: Set", "{1, 2}"),
    (lambda_, "unsupported AST node type: Lambda", "lambda y"),
    (generator, "unsupported AST node type: GeneratorExp", ""),
    (loop_over_a_tuple, "Only `range` and `static_range` iterators are currently supported",
     "for i in (1"),
    (two_targets, "simultaneous multiple assignment is not supported", "a = b = n"),
    (set_item, "__setitem__ is not supported in triton", "p[0] = n"),
    (return_in_while, "Cannot have `return` statements inside `while` or `for` statements in triton",
     "return"),
    (return_in_with, "Cannot have `return` statements inside `with`", "with n"),
    (with_a_number, "n is not a context manager for kernels", "with n"),
    (raise_, "unsupported AST node type: Raise", "raise ValueError"),
    (import_, "unsupported AST node type: Import", "import math"),
    (global_, "unsupported AST node type: Global", "global annotated"),
    (delete, "unsupported AST node type: Delete", "del n"),
    (continue_, "unsupported AST node type: Continue", "continue"),
    (else_of_a_loop, "`else` of a loop is not supported", "for _ in"),
    (keywords_from_a_dictionary, "** in a call is not supported", "tl.store(p, n"),
    (defined_in_one_branch, "x is not defined", "x)"),
    (defined_in_a_loop, "x is not defined", "x)"),
    (constant_changes_in_loop, "cannot reassign constexpr x in the loop", "for i in"),
    (constant_changes_in_while, "cannot reassign constexpr x in the loop", "while n"),
    (none_changes_in_loop, "cannot reassign constexpr x in the loop", "for i in"),
    (type_changes_in_loop, "cannot reassign constexpr x in the loop", "for i in"),
    (shape_changes_in_loop, "Loop-carried variable x has initial type int32 but is re-assigned to "
     "int32[constexpr[4]] in loop! Please make sure that the type stays consistent.", "for i in"),
    (type_changes_in_while, "Loop-carried variable x has initial type int1 but is re-assigned to "
     "int32 in loop!", "while x"),
    (float_bounds, "For loop bounds and step must all be ints", "for i in"),
    (block_bounds, "For loop bounds and step must be a scalar", "for i in"),
    (zero_step, "For loop step must not be zero", "for i in"),
    (unrolled_at_run_time, "static_range needs constants", "for i in"),
    (then_redefines, "initial value for `x` is of type int32, but the then block redefines it as "
     "fp32", "if n > 3"),
    (else_redefines, "initial value for `x` is of type int32, but the else block redefines it as "
     "int32[constexpr[4]]", "if n > 3"),
    (types_by_branch, "Mismatched type for kind between then block", "if n > 3"),
    (text_condition, "`if` conditionals can only accept values of type {bool, int, NoneType}, not "
     "objects of type str", "if"),
    (float_condition, "not objects of type float", "if"),
    (ternary_types, "Ternary expression with dynamic condition has inconsistent types int32 and "
     "fp32", "1 if n"),
    (walrus_in_an_arm, "use an `if` statement", "(x := n) if"),
    (calls_forever_of_values, "forever_of_values calls itself with the same types: recursion has to "
     "end at a constant condition", "forever_of_values(n)"),
    (calls_forever, "nested too deeply; recursion has to end at a constant condition", "tl.store"),
    (constant_from_a_value, "parameter size is a tl.constexpr, but the argument is a value of type "
     "int32", "takes_a_constant"),
    (calls_either, "Return type mismatch: int32 and fp32", "either(n)"),
    (annotated_global, "Cannot access global variable annotated from within @jit'ed function",
     "annotated"),
    (constexpr_of_a_value, "x is annotated as constexpr, but its value has type int32", "x: tl"),
    (declared_of_a_value, "x is annotated as constexpr, but its value has type int32", "x = n"),
    (python_that_computes, "`plus_one` is an ordinary Python function: it can be called with "
     "constants only (unsupported operand", "plus_one(n)"),
    (constexpr_again, "x is already defined. constexpr cannot be reassigned.", "x: tl.constexpr"),
    (extremum_of_nan, "max of constants does not take NaN or -0.0", "max(1.0"),
    (text_of_a_value, "f-strings in kernels take constants only", 'f"{n}"'),
    (int_of_a_value, "int() takes a constant here", "int(n)"),
    (number_index, "unsupported tensor index: 0", "tl.arange(0, 4)[0]"),
    (drops, "The result of marked is not being used. Assign what it returns.", "marked(n)"),
    (drops_too, "The result of marked_below is not being used. Store it.", "marked_below(n)"),
    (block_to_noinline, "Function separate is marked noinline, but was called with non-scalar "
     "argument x", "separate"),
    (power, "unsupported operator '**' on tensors", "n**2"),
    (unpack_too_few, "cannot unpack 3 values into 2 names", "a, b"),
    (unpack_a_number, "cannot unpack int32 into 2 names", "a, b"),
]


@triton.jit
def negative_tuple(p, n):
    tl.store(p, -(n, 1))


def test_operator_of_a_tuple():
    """The code is refused as it stands: there is no error below to look for a cause in."""
    with compile_error("AST unary operator '__neg__' is not (currently) implemented on type tuple",
                       "-(n", triton.compiler.errors.UnsupportedLanguageConstruct) as caught:
        negative_tuple[(1,)](np.zeros(1, np.float32), 7)
    assert caught.value.__cause__ is None


def test_place_of_returns_that_differ():
    """The call, and the function called; the message says where its paths part."""
    with pytest.raises(triton.CompilationError) as caught:
        calls_either[(1,)](np.zeros(1, np.float32), 7)
    cause = caught.value.__cause__
    assert "at 2:16:" in str(caught.value) and "at 1:0:" in str(cause)
    line = either.fn.__code__.co_firstlineno + 2  # after the decorator and the def
    assert f"Return type mismatch: int32 and fp32, by the condition in line {line}" in str(cause)
    still_works()


@pytest.mark.parametrize("kernel,message,caret", CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_mistake(kernel, message, caret):
    if kernel in (number_index, generator):
        caret = ""
    with compile_error(message, caret):
        kernel[(1,)](np.zeros(16, np.float32), 7)


@triton.jit(do_not_specialize=["N"])
def constant_not_specialized(p, N: tl.constexpr):
    tl.store(p, N)


def test_constant_that_is_not_specialized():
    with compile_error("N marked as constexpr and listed in do_not_specialize", "def constant_not"):
        constant_not_specialized[(1,)](np.zeros(1, np.float32), 7)


def test_keywords_of_a_kernel():
    with pytest.raises(TypeError, match="kernel: \\*\\* parameters are not supported"):
        @triton.jit
        def kernel(p, **more):
            pass

        kernel[(1,)](np.zeros(1, np.float32))
    still_works()
