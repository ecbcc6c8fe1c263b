//===- Passes.td - from scheduled tensors to vectors ---------------*- tablegen -*-===//

#ifndef TRIREME_LOWER_VECTOR_PASSES
#define TRIREME_LOWER_VECTOR_PASSES

include "mlir/Pass/PassBase.td"

def EmitKernelPass : Pass<"lower-vector-emit-kernel", "::mlir::ModuleOp"> {
  let summary = "Turn the scheduled kernel into loops over 1-D vectors";
  let description = [{
    Replaces the kernel function by one with the image's signature
    (args, grid, begin, end, thread), which runs a range of programs. Every root becomes
    a loop nest; inline operations are computed in it, at the outermost loop level that
    their coordinates allow.
  }];
  let options = [
    Option<"maskBits", "mask-bits", "unsigned", "8",
           "narrowest element with masked loads and stores in hardware; 0 = none">,
    Option<"hasFma", "has-fma", "bool", "true", "fused multiply-add in hardware">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
    "::mlir::vector::VectorDialect", "::mlir::math::MathDialect"
  ];
}

#endif // TRIREME_LOWER_VECTOR_PASSES
