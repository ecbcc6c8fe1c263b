// erf, and rsqrt, which needs no file of its own.
//
// Two pieces, both computed and one selected: x + x q(x^2) up to the knee, 1 -
// exp(-h(|x|)) beyond with a polynomial h = -log(erfc): there 1 - erf is below
// 1/5, so the error of the exponential hardly counts. Both polynomials are ours
// (coefficients.py).
#include "compiler/Lower/Math/Formulas.h"

namespace trireme::lower {
namespace {
#include "compiler/Lower/Math/coefficients.inc"
} // namespace

Num expandErf(Num x) {
  FloatOps &f = *x.ops;
  Num a = abs(x);
  Num near = fma(a, horner(a * a, kErfF32, kErfF64), a);
  // Beyond 3.92 (5.93) erf rounds to 1, and so does the formula at that end.
  Num u = atMost(a, f.pick(3.92, 5.93)) - f.pick(1.0, 1.5);
  ExpParts parts = reduceExp(-horner(u, kErfTailF32, kErfTailF64), f.bias());
  Num far = fma(-expOfRest(parts.r), powerOfTwo(parts.low), 1.0);
  return flipSign(select(a < 0.9375, near, far), signOf(x));
}

/// Both steps are correctly rounded, and all specials are those of 1/sqrt.
Num expandRsqrt(Num x) { return 1.0 / sqrt(x); }

} // namespace trireme::lower
