//===- PointerAnalysis.h - where the elements of a block lie -- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_ANALYSIS_POINTERANALYSIS_H
#define TRIREME_COMPILER_ANALYSIS_POINTERANALYSIS_H

#include "compiler/Analysis/IndexAnalysis.h"

namespace trireme::analysis {

/// Element (i0, i1, ..) lies at `base` plus `index` elements of the pointee
/// type, where the conditions of `index` hold.
struct PointerDomain {
  mlir::Value base;  // a scalar pointer
  IndexDomain index; // 64 bits wide
};

class PointerAnalysis {
public:
  explicit PointerAnalysis(IndexAnalysis &indices) : indices(indices) {}

  /// The domain of a pointer or tensor of pointers; null if it is none of ours.
  const PointerDomain *get(mlir::Value pointer);

private:
  std::optional<PointerDomain> compute(mlir::Value pointer);

  IndexAnalysis &indices;
  unsigned depth = 0;
  llvm::DenseMap<mlir::Value, std::unique_ptr<PointerDomain>> domains;
};

} // namespace trireme::analysis

#endif // TRIREME_COMPILER_ANALYSIS_POINTERANALYSIS_H
