// log, log2, log10, log1p.
//
// x = 2^e m with m in [sqrt(1/2), sqrt(2)), f = m - 1 (exact), log(m) = f + w
// with w small: f32: w = f^2 (f q(f) - 1/2). f64: with s = f / (2 + f), so that
// 1 + f = (1+s)/(1-s), and R = log((1+s)/(1-s))/s - 2 = z q(z), z = s^2:
// log(1+f) = 2s + sR, and because 2s = f - h + s h with h = f^2/2, w = s (h +
// R) - h, all of whose errors are small against f. The polynomials are ours
// (coefficients.py).
#include "compiler/Lower/Math/Formulas.h"

namespace trireme::lower {
namespace {
#include "compiler/Lower/Math/coefficients.inc"

/// x = 2^e (1 + f).
struct Decomposed {
  Bits exponent;
  Num f;
};
Decomposed decompose(Num x) {
  FloatOps &f = *x.ops;
  Bits sqrtHalf = bitsOf(f.num(0.70710678118654752));
  Bits exponent = shiftSigned(bitsOf(x) - sqrtHalf, f.mantissa());
  return {exponent, fromBits(bitsOf(x) - (exponent << f.mantissa())) - 1.0};
}

Num toFloat(Bits small) {
  FloatOps &f = *small.ops;
  if (!f.isF64)
    return {&f, f.make<mlir::arith::SIToFPOp>(f.type, small.value)};
  // Few targets convert vectors of i64: put the integer into the last places
  // of 1.5 * 2^52.
  double magic = std::ldexp(1.5, 52);
  return fromBits(small + bitsOf(f.num(magic))) - magic;
}

struct LogParts {
  Num e, f, w; // log(x) = e ln2 + (f + w)
};
LogParts logParts(Num e, Num f) {
  FloatOps &ops = *f.ops;
  Num square = f * f;
  if (!ops.isF64)
    return {e, f, square * fma(f, horner(f, llvm::ArrayRef(kLogF32)), -0.5)};
  Num s = f / (2.0 + f), z = s * s, half = square * 0.5;
  Num rest = fma(horner(z, llvm::ArrayRef(kLogF64)), z, half);
  return {e, f, fma(s, rest, -half)};
}
LogParts logParts(Num x) {
  FloatOps &f = *x.ops;
  // Denormals are scaled up to normal numbers.
  Mask small = x < std::ldexp(1.0, 1 - f.bias());
  int lift = f.mantissa() + 2;
  Decomposed d = decompose(select(small, x * std::ldexp(1.0, lift), x));
  Num e = toFloat(d.exponent);
  return logParts(select(small, e - double(lift), e), d.f);
}

/// log(1 + f) times a constant given in two parts.
Num scaledLog(const LogParts &p, double high, double low) {
  return fma(p.f, high, fma(p.f, low, p.w * high));
}

Num naturalLog(const LogParts &p) {
  FloatOps &f = *p.f.ops;
  Num rest = p.f + fma(p.e, f.pick<double>(kLn2F32[1], kLn2F64[1]), p.w);
  return fma(p.e, f.pick<double>(kLn2F32[0], kLn2F64[0]), rest);
}

/// The result where the argument x is 0, negative, inf or NaN.
Num withSpecials(Num x, Num result) {
  FloatOps &f = *x.ops;
  result = select(x == f.inf(), x, result);
  return select(
      x > 0.0, result,
      select(x == 0.0, -std::numeric_limits<double>::infinity(), f.nan()));
}

} // namespace

Num expandLog(Num x) { return withSpecials(x, naturalLog(logParts(x))); }

Num expandLog2(Num x) {
  FloatOps &f = *x.ops;
  LogParts p = logParts(x);
  Num log = scaledLog(p, f.pick<double>(kLog2EF32[0], kLog2EF64[0]),
                      f.pick<double>(kLog2EF32[1], kLog2EF64[1]));
  return withSpecials(x, p.e + log);
}

Num expandLog10(Num x) {
  FloatOps &f = *x.ops;
  LogParts p = logParts(x);
  Num log = scaledLog(p, f.pick<double>(kLog10EF32[0], kLog10EF64[0]),
                      f.pick<double>(kLog10EF32[1], kLog10EF64[1]));
  log = fma(p.e, f.pick<double>(kLog10Of2F32[1], kLog10Of2F64[1]), log);
  return withSpecials(
      x, fma(p.e, f.pick<double>(kLog10Of2F32[0], kLog10Of2F64[0]), log));
}

/// log of u = 1 + x, the rounding error c of u (Knuth's two-sum) put back into
/// f.
Num expandLog1p(Num x) {
  FloatOps &f = *x.ops;
  Num u = x + 1.0, part = u - 1.0;
  Num c = (1.0 - (u - part)) + (x - part);
  Decomposed d = decompose(u);
  Num correction = c * powerOfTwo(f.bits(f.bias()) - d.exponent);
  // Far below u's last place for large x, where 2^-e may not be a number
  // either.
  correction =
      select(x < std::ldexp(1.0, int(f.mantissa()) + 2), correction, 0.0);
  Num result = withSpecials(
      u, naturalLog(logParts(toFloat(d.exponent), d.f + correction)));
  return select(abs(x) < std::ldexp(1.0, -int(f.mantissa()) - 2), x, result);
}

} // namespace trireme::lower
