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

} // namespace trireme::lower
