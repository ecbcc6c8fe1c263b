"""The driver: which CPU kernels are compiled for and where they run."""

from __future__ import annotations

import time
from typing import Any

from ... import knobs


class GPUTarget:
    """A target as upstream names it: backend, architecture, lanes of a warp (none here)."""

    def __init__(self, backend: str, arch: Any, warp_size: int = 0) -> None:
        self.backend, self.arch, self.warp_size = backend, arch, warp_size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GPUTarget) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.backend, self.arch, self.warp_size))

    def __repr__(self) -> str:
        return f"GPUTarget({self.backend!r}, {self.arch!r}, {self.warp_size})"


class CPUDriver:
    """Runs kernels on this machine's CPUs.

    ``target``: a CPU as docs/generated/targets.md lists them ("x86-64-v3"); the
    host's own without it. A target that this machine cannot run compiles only: launches
    raise. Also from TRIREME_TARGET.
    """

    def __init__(self, target: str | None = None, executor: str | None = None) -> None:
        executor = executor or knobs.runtime.executor
        if executor not in (None, "", "host"):
            raise NotImplementedError(f"not supported yet: executor {executor!r}; kernels run in "
                                      "this process")
        self._target = target or knobs.runtime.target or "host"
        if self._target != "host":
            from ..._C import _runtime

            self._target = _runtime.resolve_target(self._target)
        self._current: GPUTarget | None = None

    @staticmethod
    def is_active() -> bool:
        return True

    @property
    def target_text(self) -> str:
        """The target as it is named in the cache and in images."""
        return self._target

    def get_current_target(self) -> GPUTarget:
        if self._current is None:
            from ..._C import _runtime

            self._current = GPUTarget("cpu", _runtime.resolve_target(self._target), 0)
        return self._current

    @property
    def utils(self) -> type[DriverUtils]:
        return DriverUtils

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        if device != 0:
            raise ValueError("the CPU is device 0")

    def get_current_stream(self, device: int = 0) -> int:
        return 0

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> type:
        return DeviceInterface

    def get_benchmarker(self) -> Any:
        from ... import testing

        return testing.do_bench

    def get_empty_cache_for_benchmark(self) -> Any:
        return bytearray(256 << 20)

    def clear_cache(self, cache: Any) -> None:
        view = memoryview(cache)
        view[:] = bytes(len(view))


class DriverUtils:
    """What scripts ask of a device to size their grids by. A thread of the pool is what they
    call a multiprocessor, scratch what they call shared memory."""

    @staticmethod
    def get_device_properties(device: int = 0) -> dict[str, int]:
        """Threads, and bytes of scratch a thread at most; no limit of registers."""
        from ..._C import _runtime

        threads = knobs.runtime.num_threads or _runtime.num_threads()
        return {"multiprocessor_count": threads, "max_shared_mem": 64 << 20,
                "max_num_regs": 1 << 30, "warpSize": 1}


class DeviceInterface:
    """Launches are synchronous: events are times."""

    class Event:
        def __init__(self, enable_timing: bool = True) -> None:
            self.time = 0.0

        def record(self) -> None:
            self.time = time.perf_counter()

        def elapsed_time(self, end: "DeviceInterface.Event") -> float:
            return (end.time - self.time) * 1e3

        def synchronize(self) -> None:
            pass

    @staticmethod
    def synchronize() -> None:
        pass
