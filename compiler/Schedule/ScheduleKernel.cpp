//===- ScheduleKernel.cpp - the scheduling pass ---------------------------===//
//
// Runs on the linalg stage, after canonicalisation and CSE; Lower/Vector runs
// next. The only stage that is told about the target: what it decides stands in
// attributes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Dialect/Kernel/Kernel.h"
#include "compiler/Dialect/Sched/Sched.h"
#include "compiler/Schedule/Schedule.h"

namespace trireme::schedule {
#define GEN_PASS_DEF_SCHEDULEKERNELPASS
#include "compiler/Schedule/Passes.h.inc"
} // namespace trireme::schedule

using namespace mlir;

namespace {
struct ScheduleKernelPass
    : trireme::schedule::impl::ScheduleKernelPassBase<ScheduleKernelPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(trireme::kernel::entryAttrName))
      return;
    trireme::schedule::VectorUnit unit;
    unit.vectorBits = vectorBits;
    unit.vectorRegisters = vectorRegisters;
    unit.maxGroup = maxGroup;
    trireme::schedule::insertHolds(kernel);
    trireme::schedule::chooseLoops(kernel, unit);
  }
};
} // namespace
