//===- TTElementwiseOps.cpp - rules, effects and folds, element by element ===//

#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

LogicalResult BitcastOp::verify() {
  Type from = getElementTypeOrSelf(getSrc().getType()),
       to = getElementTypeOrSelf(getType());
  if (isa<PointerType>(from) && isa<PointerType>(to))
    return success();
  if (isa<PointerType>(from) || isa<PointerType>(to))
    return emitOpError("pointers become pointers only, not ")
           << from << " to " << to
           << "; use tt.ptr_to_int or tt.int_to_ptr for addresses";
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError("elements must be of one width, got ")
           << from << " and " << to;
  return success();
}

LogicalResult FpToFpOp::verify() {
  Type from = getElementTypeOrSelf(getSrc().getType()),
       to = getElementTypeOrSelf(getType());
  if (getRounding() &&
      to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
    return emitOpError("nothing is rounded from ")
           << from << " to " << to << ": leave out 'rounding'";
  return success();
}

//===----------------------------------------------------------------------===//
// Code we cannot look into
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// It may do anything unless it is said to be pure.
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

LogicalResult ExternElementwiseOp::verify() {
  if (getSymbol().empty())
    return emitOpError("symbol must name a function, got \"\"");
  return success();
}

/// `count` neighbouring elements of `type` go together.
static LogicalResult verifyPack(Operation *op, StringRef name, int32_t count,
                                Type type) {
  if (count < 1 || !llvm::isPowerOf2_32(count))
    return op->emitOpError()
           << "'" << name << "' must be a power of two, got " << count;
  auto block = dyn_cast<RankedTensorType>(type);
  if (block && block.getNumElements() % count != 0)
    return op->emitOpError()
           << "'" << name << "' is " << count << ", but " << type
           << " has only " << block.getNumElements() << " elements";
  return success();
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (getResult().empty())
    return emitOpError("needs one result or more");
  auto shapeOf = [](Type type) {
    auto block = dyn_cast<RankedTensorType>(type);
    return block ? block.getShape() : ArrayRef<int64_t>();
  };
  Type first = getResult().front().getType();
  for (Type type : (*this)->getOperandTypes())
    if (shapeOf(type) != shapeOf(first))
      return emitOpError("operands and results must have one shape, got ")
             << type << " and " << first;
  for (Type type : getResult().getTypes())
    if (shapeOf(type) != shapeOf(first))
      return emitOpError("results must have one shape, got ")
             << first << " and " << type;
  return verifyPack(*this, "packed_element", getPackedElement(), first);
}

//===----------------------------------------------------------------------===//
// map_elementwise
//===----------------------------------------------------------------------===//

LogicalResult MapElementwiseOp::verify() {
  return verifyPack(*this, "pack", getPack(), getSrcs().front().getType());
}

LogicalResult MapElementwiseOp::verifyRegions() {
  auto packed = [&](TypeRange blocks) {
    SmallVector<Type> scalars;
    for (Type block : blocks)
      scalars.append(getPack(), getElementTypeOrSelf(block));
    return scalars;
  };
  if (getScalarOp().empty())
    return emitOpError("needs a region with a block");
  SmallVector<Type> taken = packed(getSrcs().getTypes());
  TypeRange arguments = getScalarOp().front().getArgumentTypes();
  if (!llvm::equal(arguments, taken))
    return emitOpError("region must take (")
           << taken << "): 'pack' elements of an operand, then of the next; it "
           << "takes (" << arguments << ")";
  SmallVector<Type> given = packed(getResult().getTypes());
  for (auto terminator : getScalarOp().getOps<MapElementwiseReturnOp>())
    if (!llvm::equal(terminator.getOperandTypes(), given))
      return emitOpError("region must return (")
             << given << "), got (" << terminator.getOperandTypes() << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}
