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

/// x = n ln2 + r with |r| <= ln2/2; the low bits of `low` hold n + offset.
struct ExpParts {
  Num r;
  Bits low;
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

/// p * 2^n with one rounding, n + 2 bias in the low bits of `low`. Two factors
/// of half the exponent keep every step but the last exact: overflow gives inf,
/// small results round once into the denormals, and NaN stays.
inline Num scaleTwice(Num p, Bits low) {
  Bits half = low >> 1;
  return p * powerOfTwo(half) * powerOfTwo(low - half);
}

} // namespace trireme::lower
