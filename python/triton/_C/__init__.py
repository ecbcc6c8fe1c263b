"""The extension modules: `_runtime` (launch, no LLVM) and `_compiler` (MLIR, LLVM).

In a wheel they lie beside this file. In a checkout they lie in the build tree, which
is found by position, newest preset first: `<repo>/build/host-release`, `host-debug`.
"""

from pathlib import Path as _Path

_repo = _Path(__file__).resolve().parents[3]
if (_repo / "CMakePresets.json").exists():
    for _preset in ("host-release", "host-debug"):
        _modules = _repo / "build" / _preset / "python" / "triton" / "_C"
        if _modules.is_dir():
            __path__.append(str(_modules))
            break
