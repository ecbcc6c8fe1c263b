//===- TTShapeOps.cpp - rules and folds of creating and rearranging -------===//

#include "compiler/Dialect/TT/TT.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The result of `op` has `shape`.
static LogicalResult verifyShape(Operation *op, ArrayRef<int64_t> shape,
                                 const Twine &why) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getShape() != shape)
    return op->emitOpError("result must be ")
           << RankedTensorType::get(shape, type.getElementType()) << ", " << why
           << "; got " << type;
  return success();
}

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()),
          end = static_cast<int32_t>(getEnd());
  if (start >= end)
    return emitOpError("start ") << start << " must be less than end " << end;
  return verifyShape(*this, {end - start}, "one element a number");
}

LogicalResult UnsplatOp::verify() {
  if (getSrc().getType().getNumElements() != 1)
    return emitOpError("operand must have exactly one element, got ")
           << getSrc().getType();
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getSrc()));
  int32_t axis = getAxis();
  if (axis < 0 || axis > static_cast<int64_t>(shape.size()))
    return emitOpError("axis ")
           << axis << " must be 0 or more and at most the rank "
           << shape.size();
  shape.insert(shape.begin() + axis, 1);
  return verifyShape(*this, shape, "the operand with a new axis of extent 1");
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc()), to = shapeOf(getResult());
  if (from.size() != to.size())
    return emitOpError("operand and result must have the same rank, got ")
           << from.size() << " and " << to.size();
  for (auto [axis, extents] : llvm::enumerate(llvm::zip(from, to))) {
    auto [source, target] = extents;
    if (source != target && source != 1)
      return emitOpError("axis ") << axis << " has extent " << source
                                  << " and cannot become " << target;
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (getSrc().getType().getNumElements() != getType().getNumElements())
    return emitOpError(
               "operand and result must have the same number of elements, got ")
           << getSrc().getType().getNumElements() << " and "
           << getType().getNumElements();
  return success();
}

LogicalResult TransOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc());
  SmallVector<int32_t> sorted(getOrder());
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int32_t>(0, from.size())))
    return emitOpError("order must be a permutation of the ")
           << from.size() << " axes, got [" << getOrder() << "]";
  SmallVector<int64_t> shape;
  for (int32_t source : getOrder())
    shape.push_back(from[source]);
  return verifyShape(*this, shape, "the operand's axes in that order");
}

LogicalResult JoinOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getLhs()));
  shape.push_back(2);
  return verifyShape(*this, shape, "the operands along a new last axis");
}

LogicalResult CatOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getLhs());
  if (shape.size() != 1)
    return emitOpError("operands must have one axis, got ")
           << getLhs().getType();
  return verifyShape(*this, {2 * shape[0]}, "the elements of both operands");
}

LogicalResult SplitOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc());
  if (from.empty() || from.back() != 2)
    return emitOpError("operand must have a last axis of extent 2, got ")
           << getSrc().getType();
  return verifyShape(*this, from.drop_back(), "the operand without that axis");
}

//===----------------------------------------------------------------------===//
// Folds: only splats (a constant block of many elements is never built)
//===----------------------------------------------------------------------===//

static OpFoldResult foldSplat(Attribute operand, Type type) {
  auto elements = dyn_cast_if_present<SplatElementsAttr>(operand);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor)
    return {};
  return DenseElementsAttr::get(tensor, elements.getSplatValue<Attribute>());
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  auto value = dyn_cast_if_present<TypedAttr>(adaptor.getSrc());
  if (!value || !isa<IntegerAttr, FloatAttr>(value))
    return {};
  return DenseElementsAttr::get(cast<RankedTensorType>(getType()),
                                Attribute(value));
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldSplat(adaptor.getSrc(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getOrder(), llvm::seq<int32_t>(0, getOrder().size())))
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}
