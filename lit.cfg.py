"""lit: every `test/` folder of a room, with our tools and LLVM's."""

import os
import re

import lit.formats

root = os.path.dirname(os.path.abspath(__file__))
build = os.path.join(root, "build", "host-release")

config.name = "trireme"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir", ".ttir", ".test"]  # noqa: F821
config.excludes = ["build", ".venv", ".git", ".ci", "Inputs", "python", "bench", "docs"]  # noqa: F821
config.test_source_root = root  # noqa: F821
config.test_exec_root = os.path.join(build, "lit")  # noqa: F821
os.makedirs(config.test_exec_root, exist_ok=True)  # noqa: F821
config.environment["PATH"] = os.pathsep.join(  # noqa: F821
    [os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", os.environ.get("PATH", "")])
config.substitutions.append(("%trireme-opt", os.path.join(build, "bin", "trireme-opt")))  # noqa: F821
# The names of abi/runtime_symbols.inc as llvm-nm prints them.
with open(os.path.join(root, "abi", "runtime_symbols.inc"), encoding="utf-8") as table:
    names = re.findall(r"^TRIREME_SYMBOL\((\w+)", table.read(), re.M)
config.substitutions.append(("%provided", f"' ({'|'.join(names)})$'"))  # noqa: F821
