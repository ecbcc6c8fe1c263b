//===- MaskAnalysis.h - which elements of a block are touched - -*- C++ -*-===//
#ifndef TRIREME_COMPILER_ANALYSIS_MASKANALYSIS_H
#define TRIREME_COMPILER_ANALYSIS_MASKANALYSIS_H

#include "compiler/Analysis/IndexAnalysis.h"

namespace trireme::analysis {

/// low <= i_axis < high, as 64-bit scalars; null where there is no such limit.
struct AxisBound {
  unsigned axis;
  const Expr *low = nullptr;
  const Expr *high = nullptr;
};

/// An element is touched iff `pred`, and all bounds, and all of `rest` hold (as
/// long as the conditions do).
struct MaskDomain {
  llvm::SmallVector<AxisBound, 2> bounds; // at most one an axis
  const Expr *pred = nullptr;             // i1 scalar; null: true
  llvm::SmallVector<mlir::Value, 1> rest; // i1 tensors of the block's shape
  llvm::SmallVector<const Expr *, 2> conditions;
};

class MaskAnalysis {
public:
  explicit MaskAnalysis(IndexAnalysis &indices)
      : indices(indices), exprs(indices.getExprs()) {}

  /// Always an answer: what does not fit is left in `rest`.
  MaskDomain get(mlir::Value mask);

private:
  MaskDomain compute(mlir::Value mask);
  MaskDomain compare(mlir::arith::CmpIOp op);
  MaskDomain permute(const MaskDomain &source, mlir::Value result,
                     llvm::ArrayRef<int> sources);
  MaskDomain broadcast(const MaskDomain &source, mlir::Value from,
                       mlir::Value result);
  void addPred(MaskDomain &mask, const Expr *pred);
  void addBound(MaskDomain &mask, AxisBound bound);

  IndexAnalysis &indices;
  ExprContext &exprs;
  unsigned depth = 0;
};

} // namespace trireme::analysis

#endif // TRIREME_COMPILER_ANALYSIS_MASKANALYSIS_H
