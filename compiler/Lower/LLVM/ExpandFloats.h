//===- ExpandFloats.h - narrow floats without library calls --- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_LOWER_LLVM_EXPANDFLOATS_H
#define TRIREME_COMPILER_LOWER_LLVM_EXPANDFLOATS_H

#include "mlir/IR/BuiltinOps.h"

namespace trireme::lower {

/// Rewrites what LLVM would turn into one library call a lane:
///
///  - arithmetic on bf16 (and on f16 without `hasF16`) computes in f32;
///  - bf16 <-> f32 and, without `hasF16`, f16 <-> f32 become integer
///  operations, rounding
///    to nearest even, NaN staying NaN;
///  - f64 -> f16 and f64 -> bf16 go through f32 rounded to odd, so that the
///  second
///    rounding is right (S. Boldo, G. Melquiond, "Emulation of a FMA and
///    correctly rounded sums: proved algorithms using rounding to odd", 2008).
mlir::LogicalResult expandFloats(mlir::ModuleOp module, bool hasF16);

/// Afterwards, in the LLVM dialect: what is left of bf16 (and of f16 without
/// `hasF16`) is only moved about; it becomes i16, or LLVM would soften loads
/// and constants by calls.
void retypeNarrowFloats(mlir::ModuleOp module, bool hasF16);

} // namespace trireme::lower

#endif
