"""Autotuning: what is measured, kept, put back and reported."""

import numpy as np
import pytest
import triton
import triton.language as tl
from triton import knobs

CONFIGS = [triton.Config({"BLOCK": n}) for n in (16, 64)]


def fake_times(call, quantiles):
    """Later calls are slower: the first configuration wins."""
    call()
    fake_times.calls += 1
    return [float(fake_times.calls)] * len(quantiles)


@pytest.fixture(autouse=True)
def counted():
    fake_times.calls = 0
    with knobs.autotuning.scope():
        yield


def tuned(**options):
    @triton.autotune(configs=CONFIGS, key=["n"], do_bench=fake_times, **options)
    @triton.jit
    def add_kernel(out, x, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        inside = i < n
        if x is not None:
            tl.atomic_add(out + i, tl.load(x + i, mask=inside), mask=inside)
        else:
            tl.atomic_add(out + i, 1.0, mask=inside)

    return add_kernel


def grid(meta):
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


@pytest.mark.parametrize("by_name", [False, True])
@pytest.mark.parametrize("option", ["reset_to_zero", "restore_value"])
def test_what_measuring_changes_is_put_back(option, by_name):
    """An argument that is None is passed over."""
    kernel = tuned(**{option: ["out", "x"]})
    out = np.full(100, 5, np.float32)
    if by_name:
        kernel[grid](out=out, x=None, n=100)
    else:
        kernel[grid](out, None, 100)
    # The launch that counts adds 1: to what was there, or to 0.
    assert fake_times.calls == 2
    assert (out == (1 if option == "reset_to_zero" else 6)).all()


def test_timings_on_disk(fresh_cache):
    seen = []
    knobs.autotuning.listener = lambda **told: seen.append((told["cache_hit"], told["duration"]))
    out = np.zeros(100, np.float32)
    kernel = tuned(cache_results=True)
    kernel[grid](out, None, 100)
    assert fake_times.calls == 2 and seen[0][0] is False and seen[0][1] > 0
    kernel.cache.clear()
    kernel[grid](out, None, 100)
    assert fake_times.calls == 2 and seen[1] == (True, None)
    assert kernel.best_config == CONFIGS[0] and len(kernel.configs_timings) == 2
    kernel[grid](out, None, 50)  # another key
    assert fake_times.calls == 4 and seen[2][0] is False


def test_a_knob_keeps_all_timings(fresh_cache):
    knobs.autotuning.cache = True
    for _ in range(2):
        tuned()[grid](np.zeros(100, np.float32), None, 100)
    assert fake_times.calls == 2


def test_times_of_measuring():
    asked = []

    @triton.autotune(configs=CONFIGS, key=[], warmup=1, rep=3)
    @triton.jit
    def empty_kernel(BLOCK: tl.constexpr):
        pass

    def do_bench(call, **options):
        asked.append(options)
        return [1.0, 1.0, 1.0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(triton.testing, "do_bench", do_bench)
        empty_kernel[(1,)]()
    assert [(o["warmup"], o["rep"]) for o in asked] == [(1, 3)] * 2


def test_more_arguments_than_names():
    @triton.autotune(configs=CONFIGS, key=["n"], do_bench=fake_times, reset_to_zero=["out"])
    @triton.jit
    def sum_kernel(out, n, *several, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        total = tl.zeros((BLOCK,), tl.float32)
        for x in tl.static_range(len(several)):
            total += tl.load(several[x] + i, mask=i < n)
        tl.store(out + i, total, mask=i < n)

    out, parts = np.zeros(100, np.float32), [np.full(100, k, np.float32) for k in (1, 2, 3)]
    sum_kernel[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](out, 100, *parts)
    assert (out == 6).all()


def test_pruning_everything_is_an_error():
    kernel = tuned(prune_configs_by={"early_config_prune": lambda configs, named, **more: []})
    with pytest.raises(triton.TritonError, match="No valid autotuner configs after pruning"):
        kernel[grid](np.zeros(10, np.float32), None, 10)


def test_keys_are_hashable():
    @triton.autotune(configs=CONFIGS, key=["x"], do_bench=fake_times)
    @triton.jit
    def kernel(x, BLOCK: tl.constexpr):
        pass

    with pytest.raises(TypeError, match="arguments x that kernel is tuned by must be hashable"):
        kernel[(1,)](np.zeros(1, np.float32))
