//===- Converter.cpp - one walk from tt to linalg -------------------------===//

#include "Converter.h"
#include "NarrowFloats.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

static const Handlers &getHandlers() {
  static const Handlers handlers = [] {
    Handlers all;
    addAtomicHandlers(all);
    addControlHandlers(all);
    addDebugHandlers(all);
    addDotHandlers(all);
    addElementwiseHandlers(all);
    addMemoryHandlers(all);
    addReduceHandlers(all);
    addShapeHandlers(all);
    return all;
  }();
  return handlers;
}

LogicalResult conversion::refuse(Operation *op, StringRef why) {
  InFlightDiagnostic diagnostic = op->emitError("not supported yet: ")
                                  << op->getName();
  if (!why.empty())
    diagnostic << " (" << why << ")";
  return diagnostic;
}

Converter::Converter(Block *entry, bool fpFusion)
    : Materializer(entry), b(entry, entry->end()), indices(exprs),
      pointers(indices),
      unwrappedIndices(exprs, analysis::Remainders::Unwrapped),
      unwrappedPointers(unwrappedIndices), masks(indices), fpFusion(fpFusion) {}

Type Converter::convertType(Type type) {
  if (isa<tt::PointerType>(type))
    return LLVM::LLVMPointerType::get(type.getContext());
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return isFloat8(type) ? IntegerType::get(type.getContext(), 8) : type;
  Type element = tensor.getElementType();
  if (isa<tt::PointerType>(element))
    element = IntegerType::get(type.getContext(), 64);
  else if (isFloat8(element))
    element = IntegerType::get(type.getContext(), 8);
  // Layouts are a matter of GPUs.
  return RankedTensorType::get(tensor.getShape(), element);
}

/// The attribute of one number.
TypedAttr Converter::convertNumber(TypedAttr number) {
  if (!isFloat8(number.getType()))
    return number;
  return IntegerAttr::get(convertType(number.getType()),
                          cast<FloatAttr>(number).getValue().bitcastToAPInt());
}

Value Converter::cloneElementwise(OpBuilder &builder, Operation *op,
                                  ValueRange operands, Type type) {
  return createElementwise(builder, op, operands, type);
}

LogicalResult Converter::convertBlock(Block &from, Block *to) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(to);
  for (Operation &op : from)
    if (failed(convertOp(&op)))
      return failure();
  return success();
}

LogicalResult Converter::convertOp(Operation *op) {
  for (Value operand : op->getOperands())
    if (!values.contains(operand))
      return op->emitError("operand is not defined before its use");
  if (Handler handler = getHandlers().lookup(op))
    return handler(*this, op);
  if (isa_and_nonnull<math::MathDialect, arith::ArithDialect>(
          op->getDialect())) {
    bool isNarrow = llvm::any_of(op->getOperandTypes(), isFloat8) ||
                    llvm::any_of(op->getResultTypes(), isFloat8);
    return isNarrow && !isa<arith::SelectOp, arith::BitcastOp>(op)
               ? computeInF32(op)
               : convertSame(op);
  }
  return refuse(op);
}

/// User arithmetic may contract and nothing else: other flags let results be
/// poison.
static void setFastMath(Operation *op, bool contract) {
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op)) {
    auto kept = isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op) && contract
                    ? arith::FastMathFlags::contract
                    : arith::FastMathFlags::none;
    op->setAttr(flags.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(), kept));
  }
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    op->getContext(), arith::IntegerOverflowFlags::none));
}

LogicalResult Converter::computeInF32(Operation *op) {
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(
        isFloat8(operand.getType())
            ? decodeFloat8(b, op->getLoc(), get(operand),
                           cast<FloatType>(getElementTypeOrSelf(operand)))
            : get(operand));
  Type type = op->getResult(0).getType();
  bool rounds = isFloat8(type);
  state.types.push_back(rounds ? withElement(type, b.getF32Type())
                               : convertType(type));
  state.attributes = op->getAttrs();
  Operation *copy = b.create(state);
  setFastMath(copy, fpFusion);
  Value result = copy->getResult(0);
  if (rounds)
    result = encodeFloat8(b, op->getLoc(), result,
                          cast<FloatType>(getElementTypeOrSelf(type)),
                          /*towardsZero=*/false);
  set(op->getResult(0), result);
  return success();
}

LogicalResult Converter::convertSame(Operation *op) {
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(get(operand));
  for (Type type : op->getResultTypes())
    state.types.push_back(convertType(type));
  state.attributes = op->getAttrs();
  for (Region &region : op->getRegions()) {
    if (!region.empty() && !region.hasOneBlock())
      return op->emitError("control flow is not structured");
    state.addRegion();
  }
  Operation *copy = b.create(state);
  setFastMath(copy, fpFusion);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    Block *block = new Block();
    to.push_back(block);
    for (BlockArgument arg : from.front().getArguments())
      set(arg, block->addArgument(convertType(arg.getType()), arg.getLoc()));
    if (failed(convertBlock(from.front(), block)))
      return failure();
  }
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    set(from, to);
  return success();
}

Type conversion::getMemoryType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (isa<tt::PointerType>(element))
    return IntegerType::get(element.getContext(), 64);
  if (isFloat8(element))
    return IntegerType::get(element.getContext(), 8);
  return element;
}

int64_t conversion::getMemorySize(Type element) {
  return getMemoryType(element).getIntOrFloatBitWidth() / 8;
}

Value conversion::createInt(OpBuilder &b, Location loc, Type type,
                            const APInt &value) {
  TypedAttr attribute = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = SplatElementsAttr::get(tensor, attribute);
  return arith::ConstantOp::create(b, loc, attribute);
}

Value conversion::createInt(OpBuilder &b, Location loc, Type type,
                            int64_t value) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return createInt(
      b, loc, type,
      APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true));
}

Value conversion::createZero(OpBuilder &b, Location loc, Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::ZeroOp::create(b, loc, type);
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}
