//===- Passes.td - tt to linalg -----------------------------------*- tablegen -*-===//
#ifndef TRIREME_CONVERSION_TTTOLINALG_PASSES
#define TRIREME_CONVERSION_TTTOLINALG_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTTToLinalgPass : Pass<"convert-tt-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Convert tt functions to func, linalg, access and kernel";
  let description = [{
    Every public `tt.func` becomes a `func.func` with `kernel.entry`. Its body must be of
    one block and without calls (`tt-lift-control-flow`, `tt-inline-calls`). Loads and
    stores become `access` operations that say, as far as the analyses know, where their
    elements lie; integer division, shifts and float to integer casts are made total.
  }];
  let options = [
    Option<"fpFusion", "fp-fusion", "bool", "true",
           "let products and sums of floats contract">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::trireme::access::AccessDialect",
    "::trireme::kernel::KernelDialect"];
}

#endif // TRIREME_CONVERSION_TTTOLINALG_PASSES
