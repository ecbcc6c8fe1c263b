//===- Converter.cpp - one walk from tt to linalg -------------------------===//

#include "Converter.h"

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
      pointers(indices), masks(indices), fpFusion(fpFusion) {}

Type Converter::convertType(Type type) {
  if (isa<tt::PointerType>(type))
    return LLVM::LLVMPointerType::get(type.getContext());
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  Type element = tensor.getElementType();
  if (isa<tt::PointerType>(element))
    element = IntegerType::get(type.getContext(), 64);
  // Layouts are a matter of GPUs.
  return RankedTensorType::get(tensor.getShape(), element);
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
  if (isa_and_nonnull<math::MathDialect, arith::ArithDialect>(op->getDialect()))
    return convertSame(op);
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
