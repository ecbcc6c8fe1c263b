"""The active driver: the host CPU until another is set."""

from __future__ import annotations

from typing import Any, Callable

from ..language import target_info


class DriverConfig:
    """``active`` is made when first asked for."""

    def __init__(self) -> None:
        self._default: Any = None
        self._active: Any = None
        self._listeners: list[Callable[[], None]] = []

    @property
    def default(self) -> Any:
        if self._default is None:
            from ..backends.spine_triton.driver import CPUDriver

            self._default = CPUDriver()
        return self._default

    @property
    def active(self) -> Any:
        return self._active if self._active is not None else self.default

    def set_active(self, driver: Any) -> None:
        """Kernels from now on are compiled for and run by ``driver``."""
        self._active = driver
        for listener in self._listeners:
            listener()

    def reset_active(self) -> None:
        self._active = None
        for listener in self._listeners:
            listener()

    def set_active_to_cpu(self) -> None:
        self.reset_active()

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)


driver = DriverConfig()
target_info.provider = lambda: driver.active.get_current_target()
