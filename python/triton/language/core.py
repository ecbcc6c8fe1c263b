"""Everything the language is made of, under upstream's module name."""

from builtins import max as builtin_max, min as builtin_min  # noqa: F401

from .aggregates import aggregate as _aggregate, aggregate_replace
from .block_pointer import block_pointer, block_pointer_type
from .combining import *  # noqa: F401,F403
from .combining import _reduce_with_indices  # noqa: F401
from .creation import *  # noqa: F401,F403
from .creation import _promote_bfloat16_to_float32  # noqa: F401
from .debugging import *  # noqa: F401,F403
from .descriptor import tensor_descriptor, tensor_descriptor_type
from .elementwise import *  # noqa: F401,F403
from .elementwise import dispatch, extern, extern_elementwise  # noqa: F401
from .iterating import *  # noqa: F401,F403
from .memory import *  # noqa: F401,F403
from .shaping import *  # noqa: F401,F403
from .types import (  # noqa: F401
    TRITON_MAX_TENSOR_NUMEL, base_type, bfloat16, block_type, const, constexpr, constexpr_type,
    dtype, float16, float32, float64, float8e4b15, float8e4b8, float8e4nv, float8e5, float8e5b16,
    get_int_dtype, int1, int16, int32, int64, int8, pi32_t, pointer_type, str_to_ty, uint16,
    uint32, uint64, uint8, unwrap as _unwrap_if_constexpr, void,
)
from .values import (  # noqa: F401
    base_value, builtin, is_builtin, must_use_result, slice, slice_type, tensor,
    tensor_member as _tensor_member_fn, tuple, tuple_type,
)
