// pow on f32, computed in f64: 2^(y log2|x|) with log2 good to 2^-50 relative,
// so that the result is the nearest float almost always, exact cases included,
// and overflow and denormal results are left to the final conversion.
#include "compiler/Lower/Math/Formulas.h"

using namespace mlir;

namespace trireme::lower {
namespace {
#include "compiler/Lower/Math/coefficients.inc"

/// log2(a) of an f64 a > 0 that is a normal number (every float is); garbage
/// otherwise.
Num log2Wide(Num a) {
  FloatOps &f = *a.ops;
  Bits exponent =
      shiftSigned(bitsOf(a) - bitsOf(f.num(0.70710678118654752)), 52);
  Num m = fromBits(bitsOf(a) - (exponent << 52));
  Num s = (m - 1.0) / (m + 1.0), z = s * s;
  Num log = fma(s * z, horner(z, llvm::ArrayRef(kPowLog)), s + s);
  double magic = std::ldexp(1.5, 52);
  Num e = fromBits(exponent + bitsOf(f.num(magic))) - magic;
  return fma(log, kLog2EF64[0], e);
}

/// y is a whole number, for 0 <= y <= 2^52 (above, every float is).
Mask isWhole(Num y) {
  double big = std::ldexp(1.0, 52);
  return (y + big) - big == y;
}

} // namespace

Num expandPowF(Num x, Num y) {
  FloatOps &f = *x.ops;
  FloatOps wide(f.builder, f.loc, f.sameShape(f.builder.getF64Type()),
                f.hasFma);
  auto widen = [&](Num v) {
    return Num{&wide, wide.make<arith::ExtFOp>(wide.type, v.value)};
  };
  Num a = abs(x), aWide = widen(a), yWide = widen(y);

  // log2: -inf at 0; inf and NaN stay.
  Num log = select(aWide < wide.inf(), log2Wide(aWide), aWide);
  log = select(aWide == 0.0, -std::numeric_limits<double>::infinity(), log);
  Num product = atLeast(atMost(yWide * log, 200.0), -200.0);
  Rounded q = roundNearest(product, 1.0, wide.bias());
  Num r = product - q.n;
  Num power =
      fma(horner(r, llvm::ArrayRef(kPowExp2)), r, 1.0) * powerOfTwo(q.low);
  Num result = {&f, f.make<arith::TruncFOp>(f.type, power.value)};

  // A negative base: the sign of odd powers, NaN for a fraction of a finite
  // nonzero base.
  Num yAbs = atMost(abs(y), std::ldexp(1.0, 30));
  Num size = widen(yAbs);
  Mask whole = isWhole(size), halfWhole = isWhole(size * 0.5);
  Bits odd = select(whole, select(halfWhole, f.bits(0), f.bits(f.signBit())),
                    f.bits(0));
  result = flipSign(result, signOf(x) & odd);
  Mask fraction = (x < 0.0) & (a < f.inf());
  result = select(fraction, select(whole, result, f.nan()), result);

  // 1 whatever the other operand is, NaN included; and (-1)^(+-inf).
  Mask one = (y == 0.0) | (x == 1.0) | ((a == 1.0) & (abs(y) == f.inf()));
  return select(one, 1.0, result);
}

} // namespace trireme::lower
