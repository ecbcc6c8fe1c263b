//===- Loops.cpp - loop order, vector axis, width and register tiles ------===//

#include "compiler/Analysis/Fusion/Fusion.h"
#include "compiler/Schedule/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::analysis;
using trireme::schedule::VectorUnit;

namespace {
/// What the closure of a root says about its loops.
struct ClosureFacts {
  /// For each axis of the root: accesses that are contiguous along it less
  /// those that are strided, larger is better for vectors.
  SmallVector<int> contiguity;
  /// Widest element computed, in bits.
  unsigned elementBits = 8;
  /// Distinct operations computed per element.
  unsigned operations = 0;
  /// Registers wanted at once beyond the values in flight (math expansions).
  bool hasMath = false;
  /// Some operation can only be computed one element at a time.
  bool scalarOnly = false;
};
} // namespace

static unsigned bitsOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() ? std::max(8u, element.getIntOrFloatBitWidth())
                                : 64;
}

template <typename AccessT>
static void scoreAccess(AccessT access, ArrayRef<int> axes,
                        ClosureFacts &facts) {
  if (!access.hasSummary())
    return;
  for (auto [axis, stride] : llvm::zip(axes, access.getStrides())) {
    if (axis < 0)
      continue;
    std::optional<int64_t> constant = getConstantIntValue(stride);
    bool gathered = false;
    for (auto [term, termAxis] :
         llvm::zip(access.getTerms(), access.getTermAxes()))
      gathered |= axes[termAxis] == axis;
    if (constant == 1 && !gathered)
      facts.contiguity[axis] += 2;
    else if (constant != 0 || gathered)
      facts.contiguity[axis] -= 1;
  }
}

static ClosureFacts factsOf(Operation *root) {
  ClosureFacts facts;
  facts.contiguity.assign(iterationShape(root).size(), 0);
  DenseSet<Operation *> seen;
  auto visit = [&](Value value, ArrayRef<int> axes) {
    Operation *op = value.getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    if (hasSlot(value)) {
      // A slot is contiguous along its last axis.
      if (!axes.empty() && axes.back() >= 0)
        facts.contiguity[axes.back()] += 1;
      if (!type.getElementType().isInteger(1))
        facts.elementBits = std::max(facts.elementBits, bitsOf(type));
      return;
    }
    if (!seen.insert(op).second)
      return;
    if (auto load = dyn_cast<access::LoadOp>(op)) {
      scoreAccess(load, axes, facts);
      // Each element of a volatile block is read by one instruction of its own.
      facts.scalarOnly |= load.getIsVolatile();
    }
    bool isIndex =
        isa<kernel::IotaOp>(op) || op->hasTrait<OpTrait::ConstantLike>();
    if (!isIndex && !type.getElementType().isInteger(1))
      facts.elementBits = std::max(facts.elementBits, bitsOf(type));
    facts.operations += !isIndex && !isRemap(op);
    facts.hasMath |= isa<math::MathDialect>(op->getDialect()) &&
                     !isa<math::AbsFOp, math::FmaOp, math::SqrtOp>(op);
  };
  for (auto &[value, axes] : rootOperands(root))
    walkClosure(value, axes, visit);
  if (auto store = dyn_cast<access::StoreOp>(root)) {
    scoreAccess(store, identityAxes(iterationShape(root).size()), facts);
    facts.elementBits =
        std::max(facts.elementBits, bitsOf(store.getValue().getType()));
  }
  if (auto held = dyn_cast<sched::HoldOp>(root);
      held && !facts.contiguity.empty()) {
    facts.contiguity.back() += 1;
    facts.elementBits = std::max(facts.elementBits, bitsOf(held.getType()));
  }
  return facts;
}

/// True when the combine region can be applied to whole vectors.
static bool isVectorizable(Region &combine) {
  for (Operation &op : combine.front().without_terminator())
    if (!OpTrait::hasElementwiseMappableTraits(&op) &&
        !op.hasTrait<OpTrait::ConstantLike>())
      return false;
  return true;
}

static int64_t powerOfTwoAtMost(int64_t value) {
  return value < 1 ? 1 : int64_t(1) << llvm::Log2_64(value);
}

static sched::LoopAttr chooseLoop(Operation *root, const VectorUnit &unit) {
  ArrayRef<int64_t> shape = iterationShape(root);
  ClosureFacts facts = factsOf(root);
  MLIRContext *context = root->getContext();
  int64_t rank = shape.size();
  if (rank == 0)
    return sched::LoopAttr::get(context, {}, 0, 1, 1);

  auto reduce = dyn_cast<kernel::ReduceOp>(root);
  auto scan = dyn_cast<kernel::ScanOp>(root);
  if (reduce)
    facts.scalarOnly |= !isVectorizable(reduce.getCombine());
  facts.scalarOnly |= isAtomic(root) || isa<kernel::HistogramOp>(root);
  if (scan)
    facts.scalarOnly |= rank == 1 || !isVectorizable(scan.getCombine());

  // The vector axis: the most contiguous, the innermost among equals. A scan
  // runs along its own axis one step at a time.
  int64_t lane = rank - 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    bool better = facts.contiguity[axis] > facts.contiguity[lane] ||
                  (shape[lane] == 1 && shape[axis] > 1);
    if (shape[axis] > 1 && better)
      lane = axis;
  }
  if (scan && static_cast<int64_t>(scan.getAxis()) == lane) {
    facts.scalarOnly |= rank == 1;
    lane = scan.getAxis() == rank - 1 ? 0 : rank - 1;
    if (lane == static_cast<int64_t>(scan.getAxis()))
      facts.scalarOnly = true;
  }

  // Registers in a group: fewer when a math function needs many temporaries.
  unsigned group = std::min(unit.maxGroup, facts.hasMath ? 2u : 4u);
  int64_t width =
      std::max<int64_t>(1, unit.vectorBits * group / facts.elementBits);
  width = std::min(width, powerOfTwoAtMost(shape[lane]));
  // Constants of a vector's length stay below 64 elements.
  width = std::min<int64_t>(width, 64);
  if (facts.scalarOnly)
    width = 1;

  // Unroll short bodies, whose loop overhead would show, and reductions, whose
  // chain of dependent operations would. Along another axis, whole cache lines
  // of a row are read before the next row's, which may evict them.
  int64_t unroll = facts.operations <= 6 ? 4 : facts.operations <= 16 ? 2 : 1;
  if (reduce)
    unroll = static_cast<int64_t>(reduce.getAxis()) == lane
                 ? (facts.hasMath ? 2 : 4)
                 : (facts.hasMath || facts.operations > 8 ? 1 : 4);
  if (scan || facts.scalarOnly)
    unroll = 1;
  unroll = std::min(
      unroll, std::max<int64_t>(1, powerOfTwoAtMost(shape[lane] / width)));
  unroll = std::max<int64_t>(1, unroll / group);

  SmallVector<int64_t> order;
  int64_t along = -1;
  if (reduce)
    along = reduce.getAxis();
  else if (scan)
    along = scan.getAxis();
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != lane && axis != along)
      order.push_back(axis);
  order.push_back(lane);
  if (along >= 0 && along != lane)
    order.push_back(along);
  return sched::LoopAttr::get(context, order, lane, width, unroll);
}

static sched::TileAttr chooseTile(Operation *matmul, const VectorUnit &unit) {
  auto type = cast<RankedTensorType>(matmul->getResult(0).getType());
  int64_t m = type.getDimSize(type.getRank() - 2),
          n = type.getDimSize(type.getRank() - 1);
  unsigned bits = bitsOf(type);
  int64_t group = std::min(unit.maxGroup, 2u);
  int64_t width =
      std::min<int64_t>(powerOfTwoAtMost(n),
                        std::max<int64_t>(1, unit.vectorBits * group / bits));
  // Accumulators take at most three quarters of the registers, the rest holds a
  // row of B and the broadcast element of A.
  int64_t registers = unit.vectorRegisters / group;
  int64_t vectors =
      std::min<int64_t>(powerOfTwoAtMost(n / width), unit.maxGroup > 1 ? 1 : 2);
  int64_t rows = registers >= 32                        ? 8
                 : registers >= 16 && unit.maxGroup > 1 ? 8
                                                        : 4;
  while (rows * vectors > registers * 3 / 4)
    rows /= 2;
  rows = std::min(rows, powerOfTwoAtMost(m));
  return sched::TileAttr::get(matmul->getContext(), rows, vectors, width);
}

void trireme::schedule::chooseLoops(func::FuncOp kernel,
                                    const VectorUnit &unit) {
  kernel.walk([&](Operation *op) {
    if (!isRoot(op))
      return;
    if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
      op->setAttr(sched::tileAttrName, chooseTile(op, unit));
    else if (auto held = dyn_cast<sched::HoldOp>(op))
      held.setLoopAttr(chooseLoop(op, unit));
    else
      op->setAttr(sched::loopAttrName, chooseLoop(op, unit));
  });
}
