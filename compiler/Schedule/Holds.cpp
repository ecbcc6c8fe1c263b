//===- Holds.cpp - which tensors live in scratch --------------------------===//
//
// A tensor lives in scratch (behind a sched.hold) when
//  1. control flow carries it: initial and yielded values of loops and
//  branches;
//  2. a matrix multiply reads it and it is not a plain load;
//  3. it is printed or asserted;
//  4. it is a load whose roots are not all reachable before the next write that
//  might
//     change what it reads (a store into other memory is disjoint only at run
//     time; the root's own store is checked there, any other is not);
//  5. it is dear to compute and would be computed more than once.
// Everything else is computed in its consumers' loops. Memory order: a load is
// only ever moved down to roots in its own block with no write in between.
//
//===----------------------------------------------------------------------===//

#include "compiler/Analysis/Fusion/Fusion.h"
#include "compiler/Schedule/Schedule.h"
#include "compiler/Support/Diagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::analysis;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static sched::HoldOp hold(OpBuilder &builder, Location loc, Value value) {
  return sched::HoldOp::create(builder, loc, value.getType(), value,
                               sched::LoopAttr(), /*in_reader=*/false);
}

//===----------------------------------------------------------------------===//
// Values carried by control flow and read by matrix multiplies
//===----------------------------------------------------------------------===//

/// Puts the tensor operands of `op` behind holds inserted right before it.
static void holdOperands(Operation *op,
                         llvm::function_ref<bool(OpOperand &)> wanted) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isTensor(operand.get()) && wanted(operand))
      operand.set(hold(builder, op->getLoc(), operand.get()));
}

/// True for a load that a matrix multiply may read in place, through casts.
static bool isDirectOperand(Value value, Operation *user) {
  auto load = value.getDefiningOp<access::LoadOp>();
  return load && load.hasSummary() && !load.getMask() &&
         load->getBlock() == user->getBlock();
}

static bool isSplatConstant(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat();
}

/// True for a loop-carried tensor that the body hands on unchanged.
static bool isPassedThrough(OpOperand &yielded) {
  auto loop = dyn_cast<scf::ForOp>(yielded.getOwner()->getParentOp());
  return loop &&
         yielded.get() == loop.getRegionIterArg(yielded.getOperandNumber());
}

static void holdCarried(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (isa<scf::ForOp, scf::WhileOp>(op)) {
      holdOperands(op, [](OpOperand &) { return true; });
    } else if (isa<scf::YieldOp, scf::ConditionOp>(op)) {
      // A matrix multiply writes its result itself; a block argument that is
      // handed on already has a slot.
      holdOperands(op, [](OpOperand &operand) {
        if (isPassedThrough(operand))
          return false;
        Operation *def = operand.get().getDefiningOp();
        return !def || !isa<linalg::MatmulOp, linalg::BatchMatmulOp>(def) ||
               !def->hasOneUse() ||
               def->getBlock() != operand.getOwner()->getBlock();
      });
    } else if (isa<kernel::PrintOp, kernel::AssertOp>(op)) {
      // The runtime reads them from memory.
      holdOperands(op,
                   [](OpOperand &operand) { return !hasSlot(operand.get()); });
    } else if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op)) {
      holdOperands(op, [&](OpOperand &operand) {
        Value value = operand.get();
        bool isAccumulator = operand.getOperandNumber() == 2;
        if (isAccumulator)
          return !isSplatConstant(value) && !isa<BlockArgument>(value);
        return !isDirectOperand(value, op) && !hasSlot(value);
      });
    }
  }
}

//===----------------------------------------------------------------------===//
// Who computes a value
//===----------------------------------------------------------------------===//

namespace {
/// What asks for a value: the roots in whose loops it is computed, and how.
struct Demand {
  llvm::SmallSetVector<Operation *, 4> roots;
  /// Computed again for each element of an axis it does not have.
  bool amplified = false;
  /// Asked for from another block (inside a loop or branch).
  bool crosses = false;
};
} // namespace

/// True when `user` repeats each element of its operand.
static bool repeats(Operation *user, Value operand) {
  auto type = cast<RankedTensorType>(operand.getType());
  if (isa<kernel::GatherOp>(user))
    return true;
  for (Value result : user->getResults())
    if (auto resultType = dyn_cast<RankedTensorType>(result.getType()))
      if (resultType.getNumElements() > type.getNumElements())
        return true;
  return false;
}

static void collectDemand(Value value, Block *block, Demand &demand,
                          DenseSet<Operation *> &seen) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    // The exact form of an access is computed on its slow path only.
    if (isa<access::LoadOp, access::StoreOp>(user) &&
        !llvm::is_contained(fastOperands(user), &use))
      continue;
    demand.crosses |= user->getBlock() != block;
    if (isRoot(user) || !isInline(user)) {
      demand.roots.insert(user);
      continue;
    }
    demand.amplified |= repeats(user, value);
    if (seen.insert(user).second)
      collectDemand(user->getResult(0), block, demand, seen);
  }
}

static Demand demandOf(Operation *op) {
  Demand demand;
  DenseSet<Operation *> seen;
  collectDemand(op->getResult(0), op->getBlock(), demand, seen);
  return demand;
}

//===----------------------------------------------------------------------===//
// Loads against writes
//===----------------------------------------------------------------------===//

/// True when executing `op` may write user memory or must keep its place among
/// accesses.
static bool mayWrite(Operation *op) {
  if (op->getNumRegions() == 0) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects ? effects.hasEffect<MemoryEffects::Write>()
                   : !isMemoryEffectFree(op);
  }
  return op
      ->walk([](Operation *inner) {
        if (inner->getNumRegions() == 0 && mayWrite(inner))
          return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether memory may be written between two operations of a block.
static bool isWrittenBetween(Operation *from, Operation *to) {
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
    if (mayWrite(op))
      return true;
  return false;
}

static bool needsHold(access::LoadOp load, const Demand &demand) {
  if (load.getIsVolatile() || demand.crosses)
    return true;
  Operation *last = nullptr;
  for (Operation *root : demand.roots) {
    // All elements are read before the atomic changes the first.
    if (isAtomic(root))
      return true;
    if (!last || last->isBeforeInBlock(root))
      last = root;
  }
  if (last && isWrittenBetween(load, last)) {
    support::remarkPerformance(
        load.getLoc(), "this block is copied to scratch first, as memory is "
                       "written between the load and its last use, and may "
                       "be the same; use it before that store");
    return true;
  }
  // A load of its own each time is cheap only where it is a plain vector load.
  return demand.roots.size() > 1 && !load.hasSummary();
}

/// True for a load that is only read by a hold, before anything is written.
static bool isHeldAtOnce(access::LoadOp load) {
  if (!load->hasOneUse())
    return false;
  auto held = dyn_cast<sched::HoldOp>(*load->user_begin());
  return held && held->getBlock() == load->getBlock() &&
         !isWrittenBetween(load, held);
}

//===----------------------------------------------------------------------===//
// Values that are dear to compute
//===----------------------------------------------------------------------===//

/// Rough cost of computing one vector, in simple vector operations.
static unsigned ownCost(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isRemap(op) ||
      isa<tensor::SplatOp, kernel::IotaOp, tensor::CollapseShapeOp,
          tensor::ExpandShapeOp, tensor::EmptyOp>(op))
    return 0;
  if (isa<access::LoadOp>(op))
    return 1;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return 16;
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op))
    return 6;
  if (isa<arith::RemFOp, kernel::MapOp>(op))
    return 32;
  if (op->getDialect()->getNamespace() ==
      math::MathDialect::getDialectNamespace())
    return isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp,
               math::CeilOp>(op)
               ? 1
               : 12;
  return 1;
}

static unsigned closureCost(Value value) {
  unsigned cost = 0;
  DenseSet<Operation *> seen;
  walkClosure(value,
              identityAxes(cast<RankedTensorType>(value.getType()).getRank()),
              [&](Value inner, ArrayRef<int>) {
                Operation *op = inner.getDefiningOp();
                if (op && !hasSlot(inner) && seen.insert(op).second)
                  cost += ownCost(op);
              });
  return cost;
}

/// Costs above which a value is kept instead of computed again.
static constexpr unsigned kRecomputeCost = 8;
static constexpr unsigned kRecomputeInLoopCost = 3;

static void holdDearValues(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isInline(op))
      ops.push_back(op);
  });
  // Downstream first: once a value is kept, what it is made of is computed only
  // for it.
  for (Operation *op : llvm::reverse(ops)) {
    if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
      continue;
    Demand demand = demandOf(op);
    if (demand.roots.empty())
      continue;
    bool keep = false;
    if (auto load = dyn_cast<access::LoadOp>(op)) {
      keep = needsHold(load, demand) && !isHeldAtOnce(load);
    } else if (demand.crosses) {
      keep = closureCost(op->getResult(0)) > kRecomputeInLoopCost;
    } else if (demand.roots.size() > 1 || demand.amplified) {
      keep = closureCost(op->getResult(0)) > kRecomputeCost;
    }
    if (!keep)
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    sched::HoldOp held = hold(builder, op->getLoc(), op->getResult(0));
    op->getResult(0).replaceAllUsesExcept(held.getResult(), held);
  }
}

void trireme::schedule::insertHolds(func::FuncOp kernel) {
  holdCarried(kernel);
  holdDearValues(kernel);
}
