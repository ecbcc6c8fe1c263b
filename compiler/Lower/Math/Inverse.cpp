// atan, atan2, sinh, cosh.
//
// atan2(y, x) of the magnitudes is atan of a quotient in [0, 1], above
// tan(pi/8) by atan(t) = pi/4 + atan((t - 1)/(t + 1)); the polynomial is ours
// (coefficients.py). The octant is put back by pi/2 - t and pi - t with the
// constants in two parts.
#include "compiler/Lower/Math/Formulas.h"

namespace trireme::lower {
namespace {
#include "compiler/Lower/Math/coefficients.inc"

/// `times` * pi/2 - t.
Num fromQuarterTurns(double times, Num t) {
  FloatOps &f = *t.ops;
  Num low = f.num(times * f.pick<double>(kPio2F32[1], kPio2F64[1]));
  return times * f.pick<double>(kPio2F32[0], kPio2F64[0]) - (t - low);
}

/// The angle of the point (x, y) in the first quadrant, for x, y >= 0; NaN if
/// one is.
Num firstQuadrantAngle(Num y, Num x) {
  FloatOps &f = *x.ops;
  Mask steep = y > x;
  Num low = select(steep, x, y), high = select(steep, y, x);
  // Equal operands, inf and 0 among them, have no quotient to rely on.
  Num t = select(low == high, select(low == 0.0, 0.0, f.num(1.0)), low / high);
  Mask upper = t > 0.41421356237309503;
  Num v = select(upper, (t - 1.0) / (t + 1.0), t);
  Num z = v * v;
  Num angle = fma(v * z, horner(z, kAtanF32, kAtanF64), v);
  Num pio4Low = f.num(0.5 * f.pick<double>(kPio2F32[1], kPio2F64[1]));
  Num raised =
      0.5 * f.pick<double>(kPio2F32[0], kPio2F64[0]) + (angle + pio4Low);
  angle = select(upper, raised, angle);
  return select(steep, fromQuarterTurns(1, angle), angle);
}

/// A quarter of exp(a) - 1 or of exp(a) for a >= 0, finite just past where cosh
/// overflows.
struct Quarter {
  Num r, power;
};
Quarter quarterExp(Num a) {
  FloatOps &f = *a.ops;
  ExpParts parts = reduceExp(atMost(a, f.pick(89.5, 710.6)), f.bias() - 2);
  return {parts.r, powerOfTwo(parts.q.low)};
}

} // namespace

Num expandAtan(Num x) {
  return flipSign(firstQuadrantAngle(abs(x), x.ops->num(1.0)), signOf(x));
}

Num expandAtan2(Num y, Num x) {
  FloatOps &f = *x.ops;
  Num angle = firstQuadrantAngle(abs(y), abs(x));
  angle = select(nonZero(bitsOf(x) & f.signBit()), fromQuarterTurns(2, angle),
                 angle);
  return flipSign(angle, signOf(y));
}

/// (m + m/(m+1)) / 2 with m = exp(a) - 1.
Num expandSinh(Num x) {
  FloatOps &f = *x.ops;
  Num a = abs(x);
  Quarter e = quarterExp(a);
  Num quarter = fma(e.power, expm1OfRest(e.r), e.power - 0.25);
  Num result =
      flipSign((quarter + quarter / fma(quarter, 4.0, 1.0)) * 2.0, signOf(x));
  return select(a < f.pick(std::ldexp(1.0, -13), std::ldexp(1.0, -27)), x,
                result);
}

/// (e + 1/e) / 2 with e = exp(a).
Num expandCosh(Num x) {
  Quarter e = quarterExp(abs(x));
  Num quarter = e.power * expOfRest(e.r);
  return (quarter + 0.0625 / quarter) * 2.0;
}

} // namespace trireme::lower
