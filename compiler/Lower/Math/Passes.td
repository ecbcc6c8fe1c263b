#ifndef TRIREME_LOWER_MATH_PASSES
#define TRIREME_LOWER_MATH_PASSES

include "mlir/Pass/PassBase.td"

def ExpandFunctionsPass : Pass<"lower-math-expand-functions", "mlir::ModuleOp"> {
  let summary = "Replace the math functions of functions.inc by inline polynomials";
  let description = [{
    Runs on the `vector` stage, right before the lowering to LLVM, on scalars and fixed 1-D
    vectors. f16 and bf16 are computed in f32. What has no row stays a math op and becomes
    an LLVM intrinsic or a libm call a lane later.
  }];
  let options = [Option<"hasFma", "has-fma", "bool", /*default=*/"true",
                        "the target has fused multiply-add; otherwise multiply, then add, "
                        "and the looser bound of the row holds">,
                 Option<"hasScalef", "has-scalef", "bool", /*default=*/"false",
                        "the target is x86 with AVX-512F and VL, which multiplies a vector by "
                        "powers of two in one instruction">];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::vector::VectorDialect",
                           "mlir::LLVM::LLVMDialect"];
}

#endif
