//===- Dot.cpp - matrix products ------------------------------------------===//

#include "Converter.h"
#include "NarrowFloats.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

static LogicalResult convertDot(Converter &converter, tt::DotOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Value acc = converter.get(op.getC());
  // Eight-bit floats are multiplied in f32, where products are exact.
  auto operand = [&](Value original) {
    Value value = converter.get(original);
    return isFloat8(original.getType())
               ? decodeFloat8(b, loc, value,
                              cast<FloatType>(getElementTypeOrSelf(original)))
               : value;
  };
  Value lhs = operand(op.getA()), rhs = operand(op.getB());
  auto type = cast<RankedTensorType>(acc.getType());
  // Products of narrow floats are summed in f32, whatever type the sum is
  // wanted in.
  auto floatType = dyn_cast<FloatType>(type.getElementType());
  RankedTensorType sumType = type;
  if (floatType && floatType.getWidth() < 32) {
    sumType = RankedTensorType::get(type.getShape(), b.getF32Type());
    acc = arith::ExtFOp::create(b, loc, sumType, acc);
  }
  Value sum;
  if (type.getRank() == 2)
    sum = linalg::MatmulOp::create(b, loc, TypeRange{sumType},
                                   ValueRange{lhs, rhs}, ValueRange{acc})
              .getResult(0);
  else if (type.getRank() == 3)
    sum = linalg::BatchMatmulOp::create(b, loc, TypeRange{sumType},
                                        ValueRange{lhs, rhs}, ValueRange{acc})
              .getResult(0);
  else
    return refuse(op, "more than one batch axis");
  if (sumType != type)
    sum = arith::TruncFOp::create(b, loc, type, sum);
  converter.set(op, sum);
  return success();
}

void conversion::addDotHandlers(Handlers &handlers) {
  handlers.add<tt::DotOp, convertDot>();
}
