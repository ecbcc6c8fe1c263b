#!/usr/bin/env python3
"""Derives every polynomial of this room and prints coefficients.inc.

    python compiler/Lower/Math/coefficients.py > compiler/Lower/Math/coefficients.inc

Each fit is a weighted minimax polynomial found by Remez's exchange in 60-digit
arithmetic (mpmath); the weight turns the error of the polynomial into the relative error
of the function it serves, printed beside the table as its base-2 logarithm. The printed
error is that of the coefficients as rounded to the element type, lowest order first.
"""

import struct
import sys
from typing import Callable, List, Tuple

from mpmath import mp, mpf

mp.dps = 60
Function = Callable[[mpf], mpf]


def round_to(dtype: str, value: mpf) -> mpf:
    if dtype == "f64":
        return mpf(float(value))  # mpmath rounds to nearest
    # Through a double is safe here: a double rounding costs at most 2^-53 of a coefficient.
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def extrema(errors: List[mpf], count: int) -> List[int]:
    """One extremum per run of equal sign; the best `count` neighbours of them."""
    runs: List[int] = []
    for i, e in enumerate(errors):
        if runs and (errors[runs[-1]] > 0) == (e > 0):
            if abs(e) > abs(errors[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    while len(runs) > count:
        runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
    if len(runs) < count:
        raise ArithmeticError("the error does not alternate")
    return runs


def remez(f: Function, weight: Function, degree: int, lo: mpf, hi: mpf) -> List[mpf]:
    """Coefficients p minimising max |weight * (f - p)| on [lo, hi]."""
    count = degree + 2
    mid, half = (lo + hi) / 2, (hi - lo) / 2
    grid = [mid - half * mp.cos(mp.pi * (i + mpf(1) / 3) / (24 * count)) for i in range(24 * count)]
    fs = [f(x) for x in grid]
    ws = [abs(weight(x)) for x in grid]  # a weight through 0 keeps the alternation only so
    points = [round((2 * k + 1) * 12) for k in range(count)]
    coefficients: List[mpf] = []
    for _ in range(30):
        rows = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for i, g in enumerate(points):
            for k in range(degree + 1):
                rows[i, k] = ws[g] * grid[g] ** k
            rows[i, count - 1] = (-1) ** i
            right[i] = ws[g] * fs[g]
        solution = mp.lu_solve(rows, right)
        coefficients = [solution[k] for k in range(degree + 1)]
        level = abs(solution[count - 1])
        errors = [w * (v - mp.polyval(coefficients[::-1], x)) for x, v, w in zip(grid, fs, ws)]
        runs = extrema(errors, count)
        if max(abs(e) for e in errors) < level * mpf("1.001"):
            return coefficients
        points = runs
    return coefficients


def remez_rational(f: Function, weight: Function, above: int, below: int, lo: mpf,
                   hi: mpf) -> Tuple[List[mpf], List[mpf]]:
    """Numerator and denominator (constant term 1) minimising max |weight * (f - p / q)|."""
    count = above + below + 2
    mid, half = (lo + hi) / 2, (hi - lo) / 2
    size = 30 * count
    grid = [mid - half * mp.cos(mp.pi * (i + mpf(1) / 3) / size) for i in range(size)]
    fs, ws = [f(x) for x in grid], [weight(x) for x in grid]
    points = [(2 * k + 1) * 15 for k in range(count)]
    top: List[mpf] = []
    bottom = [mpf(1)] + [mpf(0)] * below
    for _ in range(60):
        level = mpf(0)
        for _ in range(8):  # the level times the denominator is linear in neither alone
            rows, right = mp.matrix(count, count), mp.matrix(count, 1)
            for i, g in enumerate(points):
                for k in range(above + 1):
                    rows[i, k] = grid[g] ** k
                for k in range(1, below + 1):
                    rows[i, above + k] = -fs[g] * grid[g] ** k
                rows[i, count - 1] = (-1) ** i * mp.polyval(bottom[::-1], grid[g]) / ws[g]
                right[i] = fs[g]
            solution = mp.lu_solve(rows, right)
            top = [solution[k] for k in range(above + 1)]
            bottom = [mpf(1)] + [solution[above + k] for k in range(1, below + 1)]
            level = abs(solution[count - 1])
        errors = [w * (v - mp.polyval(top[::-1], x) / mp.polyval(bottom[::-1], x))
                  for x, v, w in zip(grid, fs, ws)]
        runs = extrema(errors, count)
        if max(abs(e) for e in errors) < level * mpf("1.01"):
            return top, bottom
        points = runs
    raise ArithmeticError("the exchange does not settle")


def fit_rational(name: str, f: Function, weight: Function, above: int, below: int, lo: mpf, hi: mpf,
                 note: str) -> None:
    parts = remez_rational(f, weight, above, below, lo, hi)
    top, bottom = ([round_to("f32", c) for c in part] for part in parts)
    worst = max(
        abs(weight(x) * (f(x) - mp.polyval(top[::-1], x) / mp.polyval(bottom[::-1], x)))
        for x in (lo + (hi - lo) * (i + mpf(1) / 2) / 1000 for i in range(1000))
    )
    error = f"2^{mp.nstr(mp.log(worst, 2), 4)}"
    print(f"// {note}; on [{mp.nstr(lo, 6)}, {mp.nstr(hi, 6)}], error {error}.")
    for suffix, coefficients in (("Top", top), ("Bottom", bottom)):
        print(f"constexpr float {name}{suffix}F32[] = {{")
        for c in coefficients:
            print(f"    {float(c):.8e}f,")
        print("};")
    print(f"{name}F32: {error}", file=sys.stderr)


def fit(name: str, dtype: str, f: Function, weight: Function, degree: int, lo, hi, note: str) -> None:
    lo, hi = mpf(lo), mpf(hi)
    fixed = [round_to(dtype, c) for c in remez(f, weight, degree, lo, hi)]
    worst = max(
        abs(weight(x) * (f(x) - mp.polyval(fixed[::-1], x)))
        for x in (lo + (hi - lo) * (i + mpf(1) / 2) / 1000 for i in range(1000))
    )
    ctype = {"f32": "float", "f64": "double"}[dtype]
    digits = {"f32": 9, "f64": 17}[dtype]
    suffix = {"f32": "f", "f64": ""}[dtype]
    print(f"// {note}; on [{mp.nstr(lo, 6)}, {mp.nstr(hi, 6)}], error 2^{mp.nstr(mp.log(worst, 2), 4)}.")
    print(f"constexpr {ctype} {name}[] = {{")
    for c in fixed:
        print(f"    {float(c):.{digits - 1}e}{suffix},")
    print("};")
    print(f"{name}: 2^{mp.nstr(mp.log(worst, 2), 4)}", file=sys.stderr)


def part(value: mpf, bits: int) -> mpf:
    """The leading `bits` bits of value, to nearest."""
    if value == 0:
        return value
    _, exponent = mp.frexp(value)
    return mp.ldexp(mp.nint(mp.ldexp(value, bits - exponent)), exponent - bits)


def split(name: str, value: mpf, f32: List[int], f64: List[int]) -> None:
    """A constant as a sum of parts of the given widths, one list an element type."""
    for dtype, ctype, widths in (("F32", "float", f32), ("F64", "double", f64)):
        left, parts = value, []
        for bits in widths:
            parts.append(part(left, bits))
            left -= parts[-1]
        numbers = ", ".join(f"{float(p):.16e}" + ("f" if dtype == "F32" else "") for p in parts)
        print(f"constexpr {ctype} {name}{dtype}[] = {{{numbers}}};")


def main() -> None:
    print("// Generated by coefficients.py; do not edit.")
    ln2 = mp.log(2)
    wide = ln2 / 2 * mpf("1.002")  # rounding of the quotient lets r leave the half interval

    # exp(r) = 1 + r + r^2 q(r)
    def exp_q(r: mpf) -> mpf:
        return (mp.expm1(r) - r) / r**2

    for dtype, degree in (("f32", 4), ("f64", 9)):
        fit(f"kExp{dtype.upper()}", dtype, exp_q, lambda r: r**2 / mp.exp(r), degree, -wide, wide,
            "exp(r) = 1 + r + r^2 q(r)")
    for dtype, degree in (("f32", 5), ("f64", 10)):
        fit(f"kExpm1{dtype.upper()}", dtype, exp_q, lambda r: r**2 / mp.expm1(r), degree, -wide, wide,
            "exp(r) - 1 = r + r^2 q(r)")
    for dtype, degree in (("f32", 5), ("f64", 11)):
        fit(f"kExp2{dtype.upper()}", dtype, lambda r: mp.expm1(r * ln2) / r, lambda r: r / mp.exp(r * ln2),
            degree, mpf("-0.5"), mpf("0.5"), "2^r = 1 + r q(r)")

    # log(1 + f) = f - f^2/2 + f^3 q(f), f in [sqrt(1/2) - 1, sqrt(2) - 1]
    low, high = mp.sqrt(mpf(1) / 2) - 1 - mpf("1e-3"), mp.sqrt(2) - 1 + mpf("1e-3")
    fit("kLogF32", "f32", lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3, lambda f: f**3 / mp.log1p(f), 8,
        low, high, "log(1+f) = f - f^2/2 + f^3 q(f)")

    # log((1+s)/(1-s)) = 2s + s z q(z), z = s^2
    def atanh_q(z: mpf) -> mpf:
        s = mp.sqrt(z)
        return (2 * mp.atanh(s) - 2 * s) / (s * z)

    tiny, top = mpf("1e-12"), (high / (2 + high)) ** 2
    fit("kLogF64", "f64", atanh_q, lambda z: z / 2, 6, tiny, top, "log((1+s)/(1-s)) = 2s + s z q(z), z = s^2")

    # Trigonometry on [-pi/4, pi/4] and a little more, in z = r^2.
    edge = (mp.pi / 4 * mpf("1.01")) ** 2
    for dtype, degree in (("f32", 2), ("f64", 5)):
        fit(f"kSin{dtype.upper()}", dtype, lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
            lambda z: z / (mp.sin(mp.sqrt(z)) / mp.sqrt(z)), degree, tiny, edge, "sin(r) = r + r z q(z), z = r^2")
    for dtype, degree in (("f32", 2), ("f64", 5)):
        fit(f"kCos{dtype.upper()}", dtype, lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
            lambda z: z**2 / mp.cos(mp.sqrt(z)), degree, tiny, edge, "cos(r) = 1 - z/2 + z^2 q(z), z = r^2")

    # Error function in f32: one quotient, half the work of two pieces with an exponential.
    fit_rational("kErf", lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z),
                 lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)), 5, 5, tiny, mpf("3.92") ** 2,
                 "erf(x) = x p(z) / q(z), z = x^2")
    # In f64: erf(x) = x + x q(x^2) for |x| < 0.9375, beyond 1 - exp(-h(|x|)).
    knee = mpf("0.9375")

    def erf_small(z: mpf) -> mpf:
        return mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1

    fit("kErfF64", "f64", erf_small, lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)), 12, tiny, knee**2,
        "erf(x) = x + x q(x^2)")
    # Around a point near the knee, because that is where the error matters.
    shift = mpf("1.5")
    fit("kErfTailF64", "f64", lambda u: -mp.log(mp.erfc(u + shift)),
        lambda u: mp.erfc(u + shift) / mp.erf(u + shift), 20, knee - shift, mpf("5.93") - shift,
        "erf(a) = 1 - exp(-h(u)), u = a - 1.5")

    # Arc tangent up to tan(pi/8) and a little, in z = v^2.
    for dtype, degree in (("f32", 4), ("f64", 11)):
        fit(f"kAtan{dtype.upper()}", dtype, lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
            lambda z: z / (mp.atan(mp.sqrt(z)) / mp.sqrt(z)), degree, tiny, mpf("0.1716"),
            "atan(v) = v + v z q(z), z = v^2")

    # Powers of f32 in f64: 2^-36 suffices.
    fit("kPowLog", "f64", lambda z: (2 * mp.atanh(mp.sqrt(z)) - 2 * mp.sqrt(z)) / (mp.sqrt(z) * z),
        lambda z: z / 2, 5, tiny, top, "log((1+s)/(1-s)) = 2s + s z q(z), z = s^2")
    # Powers of f64: what is left of atanh(s) = s + s z (1/3 + z q(z)); the part before q is
    # added in twice the precision.
    fit("kPowRest", "f64", lambda z: (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1 - z / 3) / (z * z),
        lambda z: z * z, 7, tiny, top, "atanh(s) = s + s z (1/3 + z q(z)), z = s^2")
    fit("kPowExp2", "f64", lambda r: mp.expm1(r * ln2) / r, lambda r: r / mp.exp(r * ln2), 7, mpf("-0.5"),
        mpf("0.5"), "2^r = 1 + r q(r)")

    # Split constants. The leading part is short enough for an exact product with the
    # exponent (9 bits for f32, 12 for f64) where no FMA is at hand.
    split("kLn2", ln2, [15, 24], [41, 53])
    split("kLog2E", 1 / ln2, [24, 24], [53, 53])
    split("kThird", mpf(1) / 3, [24, 24], [53, 53])
    split("kLog10E", 1 / mp.log(10), [24, 24], [53, 53])
    split("kLog10Of2", mp.log10(2), [15, 24], [41, 53])
    # Cody-Waite: full parts for FMA (kPio2), short ones whose products are exact without.
    split("kPio2", mp.pi / 2, [24, 24, 24], [53, 53, 53])
    split("kPio2Short", mp.pi / 2, [24], [33, 33, 33, 53])
    split("kPio2Wide", mp.pi / 2, [24], [33, 53])
    split("kTwoOverPi", 2 / mp.pi, [24], [53])

    # 2/pi in words of 64 bits for the reduction of huge arguments (Payne and Hanek).
    mp.dps = 450
    bits = int(mp.floor(mp.ldexp(2 / mp.pi, 19 * 64)))
    words = [(bits >> (64 * (19 - i))) & (2**64 - 1) for i in range(20)]
    print("// 2/pi = sum of word[i] 2^(-64 i).")
    print("constexpr uint64_t kTwoOverPiBits[] = {")
    for word in words:
        print(f"    0x{word:016x}ull,")
    print("};")


if __name__ == "__main__":
    main()
