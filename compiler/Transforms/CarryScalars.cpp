//===- CarryScalars.cpp - carried tensors that move uniformly -------------===//
//
// A tensor that a loop changes only by adding splats is its initial value plus
// the sum of what was added. The loop then carries the sum, a scalar:
//
//   %p = scf.for iter_args(%q = %init) {            %c = scf.for iter_args(%d =
//   %zero) {
//     use %q                                  ->      use (addptr %init, splat
//     %d) yield addptr %q, splat %delta                   yield %d + %delta
//
//===----------------------------------------------------------------------===//

#include "compiler/Dialect/TT/TT.h"
#include "compiler/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"

namespace trireme::transforms {
#define GEN_PASS_DEF_CARRYSCALARSPASS
#include "compiler/Transforms/Passes.h.inc"
} // namespace trireme::transforms

using namespace mlir;
using namespace trireme;

namespace {

/// base + sum of +-offsets, each a uniform tensor.
struct Shift {
  Value base;
  SmallVector<std::pair<Value, bool>, 2>
      offsets; // tensor, whether it is subtracted
};

/// Whether all elements are equal and the scalar is easily had.
static bool isUniform(Value tensor, unsigned depth = 0) {
  Operation *op = tensor.getDefiningOp();
  if (!op || depth > 8)
    return false;
  if (isa<tt::SplatOp>(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (isa<tt::BroadcastOp, tt::ExpandDimsOp, arith::AddIOp, arith::SubIOp,
          arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isUniform(operand, depth + 1);
    });
  return false;
}

/// The one element of a uniform tensor.
static Value buildScalar(OpBuilder &builder, Value tensor) {
  Operation *op = tensor.getDefiningOp();
  Type element = getElementTypeOrSelf(tensor.getType());
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return splat.getSrc();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return arith::ConstantOp::create(
        builder, op->getLoc(),
        cast<TypedAttr>(cast<SplatElementsAttr>(constant.getValue())
                            .getSplatValue<Attribute>()));
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(buildScalar(builder, operand));
  if (isa<tt::BroadcastOp, tt::ExpandDimsOp>(op))
    return operands.front();
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(element);
  return builder.create(state)->getResult(0);
}

/// Looks through additions of uniform tensors for as long as `goOn(value)`
/// holds.
static Shift peel(Value value, llvm::function_ref<bool(Value)> goOn) {
  Shift shift;
  while (goOn(value)) {
    Operation *op = value.getDefiningOp();
    if (!op || !isa<tt::AddPtrOp, arith::AddIOp, arith::SubIOp>(op))
      break;
    Value next = op->getOperand(0), offset = op->getOperand(1);
    if (isa<arith::AddIOp>(op) && !isUniform(offset))
      std::swap(next, offset);
    if (!isUniform(offset))
      break;
    shift.offsets.push_back({offset, isa<arith::SubIOp>(op)});
    value = next;
  }
  shift.base = value;
  return shift;
}

/// The type of the sum that stands for a tensor, or null if tensors of this
/// type stay.
static IntegerType getSumType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {};
  if (isa<tt::PointerType>(tensor.getElementType()))
    return IntegerType::get(type.getContext(), 64);
  auto element = dyn_cast<IntegerType>(tensor.getElementType());
  return element && element.getWidth() > 1 ? element : IntegerType();
}

/// The sum of the shift's offsets on top of `start` (null: zero).
static Value buildSum(OpBuilder &builder, Location loc, const Shift &shift,
                      IntegerType type, Value start) {
  Value sum = start;
  for (auto [tensor, isNegative] : llvm::reverse(shift.offsets)) {
    Value offset = buildScalar(builder, tensor);
    auto width = cast<IntegerType>(offset.getType()).getWidth();
    // Only pointers take offsets of another width, and they sign-extend.
    if (width < type.getWidth())
      offset = arith::ExtSIOp::create(builder, loc, type, offset);
    if (!sum)
      sum = arith::ConstantOp::create(builder, loc,
                                      builder.getIntegerAttr(type, 0));
    if (isNegative)
      sum = arith::SubIOp::create(builder, loc, sum, offset);
    else
      sum = arith::AddIOp::create(builder, loc, sum, offset);
  }
  if (!sum)
    sum = arith::ConstantOp::create(builder, loc,
                                    builder.getIntegerAttr(type, 0));
  return sum;
}

/// Gives `carried`, now a sum, the tensor's old meaning for all of its users.
static void replaceBySum(OpBuilder &builder, Location loc, Value carried,
                         Value base, IntegerType type) {
  auto tensorType = cast<RankedTensorType>(carried.getType());
  carried.setType(type);
  if (carried.use_empty())
    return;
  auto splat = tt::SplatOp::create(
      builder, loc, RankedTensorType::get(tensorType.getShape(), type),
      carried);
  Value value;
  if (isa<tt::PointerType>(tensorType.getElementType()))
    value = tt::AddPtrOp::create(builder, loc, tensorType, base, splat);
  else
    value = arith::AddIOp::create(builder, loc, base, splat);
  carried.replaceAllUsesExcept(value, splat);
}

static Value buildZero(OpBuilder &builder, Location loc, IntegerType type) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, 0));
}

static void rewriteFor(scf::ForOp loop) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    BlockArgument arg = loop.getRegionIterArg(i);
    IntegerType type = getSumType(arg.getType());
    if (!type)
      continue;
    Shift shift =
        peel(yield.getOperand(i), [&](Value value) { return value != arg; });
    if (shift.base != arg || shift.offsets.empty())
      continue;
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    Value init = loop.getInitArgs()[i];
    loop.getInitArgsMutable()[i].assign(buildZero(builder, loc, type));
    builder.setInsertionPointToStart(loop.getBody());
    replaceBySum(builder, loc, arg, init, type);
    builder.setInsertionPoint(yield);
    yield.setOperand(i, buildSum(builder, loc, shift, type, arg));
    builder.setInsertionPointAfter(loop);
    replaceBySum(builder, loc, loop.getResult(i), init, type);
  }
}

static void rewriteWhile(scf::WhileOp loop) {
  auto condition = loop.getConditionOp();
  auto yield = loop.getYieldOp();
  for (unsigned j = 0; j < condition.getArgs().size(); ++j) {
    // Forwarded unchanged by the condition, shifted by the body.
    auto before = dyn_cast<BlockArgument>(condition.getArgs()[j]);
    if (!before || before.getOwner() != loop.getBeforeBody())
      continue;
    unsigned i = before.getArgNumber();
    BlockArgument after = loop.getAfterArguments()[j];
    IntegerType type = getSumType(after.getType());
    if (!type)
      continue;
    Shift shift =
        peel(yield.getOperand(i), [&](Value value) { return value != after; });
    if (shift.base != after || shift.offsets.empty())
      continue;
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    Value init = loop.getInits()[i];
    loop.getInitsMutable()[i].assign(buildZero(builder, loc, type));
    builder.setInsertionPointToStart(loop.getBeforeBody());
    replaceBySum(builder, loc, before, init, type);
    condition.getArgsMutable()[j].assign(before);
    builder.setInsertionPointToStart(loop.getAfterBody());
    replaceBySum(builder, loc, after, init, type);
    builder.setInsertionPoint(yield);
    yield.setOperand(i, buildSum(builder, loc, shift, type, after));
    builder.setInsertionPointAfter(loop);
    replaceBySum(builder, loc, loop.getResult(j), init, type);
  }
}

static void rewriteIf(scf::IfOp branch) {
  if (branch.getElseRegion().empty())
    return;
  auto isInside = [&](Value value) {
    return branch->isAncestor(value.getParentBlock()->getParentOp());
  };
  for (unsigned i = 0; i < branch.getNumResults(); ++i) {
    OpResult result = branch->getOpResult(i);
    IntegerType type = getSumType(result.getType());
    if (!type)
      continue;
    Shift shifts[] = {peel(branch.thenYield().getOperand(i), isInside),
                      peel(branch.elseYield().getOperand(i), isInside)};
    if (shifts[0].base != shifts[1].base || isInside(shifts[0].base) ||
        (shifts[0].offsets.empty() && shifts[1].offsets.empty()))
      continue;
    OpBuilder builder(branch);
    scf::YieldOp yields[] = {branch.thenYield(), branch.elseYield()};
    for (auto [shift, yield] : llvm::zip(shifts, yields)) {
      builder.setInsertionPoint(yield);
      yield->setOperand(i, buildSum(builder, yield->getLoc(), shift, type, {}));
    }
    builder.setInsertionPointAfter(branch);
    replaceBySum(builder, branch.getLoc(), result, shifts[0].base, type);
  }
}

struct CarryScalarsPass
    : transforms::impl::CarryScalarsPassBase<CarryScalarsPass> {
  void runOnOperation() override {
    // Inner loops first: their results then are shifts for the outer ones.
    getOperation()->walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case([](scf::ForOp loop) { rewriteFor(loop); })
          .Case([](scf::WhileOp loop) { rewriteWhile(loop); })
          .Case([](scf::IfOp branch) { rewriteIf(branch); });
    });
  }
};

} // namespace
