"""What each operation of the language means: types checked, operations emitted.

One class a family; `Semantic` puts them together. Methods take and give kernel values
(`tensor`, `constexpr`), raise TypeError or ValueError with upstream's wording, and know
nothing of Python's syntax trees.
"""

from .arithmetic import Arithmetic
from .casts import Casts
from .compute import Compute
from .debug import Debug
from .memory import Memory
from .scaled import Scaled
from .shapes import Shapes


class Semantic(Arithmetic, Casts, Shapes, Memory, Compute, Scaled, Debug):
    """All families over one builder. ``options`` are the backend's."""

    def __init__(self, ir, options=None):
        self.ir = ir
        self.options = options
        self.combining = False  # inside the function of a reduction or scan


__all__ = ["Semantic"]
