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
