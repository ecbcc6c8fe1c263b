// A small expression language over MLIR values of one float format, scalar or
// vector, in which the formulas of this room are written: Num (floats), Bits
// (integers of the same width and shape), Mask (one bit a lane). Every operator
// emits the arith op of its name, without fast-math flags, so a formula is
// executed as written.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace trireme::lower {

class FloatOps;

struct Num {
  FloatOps *ops;
  mlir::Value value;
};
struct Bits {
  FloatOps *ops;
  mlir::Value value;
};
struct Mask {
  FloatOps *ops;
  mlir::Value value;
};

/// The format (f32 or f64, lanes) and place of a formula.
class FloatOps {
public:
  FloatOps(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
           bool hasFma, bool hasScalef = false)
      : builder(builder), loc(loc), type(type), hasFma(hasFma),
        hasScalef(hasScalef), isF64(mlir::getElementTypeOrSelf(type).isF64()) {
    unsigned width = isF64 ? 64 : 32;
    bitsType = sameShape(mlir::IntegerType::get(type.getContext(), width));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type, bitsType;
  bool hasFma, hasScalef;
  bool isF64;

  unsigned mantissa() const { return isF64 ? 52 : 23; }
  int64_t bias() const { return isF64 ? 1023 : 127; }
  unsigned width() const { return isF64 ? 64 : 32; }
  uint64_t signBit() const { return uint64_t(1) << (width() - 1); }
  /// f32's or f64's variant of a constant.
  template <typename T> T pick(T forF32, T forF64) const {
    return isF64 ? forF64 : forF32;
  }

  mlir::Type sameShape(mlir::Type element) const {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
      return vector.clone(element);
    return element;
  }

  Num num(double value) {
    mlir::FloatType element =
        llvm::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
    return {this, splat(type, builder.getFloatAttr(element, value))};
  }
  Bits bits(uint64_t value) {
    llvm::APInt word(64, value);
    mlir::Type element = mlir::getElementTypeOrSelf(bitsType);
    return {this, splat(bitsType,
                        builder.getIntegerAttr(element, word.trunc(width())))};
  }
  Num inf() { return num(std::numeric_limits<double>::infinity()); }
  Num nan() { return num(std::numeric_limits<double>::quiet_NaN()); }

  template <typename Op, typename... Args> mlir::Value make(Args... args) {
    return Op::create(builder, loc, args...);
  }

private:
  mlir::Value splat(mlir::Type shaped, mlir::TypedAttr element) {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(shaped))
      element = mlir::DenseElementsAttr::get(vector, element);
    return make<mlir::arith::ConstantOp>(element);
  }
};

//===-- floats

#define TRIREME_OPERATOR(SYMBOL, OP)                                           \
  inline Num operator SYMBOL(Num a, Num b) {                                   \
    return {a.ops, a.ops->make<mlir::arith::OP>(a.value, b.value)};            \
  }                                                                            \
  inline Num operator SYMBOL(Num a, double b) {                                \
    return a SYMBOL a.ops->num(b);                                             \
  }                                                                            \
  inline Num operator SYMBOL(double a, Num b) { return b.ops->num(a) SYMBOL b; }
TRIREME_OPERATOR(+, AddFOp)
TRIREME_OPERATOR(-, SubFOp)
TRIREME_OPERATOR(*, MulFOp)
TRIREME_OPERATOR(/, DivFOp)
#undef TRIREME_OPERATOR

inline Num operator-(Num a) {
  return {a.ops, a.ops->make<mlir::arith::NegFOp>(a.value)};
}
inline Num abs(Num a) {
  return {a.ops, a.ops->make<mlir::math::AbsFOp>(a.value)};
}
inline Num sqrt(Num a) {
  return {a.ops, a.ops->make<mlir::math::SqrtOp>(a.value)};
}

/// a*b + c, fused where the target can.
inline Num fma(Num a, Num b, Num c) {
  if (!a.ops->hasFma)
    return a * b + c;
  return {a.ops, a.ops->make<mlir::math::FmaOp>(a.value, b.value, c.value)};
}
inline Num fma(Num a, double b, Num c) { return fma(a, a.ops->num(b), c); }
inline Num fma(Num a, Num b, double c) { return fma(a, b, a.ops->num(c)); }
inline Num fma(Num a, double b, double c) {
  return fma(a, a.ops->num(b), a.ops->num(c));
}

inline Mask compare(mlir::arith::CmpFPredicate predicate, Num a, Num b) {
  return {a.ops, a.ops->make<mlir::arith::CmpFOp>(predicate, a.value, b.value)};
}
inline Mask operator<(Num a, Num b) {
  return compare(mlir::arith::CmpFPredicate::OLT, a, b);
}
inline Mask operator>(Num a, Num b) {
  return compare(mlir::arith::CmpFPredicate::OGT, a, b);
}
inline Mask operator>=(Num a, Num b) {
  return compare(mlir::arith::CmpFPredicate::OGE, a, b);
}
inline Mask operator==(Num a, Num b) {
  return compare(mlir::arith::CmpFPredicate::OEQ, a, b);
}
inline Mask operator<(Num a, double b) { return a < a.ops->num(b); }
inline Mask operator>(Num a, double b) { return a > a.ops->num(b); }
inline Mask operator>=(Num a, double b) { return a >= a.ops->num(b); }
inline Mask operator==(Num a, double b) { return a == a.ops->num(b); }

inline Num select(Mask mask, Num a, Num b) {
  return {a.ops,
          a.ops->make<mlir::arith::SelectOp>(mask.value, a.value, b.value)};
}
inline Num select(Mask mask, double a, Num b) {
  return select(mask, b.ops->num(a), b);
}
inline Num select(Mask mask, Num a, double b) {
  return select(mask, a, a.ops->num(b));
}

/// Clamps that let NaN pass: written so that x86's min and max match in one
/// instruction.
inline Num atMost(Num a, double limit) {
  return select(a.ops->num(limit) < a, limit, a);
}
inline Num atLeast(Num a, double limit) {
  return select(a.ops->num(limit) > a, limit, a);
}

//===-- masks and bits

inline Mask operator&(Mask a, Mask b) {
  return {a.ops, a.ops->make<mlir::arith::AndIOp>(a.value, b.value)};
}
inline Mask operator|(Mask a, Mask b) {
  return {a.ops, a.ops->make<mlir::arith::OrIOp>(a.value, b.value)};
}

inline Mask operator!(Mask a) {
  mlir::Type type = a.value.getType();
  mlir::Value yes =
      a.ops->make<mlir::arith::ConstantOp>(a.ops->builder.getOneAttr(type));
  return {a.ops, a.ops->make<mlir::arith::XOrIOp>(a.value, yes)};
}

#define TRIREME_OPERATOR(SYMBOL, OP)                                           \
  inline Bits operator SYMBOL(Bits a, Bits b) {                                \
    return {a.ops, a.ops->make<mlir::arith::OP>(a.value, b.value)};            \
  }                                                                            \
  inline Bits operator SYMBOL(Bits a, uint64_t b) {                            \
    return a SYMBOL a.ops->bits(b);                                            \
  }
TRIREME_OPERATOR(+, AddIOp)
TRIREME_OPERATOR(-, SubIOp)
TRIREME_OPERATOR(*, MulIOp)
TRIREME_OPERATOR(&, AndIOp)
TRIREME_OPERATOR(|, OrIOp)
TRIREME_OPERATOR(^, XOrIOp)
TRIREME_OPERATOR(<<, ShLIOp)
TRIREME_OPERATOR(>>, ShRUIOp)
#undef TRIREME_OPERATOR

/// Shift right that keeps the sign.
inline Bits shiftSigned(Bits a, unsigned by) {
  return {a.ops,
          a.ops->make<mlir::arith::ShRSIOp>(a.value, a.ops->bits(by).value)};
}
inline Bits select(Mask mask, Bits a, Bits b) {
  return {a.ops,
          a.ops->make<mlir::arith::SelectOp>(mask.value, a.value, b.value)};
}
inline Mask nonZero(Bits a) {
  return {a.ops,
          a.ops->make<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::ne,
                                           a.value, a.ops->bits(0).value)};
}
inline Bits bitsOf(Num a) {
  return {a.ops, a.ops->make<mlir::arith::BitcastOp>(a.ops->bitsType, a.value)};
}
inline Num fromBits(Bits a) {
  return {a.ops, a.ops->make<mlir::arith::BitcastOp>(a.ops->type, a.value)};
}
inline Bits signOf(Num a) { return bitsOf(a) & a.ops->signBit(); }
/// a, negated where `sign` has the sign bit set.
inline Num flipSign(Num a, Bits sign) { return fromBits(bitsOf(a) ^ sign); }

//===-- formulas

/// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
template <typename T> Num horner(Num x, llvm::ArrayRef<T> c) {
  Num sum = x.ops->num(c.back());
  for (T coefficient : llvm::reverse(c.drop_back()))
    sum = fma(sum, x, coefficient);
  return sum;
}
inline Num horner(Num x, llvm::ArrayRef<float> forF32,
                  llvm::ArrayRef<double> forF64) {
  return x.ops->isF64 ? horner(x, forF64) : horner(x, forF32);
}

/// An integer nearest to a float: as a float, and in the low bits of `low`,
/// from which `offset` was added. Adding 1.5 * 2^mantissa makes the last place
/// worth 1, and the hardware rounds to nearest even (the kernel runs in that
/// mode).
struct Rounded {
  Num n;
  Bits low;
};
inline Rounded roundNearest(Num x, double factor, int64_t offset) {
  FloatOps &f = *x.ops;
  double magic = std::ldexp(1.5, f.mantissa()) + double(offset);
  Num t = factor == 1.0 ? x + magic : fma(x, factor, magic);
  return {t - magic, bitsOf(t)};
}

} // namespace trireme::lower
