//===- KernelOps.cpp - verifiers of the kernel dialect --------------------===//

#include "compiler/Dialect/Kernel/Kernel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace trireme::kernel;

#include "compiler/Dialect/Kernel/KernelDialect.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Kernel/KernelOps.cpp.inc"

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Kernel/KernelOps.cpp.inc"
      >();
}

LogicalResult IotaOp::verify() {
  if (getType().getRank() != 1)
    return emitOpError("result must have one axis, got ") << getType();
  return success();
}

static LogicalResult verifyAxis(Operation *op, int32_t axis,
                                RankedTensorType tensor) {
  if (axis < 0 || axis >= tensor.getRank())
    return op->emitOpError("axis ") << axis << " is outside " << tensor;
  return success();
}

/// Operands are of one shape that has the axis, and each has a result.
template <typename OpT> static LogicalResult verifyOperands(OpT op) {
  if (op.getInputs().empty())
    return op.emitOpError("needs at least one operand");
  auto first = cast<RankedTensorType>(op.getInputs().front().getType());
  if (failed(verifyAxis(op, op.getAxis(), first)))
    return failure();
  for (Type type : op.getInputs().getTypes())
    if (cast<RankedTensorType>(type).getShape() != first.getShape())
      return op.emitOpError("operands must have one shape, got ")
             << first << " and " << type;
  if (op.getResults().size() != op.getInputs().size())
    return op.emitOpError("needs one result an operand: expected ")
           << op.getInputs().size() << ", got " << op.getResults().size();
  return success();
}

/// The combine region takes the scalars of both sides and yields one side.
template <typename OpT> static LogicalResult verifyCombine(OpT op) {
  SmallVector<Type> scalars;
  for (Type type : op.getInputs().getTypes())
    scalars.push_back(getElementTypeOrSelf(type));
  SmallVector<Type> both(scalars);
  both.append(scalars);
  Block &block = op.getCombine().front();
  if (!llvm::equal(block.getArgumentTypes(), both))
    return op.emitOpError("combine region must take the scalars of both "
                          "sides, (")
           << both << "); it takes (" << block.getArgumentTypes() << ")";
  TypeRange yielded = block.getTerminator()->getOperandTypes();
  if (!llvm::equal(yielded, scalars))
    return op.emitOpError("combine region must yield the scalars of one side, "
                          "(")
           << scalars << "); it yields (" << yielded << ")";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyOperands(*this)))
    return failure();
  for (auto [input, result] : llvm::zip(getInputs(), getResults())) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + getAxis());
    Type expected = shape.empty()
                        ? type.getElementType()
                        : RankedTensorType::get(shape, type.getElementType());
    if (result.getType() != expected)
      return emitOpError("result must be ")
             << expected << " but is " << result.getType();
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombine(*this); }

LogicalResult ScanOp::verify() {
  if (failed(verifyOperands(*this)))
    return failure();
  if (!llvm::equal(getInputs().getTypes(), getResults().getTypes()))
    return emitOpError("results must have the operands' types (")
           << getInputs().getTypes() << "), got (" << getResults().getTypes()
           << ")";
  return success();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombine(*this); }

LogicalResult GatherOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  int32_t along = getAxis();
  if (failed(verifyAxis(*this, along, source)))
    return failure();
  if (result.getShape() != indices.getShape() ||
      result.getElementType() != source.getElementType())
    return emitOpError("result must have the indices' shape and the source's "
                       "element type, got ")
           << result << " of " << indices << " and " << source;
  bool fits = source.getRank() == indices.getRank();
  for (int64_t axis = 0; fits && axis < source.getRank(); ++axis)
    fits = axis == along || source.getDimSize(axis) == indices.getDimSize(axis);
  if (!fits)
    return emitOpError("indices must have the source's shape but for axis ")
           << along << ", got " << indices << " for " << source;
  if (!llvm::isPowerOf2_64(source.getDimSize(along)))
    return emitOpError("the axis must have a power of two of elements, got ")
           << source.getDimSize(along);
  return success();
}

LogicalResult HistogramOp::verify() {
  if (getMask() && cast<RankedTensorType>(getMask().getType()).getShape() !=
                       cast<RankedTensorType>(getSource().getType()).getShape())
    return emitOpError("mask must have the source's shape, got ")
           << getMask().getType() << " for " << getSource().getType();
  return success();
}

LogicalResult PrintOp::verify() {
  if (static_cast<bool>(getValue()) == getType().empty())
    return emitOpError("needs a value and the spelling of its type, or "
                       "neither; got ")
           << (getValue() ? "a value" : "no value") << " and \"" << getType()
           << "\"";
  return success();
}

LogicalResult AssertOp::verify() {
  if (static_cast<bool>(getLeft()) != static_cast<bool>(getRight()))
    return emitOpError("compares two values or none, got one");
  for (Value side : {getLeft(), getRight()}) {
    if (!side)
      continue;
    if (failed(verifyCompatibleShape(side.getType(), getCondition().getType())))
      return emitOpError("what is compared must have the condition's shape, "
                         "got ")
             << side.getType() << " for " << getCondition().getType();
  }
  return success();
}
