//===- Debug.cpp - prints, assertions and barriers ------------------------===//

#include "Converter.h"

#include "compiler/Dialect/Kernel/Kernel.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

/// Combine functions run in whatever order suits, and have no program of their
/// own.
static LogicalResult checkPlace(Operation *op) {
  if (isa<tt::ReduceOp, tt::ScanOp>(op->getParentOp()))
    return refuse(op, "inside a combine function");
  return success();
}

/// The value as a number, and how to spell it.
static std::pair<Value, std::string> getPrintable(OpBuilder &b, Location loc,
                                                  Value original, Value value,
                                                  bool isSigned) {
  std::string spelling = spellType(getElementTypeOrSelf(original.getType()));
  if (spelling.empty())
    return {};
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    value = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), value);
  if (!isSigned && spelling.front() == 'i')
    spelling.front() = 'u';
  return {value, spelling};
}

static LogicalResult convertPrint(Converter &converter, tt::PrintOp op) {
  if (failed(checkPlace(op)))
    return failure();
  OpBuilder &b = converter.b;
  if (op.getArgs().empty()) {
    kernel::PrintOp::create(b, op.getLoc(), op.getPrefix(), Value(), "",
                            /*hex=*/false);
    return success();
  }
  for (auto [original, isSigned] : llvm::zip(op.getArgs(), op.getIsSigned())) {
    auto [value, spelling] = getPrintable(
        b, op.getLoc(), original, converter.get(original), isSigned != 0);
    if (!value)
      return refuse(op, "of this type");
    kernel::PrintOp::create(b, op.getLoc(), op.getPrefix(), value, spelling,
                            op.getHex());
  }
  return success();
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    return true;
  default:
    return false;
  }
}

static LogicalResult convertAssert(Converter &converter, tt::AssertOp op) {
  if (failed(checkPlace(op)))
    return failure();
  OpBuilder &b = converter.b;
  Value left, right;
  std::string spelling;
  // Of a comparison, both sides are worth showing.
  Operation *compared = op.getCondition().getDefiningOp();
  if (isa_and_nonnull<arith::CmpIOp, arith::CmpFOp>(compared)) {
    auto integers = dyn_cast<arith::CmpIOp>(compared);
    bool isSigned = !integers || !isUnsigned(integers.getPredicate());
    for (auto [operand, side] :
         {std::pair<Value, Value &>(compared->getOperand(0), left),
          std::pair<Value, Value &>(compared->getOperand(1), right)})
      std::tie(side, spelling) = getPrintable(b, op.getLoc(), operand,
                                              converter.get(operand), isSigned);
    if (!left || !right)
      left = right = Value();
  }
  kernel::AssertOp::create(b, op.getLoc(), converter.get(op.getCondition()),
                           op.getMessage(), left, right, spelling);
  return success();
}

static LogicalResult convertBarrier(Converter &converter,
                                    tt::DebugBarrierOp op) {
  kernel::FenceOp::create(converter.b, op.getLoc());
  return success();
}

void conversion::addDebugHandlers(Handlers &handlers) {
  handlers.add<tt::PrintOp, convertPrint>();
  handlers.add<tt::AssertOp, convertAssert>();
  handlers.add<tt::DebugBarrierOp, convertBarrier>();
}
