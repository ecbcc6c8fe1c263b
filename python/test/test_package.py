"""The package as a whole: import, names, other distributions."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import triton

PACKAGE = Path(triton.__file__).parent


def python(code, **env):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **env})


def test_import_is_light():
    """Neither numpy, torch nor the compiler is imported with the package."""
    done = python("import sys, triton; print([m for m in ('numpy', 'torch', 'triton._C._compiler',"
                  " 'inspect', 'ast') if m in sys.modules])")
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_another_triton_is_refused(tmp_path):
    for name in ("__init__.py", "compiler", "errors.py", "digest.py"):
        source = PACKAGE / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        (tmp_path / "triton").mkdir(exist_ok=True)
        copy(source, tmp_path / "triton" / name)
    (tmp_path / "triton-3.6.0.dist-info").mkdir()
    done = python("import triton", PYTHONPATH=str(tmp_path))
    assert done.returncode != 0
    assert "triton-3.6.0 is installed" in done.stderr and "uninstall one" in done.stderr


def test_public_names():
    for name in triton.__all__:
        assert hasattr(triton, name), name
    assert triton.cdiv(10, 4) == 3 and triton.next_power_of_2(5) == 8
    assert triton.__version__.split(".")[0] == "3"
    language = """argmax argmin bitonic_merge cdiv cumprod cumsum flip interleave max min ravel
        reduce_or sigmoid softmax sort squeeze sum swizzle2d topk unsqueeze xor_sum zeros zeros_like
        PropagateNan TRITON_MAX_TENSOR_NUMEL add advance arange associative_scan assume atomic_add
        atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor block_type
        broadcast broadcast_to cast cat clamp condition const constexpr debug_barrier device_assert
        device_print dot dot_scaled dtype expand_dims full gather histogram inline_asm_elementwise
        join load make_block_ptr max_constancy max_contiguous maximum minimum multiple_of mul
        num_programs permute pointer_type program_id range reduce reshape split static_assert
        static_print static_range store sub tensor to_tensor trans tuple view void where int1 int8
        int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 abs ceil cos
        div_rn erf exp exp2 fdiv floor fma log log2 rsqrt sin sqrt sqrt_rn umulhi philox rand rand4x
        randint randint4x randn randn4x uint_to_uniform_float pair_uniform_to_normal""".split()
    missing = [name for name in language if not hasattr(triton.language, name)]
    assert not missing
