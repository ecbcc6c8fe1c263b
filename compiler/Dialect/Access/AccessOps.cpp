//===- AccessOps.cpp - verifiers and effects of the access dialect --------===//

#include "compiler/Dialect/Access/Access.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace trireme::access;

#include "compiler/Dialect/Access/AccessDialect.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Access/AccessOps.cpp.inc"

void AccessDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Access/AccessOps.cpp.inc"
      >();
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  // A volatile load may not be dropped or merged.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

void StoreOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}

/// What loads and stores have in common: shapes agree with the block, and each
/// description is whole.
template <typename OpT> static LogicalResult verifyAccess(OpT op, Type block) {
  ArrayRef<int64_t> shape = op.getBlockShape();
  int64_t rank = shape.size();
  if (!isa<RankedTensorType>(block) &&
      (op.getMask() || op.getAddresses() || op.getExactMask()))
    return op.emitOpError("a scalar has no mask and no addresses; use 'pred'");
  if (!op.getBase() && !op.getAddresses())
    return op.emitOpError("needs a base or addresses");
  if (op.getBase() && static_cast<int64_t>(op.getStrides().size()) != rank)
    return op.emitOpError("has ")
           << op.getStrides().size() << " strides for a block of rank " << rank;
  if (!op.getBase() && (op.getOffset() || !op.getStrides().empty() ||
                        !op.getTerms().empty() || !op.getLows().empty()))
    return op.emitOpError("has a summary without a base");
  if (op.getValid() && !op.getAddresses())
    return op.emitOpError("may be invalid at run time but has no addresses");
  if (op.getExactMask() && !op.getAddresses())
    return op.emitOpError("has an exact mask but no addresses");
  if (op.getTerms().size() != op.getTermAxes().size())
    return op.emitOpError("has ")
           << op.getTerms().size() << " terms and " << op.getTermAxes().size()
           << " axes for them";
  if (op.getLows().size() != op.getHighs().size() ||
      op.getLows().size() != op.getBoundAxes().size())
    return op.emitOpError("needs one low, one high and one axis a bound, got ")
           << op.getLows().size() << ", " << op.getHighs().size() << " and "
           << op.getBoundAxes().size();
  for (auto [term, axis] : llvm::zip(op.getTerms(), op.getTermAxes())) {
    if (axis < 0 || axis >= rank)
      return op.emitOpError("term axis ")
             << axis << " is outside the block of rank " << rank;
    int64_t length = cast<RankedTensorType>(term.getType()).getDimSize(0);
    if (length != shape[axis])
      return op.emitOpError("term of axis ")
             << axis << " is not as long as the axis: expected " << shape[axis]
             << ", got " << length;
  }
  for (int32_t axis : op.getBoundAxes())
    if (axis < 0 || axis >= rank)
      return op.emitOpError("bound axis ")
             << axis << " is outside the block of rank " << rank;
  for (Value tensor : {op.getMask(), op.getAddresses(), op.getExactMask()})
    if (tensor && cast<RankedTensorType>(tensor.getType()).getShape() != shape)
      return op.emitOpError("mask and addresses must have the block's shape, "
                            "got ")
             << tensor.getType() << " for " << block;
  return success();
}

LogicalResult LoadOp::verify() {
  if (Value other = getOther()) {
    Type type = other.getType();
    if (type != getResult().getType() && type != getElementType())
      return emitOpError("other must be a scalar or a block of the result's "
                         "type ")
             << getResult().getType() << ", got " << type;
  }
  return verifyAccess(*this, getResult().getType());
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getValue().getType());
}

/// A block has an address for each element, a scalar has one.
template <typename OpT> static LogicalResult verifyAtomic(OpT op, Value mask) {
  auto block = dyn_cast<RankedTensorType>(op.getValue().getType());
  for (Value operand : {Value(op.getAddress()), mask}) {
    if (!operand)
      continue;
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (static_cast<bool>(type) != static_cast<bool>(block) ||
        (type && type.getShape() != block.getShape()))
      return op.emitOpError(
                 "address and mask must have the value's shape, got ")
             << operand.getType() << " for " << op.getValue().getType();
  }
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(getValue().getType()));
  if (isFloat != (getKind() == LLVM::AtomicBinOp::fadd))
    return emitOpError("needs integers, or floats for fadd; got ")
           << getValue().getType();
  return verifyAtomic(*this, getMask());
}

LogicalResult AtomicCASOp::verify() {
  if (!isa<IntegerType>(getElementTypeOrSelf(getValue().getType())))
    return emitOpError("needs integers, got ") << getValue().getType();
  return verifyAtomic(*this, Value());
}
