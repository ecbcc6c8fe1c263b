"""The language kernels are written in; see docs/generated for every operation."""

from . import core, extra, math, random, semantic, standard, target_info
from .core import *  # noqa: F401,F403
from .core import (  # noqa: F401
    TRITON_MAX_TENSOR_NUMEL, aggregate_replace, bfloat16, block_type, const, constexpr,
    constexpr_type, dtype, float16, float32, float64, float8e4b15, float8e4b8, float8e4nv,
    float8e5, float8e5b16, int1, int16, int32, int64, int8, pi32_t, pointer_type, slice, str_to_ty,
    tensor, tensor_descriptor, tensor_descriptor_type, tuple, tuple_type, uint16, uint32, uint64,
    uint8, void,
)
from .elementwise import (  # noqa: F401
    PropagateNan, abs, add, ceil, clamp, cos, div_rn, erf, exp, exp2, fdiv, floor, fma, log, log2,
    maximum, minimum, mul, rsqrt, sin, sqrt, sqrt_rn, sub, umulhi, where,
)
from .random import (  # noqa: F401
    pair_uniform_to_normal, philox, philox_impl, rand, rand4x, randint, randint4x, randn, randn4x,
    uint_to_uniform_float,
)
from .sorting import bitonic_merge, flip, sort, topk  # noqa: F401
from .standard import (  # noqa: F401
    argmax, argmin, cdiv, cumprod, cumsum, interleave, max, min, ravel, reduce_or, sigmoid, softmax,
    squeeze, sum, swizzle2d, unsqueeze, xor_sum, zeros, zeros_like,
)
