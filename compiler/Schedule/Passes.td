//===- Passes.td - the scheduler -----------------------------------*- tablegen -*-===//

#ifndef TRIREME_SCHEDULE_PASSES
#define TRIREME_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def ScheduleKernelPass : Pass<"schedule-kernel", "::mlir::func::FuncOp"> {
  let summary = "Decide loops, vector widths and which tensors live in scratch";
  let description = [{
    Inserts `sched.hold` where a tensor must exist in memory (carried by control flow,
    used by several roots and dear to compute again, or loaded before a write that might
    change what it reads) and gives each root a `#sched.loop` or `#sched.tile`.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "256", "bits of one vector register">,
    Option<"vectorRegisters", "vector-registers", "unsigned", "32",
           "number of vector registers">,
    Option<"maxGroup", "max-group", "unsigned", "1",
           "registers one operation may group (LMUL)">
  ];
  let dependentDialects = ["::trireme::sched::SchedDialect"];
}

#endif // TRIREME_SCHEDULE_PASSES
