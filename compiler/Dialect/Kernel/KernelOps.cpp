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

/// The combine region takes the scalars of both sides and yields one side.
template <typename OpT> static LogicalResult verifyCombine(OpT op) {
  if (op.getInputs().empty())
    return op.emitOpError("needs at least one operand");
  auto first = cast<RankedTensorType>(op.getInputs().front().getType());
  if (op.getAxis() >= static_cast<uint32_t>(first.getRank()))
    return op.emitOpError("axis ")
           << op.getAxis() << " is outside a tensor of rank "
           << first.getRank();
  SmallVector<Type> scalars;
  for (Value input : op.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getShape() != first.getShape())
      return op.emitOpError("operands must have one shape");
    scalars.push_back(type.getElementType());
  }
  SmallVector<Type> both(scalars);
  both.append(scalars);
  Block &block = op.getCombine().front();
  if (!llvm::equal(block.getArgumentTypes(), both))
    return op.emitOpError("combine region must take the scalars of both sides");
  if (!llvm::equal(block.getTerminator()->getOperandTypes(), scalars))
    return op.emitOpError("combine region must yield the scalars of one side");
  if (op.getResults().size() != op.getInputs().size())
    return op.emitOpError("needs one result an operand");
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombine(*this)))
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

LogicalResult ScanOp::verify() {
  if (failed(verifyCombine(*this)))
    return failure();
  if (!llvm::equal(getInputs().getTypes(), getResults().getTypes()))
    return emitOpError("results must have the operands' types");
  return success();
}

LogicalResult GatherOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (getAxis() >= static_cast<uint32_t>(source.getRank()))
    return emitOpError("axis ")
           << getAxis() << " is outside a tensor of rank " << source.getRank();
  if (result.getShape() != indices.getShape() ||
      result.getElementType() != source.getElementType())
    return emitOpError("result must have the indices' shape and the source's "
                       "element type");
  bool fits = source.getRank() == indices.getRank();
  for (int64_t axis = 0; fits && axis < source.getRank(); ++axis)
    fits = axis == static_cast<int64_t>(getAxis()) ||
           source.getDimSize(axis) == indices.getDimSize(axis);
  if (!fits)
    return emitOpError("indices must have the source's shape but for axis ")
           << getAxis();
  if (!llvm::isPowerOf2_64(source.getDimSize(getAxis())))
    return emitOpError("the axis must have a power of two of elements");
  return success();
}

LogicalResult HistogramOp::verify() {
  if (getMask() && cast<RankedTensorType>(getMask().getType()).getShape() !=
                       cast<RankedTensorType>(getSource().getType()).getShape())
    return emitOpError("mask must have the source's shape");
  return success();
}
