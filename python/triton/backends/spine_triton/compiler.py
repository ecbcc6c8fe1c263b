"""What a launch may ask of the compiler."""

from __future__ import annotations

from typing import Any

from ... import knobs

# Options that decide code, with their defaults.
_CODE: dict[str, Any] = {
    "debug": False, "enable_fp_fusion": True, "sanitize_overflow": False, "allow_globals": False,
    "force_fault": "",
}
# Other backends' options: portable kernels pass them, they change nothing here.
_IGNORED: dict[str, Any] = {
    "num_warps": 4, "num_stages": 3, "num_ctas": 1, "num_cpu_threads": 0, "maxnreg": None,
    "cluster_dims": (1, 1, 1), "launch_cooperative_grid": False, "launch_pdl": False,
    "extern_libs": None, "ir_override": None, "instrumentation_mode": "", "vec_lib": None,
    "enable_fast_math": None, "ukernels": None, "assume_in_bounds": None, "waves_per_eu": 0,
    "matrix_instr_nonkdim": 0, "kpack": 1, "schedule_hint": "", "allow_flush_denorm": False,
    "ptx_version": None, "ptx_options": None, "enable_reflect_ftz": True,
    "num_buffers_warp_spec": 0, "num_consumer_groups": 0, "reg_dec_producer": 0,
    "reg_inc_consumer": 0, "enable_warp_specialization": False,
}
NAMES = frozenset({*_CODE, *_IGNORED})


class CPUOptions:
    """Options of a compilation; a launch takes each by keyword."""

    def __init__(self, **values: Any) -> None:
        self._values = {**_CODE, **_IGNORED, **values}

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def asdict(self) -> dict[str, Any]:
        return dict(self._values)

    def hash(self) -> str:
        """Equal for options that give the same code."""
        return ";".join(f"{name}={self._values[name]!r}" for name in _CODE)

    def __repr__(self) -> str:
        return f"CPUOptions({', '.join(f'{k}={v!r}' for k, v in self._values.items())})"


def parse_options(options: dict[str, Any]) -> CPUOptions:
    """Defaults from the knobs, then what the launch says; unknown names are a KeyError."""
    unknown = [name for name in options if name not in NAMES]
    if unknown:
        raise KeyError(f"unknown option {unknown[0]}; options are {', '.join(sorted(NAMES))}")
    values: dict[str, Any] = {
        "debug": False,
        "enable_fp_fusion": knobs.language.default_fp_fusion,
        "allow_globals": knobs.compilation.allow_non_constexpr_globals,
        **{name: value for name, value in options.items() if value is not None},
    }
    # Who debugs a program wants it of kernels too that say debug=False.
    values["debug"] = values["debug"] or knobs.runtime.debug
    values.setdefault("sanitize_overflow", values["debug"])
    if "cluster_dims" in values:
        values["cluster_dims"] = tuple(values["cluster_dims"])
    return CPUOptions(**values)
