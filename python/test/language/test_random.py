"""Random numbers: the words bit for bit, the distributions by their moments."""

import numpy as np
import pytest
import triton
import triton.language as tl
from guarded import guarded, guarded_copy
from pairwise import cases
from tolerance import assert_close


def philox(seed, offset, rounds=10):
    """The four words of Philox 4x32 (Salmon et al., SC 2011)."""
    mask = 0xFFFFFFFF
    c, k = [offset & mask, offset >> 32 & mask, 0, 0], [seed & mask, seed >> 32 & mask]
    for _ in range(rounds):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [b >> 32 ^ c[1] ^ k[0], b & mask, a >> 32 ^ c[3] ^ k[1], a & mask]
        k = [k[0] + 0x9E3779B9 & mask, k[1] + 0xBB67AE85 & mask]
    return c


def philox_64(seed, counter, rounds=10):
    """The four words of Philox 4x64."""
    mask = 2**64 - 1
    c, k = [*counter], [seed, 0]
    for _ in range(rounds):
        a, b = c[0] * 0xD2E7470EE14C6C93, c[2] * 0xCA5A826395121157
        c = [b >> 64 ^ c[1] ^ k[0], b & mask, a >> 64 ^ c[3] ^ k[1], a & mask]
        k = [k[0] + 0x9E3779B97F4A7C15 & mask, k[1] + 0xBB67AE8584CAA73B & mask]
    return c


def test_reference_words():
    """The known answers that the authors of Philox publish, as far as one key word reaches."""
    assert philox(0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox_64(0, [0] * 4) == [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B,
                                     0x7E68B68AEC7BA23B]


SEEDS = [0, 1, 124, 0xFFFFFFFF, 2**62 + 12345, 2**63 + 7]


@triton.jit
def words_kernel(out, seed, first, N: tl.constexpr, ROUNDS: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c, d = tl.randint4x(seed, first + i, ROUNDS)
    tl.store(out + i, a)
    tl.store(out + N + i, b)
    tl.store(out + 2 * N + i, c)
    tl.store(out + 3 * N + i, d)
    tl.store(out + 4 * N + i, tl.randint(seed, first + i, ROUNDS))


@cases(seed=SEEDS, first=[0, 2**31 - 32, 2**40 + 3], rounds=[10, 7])
def test_words(seed, first, rounds):
    n = 32
    out = guarded((5, n), np.uint32)
    words_kernel[(1,)](out, seed, first, n, rounds)
    expected = np.array([philox(seed, first + i, rounds) for i in range(n)], np.uint32).T
    np.testing.assert_array_equal(out[:4], expected)
    np.testing.assert_array_equal(out[4], expected[0])


@triton.jit
def wide_words_kernel(out, seed, N: tl.constexpr):
    i = tl.arange(0, N).to(tl.uint64)
    zero = i * 0
    a, b, c, d = tl.philox(seed, i, zero + 5, zero, zero + 2**63)
    tl.store(out + i, a)
    tl.store(out + N + i, b)
    tl.store(out + 2 * N + i, c)
    tl.store(out + 3 * N + i, d)


@pytest.mark.parametrize("seed", SEEDS)
def test_64_bit_words(seed):
    out = guarded((4, 16), np.uint64)
    wide_words_kernel[(1,)](out, seed, 16)
    expected = [philox_64(seed, [i, 5, 0, 2**63]) for i in range(16)]
    np.testing.assert_array_equal(out, np.array(expected, np.uint64).T)


@triton.jit
def numbers_kernel(uniform_ptr, normal_ptr, four_ptr, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(uniform_ptr + i, tl.rand(seed, i), mask=i < n)
    tl.store(normal_ptr + i, tl.randn(seed, i), mask=i < n)
    a, b, c, d = tl.randn4x(seed, i)
    tl.store(four_ptr + i, a, mask=i < n)
    tl.store(four_ptr + n + i, b, mask=i < n)
    tl.store(four_ptr + 2 * n + i, c, mask=i < n)
    tl.store(four_ptr + 3 * n + i, d, mask=i < n)


def uniform(words):
    """As the language defines it: a word as a signed number, folded to 31 bits, scaled."""
    signed = words.astype(np.uint32).view(np.int32)
    return np.where(signed < 0, -signed - 1, signed).astype(np.float32) * np.float32(4.6566127342e-10)


@pytest.mark.parametrize("seed", [0, 2**40 + 1])
def test_numbers(seed):
    n = 5000
    uniforms, normals, four = (guarded(shape, np.float32) for shape in (n, n, (4, n)))
    numbers_kernel[(triton.cdiv(n, 512),)](uniforms, normals, four, seed, n, BLOCK=512)
    u = uniform(np.array([philox(seed, i) for i in range(n)]).T).astype(np.float64)
    np.testing.assert_array_equal(uniforms, u[0])
    for pair, got in ((0, four[:2]), (2, four[2:])):
        radius = np.sqrt(-2 * np.log(np.maximum(u[pair], 1e-7)))
        angle = 2 * np.pi * u[pair + 1]
        exact = np.array([radius * np.cos(angle), radius * np.sin(angle)])
        # The angle is rounded to f32: up to 2 pi units of error in it.
        assert_close(got, exact, np.float32, magnitude=8 * (radius + 1), ulps=4)
    np.testing.assert_array_equal(normals, four[0])
    # Within five standard deviations of the mean, over all numbers drawn.
    assert abs(uniforms.mean() - 0.5) < 5 * np.sqrt(1 / 12 / n)
    assert abs(four.mean()) < 5 / np.sqrt(4 * n)
    assert abs(four.var() - 1) < 5 * np.sqrt(2 / (4 * n))
    assert uniforms.min() >= 0 and uniforms.max() < 1
    assert abs(np.corrcoef(uniforms[1:], uniforms[:-1])[0, 1]) < 5 / np.sqrt(n)
    counts, _ = np.histogram(uniforms, 16, (0, 1))
    chi_square = ((counts - n / 16)**2 / (n / 16)).sum()
    assert chi_square < 45  # 15 degrees of freedom: one in ten thousand lies above


@triton.jit
def seeded_kernel(seed_ptr, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.randint(tl.load(seed_ptr), i))


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64],
                         ids=lambda d: np.dtype(d).name)
def test_seed_from_memory(dtype):
    seed = guarded_copy(np.array([2**31 - 9], dtype))
    out = guarded(16, np.uint32)
    seeded_kernel[(1,)](seed, out, 16)
    np.testing.assert_array_equal(out, [philox(2**31 - 9, i)[0] for i in range(16)])
