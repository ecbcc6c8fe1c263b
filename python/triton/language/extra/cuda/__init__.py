"""What kernels for NVIDIA GPUs import; what only such a GPU has is refused when called."""

from .. import libdevice
from ..bits import missing

globaltimer = missing("tl.extra.cuda.globaltimer")
smid = missing("tl.extra.cuda.smid")
num_threads = missing("tl.extra.cuda.num_threads")
num_warps = missing("tl.extra.cuda.num_warps")
gdc_wait = missing("tl.extra.cuda.gdc_wait")
gdc_launch_dependents = missing("tl.extra.cuda.gdc_launch_dependents")
convert_custom_float8_sm70 = missing("tl.extra.cuda.convert_custom_float8_sm70")
convert_custom_float8_sm80 = missing("tl.extra.cuda.convert_custom_float8_sm80")

__all__ = ["convert_custom_float8_sm70", "convert_custom_float8_sm80", "gdc_launch_dependents",
           "gdc_wait", "globaltimer", "libdevice", "num_threads", "num_warps", "smid"]
