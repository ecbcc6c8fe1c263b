//===- NarrowFloats.cpp - numbers of eight bits ---------------------------===//
//
// Everything in integers and f32 on whole tensors. A number of M mantissa bits
// and bias B in a byte has its exponent and mantissa where those of an f32 are
// after a shift by 23 - M, but for the bias.
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"

#include "Converter.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

bool conversion::isFloat8(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() == 8;
}

namespace {

/// Operations on i32 and f32 of one shape.
class Bits {
public:
  Bits(OpBuilder &b, Location loc, Type like) : b(b), loc(loc), like(like) {}

  Type type(Type element) const { return withElement(like, element); }
  Value i32(int64_t value) {
    return createInt(b, loc, type(b.getI32Type()), value);
  }
  Value f32(uint32_t bits) { return asFloat(i32(int32_t(bits))); }
  Value asFloat(Value value) {
    return arith::BitcastOp::create(b, loc, type(b.getF32Type()), value);
  }
  Value asInt(Value value) {
    return arith::BitcastOp::create(b, loc, type(b.getI32Type()), value);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  /// Unsigned x >= bound.
  Value atLeast(Value x, int64_t bound) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, x,
                                 i32(bound));
  }
  Value isEqual(Value x, int64_t to) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, i32(to));
  }
  template <typename OpT> Value op(Value x, Value y) {
    return OpT::create(b, loc, x, y);
  }
  Value add(Value x, Value y) { return op<arith::AddIOp>(x, y); }
  Value sub(Value x, Value y) { return op<arith::SubIOp>(x, y); }
  Value mask(Value x, int64_t bits) { return op<arith::AndIOp>(x, i32(bits)); }
  Value either(Value x, Value y) { return op<arith::OrIOp>(x, y); }
  Value shl(Value x, int64_t n) { return op<arith::ShLIOp>(x, i32(n)); }
  Value shr(Value x, int64_t n) { return op<arith::ShRUIOp>(x, i32(n)); }

  OpBuilder &b;
  Location loc;

private:
  Type like;
};

/// What the patterns of a format mean.
struct Format {
  explicit Format(FloatType type) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    mantissa = APFloat::semanticsPrecision(semantics) - 1;
    bias = 1 - APFloat::semanticsMinExponent(semantics);
    largest = APFloat::getLargest(semantics).bitcastToAPInt().getZExtValue();
    nan = APFloat::getNaN(semantics).bitcastToAPInt().getZExtValue();
    hasInfinity = APFloat::semanticsHasInf(semantics);
    hasMinusZero = APFloat::semanticsHasSignedRepr(semantics) &&
                   APFloat::getZero(semantics, /*Negative=*/true).isNegZero();
  }
  int64_t mantissa, bias, largest, nan;
  bool hasInfinity, hasMinusZero;
};

uint32_t powerOfTwo(int exponent) { return uint32_t(127 + exponent) << 23; }

} // namespace

Value conversion::decodeFloat8(OpBuilder &b, Location loc, Value bytes,
                               FloatType type) {
  Format format(type);
  Bits x(b, loc, bytes.getType());
  Value code = arith::ExtUIOp::create(b, loc, x.type(b.getI32Type()), bytes);
  Value magnitude = x.mask(code, 0x7f);
  Value shifted = x.shl(magnitude, 23 - format.mantissa);
  Value normal = x.add(shifted, x.i32((127 - format.bias) << 23));
  // A subnormal is its bits times a power of two.
  Value count =
      arith::SIToFPOp::create(b, loc, x.type(b.getF32Type()), magnitude);
  Value tiny = x.asInt(x.op<arith::MulFOp>(
      count, x.f32(powerOfTwo(1 - format.bias - format.mantissa))));
  Value result = x.select(x.atLeast(magnitude, int64_t(1) << format.mantissa),
                          normal, tiny);
  if (format.hasInfinity) {
    // The largest exponent becomes f32's largest, the mantissa stays.
    Value special = x.either(shifted, x.i32(0x7f800000));
    result =
        x.select(x.atLeast(magnitude, format.largest + 1), special, result);
  } else if (format.hasMinusZero) {
    result = x.select(x.isEqual(magnitude, format.nan & 0x7f),
                      x.i32(0x7fc00000), result);
  }
  result = x.either(result, x.shl(x.mask(code, 0x80), 24));
  if (!format.hasInfinity && !format.hasMinusZero)
    result = x.select(x.isEqual(code, 0x80), x.i32(0x7fc00000), result);
  return x.asFloat(result);
}

/// The magnitude's code in a format of `mantissa` bits, not limited above.
static Value encodeMagnitude(Bits &x, Value magnitude, int64_t mantissa,
                             int64_t bias, bool towardsZero) {
  int64_t shift = 23 - mantissa;
  Value rounded = magnitude;
  if (!towardsZero) {
    Value odd = x.mask(x.shr(magnitude, shift), 1);
    rounded =
        x.add(magnitude, x.add(odd, x.i32((int64_t(1) << (shift - 1)) - 1)));
  }
  Value normal = x.sub(x.shr(rounded, shift), x.i32((127 - bias) << mantissa));
  // Below the smallest normal number: a multiple of the least one.
  Value tiny;
  if (towardsZero) {
    Value scaled = x.op<arith::MulFOp>(x.asFloat(magnitude),
                                       x.f32(powerOfTwo(bias - 1 + mantissa)));
    Value limit = x.f32(powerOfTwo(mantissa));
    Value inside = arith::CmpFOp::create(x.b, x.loc, arith::CmpFPredicate::OLT,
                                         scaled, limit);
    tiny = arith::FPToSIOp::create(x.b, x.loc, x.type(x.b.getI32Type()),
                                   x.select(inside, scaled, limit));
  } else {
    // A number whose last bit is worth the least one, added, rounds to it.
    uint32_t anchor = powerOfTwo(1 - bias - mantissa + 23);
    tiny =
        x.sub(x.asInt(x.op<arith::AddFOp>(x.asFloat(magnitude), x.f32(anchor))),
              x.i32(anchor));
  }
  return x.select(x.atLeast(magnitude, (128 - bias) << 23), normal, tiny);
}

Value conversion::encodeFloat8(OpBuilder &b, Location loc, Value value,
                               FloatType type, bool towardsZero) {
  Format format(type);
  Bits x(b, loc, value.getType());
  Value bits = x.asInt(value);
  Value magnitude = x.mask(bits, 0x7fffffff);
  Value code =
      encodeMagnitude(x, magnitude, format.mantissa, format.bias, towardsZero);
  code = x.op<arith::MinSIOp>(code, x.i32(format.largest));
  Value sign = x.mask(x.shr(bits, 24), 0x80);
  if (!format.hasMinusZero)
    sign = x.select(x.isEqual(code, 0), x.i32(0), sign);
  code = x.either(code, sign);
  code = x.select(x.atLeast(magnitude, 0x7f800001), x.i32(format.nan), code);
  return arith::TruncIOp::create(b, loc, x.type(b.getI8Type()), code);
}

Value conversion::truncateTowardsZero(OpBuilder &b, Location loc, Value value,
                                      FloatType type) {
  Bits x(b, loc, value.getType());
  Value bits = x.asInt(value);
  Value magnitude = x.mask(bits, 0x7fffffff), code;
  if (type.isBF16()) {
    // The upper half of the f32; a NaN keeps a bit.
    code = x.shr(magnitude, 16);
    code = x.select(x.atLeast(magnitude, 0x7f800001),
                    x.either(code, x.i32(0x40)), code);
  } else {
    code = encodeMagnitude(x, magnitude, 10, 15, /*towardsZero=*/true);
    code = x.op<arith::MinSIOp>(code, x.i32(0x7bff));
    code = x.select(x.atLeast(magnitude, 0x7f800000), x.i32(0x7c00), code);
    code = x.select(x.atLeast(magnitude, 0x7f800001), x.i32(0x7e00), code);
  }
  code = x.either(code, x.mask(x.shr(bits, 16), 0x8000));
  Value narrow = arith::TruncIOp::create(b, loc, x.type(b.getI16Type()), code);
  return arith::BitcastOp::create(b, loc, x.type(type), narrow);
}

Value conversion::narrowToF32(OpBuilder &b, Location loc, Value value,
                              bool isTowardsZero) {
  Bits x(b, loc, value.getType());
  Value nearest =
      arith::TruncFOp::create(b, loc, x.type(b.getF32Type()), value);
  Value back = arith::ExtFOp::create(b, loc, value.getType(), nearest);
  auto compare = [&](arith::CmpFPredicate how, Value left, Value right) {
    return arith::CmpFOp::create(b, loc, how, left, right);
  };
  Value bits = x.asInt(nearest);
  Value away =
      compare(arith::CmpFPredicate::OGT, math::AbsFOp::create(b, loc, back),
              math::AbsFOp::create(b, loc, value));
  Value towardsZero = x.sub(bits, x.select(away, x.i32(1), x.i32(0)));
  if (isTowardsZero)
    return x.asFloat(towardsZero);
  Value inexact = compare(arith::CmpFPredicate::ONE, back, value);
  return x.asFloat(x.select(inexact, x.either(towardsZero, x.i32(1)), bits));
}
