//===- TTMemoryOps.cpp - rules and effects of memory ----------------------===//

#include "compiler/Dialect/TT/TT.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static LogicalResult verifyMask(Operation *op, Value pointer, Value mask) {
  if (mask && mask.getType() != getI1SameShape(pointer.getType()))
    return op->emitOpError("mask must be ")
           << getI1SameShape(pointer.getType()) << ", got " << mask.getType();
  return success();
}

/// Through a pointer to a block, `boundaryCheck` stands for a mask; elsewhere
/// there is none.
static LogicalResult verifyBoundary(Operation *op, Type pointer, Value mask,
                                    ArrayRef<int32_t> axes) {
  auto scalar = dyn_cast<PointerType>(pointer);
  if (!scalar || !scalar.pointsToBlock()) {
    if (!axes.empty())
      return op->emitOpError("'boundaryCheck' needs a pointer to a block, got ")
             << pointer << "; use a mask";
    return success();
  }
  if (mask)
    return op->emitOpError("a pointer to a block takes no mask; use "
                           "'boundaryCheck'");
  int64_t rank = cast<RankedTensorType>(scalar.getPointeeType()).getRank();
  llvm::SmallDenseSet<int32_t> seen;
  for (int32_t axis : axes) {
    if (axis < 0 || axis >= rank)
      return op->emitOpError("axis ")
             << axis << " of 'boundaryCheck' must be "
             << "0 or more and less than the rank " << rank;
    if (!seen.insert(axis).second)
      return op->emitOpError("axis ") << axis << " is in 'boundaryCheck' twice";
  }
  return success();
}

LogicalResult LoadOp::verify() {
  Type pointer = getPtr().getType();
  if (failed(verifyBoundary(*this, pointer, getMask(), getBoundaryCheck())) ||
      failed(verifyMask(*this, getPtr(), getMask())))
    return failure();
  if (getOther() && !getMask())
    return emitOpError("has a value for masked elements but no mask");
  if (getOther() && getOther().getType() != getType())
    return emitOpError("value for masked elements must be ")
           << getType() << ", got " << getOther().getType();
  if (!getPadding())
    return success();
  if (getBoundaryCheck().empty())
    return emitOpError("has 'padding' but no axis in 'boundaryCheck'");
  Type element = getElementTypeOrSelf(getType());
  if (getPadding() == PaddingOption::PAD_NAN && !isa<FloatType>(element))
    return emitOpError("'padding' can be nan for floats only, got ") << element;
  return success();
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult StoreOp::verify() {
  if (failed(verifyBoundary(*this, getPtr().getType(), getMask(),
                            getBoundaryCheck())))
    return failure();
  return verifyMask(*this, getPtr(), getMask());
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

static unsigned widthOf(Type element) {
  return isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

/// What `kind` applies to, as text; empty if `element` is of it.
static StringRef wantedByAtomic(RMWOp kind, Type element) {
  unsigned width = widthOf(element);
  switch (kind) {
  case RMWOp::FADD:
    return isa<FloatType>(element) && width >= 16 ? ""
                                                  : "f16, bf16, f32 and f64";
  case RMWOp::XCHG:
    return width >= 32 ? "" : "i32, i64, f32, f64 and pointers";
  default:
    return isa<IntegerType>(element) && width >= 32 ? "" : "i32 and i64";
  }
}

LogicalResult AtomicRMWOp::verify() {
  Type pointee = getPointeeType(getPtr().getType());
  if (getVal().getType() != pointee || getType() != pointee)
    return emitOpError("value and result must be what the pointer points to, ")
           << pointee << "; got " << getVal().getType() << " and " << getType();
  Type element = getElementTypeOrSelf(pointee);
  StringRef wanted = wantedByAtomic(getAtomicRmwOp(), element);
  if (!wanted.empty())
    return emitOpError("'")
           << stringifyRMWOp(getAtomicRmwOp()) << "' applies to " << wanted
           << ", not to " << element;
  return verifyMask(*this, getPtr(), getMask());
}

LogicalResult AtomicCASOp::verify() {
  Type pointee = getPointeeType(getPtr().getType());
  if (getCmp().getType() != pointee || getVal().getType() != pointee ||
      getType() != pointee)
    return emitOpError("operands and result must be what the pointer points "
                       "to, ")
           << pointee << "; got " << getCmp().getType() << ", "
           << getVal().getType() << " and " << getType();
  Type element = getElementTypeOrSelf(pointee);
  if (widthOf(element) < 16)
    return emitOpError("applies to 16, 32 and 64 bits, not to ") << element;
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers to blocks
//===----------------------------------------------------------------------===//

/// `what` has one entry for each of `rank` axes.
static LogicalResult verifyCount(Operation *op, StringRef what, size_t count,
                                 size_t rank) {
  if (count != rank)
    return op->emitOpError("needs one ")
           << what << " an axis: expected " << rank << ", got " << count;
  return success();
}

static size_t rankOf(PointerType pointer) {
  return cast<RankedTensorType>(pointer.getPointeeType()).getRank();
}

LogicalResult MakeTensorPtrOp::verify() {
  size_t rank = rankOf(getType());
  if (failed(verifyCount(*this, "extent, stride and offset",
                         getOffsets().size(), rank)))
    return failure();
  SmallVector<int32_t> sorted(getOrder());
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int32_t>(0, rank)))
    return emitOpError("order must be a permutation of the ")
           << rank << " axes, got [" << getOrder() << "]";
  return success();
}

LogicalResult AdvanceOp::verify() {
  return verifyCount(*this, "offset", getOffsets().size(), rankOf(getType()));
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

LogicalResult MakeTensorDescOp::verify() {
  TensorDescType type = getType();
  if (failed(verifyCount(*this, "extent and stride", getShape().size(),
                         type.getShape().size())))
    return failure();
  Type pointee = getBase().getType().getPointeeType();
  if (pointee != type.getBlockElementType())
    return emitOpError("base must point to ")
           << type.getBlockElementType() << ", got " << pointee;
  if (getPadding() == PaddingOption::PAD_NAN && !isa<FloatType>(pointee))
    return emitOpError("'padding' can be nan for floats only, got ") << pointee;
  return success();
}

/// Elements of a block are those of the descriptor without their sign.
static LogicalResult verifyElement(Operation *op, TensorDescType desc,
                                   RankedTensorType block) {
  if (block.getElementType() != desc.getBlockElementType())
    return op->emitOpError("block must have elements of type ")
           << desc.getBlockElementType() << ", got " << block;
  return success();
}

/// A block at `indices`; it may leave out axes of extent 1.
static LogicalResult verifyDescribed(Operation *op, TensorDescType desc,
                                     ValueRange indices,
                                     RankedTensorType block) {
  if (failed(verifyCount(op, "index", indices.size(), desc.getShape().size())))
    return failure();
  auto longAxes = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> extents(shape);
    llvm::erase(extents, 1);
    return extents;
  };
  if (longAxes(block.getShape()) != longAxes(desc.getShape()))
    return op->emitOpError("block must have the shape of ")
           << desc << ", axes of extent 1 aside; got " << block;
  return verifyElement(op, desc, block);
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyDescribed(*this, getDesc().getType(), getIndices(), getType());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyDescribed(*this, getDesc().getType(), getIndices(),
                         getSrc().getType());
}

LogicalResult DescriptorReduceOp::verify() {
  TensorDescType desc = getDesc().getType();
  if (failed(verifyDescribed(*this, desc, getIndices(), getSrc().getType())))
    return failure();
  Type element = desc.getElementType();
  unsigned width = element.getIntOrFloatBitWidth();
  bool isInteger = isa<IntegerType>(element) && width >= 32;
  bool isFloat = isa<FloatType>(element) && width >= 16;
  switch (getKind()) {
  case DescriptorReduceKind::ADD:
  case DescriptorReduceKind::MIN:
  case DescriptorReduceKind::MAX:
    if (isInteger || isFloat)
      return success();
    return emitOpError("'") << stringifyDescriptorReduceKind(getKind())
                            << "' applies to integers of 32 and 64 bits and to "
                               "floats of 16, 32 and 64, not to "
                            << element;
  default:
    if (isInteger)
      return success();
    return emitOpError("'") << stringifyDescriptorReduceKind(getKind())
                            << "' applies to integers of 32 and 64 bits, not "
                               "to "
                            << element;
  }
}

/// Rows `rows` of a descriptor of one row, side by side.
static LogicalResult verifyRows(Operation *op, TensorDescType desc,
                                RankedTensorType rows, RankedTensorType block) {
  ArrayRef<int64_t> shape = desc.getShape();
  if (shape.size() != 2 || shape[0] != 1)
    return op->emitOpError("descriptor must be of one row, 1xN; got ") << desc;
  if (rows.getRank() != 1)
    return op->emitOpError("row numbers must have one axis, got ") << rows;
  int64_t expected[] = {rows.getDimSize(0), shape[1]};
  if (block.getShape() != ArrayRef<int64_t>(expected))
    return op->emitOpError("block must have one row a row number, ")
           << expected[0] << "x" << expected[1] << "; got " << block;
  return verifyElement(op, desc, block);
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getSrc().getType());
}
