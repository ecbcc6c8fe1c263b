"""The extension modules: `_runtime` (launch, no LLVM) and `_compiler` (MLIR, LLVM).

In a wheel they lie beside this file. In a checkout they lie in the build tree, which
is found by position, newest preset first: `<repo>/build/host-release`, `host-debug`.
"""

import os as _os

_repo = _os.path.abspath(_os.path.join(_os.path.dirname(__file__), *[_os.pardir] * 3))
if _os.path.exists(_os.path.join(_repo, "CMakePresets.json")):
    for _preset in ("host-release", "host-debug"):
        _modules = _os.path.join(_repo, "build", _preset, "python", "triton", "_C")
        if _os.path.isdir(_modules):
            __path__.append(_modules)
            break
