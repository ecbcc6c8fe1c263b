//===- LowerToLLVM.cpp - from vectors to the LLVM dialect -----------------===//
//
// scf, arith, math and 1-D vectors become the LLVM dialect. Two conversions:
// structured control flow first, as its patterns rewrite blocks, then
// everything else at once.
//
// Runs after lower-math-expand-functions, which leaves only math that LLVM has
// instructions for or libm functions; before translation to LLVM IR.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/LLVM/LowerToLLVM.h"
#include "compiler/Lower/LLVM/ExpandFloats.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"

namespace trireme::lower {
#define GEN_PASS_DEF_LOWERTOLLVMPASS
#include "compiler/Lower/LLVM/Passes.h.inc"
} // namespace trireme::lower

using namespace mlir;

namespace {
struct LowerToLLVMPass
    : trireme::lower::impl::LowerToLLVMPassBase<LowerToLLVMPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    structure = std::move(patterns);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    if (failed(trireme::lower::expandFloats(module, hasF16)))
      return signalPassFailure();
    ConversionTarget flat(*context);
    flat.addIllegalOp<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp,
                      scf::YieldOp>();
    flat.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(module, flat, structure)))
      return signalPassFailure();

    // Function attributes that are about the image stay with the function.
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    LowerToLLVMOptions options(context);
    LLVMTypeConverter types(context, options);
    RewritePatternSet patterns(context);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    // An instruction where there is one; libm also offers fma.
    populateMathToLLVMConversionPatterns(types, patterns,
                                         /*approximateLog1p=*/false,
                                         /*benefit=*/2);
    populateMathToLibmConversionPatterns(patterns);
    populateVectorToLLVMConversionPatterns(types, patterns);
    populateFuncToLLVMConversionPatterns(types, patterns);
    ub::populateUBToLLVMConversionPatterns(types, patterns);
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    trireme::lower::retypeNarrowFloats(module, hasF16);
  }

  FrozenRewritePatternSet structure;
};
} // namespace
