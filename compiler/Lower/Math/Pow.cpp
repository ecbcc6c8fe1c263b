// pow is 2^(y log2|x|).
//
// On f32 it is computed in f64, with log2 good to 2^-50 relative, so that the
// result is the nearest float almost always, exact cases included, and overflow
// and denormal results are left to the final conversion.
//
// On f64 the exponent is up to 1075, so log2 has to be good to 2^-65 relative:
// it is carried as the sum of two numbers (T. J. Dekker, A floating-point
// technique for extending the available precision, Numer. Math. 18, 1971).
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

/// y is a whole number, for y >= 0.
Mask isWhole(Num y) {
  double big = std::ldexp(1.0, 52);
  return ((y + big) - big == y) | (y >= big);
}

/// The bit of the sign where `y` (its absolute value) is an odd whole number.
/// `size` is y in f64, cut to where every number is even.
Bits signOfOdd(FloatOps &f, Num size) {
  Mask odd = isWhole(size) & !isWhole(size * 0.5);
  return select(odd, f.bits(f.signBit()), f.bits(0));
}

/// What C99 asks of pow, given |x|^y: the sign of odd powers, NaN for a
/// fraction of a finite nonzero negative base, 1 where that is the result
/// whatever the other operand is.
Num withSpecialCases(Num x, Num y, Num result, Mask whole, Bits oddSign) {
  FloatOps &f = *x.ops;
  Num a = abs(x);
  result = flipSign(result, signOf(x) & oddSign);
  Mask fraction = (x < 0.0) & (a < f.inf());
  result = select(fraction, select(whole, result, f.nan()), result);
  Mask one = (y == 0.0) | (x == 1.0) | ((a == 1.0) & (abs(y) == f.inf()));
  return select(one, 1.0, result);
}

//===-- twice the precision

/// An unevaluated sum, |low| at most half an ulp of high.
struct Pair {
  Num high, low;
};

/// a + b exactly, for |a| >= |b| or a = 0.
Pair fastTwoSum(Num a, Num b) {
  Num sum = a + b;
  return {sum, b - (sum - a)};
}

/// a * b exactly, for products whose error is no denormal.
Pair twoProduct(Num a, Num b) {
  Num product = a * b;
  if (a.ops->hasFma)
    return {product, fma(a, b, -product)};
  // Veltkamp's split into halves of the mantissa.
  auto split = [](Num v) -> Pair {
    Num scaled = v * (std::ldexp(1.0, 27) + 1.0);
    Num high = scaled - (scaled - v);
    return {high, v - high};
  };
  Pair p = split(a), q = split(b);
  Num low = ((p.high * q.high - product) + p.high * q.low + p.low * q.high) +
            p.low * q.low;
  return {product, low};
}

/// a * b to about 2^-104 relative.
Pair operator*(Pair a, Pair b) {
  Pair product = twoProduct(a.high, b.high);
  Num low = fma(a.high, b.low, product.low);
  return {product.high, fma(a.low, b.high, low)};
}

/// log2(a) of a finite a > 0.
Pair log2Pair(Num a) {
  FloatOps &f = *a.ops;
  Mask denormal = a < std::ldexp(1.0, -1022);
  a = select(denormal, a * std::ldexp(1.0, 54), a);
  Bits exponent =
      shiftSigned(bitsOf(a) - bitsOf(f.num(0.70710678118654752)), 52);
  Num m = fromBits(bitsOf(a) - (exponent << 52));
  Num magic = f.num(std::ldexp(1.5, 52));
  Num e = fromBits(exponent + bitsOf(magic)) - magic;
  e = select(denormal, e - 54.0, e);

  // s = (m - 1) / (m + 1): the numerator is exact.
  Num numerator = m - 1.0;
  Pair denominator = fastTwoSum(select(m > 1.0, m, f.num(1.0)),
                                select(m > 1.0, f.num(1.0), m));
  Num quotient = numerator / denominator.high;
  Pair back = twoProduct(quotient, denominator.high);
  Num rest = ((numerator - back.high) - back.low) - quotient * denominator.low;
  Pair s{quotient, rest / denominator.high};

  // log(m) = 2 (s + s z (1/3 + z q(z)))
  Pair z = s * s;
  Num tail = z.high * horner(z.high, llvm::ArrayRef(kPowRest));
  Pair series = fastTwoSum(f.num(kThirdF64[0]), tail);
  series.low = series.low + kThirdF64[1];
  Pair cubic = s * (z * series);
  Pair half = fastTwoSum(s.high, cubic.high);
  half.low = half.low + (s.low + cubic.low);
  Pair toBase2{f.num(2 * kLog2EF64[0]), f.num(2 * kLog2EF64[1])};
  Pair fraction = half * toBase2;
  Pair sum = fastTwoSum(e, fraction.high);
  return fastTwoSum(sum.high, sum.low + fraction.low);
}

Num powF64(Num x, Num y) {
  FloatOps &f = *x.ops;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Num a = abs(x);
  Pair log = log2Pair(a);
  // -inf at 0; inf and NaN stay.
  Mask isFinite = a < f.inf();
  log.high = select(isFinite, log.high, a);
  log.high = select(a == 0.0, -kInf, log.high);
  // Whatever the base, if it is not 1, larger exponents are far out too.
  constexpr double kLargest = 0x1p70;
  Num exponent = atLeast(atMost(y, kLargest), -kLargest);
  Pair product = twoProduct(exponent, log.high);
  Num low = fma(exponent, log.low, product.low);
  // Far out the low part, which may be NaN there, tells nothing.
  constexpr double kFar = 1100.0;
  Num high = atLeast(atMost(product.high, kFar), -kFar);
  low = select(abs(high) < kFar, low, 0.0);
  low = select(isFinite, low, 0.0);
  Rounded q = roundNearest(high, 1.0, 2 * f.bias());
  Num r = (high - q.n) + low;
  Num power = scale(fma(horner(r, kExp2F32, kExp2F64), r, 1.0), q);
  Num size = atMost(abs(y), std::ldexp(1.0, 53));
  return withSpecialCases(x, y, power, isWhole(size), signOfOdd(f, size));
}

} // namespace

Num expandPowF(Num x, Num y) {
  FloatOps &f = *x.ops;
  if (f.isF64)
    return powF64(x, y);
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

  Num size = widen(atMost(abs(y), std::ldexp(1.0, 30)));
  return withSpecialCases(x, y, result, isWhole(size), signOfOdd(f, size));
}

} // namespace trireme::lower
