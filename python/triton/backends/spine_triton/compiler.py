"""What a launch may ask of the compiler."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

from ... import knobs


@dataclasses.dataclass(frozen=True)
class CPUOptions:
    """Options of a compilation; a launch takes each by keyword.

    The first group decides code. The second exists so that portable kernels run
    unchanged: other backends' options are accepted and change nothing.
    """

    debug: bool = False
    enable_fp_fusion: bool = True
    sanitize_overflow: bool = False
    allow_globals: bool = False
    force_fault: str = ""

    num_warps: int = 4
    num_stages: int = 3
    num_ctas: int = 1
    num_cpu_threads: int = 0
    maxnreg: Any = None
    cluster_dims: tuple = (1, 1, 1)
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    extern_libs: Any = None
    ir_override: Any = None
    instrumentation_mode: str = ""
    vec_lib: Any = None
    enable_fast_math: Any = None
    ukernels: Any = None
    assume_in_bounds: Any = None
    waves_per_eu: int = 0
    matrix_instr_nonkdim: int = 0
    kpack: int = 1

    CODE = ("debug", "enable_fp_fusion", "sanitize_overflow", "allow_globals", "force_fault")

    def hash(self) -> str:
        parts = [f"{name}={getattr(self, name)!r}" for name in self.CODE]
        return hashlib.sha256(";".join(parts).encode()).hexdigest()


NAMES = frozenset(field.name for field in dataclasses.fields(CPUOptions))


def parse_options(options: dict[str, Any]) -> CPUOptions:
    """Defaults from the knobs, then what the launch says; unknown names are a KeyError."""
    unknown = [name for name in options if name not in NAMES]
    if unknown:
        raise KeyError(f"unknown option {unknown[0]}; options are {', '.join(sorted(NAMES))}")
    values: dict[str, Any] = {
        "debug": knobs.runtime.debug,
        "enable_fp_fusion": knobs.language.default_fp_fusion,
        "allow_globals": knobs.compilation.allow_non_constexpr_globals,
        **{name: value for name, value in options.items() if value is not None},
    }
    if "cluster_dims" in values:
        values["cluster_dims"] = tuple(values["cluster_dims"])
    return CPUOptions(**values)
