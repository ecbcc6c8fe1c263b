"""Counter-based random numbers: Philox and what is made from it.

Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (Philox
4x32 and 4x64, constants included); G. Box and M. Muller, 1958, for normals.
"""

from __future__ import annotations

from . import core
from .function import Function
from .types import constexpr

_jit = Function

N_ROUNDS_DEFAULT = constexpr(10)


@_jit
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """``n_rounds`` of Philox on four counter words with two key words, 32 or 64 bits each."""
    if c0.dtype == core.uint32:
        key_a: core.constexpr = 0x9E3779B9
        key_b: core.constexpr = 0xBB67AE85
        round_a: core.constexpr = 0xD2511F53
        round_b: core.constexpr = 0xCD9E8D57
    else:
        core.static_assert(c0.dtype == core.uint64, "dtype not supported in philox_impl")
        key_a: core.constexpr = 0x9E3779B97F4A7C15
        key_b: core.constexpr = 0xBB67AE8584CAA73B
        round_a: core.constexpr = 0xD2E7470EE14C6C93
        round_b: core.constexpr = 0xCA5A826395121157
    for _ in core.static_range(n_rounds):
        old0, old2 = c0, c2
        c0 = core.umulhi(round_b, old2) ^ c1 ^ k0
        c2 = core.umulhi(round_a, old0) ^ c3 ^ k1
        c1 = core.mul(round_b, old2, sanitize_overflow=False)
        c3 = core.mul(round_a, old0, sanitize_overflow=False)
        k0 = core.add(k0, key_a, sanitize_overflow=False)
        k1 = core.add(k1, key_b, sanitize_overflow=False)
    return c0, c1, c2, c3


@_jit
def philox(seed, c0, c1, c2, c3, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """Four random words for a 64-bit seed and four counter words."""
    seed = core.to_tensor(seed)
    core.static_assert(seed.dtype.is_int(), "the seed of random numbers is an integer")
    seed = seed.to(core.uint64)
    c0 = core.to_tensor(c0)
    c1 = core.to_tensor(c1)
    c2 = core.to_tensor(c2)
    c3 = core.to_tensor(c3)
    if c0.dtype.primitive_bitwidth == 32:
        c0 = c0.to(core.uint32, bitcast=True)
        c1 = c1.to(core.uint32, bitcast=True)
        c2 = c2.to(core.uint32, bitcast=True)
        c3 = c3.to(core.uint32, bitcast=True)
        lo = (seed & 0xFFFFFFFF).to(core.uint32)
        hi = ((seed >> 32) & 0xFFFFFFFF).to(core.uint32)
        return philox_impl(c0, c1, c2, c3, lo, hi, n_rounds)
    else:
        c0 = c0.to(core.uint64, bitcast=True)
        c1 = c1.to(core.uint64, bitcast=True)
        c2 = c2.to(core.uint64, bitcast=True)
        c3 = c3.to(core.uint64, bitcast=True)
        zero = seed & 0
        return philox_impl(c0, c1, c2, c3, seed, zero, n_rounds)


@_jit
def randint4x(seed, offset, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """Four blocks of random 32-bit words for a block of offsets."""
    offset = core.to_tensor(offset)
    lo = offset.to(core.uint32)
    zero = lo & 0
    if offset.dtype.primitive_bitwidth > 32:
        hi = (offset >> 32).to(core.uint32)
        return philox(seed, lo, hi, zero, zero, n_rounds)
    else:
        return philox(seed, lo, zero, zero, zero, n_rounds)


@_jit
def randint(seed, offset, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """A block of random 32-bit words."""
    word, _, _, _ = randint4x(seed, offset, n_rounds)
    return word


@_jit
def uint_to_uniform_float(x):
    """Random words as fp32 in [0, 1)."""
    if x.dtype.primitive_bitwidth == 32:
        x = x.to(core.int32, bitcast=True)
        scale: core.constexpr = 4.6566127342e-10
    else:
        x = x.to(core.int64, bitcast=True)
        scale: core.constexpr = 1.0842020432385337e-19
    x = core.where(x < 0, ~x, x)  # -x - 1
    return x.to(core.float32) * scale


@_jit
def rand(seed, offset, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """fp32 uniform in [0, 1)."""
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


@_jit
def rand4x(seed, offset, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """Four blocks of fp32 uniform in [0, 1)."""
    i1, i2, i3, i4 = randint4x(seed, offset, n_rounds)
    return (uint_to_uniform_float(i1), uint_to_uniform_float(i2), uint_to_uniform_float(i3),
            uint_to_uniform_float(i4))


@_jit
def pair_uniform_to_normal(u1, u2):
    """Box-Muller: two uniforms to two normals."""
    u1 = core.maximum(1.0e-7, u1)
    theta = 6.283185307179586 * u2
    r = core.sqrt(-2.0 * core.log(u1))
    return r * core.cos(theta), r * core.sin(theta)


@_jit
def randn(seed, offset, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """fp32 with the standard normal distribution."""
    i1, i2, _, _ = randint4x(seed, offset, n_rounds)
    n1, _ = pair_uniform_to_normal(uint_to_uniform_float(i1), uint_to_uniform_float(i2))
    return n1


@_jit
def randn4x(seed, offset, n_rounds: core.constexpr = N_ROUNDS_DEFAULT):
    """Four blocks of fp32 with the standard normal distribution."""
    u1, u2, u3, u4 = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(u1, u2)
    n3, n4 = pair_uniform_to_normal(u3, u4)
    return n1, n2, n3, n4
