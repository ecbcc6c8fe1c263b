//===- Fusion.h ----------------------------------------------- -*- C++ -*-===//
//
// Which operations are computed inside which loops.
//
// The linalg stage has two kinds of tensor operations. A *root* becomes a loop
// nest: access.store, atomics, sched.hold, kernel.reduce, kernel.scan,
// kernel.histogram, linalg.matmul.
// Everything else is *inline*: computed, element by element, inside the loops
// of each root that asks for it. The closure of a root is the set of values so
// computed, each seen through a map from its axes to the root's axes.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_ANALYSIS_FUSION_FUSION_H
#define TRIREME_COMPILER_ANALYSIS_FUSION_FUSION_H

#include "compiler/Dialect/Access/Access.h"
#include "compiler/Dialect/Kernel/Kernel.h"
#include "compiler/Dialect/Sched/Sched.h"

#include "llvm/ADT/DenseSet.h"

namespace trireme::analysis {

/// An axis of a value that does not move with any axis of the root (extent 1).
inline constexpr int kNoAxis = -1;
/// An axis whose coordinate is computed from several of the root's (reshapes).
inline constexpr int kMixedAxis = -2;

/// True for atomic operations, on scalars too.
bool isAtomic(mlir::Operation *op);

/// True for operations that become a loop nest of their own.
bool isRoot(mlir::Operation *op);

/// True for tensor operations computed inside their users' loops.
bool isInline(mlir::Operation *op);

/// True when the tensor lives in scratch: results of roots, region arguments
/// and results.
bool hasSlot(mlir::Value value);

/// True for a linalg.generic that only rearranges: its body yields its input.
/// Its input map tells where each axis of the operand comes from.
bool isRemap(mlir::Operation *op);

/// The axes of an inline operation's operand, given those of its result.
llvm::SmallVector<int> operandAxes(mlir::Operation *op,
                                   mlir::OpOperand &operand,
                                   llvm::ArrayRef<int> resultAxes);

/// The operands that are computed when `op` is, leaving out the exact form of
/// an access.
llvm::SmallVector<mlir::OpOperand *> fastOperands(mlir::Operation *op);

/// Calls `visit` on `value` and on every value that is computed inline to
/// compute it, with its axes in the root's space. Stops at values that have a
/// slot (those are visited too). A value may be visited more than once with
/// different axes, never twice with the same.
void walkClosure(
    mlir::Value value, llvm::ArrayRef<int> axes,
    llvm::function_ref<void(mlir::Value, llvm::ArrayRef<int>)> visit);

/// The identity map of a rank.
llvm::SmallVector<int> identityAxes(int64_t rank);

/// Operations of `root` whose closures are its loops: for a store the value,
/// mask and terms, for a hold its source, for reductions the inputs; each with
/// its axes.
llvm::SmallVector<std::pair<mlir::Value, llvm::SmallVector<int>>>
rootOperands(mlir::Operation *root);

/// The loads computed in loops with these closures, each once.
llvm::SmallVector<mlir::Operation *> loadsIn(
    llvm::ArrayRef<std::pair<mlir::Value, llvm::SmallVector<int>>> closures);

/// The shape of the iteration space of a root.
llvm::ArrayRef<int64_t> iterationShape(mlir::Operation *root);

/// The schedule of a root, null when it has none.
sched::LoopAttr loopOf(mlir::Operation *root);

/// True when both accesses name the same element at the same index of the
/// block, by construction (equal SSA operands).
bool sameElements(access::LoadOp load, access::StoreOp store);

} // namespace trireme::analysis

#endif // TRIREME_COMPILER_ANALYSIS_FUSION_FUSION_H
