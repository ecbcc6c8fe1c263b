"""The functions of `tl.extra.libdevice`, where kernels for NVIDIA GPUs look for them."""

from ..libdevice import *  # noqa: F401,F403
