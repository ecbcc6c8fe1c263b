//===- Elementwise.cpp - arithmetic, made total ---------------------------===//
//
// No kernel value is poison and no operation traps: division by zero, shifts by
// the width or more and casts of numbers out of range have defined results
// (RISC-V's rules), made of selects around an operation on harmless operands.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"
#include "NarrowFloats.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

namespace {

/// Builds at one place for one type, scalar or tensor.
struct Arith {
  OpBuilder &b;
  Location loc;

  Value constant(Type type, int64_t value) {
    return createInt(b, loc, type, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  /// The scalar value of a splat; null for other tensors, the value itself if
  /// scalar.
  static Value getScalar(Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return value;
    if (auto splat = value.getDefiningOp<tensor::SplatOp>())
      return splat.getInput();
    return {};
  }
  /// `build` on the scalar of a splat where there is one, so that what is the
  /// same for all elements is computed once.
  Value spread(Value value, llvm::function_ref<Value(Value)> build) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Value scalar = type ? getScalar(value) : Value();
    if (!scalar)
      return build(value);
    Value result = build(scalar);
    return tensor::SplatOp::create(
        b, loc, result,
        RankedTensorType::get(type.getShape(), result.getType()));
  }
};

} // namespace

static bool matchConstant(Value value, APInt &constant) {
  return matchPattern(value, m_ConstantInt(&constant));
}

/// x / d and x % d: x // 0 = all ones, x % 0 = x, and d = -1 negates without
/// overflow.
static Value createDivision(OpBuilder &b, Operation *op, Value x, Value d) {
  Arith a{b, op->getLoc()};
  Type type = x.getType();
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
  bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  auto divide = [&](Value divisor) -> Value {
    OperationState state(a.loc, op->getName(), ValueRange{x, divisor},
                         TypeRange{type});
    return b.create(state)->getResult(0);
  };
  APInt constant;
  if (matchConstant(d, constant)) {
    if (constant.isZero())
      return isRemainder ? x : a.constant(type, -1);
    if (!isSigned || !constant.isAllOnes())
      return divide(d);
    Value zero = a.constant(type, 0);
    return isRemainder ? zero
                       : arith::SubIOp::create(b, a.loc, zero, x).getResult();
  }
  auto equals = [&](int64_t number) {
    return a.spread(d, [&](Value divisor) {
      return a.compare(arith::CmpIPredicate::eq, divisor,
                       a.constant(divisor.getType(), number));
    });
  };
  Value isZero = equals(0);
  Value isMinusOne = isSigned ? equals(-1) : Value();
  Value safe = a.spread(d, [&](Value divisor) -> Value {
    Value one = a.constant(divisor.getType(), 1);
    Value unsafe = a.compare(arith::CmpIPredicate::eq, divisor,
                             a.constant(divisor.getType(), 0));
    if (isSigned)
      unsafe =
          arith::OrIOp::create(b, a.loc, unsafe,
                               a.compare(arith::CmpIPredicate::eq, divisor,
                                         a.constant(divisor.getType(), -1)));
    return a.select(unsafe, one, divisor);
  });
  Value result = divide(safe);
  if (isRemainder) // x % 1 = 0 is right for -1 as well
    return a.select(isZero, x, result);
  if (isSigned)
    result = a.select(isMinusOne,
                      arith::SubIOp::create(b, a.loc, a.constant(type, 0), x),
                      result);
  return a.select(isZero, a.constant(type, -1), result);
}

/// Shifts by the width or more give 0, or the sign.
static Value createShift(OpBuilder &b, Operation *op, Value x, Value amount) {
  Arith a{b, op->getLoc()};
  Type type = x.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto shift = [&](Value by) -> Value {
    OperationState state(a.loc, op->getName(), ValueRange{x, by},
                         TypeRange{type});
    return b.create(state)->getResult(0);
  };
  bool isArithmetic = isa<arith::ShRSIOp>(op);
  APInt constant;
  if (matchConstant(amount, constant)) {
    if (constant.ult(width))
      return shift(amount);
    return isArithmetic ? shift(a.constant(type, width - 1))
                        : a.constant(type, 0);
  }
  Value safe = a.spread(amount, [&](Value by) -> Value {
    return arith::MinUIOp::create(b, a.loc, by,
                                  a.constant(by.getType(), width - 1));
  });
  Value result = shift(safe);
  if (isArithmetic)
    return result;
  Value inRange = a.spread(amount, [&](Value by) {
    return a.compare(arith::CmpIPredicate::ule, by,
                     a.constant(by.getType(), width - 1));
  });
  return a.select(inRange, result, a.constant(type, 0));
}

static Value createFloat(OpBuilder &b, Location loc, Type type,
                         const APFloat &value) {
  TypedAttr attribute = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = SplatElementsAttr::get(tensor, attribute);
  return arith::ConstantOp::create(b, loc, attribute);
}

/// Saturates; NaN gives 0.
static Value createFloatToInt(OpBuilder &b, Operation *op, Value x, Type type) {
  Arith a{b, op->getLoc()};
  bool isSigned = isa<arith::FPToSIOp>(op);
  // In 32 bits and more the limits are exact.
  if (getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth() < 32)
    x = arith::ExtFOp::create(b, a.loc,
                              withElement(x.getType(), b.getF32Type()), x);
  auto floatType = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  APInt least =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  APInt most =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  // least and most + 1 are 0 or powers of two.
  APFloat low(floatType.getFloatSemantics(), 0),
      high(floatType.getFloatSemantics(), 0);
  low.convertFromAPInt(least, isSigned, APFloat::rmNearestTiesToEven);
  high.convertFromAPInt(most.zext(width + 1) + 1, /*IsSigned=*/false,
                        APFloat::rmNearestTiesToEven);
  Value lowest = createFloat(b, a.loc, x.getType(), low);
  Value above = createFloat(b, a.loc, x.getType(), high);
  auto compare = [&](arith::CmpFPredicate predicate, Value y) -> Value {
    return arith::CmpFOp::create(b, a.loc, predicate, x, y);
  };
  Value isLow = compare(arith::CmpFPredicate::OLE, lowest);
  Value isHigh = compare(arith::CmpFPredicate::OGE, above);
  // Ordered and strictly inside: false for NaN.
  Value isInside = arith::AndIOp::create(
      b, a.loc, compare(arith::CmpFPredicate::OGT, lowest),
      compare(arith::CmpFPredicate::OLT, above));
  Value zero = createZero(b, a.loc, x.getType());
  OperationState state(a.loc, op->getName(),
                       ValueRange{a.select(isInside, x, zero)},
                       TypeRange{type});
  Value result = b.create(state)->getResult(0);
  result = a.select(isHigh, createInt(b, a.loc, type, most), result);
  return a.select(isLow, createInt(b, a.loc, type, least), result);
}

/// The upper half of the unsigned product.
static Value createMulHi(OpBuilder &b, Location loc, Value x, Value y) {
  Type type = x.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Type wide = withElement(type, b.getIntegerType(2 * width));
  Value product =
      arith::MulIOp::create(b, loc, arith::ExtUIOp::create(b, loc, wide, x),
                            arith::ExtUIOp::create(b, loc, wide, y));
  Value high =
      arith::ShRUIOp::create(b, loc, product, createInt(b, loc, wide, width));
  return arith::TruncIOp::create(b, loc, type, high);
}

Value conversion::createElementwise(OpBuilder &b, Operation *op,
                                    ValueRange operands, Type type) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return createDivision(b, op, operands[0], operands[1]);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return createShift(b, op, operands[0], operands[1]);
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return createFloatToInt(b, op, operands[0], type);
  if (isa<tt::MulhiUIOp>(op))
    return createMulHi(b, op->getLoc(), operands[0], operands[1]);
  OperationState state(op->getLoc(), op->getName(), operands, TypeRange{type},
                       op->getAttrs());
  Operation *copy = b.create(state);
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(copy))
    copy->setAttr(flags.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      op->getContext(), arith::IntegerOverflowFlags::none));
  return copy->getResult(0);
}

template <typename OpT>
static LogicalResult convertTotal(Converter &converter, OpT op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value value = converter.get(operand);
    if (isFloat8(operand.getType()))
      value = decodeFloat8(converter.b, op.getLoc(), value,
                           cast<FloatType>(getElementTypeOrSelf(operand)));
    operands.push_back(value);
  }
  converter.set(op.getResult(),
                createElementwise(converter.b, op, operands,
                                  Converter::convertType(op.getType())));
  return success();
}

/// These may trap and no front end emits them.
template <typename OpT> static LogicalResult refuseOp(Converter &, OpT op) {
  return refuse(op);
}

static LogicalResult convertConstant(Converter &converter,
                                     arith::ConstantOp op) {
  if (isa<RankedTensorType>(op.getType()) &&
      !isa<SplatElementsAttr>(op.getValue()))
    return refuse(op, "a constant tensor that is no splat");
  Type type = Converter::convertType(op.getType());
  TypedAttr value = op.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = SplatElementsAttr::get(
        cast<RankedTensorType>(type),
        Attribute(Converter::convertNumber(
            cast<TypedAttr>(splat.getSplatValue<Attribute>()))));
  else
    value = Converter::convertNumber(value);
  converter.set(op, arith::ConstantOp::create(converter.b, op.getLoc(), value));
  return success();
}

static LogicalResult convertPoison(Converter &converter, ub::PoisonOp op) {
  Type type = Converter::convertType(op.getType());
  converter.set(op, createZero(converter.b, op.getLoc(), type));
  return success();
}

static LogicalResult convertSqrt(Converter &converter, tt::PreciseSqrtOp op) {
  converter.set(op, math::SqrtOp::create(converter.b, op.getLoc(),
                                         converter.get(op.getX())));
  return success();
}

static LogicalResult convertDiv(Converter &converter, tt::PreciseDivFOp op) {
  converter.set(op, arith::DivFOp::create(converter.b, op.getLoc(),
                                          converter.get(op.getX()),
                                          converter.get(op.getY())));
  return success();
}

static LogicalResult convertClamp(Converter &converter, tt::ClampFOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Value x = converter.get(op.getX()), low = converter.get(op.getMin()),
        high = converter.get(op.getMax());
  if (op.getPropagateNan() == tt::PropagateNan::ALL)
    converter.set(op,
                  arith::MinimumFOp::create(
                      b, loc, arith::MaximumFOp::create(b, loc, x, low), high));
  else
    converter.set(op,
                  arith::MinNumFOp::create(
                      b, loc, arith::MaxNumFOp::create(b, loc, x, low), high));
  return success();
}

/// Between float types, rounding once.
static LogicalResult convertFloat(Converter &converter, Operation *op,
                                  bool towardsZero) {
  OpBuilder &b = converter.b;
  Location loc = op->getLoc();
  Value x = converter.get(op->getOperand(0));
  Type original = op->getResult(0).getType();
  Type type = Converter::convertType(original);
  auto from = cast<FloatType>(getElementTypeOrSelf(op->getOperand(0)));
  auto to = cast<FloatType>(getElementTypeOrSelf(original));
  Type f32 = withElement(type, b.getF32Type());
  auto finish = [&](Value result) {
    converter.set(op->getResult(0), result);
    return success();
  };
  if (from == to)
    return finish(x);
  if (from.getWidth() == 8) {
    x = decodeFloat8(b, loc, x, from);
    from = b.getF32Type();
    if (to.isF32())
      return finish(x);
    towardsZero = false; // exact in whatever is wider
  } else if (from.getWidth() == 16 && to.getWidth() <= 16) {
    x = arith::ExtFOp::create(b, loc, f32, x);
    from = b.getF32Type();
  } else if (from.isF64() && (to.getWidth() == 8 || towardsZero)) {
    x = narrowToF32(b, loc, x, towardsZero);
    from = b.getF32Type();
    if (to.isF32())
      return finish(x);
  }
  if (to.getWidth() == 8)
    return finish(encodeFloat8(b, loc, x, to, towardsZero));
  if (to.getWidth() > from.getWidth())
    return finish(arith::ExtFOp::create(b, loc, type, x));
  if (towardsZero)
    return finish(truncateTowardsZero(b, loc, x, to));
  return finish(arith::TruncFOp::create(b, loc, type, x));
}

static LogicalResult convertFpToFp(Converter &converter, tt::FpToFpOp op) {
  return convertFloat(converter, op,
                      op.getRounding() &&
                          *op.getRounding() == tt::RoundingMode::RTZ);
}

template <typename OpT>
static LogicalResult convertCast(Converter &converter, OpT op) {
  return convertFloat(converter, op, /*towardsZero=*/false);
}

void conversion::addElementwiseHandlers(Handlers &handlers) {
  handlers.add<arith::DivSIOp, convertTotal>();
  handlers.add<arith::DivUIOp, convertTotal>();
  handlers.add<arith::RemSIOp, convertTotal>();
  handlers.add<arith::RemUIOp, convertTotal>();
  handlers.add<arith::ShLIOp, convertTotal>();
  handlers.add<arith::ShRSIOp, convertTotal>();
  handlers.add<arith::ShRUIOp, convertTotal>();
  handlers.add<arith::FPToSIOp, convertTotal>();
  handlers.add<arith::FPToUIOp, convertTotal>();
  handlers.add<arith::CeilDivSIOp, refuseOp>();
  handlers.add<arith::CeilDivUIOp, refuseOp>();
  handlers.add<arith::FloorDivSIOp, refuseOp>();
  handlers.add<arith::ConstantOp, convertConstant>();
  handlers.add<ub::PoisonOp, convertPoison>();
  handlers.add<tt::PreciseSqrtOp, convertSqrt>();
  handlers.add<tt::PreciseDivFOp, convertDiv>();
  handlers.add<tt::MulhiUIOp, convertTotal>();
  handlers.add<tt::ClampFOp, convertClamp>();
  handlers.add<tt::FpToFpOp, convertFpToFp>();
  handlers.add<arith::ExtFOp, convertCast>();
  handlers.add<arith::TruncFOp, convertCast>();
}
