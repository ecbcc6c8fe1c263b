//===- InterleaveChains.cpp - independent computations side by side -------===//
//
// An unrolled loop body computes several vectors, one after the other. A core
// looks ahead by a few dozen vector instructions at most (an in-order one by
// none), so each chain of dependent operations would be waited for. Here chains
// that do not depend on each other take turns, as many at a time as the
// registers allow.
//
// Runs after lower-llvm-convert; translation keeps the order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/LLVM/LowerToLLVM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace trireme::lower {
#define GEN_PASS_DEF_INTERLEAVECHAINSPASS
#include "compiler/Lower/LLVM/Passes.h.inc"
} // namespace trireme::lower

using namespace mlir;

/// Shorter chains are no trouble to any core.
static constexpr size_t kLeastOperations = 6;

/// True for what may change places with its neighbours: it computes, or reads.
static bool mayMove(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || op.getNumRegions() > 0)
    return false;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() &&
           load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  // Intrinsics called by name are a target's arithmetic.
  if (isa<LLVM::MaskedLoadOp, LLVM::CallIntrinsicOp>(op))
    return true;
  return isMemoryEffectFree(&op);
}

/// The operations of `segment` by connected component, in order of appearance.
static SmallVector<SmallVector<Operation *>>
chainsOf(ArrayRef<Operation *> segment) {
  llvm::EquivalenceClasses<Operation *> connected;
  DenseSet<Operation *> inside(segment.begin(), segment.end());
  for (Operation *op : segment) {
    connected.insert(op);
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp(); def && inside.contains(def))
        connected.unionSets(op, def);
  }
  llvm::MapVector<Operation *, SmallVector<Operation *>> chains;
  for (Operation *op : segment)
    chains[connected.getLeaderValue(op)].push_back(op);
  SmallVector<SmallVector<Operation *>> result;
  for (auto &entry : chains)
    result.push_back(std::move(entry.second));
  return result;
}

/// Lets the long chains of a segment, which ends before `end`, take turns.
static void takeTurns(ArrayRef<Operation *> segment, Operation *end,
                      unsigned atOnce) {
  if (segment.size() < 2 * kLeastOperations)
    return;
  SmallVector<SmallVector<Operation *>> longOnes;
  for (SmallVector<Operation *> &chain : chainsOf(segment))
    if (chain.size() >= kLeastOperations)
      longOnes.push_back(std::move(chain));
  if (longOnes.size() < 2)
    return;
  // Short chains stay in front, long ones move behind them.
  for (size_t first = 0; first < longOnes.size(); first += atOnce) {
    auto group = MutableArrayRef(longOnes).slice(
        first, std::min<size_t>(atOnce, longOnes.size() - first));
    size_t longest = 0;
    for (ArrayRef<Operation *> chain : group)
      longest = std::max(longest, chain.size());
    for (size_t turn = 0; turn < longest; ++turn)
      for (ArrayRef<Operation *> chain : group)
        if (turn < chain.size())
          chain[turn]->moveBefore(end);
  }
}

namespace {
struct InterleaveChainsPass
    : trireme::lower::impl::InterleaveChainsPassBase<InterleaveChainsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) {
      SmallVector<Operation *> segment;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (mayMove(op)) {
          segment.push_back(&op);
          continue;
        }
        takeTurns(segment, &op, atOnce);
        segment.clear();
      }
    });
  }
};
} // namespace
