//===- Schedule.h --------------------------------------------- -*- C++ -*-===//
//
// Decide loops, widths and what lives in scratch.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_SCHEDULE_SCHEDULE_H
#define TRIREME_COMPILER_SCHEDULE_SCHEDULE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace trireme::schedule {

/// What the scheduler asks of a target. Filled by Driver from a row of target/.
struct VectorUnit {
  /// Bits of one vector register.
  unsigned vectorBits = 256;
  /// Number of vector registers.
  unsigned vectorRegisters = 32;
  /// Registers that one operation may group (RISC-V's LMUL); 1 elsewhere.
  unsigned maxGroup = 1;
};

/// Puts every tensor that must exist in memory behind a sched.hold (Holds.cpp).
void insertHolds(mlir::func::FuncOp kernel);

/// Gives every root its loop nest or register tile (Loops.cpp).
void chooseLoops(mlir::func::FuncOp kernel, const VectorUnit &unit);

#define GEN_PASS_DECL
#include "compiler/Schedule/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/Schedule/Passes.h.inc"

} // namespace trireme::schedule

#endif // TRIREME_COMPILER_SCHEDULE_SCHEDULE_H
