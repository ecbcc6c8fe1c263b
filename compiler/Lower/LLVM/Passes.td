//===- Passes.td - from vectors to the LLVM dialect ----------------*- tablegen -*-===//

#ifndef TRIREME_LOWER_LLVM_PASSES
#define TRIREME_LOWER_LLVM_PASSES

include "mlir/Pass/PassBase.td"

def LowerToLLVMPass : Pass<"lower-llvm-convert", "::mlir::ModuleOp"> {
  let summary = "Turn the vector stage into the LLVM dialect";
  let description = [{
    One conversion with all patterns: control flow, arithmetic, math that was not
    expanded (LLVM intrinsics, or one libm call a lane), 1-D vectors. Before it narrow
    floats are expanded (ExpandFloats.h), as LLVM would call a function for each lane.
  }];
  let options = [Option<"hasF16", "has-f16", "bool", "true",
                        "conversions between f16 and f32 in hardware">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::vector::VectorDialect", "::mlir::math::MathDialect"];
}

def InterleaveChainsPass : Pass<"lower-llvm-interleave-chains", "::mlir::ModuleOp"> {
  let summary = "Let the independent computations of a loop body take turns";
  let description = [{
    Between two operations that write memory, the connected components of the data flow
    graph are put side by side, operation by operation, so that a core need not look far
    ahead to find work. Values and the order of memory accesses that may matter stay.
  }];
  let options = [Option<"atOnce", "at-once", "unsigned", "4",
                        "components that take turns; their temporaries share the registers">];
}

#endif // TRIREME_LOWER_LLVM_PASSES
