//===- TTVerify.cpp - verifiers and effects -------------------------------===//

#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

#define GET_OP_CLASSES
#include "compiler/Dialect/TT/TTOps.cpp.inc"

/// Upstream's limits on blocks.
static LogicalResult verifyBlock(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  for (int64_t extent : tensor.getShape())
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return op->emitOpError("extents of a block must be powers of two, got ")
             << tensor;
  if (tensor.getNumElements() > kMaxElements)
    return op->emitOpError("a block has at most ")
           << kMaxElements << " elements, got " << tensor.getNumElements();
  return success();
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (!llvm::equal(getOperandTypes(), function.getResultTypes()))
    return emitOpError("returned types must be the function's result types ")
           << function.getFunctionType();
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("calls '")
           << getCallee() << "', which the module does not define";
  if (!llvm::equal(callee.getArgumentTypes(), getOperandTypes()) ||
      !llvm::equal(callee.getResultTypes(), getResultTypes()))
    return emitOpError("does not match the type of '")
           << getCallee() << "': " << callee.getFunctionType();
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()),
          end = static_cast<int32_t>(getEnd());
  if (start >= end)
    return emitOpError("start ") << start << " must be less than end " << end;
  if (getType().getDimSize(0) != end - start)
    return emitOpError("result must have ") << end - start << " elements";
  return verifyBlock(*this, getType());
}

LogicalResult UnsplatOp::verify() {
  if (getSrc().getType().getNumElements() != 1)
    return emitOpError("operand must have exactly one element");
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getSrc()));
  if (getAxis() > shape.size())
    return emitOpError("axis ")
           << getAxis() << " is outside 0.." << shape.size();
  shape.insert(shape.begin() + getAxis(), 1);
  if (ArrayRef<int64_t>(shape) != shapeOf(getResult()))
    return emitOpError(
               "result must be the operand's shape with extent 1 at axis ")
           << getAxis();
  return success();
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc()), to = shapeOf(getResult());
  if (from.size() != to.size())
    return emitOpError("operand and result must have the same rank");
  for (auto [axis, extents] : llvm::enumerate(llvm::zip(from, to))) {
    auto [source, target] = extents;
    if (source != target && source != 1)
      return emitOpError("axis ") << axis << " has extent " << source
                                  << " and cannot become " << target;
  }
  return verifyBlock(*this, getType());
}

LogicalResult ReshapeOp::verify() {
  if (getSrc().getType().getNumElements() != getType().getNumElements())
    return emitOpError(
        "operand and result must have the same number of elements");
  return verifyBlock(*this, getType());
}

LogicalResult TransOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc()), to = shapeOf(getResult());
  SmallVector<int32_t> sorted(getOrder());
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int32_t>(0, from.size())))
    return emitOpError("order must be a permutation of the axes");
  for (auto [axis, source] : llvm::enumerate(getOrder()))
    if (to.size() != from.size() || to[axis] != from[source])
      return emitOpError("result axis ")
             << axis << " must have the extent of operand axis " << source;
  return success();
}

LogicalResult JoinOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getLhs()));
  shape.push_back(2);
  if (ArrayRef<int64_t>(shape) != shapeOf(getResult()))
    return emitOpError(
        "result must be the operands' shape with a last axis of extent 2");
  return verifyBlock(*this, getType());
}

LogicalResult SplitOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc());
  if (from.empty() || from.back() != 2)
    return emitOpError("operand must have a last axis of extent 2");
  if (from.drop_back() != shapeOf(getOutLHS()))
    return emitOpError(
        "results must be the operand's shape without its last axis");
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyMask(Operation *op, Value pointer, Value mask) {
  if (mask && mask.getType() != getI1SameShape(pointer.getType()))
    return op->emitOpError("mask must be ")
           << getI1SameShape(pointer.getType()) << ", got " << mask.getType();
  return verifyBlock(op, pointer.getType());
}

LogicalResult LoadOp::verify() {
  if (getOther() && !getMask())
    return emitOpError("has a value for masked elements but no mask");
  if (getOther() && getOther().getType() != getType())
    return emitOpError("value for masked elements must be ")
           << getType() << ", got " << getOther().getType();
  return verifyMask(*this, getPtr(), getMask());
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult StoreOp::verify() {
  return verifyMask(*this, getPtr(), getMask());
}

LogicalResult AtomicRMWOp::verify() {
  Type pointee = getPointeeType(getPtr().getType());
  if (getVal().getType() != pointee || getType() != pointee)
    return emitOpError("value and result must be what the pointer points to: ")
           << pointee;
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(pointee));
  if (isFloat != (getAtomicRmwOp() == RMWOp::FADD) &&
      getAtomicRmwOp() != RMWOp::XCHG)
    return emitOpError("'") << stringifyRMWOp(getAtomicRmwOp())
                            << "' does not apply to " << pointee;
  return verifyMask(*this, getPtr(), getMask());
}

LogicalResult AtomicCASOp::verify() {
  Type pointee = getPointeeType(getPtr().getType());
  if (getCmp().getType() != pointee || getVal().getType() != pointee ||
      getType() != pointee)
    return emitOpError(
               "operands and result must be what the pointer points to: ")
           << pointee;
  return verifyBlock(*this, pointee);
}

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Code we cannot look into may do anything unless it is said to be pure.
static void getForeignEffects(bool pure, Effects &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

void ExternElementwiseOp::getEffects(Effects &effects) {
  getForeignEffects(getPure(), effects);
}

void ElementwiseInlineAsmOp::getEffects(Effects &effects) {
  getForeignEffects(getPure(), effects);
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA()), b = shapeOf(getB()),
                    c = shapeOf(getC());
  size_t rank = c.size();
  if ((rank != 2 && rank != 3) || a.size() != rank || b.size() != rank)
    return emitOpError("operands must all have rank 2 or all rank 3");
  if (a[rank - 1] != b[rank - 2])
    return emitOpError("K differs: ")
           << a[rank - 1] << " columns of a, " << b[rank - 2] << " rows of b";
  if (a[rank - 2] != c[rank - 2] || b[rank - 1] != c[rank - 1] ||
      (rank == 3 && (a[0] != c[0] || b[0] != c[0])))
    return emitOpError(
        "accumulator must have the rows of a and the columns of b");
  return success();
}

/// Regions of reduce and scan: 2n scalars in, n scalars out.
template <typename OpT> static LogicalResult verifyCombine(OpT op) {
  if (op.getSrcs().empty())
    return op.emitOpError("needs at least one operand");
  ArrayRef<int64_t> shape = shapeOf(op.getSrcs().front());
  if (op.getAxis() >= shape.size())
    return op.emitOpError("axis ")
           << op.getAxis() << " must be less than the rank " << shape.size();
  SmallVector<Type> scalars;
  for (Value source : op.getSrcs())
    scalars.push_back(getElementTypeOrSelf(source.getType()));
  SmallVector<Type> both(scalars);
  both.append(scalars);
  Block &block = op.getCombineOp().front();
  if (!llvm::equal(block.getArgumentTypes(), both))
    return op.emitOpError(
        "combine region must take the elements of both sides");
  Operation *terminator = block.getTerminator();
  if (!llvm::equal(terminator->getOperandTypes(), scalars))
    return op.emitOpError("combine region must return one element an operand");
  if (op.getResult().size() != op.getSrcs().size())
    return op.emitOpError("needs one result an operand");
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombine(*this)))
    return failure();
  for (auto [source, result] : llvm::zip(getSrcs(), getResult())) {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + getAxis());
    Type expected =
        shape.empty() ? type.getElementType() : Type(type.clone(shape));
    if (auto tensor = dyn_cast<RankedTensorType>(expected))
      expected = RankedTensorType::get(shape, type.getElementType());
    if (result.getType() != expected)
      return emitOpError("result must be ")
             << expected << ", got " << result.getType();
  }
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombine(*this)))
    return failure();
  if (!llvm::equal(getSrcs().getTypes(), getResult().getTypes()))
    return emitOpError("results must have the operands' types");
  return success();
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

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}
