// The formulas of this room: one function a row of functions.inc, and the
// pieces that several of them share.
#pragma once

#include "compiler/Lower/Math/FloatOps.h"

namespace trireme::lower {

#define TRIREME_MATH_UNARY(OP, TYPE, ULP, ULP_NO_FMA, NOTES)                   \
  Num expand##OP(Num x);
#define TRIREME_MATH_BINARY(OP, TYPE, ULP, ULP_NO_FMA, NOTES)                  \
  Num expand##OP(Num x, Num y);
#include "compiler/Lower/Math/functions.inc"

/// x = q ln2 + r with |r| <= ln2/2; q has the offset.
struct ExpParts {
  Num r;
  Rounded q;
};
ExpParts reduceExp(Num x, int64_t offset);

/// exp(r) and exp(r) - 1 for the r of reduceExp.
Num expOfRest(Num r);
Num expm1OfRest(Num r);

/// 2^k for the k + bias in the low bits of `biased` (the other bits are shifted
/// out).
inline Num powerOfTwo(Bits biased) {
  return fromBits(biased << biased.ops->mantissa());
}

/// p * 2^q with one rounding, 2 bias added to the low bits of `q`: overflow
/// gives inf, small results round once into the denormals, and NaN stays.
Num scale(Num p, Rounded q);

} // namespace trireme::lower
