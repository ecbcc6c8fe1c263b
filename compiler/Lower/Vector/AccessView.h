//===- AccessView.h - loads and stores alike ------------------ -*- C++ -*-===//
#ifndef TRIREME_COMPILER_LOWER_VECTOR_ACCESSVIEW_H
#define TRIREME_COMPILER_LOWER_VECTOR_ACCESSVIEW_H

#include "compiler/Dialect/Access/Access.h"

namespace trireme::lower {

/// What a load and a store have in common, by the names of AccessOps.td.
struct AccessView {
  mlir::Operation *op = nullptr;
  mlir::Type elementType;
  llvm::ArrayRef<int64_t> shape;
  mlir::Value base, offset, pred, mask, valid, addresses, exactMask;
  llvm::SmallVector<mlir::Value> strides, terms, lows, highs;
  llvm::ArrayRef<int32_t> termAxes, boundAxes;
  bool isVolatile = false;

  template <typename OpT> static AccessView of(OpT access) {
    AccessView view;
    view.op = access;
    view.elementType = access.getElementType();
    view.shape = access.getBlockShape();
    view.base = access.getBase();
    view.offset = access.getOffset();
    view.pred = access.getPred();
    view.mask = access.getMask();
    view.valid = access.getValid();
    view.addresses = access.getAddresses();
    view.exactMask = access.getExactMask();
    view.strides = llvm::to_vector(access.getStrides());
    view.terms = llvm::to_vector(access.getTerms());
    view.lows = llvm::to_vector(access.getLows());
    view.highs = llvm::to_vector(access.getHighs());
    view.termAxes = access.getTermAxes();
    view.boundAxes = access.getBoundAxes();
    view.isVolatile = access.getIsVolatile();
    return view;
  }
  static AccessView of(mlir::Operation *op) {
    if (auto load = llvm::dyn_cast<access::LoadOp>(op))
      return of(load);
    return of(llvm::cast<access::StoreOp>(op));
  }
  bool hasSummary() const { return static_cast<bool>(base); }
};

} // namespace trireme::lower

#endif // TRIREME_COMPILER_LOWER_VECTOR_ACCESSVIEW_H
