//===- Loops.cpp - loop order, vector axis, width and register tiles ------===//

#include "compiler/Analysis/Fusion/Fusion.h"
#include "compiler/Schedule/Schedule.h"
#include "compiler/Support/Diagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

/// True when the region can be applied to whole vectors.
static bool isVectorizable(Region &region) {
  for (Operation &op : region.front().without_terminator())
    if (!OpTrait::hasElementwiseMappableTraits(&op) &&
        !op.hasTrait<OpTrait::ConstantLike>())
      return false;
  return true;
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
    if (auto map = dyn_cast<kernel::MapOp>(op))
      facts.scalarOnly |= !isVectorizable(map.getBody());
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

//===----------------------------------------------------------------------===//
// What a kernel's author should know
//===----------------------------------------------------------------------===//

/// How the elements of a vector along `lane` are reached, if not at once.
template <typename AccessT>
static void remarkAccess(AccessT access, ArrayRef<int> axes, int64_t lane,
                         llvm::StringRef verb) {
  Location loc = access.getLoc();
  if (!access.hasSummary()) {
    support::remarkPerformance(
        loc, "the addresses of this block are not rows and columns of one "
             "array; its elements are " +
                 verb + " one by one");
    return;
  }
  for (auto [axis, stride] : llvm::zip(axes, access.getStrides())) {
    if (axis != lane)
      continue;
    bool indexed = false;
    for (auto [term, termAxis] :
         llvm::zip(access.getTerms(), access.getTermAxes()))
      indexed |= axes[termAxis] == axis;
    std::optional<int64_t> constant = getConstantIntValue(stride);
    if (indexed)
      support::remarkPerformance(loc, "neighbouring elements are found by an "
                                      "index each and " +
                                          verb + " one by one");
    else if (!constant)
      support::remarkPerformance(
          loc, "the distance of neighbouring elements is not known to be 1; "
               "they are " +
                   verb +
                   " one by one; make it a tl.constexpr or leave it "
                   "out where it is 1");
    else if (*constant != 0 && *constant != 1)
      support::remarkPerformance(
          loc, "neighbouring elements lie " + llvm::Twine(*constant) +
                   " apart and are " + verb + " one by one");
  }
}

static void remarkRoot(Operation *root, int64_t lane, bool scalarOnly) {
  if (scalarOnly && isa<kernel::ReduceOp, kernel::ScanOp>(root))
    support::remarkPerformance(
        root->getLoc(),
        isa<kernel::ScanOp>(root)
            ? "the scan runs along the only long axis, one element after the "
              "other"
            : "the combine function cannot be applied to vectors; elements "
              "are combined one by one");
  if (scalarOnly)
    return;
  for (auto &[value, axes] : rootOperands(root))
    walkClosure(value, axes, [&](Value inner, ArrayRef<int> map) {
      Operation *op = inner.getDefiningOp();
      if (auto load = dyn_cast_if_present<access::LoadOp>(op))
        remarkAccess(load, map, lane, "loaded");
      else if (isa_and_present<arith::RemFOp>(op))
        support::remarkPerformance(
            op->getLoc(), "a function of the C library is called for each "
                          "element");
    });
  if (auto store = dyn_cast<access::StoreOp>(root))
    remarkAccess(store, identityAxes(iterationShape(root).size()), lane,
                 "stored");
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

/// The most vectors that are needed at once to compute a root's element, when
/// each value is computed as it is first asked for.
static unsigned vectorsAtOnce(Operation *root) {
  SmallVector<Value> order;
  DenseMap<Value, unsigned> lastUse;
  DenseSet<Value> seen;
  std::function<void(Value)> visit = [&](Value value) {
    if (!seen.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (op && !hasSlot(value) && isInline(op))
      for (OpOperand *operand : fastOperands(op))
        visit(operand->get());
    bool isVector = !op || !(op->hasTrait<OpTrait::ConstantLike>() ||
                             isa<tensor::SplatOp, kernel::IotaOp>(op));
    if (isVector)
      order.push_back(value);
    unsigned now = order.size();
    if (op && !hasSlot(value) && isInline(op))
      for (OpOperand *operand : fastOperands(op))
        lastUse[operand->get()] = now;
  };
  auto operands = rootOperands(root);
  for (auto &[value, axes] : operands)
    visit(value);
  for (auto &[value, axes] : operands)
    lastUse[value] = order.size() + 1;
  unsigned most = 0;
  for (unsigned now = 1; now <= order.size(); ++now) {
    unsigned live = 0;
    for (unsigned i = 0; i < now; ++i)
      live += lastUse.lookup(order[i]) >= now;
    most = std::max(most, live);
  }
  return most;
}

/// What the loops of a root look like.
static void remarkLoop(Operation *root, int64_t lane, int64_t width,
                       int64_t unroll, bool scalarOnly) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << (isa<access::StoreOp>(root)       ? "store"
             : isa<sched::HoldOp>(root)       ? "block kept in scratch"
             : isa<kernel::ReduceOp>(root)    ? "reduction"
             : isa<kernel::ScanOp>(root)      ? "scan"
             : isa<kernel::HistogramOp>(root) ? "histogram"
                                              : "atomic operation")
         << " of ";
  llvm::interleave(iterationShape(root), stream, " x ");
  stream << " elements";
  if (width > 1)
    stream << " in vectors of " << width << " along axis " << lane;
  else
    stream << ", one at a time"
           << (scalarOnly ? ", as its operation has no vector form" : "");
  if (unroll > 1)
    stream << ", " << unroll << " side by side";
  support::remarkSchedule(root->getLoc(), text);
}

static int64_t powerOfTwoAtMost(int64_t value) {
  return value < 1 ? 1 : int64_t(1) << llvm::Log2_64(value);
}

static sched::LoopAttr chooseLoop(Operation *root, const VectorUnit &unit) {
  ArrayRef<int64_t> shape = iterationShape(root);
  ClosureFacts facts = factsOf(root);
  MLIRContext *context = root->getContext();
  int64_t rank = shape.size();
  assert(rank > 0 && "scalars are no roots");

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
  unsigned needed = vectorsAtOnce(root) + (facts.hasMath ? 8 : 2);
  while (group > 1 && needed > unit.vectorRegisters / group)
    group /= 2;
  if (needed > unit.vectorRegisters / group && !facts.scalarOnly)
    support::remarkPerformance(
        root->getLoc(),
        "about " + llvm::Twine(needed) +
            " vectors are needed at once and the target has " +
            llvm::Twine(unit.vectorRegisters / group) +
            "; store or reduce a part before computing the next");
  // A store that computes little waits for memory. A vector as long as a cache
  // line then only costs: where it is not aligned, each touches two lines.
  constexpr unsigned kLineBits = 512;
  bool streams = isa<access::StoreOp>(root) && rank == 1 && !facts.hasMath &&
                 facts.operations <= 4 && unit.maxGroup == 1;
  unsigned vectorBits =
      streams ? std::min(unit.vectorBits, kLineBits / 2) : unit.vectorBits;
  int64_t width = std::max<int64_t>(1, vectorBits * group / facts.elementBits);
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

  remarkRoot(root, lane, width == 1 && facts.scalarOnly);
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
  remarkLoop(root, lane, width, unroll, facts.scalarOnly);
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
  // The most that sixteen registers hold; what is left of fewer rows would keep
  // too few of them busy.
  if (registers == 16 && unit.maxGroup == 1 && m >= 32)
    rows = 6;
  // Few rows: as much of a row of B at a time as registers hold, as then B is
  // read once and comes from memory, in longer pieces.
  if (m < rows) {
    rows = powerOfTwoAtMost(m);
    while (2 * vectors * rows <= registers * 3 / 4 && 2 * vectors <= n / width)
      vectors *= 2;
  }
  // An in-order core waits for what a row's address is computed from.
  int64_t depth = unit.maxGroup > 1 ? 4 : 1;
  return sched::TileAttr::get(matmul->getContext(), rows, vectors, width,
                              depth);
}

/// Lets the reduction that reads a held tensor next compute it: one pass over
/// scratch less. Nothing but inline values may stand between the two, and their
/// loops must go by the elements in the same vectors.
static void fillInReader(sched::HoldOp held) {
  Operation *next = held->getNextNode();
  while (next && (isInline(next) || (isPure(next) && !isRoot(next) &&
                                     next->getNumRegions() == 0)))
    next = next->getNextNode();
  auto reduce = dyn_cast_or_null<kernel::ReduceOp>(next);
  if (!reduce || reduce.getNumOperands() != 1 ||
      reduce.getOperand(0) != held.getResult())
    return;
  sched::LoopAttr own = held.getLoopAttr(), other = loopOf(reduce);
  if (own.getOrder() != other.getOrder() || own.getLane() != other.getLane() ||
      own.getWidth() != other.getWidth())
    return;
  held.setInReader(true);
  reduce->setAttr(sched::fillsAttrName, UnitAttr::get(held.getContext()));
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
  kernel.walk(fillInReader);
}
