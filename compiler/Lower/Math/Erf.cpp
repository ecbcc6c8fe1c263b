// erf, and rsqrt, which needs no file of its own.
//
// In f32 one quotient of polynomials, as a division costs less than an
// exponential. In f64 two pieces, both computed and one selected: x + x q(x^2)
// up to the knee, 1 - exp(-h(|x|)) beyond with a polynomial h = -log(erfc):
// there 1 - erf is below 1/5, so the error of the exponential hardly counts.
// All polynomials are ours (coefficients.py).
#include "compiler/Lower/Math/Formulas.h"

namespace trireme::lower {
namespace {
#include "compiler/Lower/Math/coefficients.inc"
} // namespace

static Num erfF32(Num x) {
  // Beyond 3.92 erf rounds to 1.
  Num a = atMost(abs(x), 3.92);
  Num z = a * a;
  Num quotient =
      a * horner<float>(z, kErfTopF32) / horner<float>(z, kErfBottomF32);
  return flipSign(atMost(quotient, 1.0), signOf(x));
}

static Num erfF64(Num x) {
  FloatOps &f = *x.ops;
  Num a = abs(x);
  Num near = fma(a, horner<double>(a * a, kErfF64), a);
  // Beyond 5.93 erf rounds to 1, and so does the formula at that end.
  Num u = atMost(a, 5.93) - 1.5;
  ExpParts parts = reduceExp(-horner<double>(u, kErfTailF64), f.bias());
  Num far = fma(-expOfRest(parts.r), powerOfTwo(parts.q.low), 1.0);
  return flipSign(select(a < 0.9375, near, far), signOf(x));
}

Num expandErf(Num x) { return x.ops->isF64 ? erfF64(x) : erfF32(x); }

/// Both steps are correctly rounded, and all specials are those of 1/sqrt.
Num expandRsqrt(Num x) { return 1.0 / sqrt(x); }

} // namespace trireme::lower
