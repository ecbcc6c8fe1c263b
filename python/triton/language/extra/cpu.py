"""What kernels for CPUs import."""

from . import libdevice

__all__ = ["libdevice"]
