"""Hooks around compiling, loading and launching, and what they are told."""

import gc
import json

import numpy as np
import pytest
import triton
import triton.language as tl
from triton import knobs


@triton.jit
def fill_kernel(out, value, BLOCK: tl.constexpr, KIND: tl.constexpr = tl.int32):
    tl.store(out + tl.arange(0, BLOCK), value.to(KIND))


@triton.jit
def twice(x):
    return x + x


@triton.jit
def rich_kernel(out, pair, function, *rest, NAME: tl.constexpr, limit: tl.int64 = 5):
    tl.static_assert(NAME[0] == "a")
    tl.store(out, function(pair[0]) + pair[1] + rest[0] + limit)


@pytest.fixture
def out():
    fill_kernel.dispatcher.clear()
    rich_kernel.dispatcher.clear()
    return np.zeros(16, np.int32)


@pytest.fixture
def hook_scope():
    """Puts hooks back, whatever a test set."""
    names = ("jit_cache_hook", "jit_post_compile_hook", "launch_enter_hook", "launch_exit_hook",
             "kernel_load_start_hook", "kernel_load_end_hook", "kernel_unload_hook")
    saved = {name: getattr(knobs.runtime, name) for name in names}
    listeners = knobs.compilation.listener, knobs.autotuning.listener
    yield knobs.runtime
    for name, hook in saved.items():
        setattr(knobs.runtime, name, hook)
    knobs.compilation.listener, knobs.autotuning.listener = listeners


def test_cache_hook_is_told_of_the_kernel(out, hook_scope):
    seen = []
    hook_scope.jit_cache_hook = lambda **told: seen.append(told)
    kernel = fill_kernel[(1,)](out, 3, BLOCK=16, num_warps=8)
    assert out.tolist() == [3] * 16 and len(seen) == 1
    told = seen[0]
    assert sorted(told) == ["already_compiled", "compile", "fn", "is_manual_warmup", "key", "repr"]
    assert told["fn"].name == "fill_kernel" and told["fn"].module == __name__
    assert told["fn"].jit_function is fill_kernel
    assert told["already_compiled"] is told["is_manual_warmup"] is False
    compiled = told["compile"]
    assert compiled["signature"] == kernel.src.signature and compiled["key"] == told["key"]
    assert compiled["constants"] == {(2,): 16, (3,): tl.int32}
    assert compiled["num_warps"] == 8 and compiled["enable_fp_fusion"] is True
    assert {"num_ctas", "num_stages", "launch_cooperative_grid", "extern_libs", "device",
            "configs"} <= compiled.keys() and compiled["is_warmup"] is False
    fill_kernel[(1,)](out, 5, BLOCK=16, num_warps=8)
    assert len(seen) == 1
    fill_kernel.warmup(out, 16, BLOCK=16, grid=(1,))
    assert len(seen) == 2 and seen[1]["is_manual_warmup"] and seen[1]["compile"]["is_warmup"]
    assert seen[0]["key"] != seen[1]["key"]


def test_cache_hook_refuses(out, hook_scope):
    hook_scope.jit_cache_hook = lambda **told: True
    assert fill_kernel[(1,)](out, 3, BLOCK=16) is None
    assert fill_kernel.warmup(out, 3, BLOCK=16, grid=(1,)) is None
    assert not out.any() and fill_kernel.dispatcher.entries == 0
    hook_scope.jit_cache_hook = None
    assert fill_kernel[(1,)](out, 3, BLOCK=16) is not None and out.all()


def test_post_compile_hook(out, hook_scope, fresh_cache):
    seen = []
    hook_scope.jit_post_compile_hook = lambda **told: seen.append(told["already_compiled"])
    fill_kernel[(1,)](out, 3, BLOCK=16)
    fill_kernel[(1,)](out, 3, BLOCK=16)
    fill_kernel.dispatcher.clear()
    fill_kernel[(1,)](out, 3, BLOCK=16)
    assert seen == [False, True]


def test_preload(out, hook_scope):
    data = []
    hook_scope.jit_cache_hook = lambda **told: data.append(told["compile"]["specialization_data"])
    pair = (3, 16)
    kernel = rich_kernel[(1,)](out, pair, twice, 1, None, 2.5, NAME=("a", 2), num_warps=2)
    assert out[0] == 6 + 16 + 1 + 5
    assert json.loads(data[0])["name"] == f"{__name__}.rich_kernel"
    rich_kernel.dispatcher.clear()
    hook_scope.jit_cache_hook = None
    assert rich_kernel.preload(data[0]).hash == kernel.hash
    hook_scope.jit_cache_hook = lambda **told: pytest.fail("it is in memory already")
    again = rich_kernel[(1,)](out, (5, 32), twice, 1, None, 0.5, NAME=("a", 2), num_warps=2)
    assert again.hash == kernel.hash and out[0] == 10 + 32 + 1 + 5


@pytest.mark.parametrize("array,value", [
    (np.zeros(17, np.float16)[1:], 2**40), (np.zeros(16, np.float64), 2**63 + 1),
    (triton.reinterpret(np.zeros(16, np.uint16), tl.bfloat16), 0.5), (np.zeros(16, bool), True)],
    ids=["i64", "u64", "fp32", "bool"])
def test_preload_of_each_type(array, value, out, hook_scope):
    data = []
    hook_scope.jit_cache_hook = lambda **told: data.append(told["compile"]["specialization_data"])
    fill_kernel[(1,)](array, value, BLOCK=16, KIND=tl.float32)
    fill_kernel.dispatcher.clear()
    fill_kernel.preload(data[0])
    fill_kernel[(1,)](array, value, BLOCK=16, KIND=tl.float32)
    assert len(data) == 2  # the second by preload itself


def test_preload_refuses_what_is_not_its_own(out, hook_scope):
    data = []
    hook_scope.jit_cache_hook = lambda **told: data.append(told["compile"]["specialization_data"])
    fill_kernel[(1,)](out, 3, BLOCK=16)
    with pytest.raises(RuntimeError, match="Specialization data is for .*fill_kernel but trying "
                       "to preload for .*rich_kernel"):
        rich_kernel.preload(data[0])
    other = json.loads(data[0])
    other["target"]["arch"] = "rv64gcv"
    with pytest.raises(RuntimeError, match="Specialization data is for .*rv64gcv.* but trying"):
        fill_kernel.preload(json.dumps(other))


def test_constants_that_no_other_process_has_are_no_data(out, hook_scope):
    data = []
    hook_scope.jit_cache_hook = lambda **told: data.append(told["compile"]["specialization_data"])

    @triton.jit
    def takes_anything(out, C: tl.constexpr):
        tl.store(out, 1)

    takes_anything[(1,)](out, C=frozenset({1}))
    assert data == [None] and out[0] == 1


def test_launch_hooks(out, hook_scope):
    order, asked = [], []

    def describe(grid, metadata, args):
        asked.append((grid, metadata.name, sorted(args)))
        return {"flops": args["n"] * 2}

    @triton.jit(launch_metadata=describe)
    def described(out, n):
        tl.store(out, n)

    enter = [lambda data, i=i: order.append(("enter", i, data)) for i in range(2)]
    leave = [lambda data, i=i: order.append(("exit", i, data)) for i in range(2)]
    for hook in enter:
        knobs.runtime.launch_enter_hook.add(hook)
    for hook in leave:
        knobs.runtime.launch_exit_hook.add(hook)
    try:
        described[(2, 3)](out, 7)
    finally:
        for hook in enter:
            knobs.runtime.launch_enter_hook.remove(hook)
        for hook in leave:
            knobs.runtime.launch_exit_hook.remove(hook)
    assert [entry[:2] for entry in order] == [("enter", 0), ("enter", 1), ("exit", 1), ("exit", 0)]
    assert not asked  # nobody has looked yet
    values = order[0][2].get()
    assert values["name"] == "described" and values["stream"] == 0 and values["flops"] == 14
    assert order[-1][2].get() == values and asked == [((2, 3, 1), "described", ["n", "out"])]
    described[(1,)](out, 7)
    assert len(order) == 4


def test_launch_hooks_may_be_replaced(out, hook_scope):
    seen = []
    hook_scope.launch_enter_hook = lambda metadata: seen.append("enter")
    hook_scope.launch_exit_hook = None
    fill_kernel[(1,)](out, 3, BLOCK=16)
    assert seen == ["enter"] and out[0] == 3


def test_a_failing_launch_leaves_through_the_exit_hook(out, hook_scope):
    seen = []
    hook_scope.launch_exit_hook = lambda metadata: seen.append("exit")
    frozen = np.zeros(16, np.int32)
    with pytest.raises(triton.errors.KernelError):
        fill_kernel[(1 << 40,)](frozen, 3, BLOCK=16)
    assert seen == ["exit"]


def test_pre_run_hooks(out):
    seen = []

    def hook(*args, **kwargs):
        seen.append((args, kwargs))

    fill_kernel.add_pre_run_hook(hook)
    try:
        fill_kernel[(1,)](out, 3, BLOCK=16, num_warps=2)
        fill_kernel.warmup(out, 3, BLOCK=16, grid=(1,))
    finally:
        fill_kernel.pre_run_hooks.remove(hook)
    fill_kernel[(1,)](out, 3, BLOCK=16)
    assert [kwargs for _, kwargs in seen] == [{"BLOCK": 16, "num_warps": 2}, {"BLOCK": 16}]
    assert all(args[0] is out and args[1] == 3 for args, _ in seen)


def test_a_pre_run_hook_that_raises_stops_the_launch(out):
    def hook(*args, **kwargs):
        raise LookupError("not today")

    fill_kernel.add_pre_run_hook(hook)
    try:
        with pytest.raises(LookupError, match="not today"):
            fill_kernel[(1,)](out, 3, BLOCK=16)
    finally:
        fill_kernel.pre_run_hooks.remove(hook)
    assert not out.any()


def test_load_and_unload_hooks(out, hook_scope):
    seen = []

    def note(what):
        return lambda module, function, name, metadata_group, hash: seen.append(
            (what, module is not None, name, hash))

    gc.collect()  # kernels of other tests
    knobs.runtime.kernel_load_start_hook.add(start := note("start"))
    knobs.runtime.kernel_load_end_hook.add(end := note("end"))
    knobs.runtime.kernel_unload_hook.add(unload := note("unload"))
    try:
        hash = fill_kernel[(1,)](out, 3, BLOCK=16).hash
        assert seen == [("start", False, "fill_kernel", hash), ("end", True, "fill_kernel", hash)]
        fill_kernel.dispatcher.clear()
        gc.collect()
        assert seen[2:] == [("unload", True, "fill_kernel", hash)]
    finally:
        knobs.runtime.kernel_load_start_hook.remove(start)
        knobs.runtime.kernel_load_end_hook.remove(end)
        knobs.runtime.kernel_unload_hook.remove(unload)


def test_compilation_listener(out, hook_scope, fresh_cache):
    seen = []
    knobs.compilation.listener = lambda **told: seen.append(told)
    fill_kernel[(1,)](out, 3, BLOCK=16)
    fill_kernel.dispatcher.clear()
    fill_kernel[(1,)](out, 3, BLOCK=16)
    assert [told["cache_hit"] for told in seen] == [False, True]
    first, second = seen
    assert sorted(first) == ["cache_hit", "metadata", "metadata_group", "src", "times"]
    assert first["src"].fn is fill_kernel and first["metadata"]["name"] == "fill_kernel"
    assert sorted(first["metadata_group"]) == ["fill_kernel.so", "fill_kernel.ttir"]
    times = first["times"]
    assert times.ir_initialization > 0 and times.store_results > 0
    assert "linalg" in dict(times.lowering_stages)
    assert times.total == (times.ir_initialization + times.total_lowering + times.store_results)
    assert second["times"].total == 0


def test_autotuning_listener(hook_scope):
    seen = []
    knobs.autotuning.listener = lambda **told: seen.append(told)

    @triton.autotune(configs=[triton.Config({"BLOCK": b}) for b in (8, 16)], key=["n"])
    @triton.jit
    def tuned(out, n, BLOCK: tl.constexpr):
        offsets = tl.arange(0, BLOCK)
        tl.store(out + offsets, offsets, mask=offsets < n)

    out = np.zeros(16, np.int32)
    tuned[(1,)](out, 8)
    tuned[(1,)](out, 8)
    told, = seen
    assert sorted(told) == ["best_config", "cache_hit", "configs_timings", "duration", "fn", "key"]
    assert told["fn"] is tuned.base_fn and told["best_config"] is tuned.best_config
    assert len(told["configs_timings"]) == 2 and told["duration"] > 0
    assert told["cache_hit"] is False and told["key"][0] == 8
