//===- LiftControlFlow.cpp - branches between blocks to scf ---------------===//

#include "compiler/Dialect/TT/TT.h"
#include "compiler/Transforms/Passes.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/RegionUtils.h"

namespace trireme::transforms {
#define GEN_PASS_DEF_LIFTCONTROLFLOWPASS
#include "compiler/Transforms/Passes.h.inc"
} // namespace trireme::transforms

using namespace mlir;
using namespace trireme;

namespace {

/// As upstream's, but what cannot be reached returns from a `tt.func`.
struct Lifting : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc,
                                                     OpBuilder &builder,
                                                     Region &region) override {
    auto function = dyn_cast<FunctionOpInterface>(region.getParentOp());
    if (!function)
      return region.getParentOp()->emitError(
          "cannot lift the control flow of this region");
    SmallVector<Value> results;
    for (Type type : function.getResultTypes())
      results.push_back(getUndefValue(loc, builder, type));
    return tt::ReturnOp::create(builder, loc, results).getOperation();
  }
};

struct LiftControlFlowPass
    : transforms::impl::LiftControlFlowPassBase<LiftControlFlowPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      WalkResult result = function->walk([&](Operation *op) {
        for (Region &region : op->getRegions())
          if (failed(lift(op, region)))
            return WalkResult::interrupt();
        return WalkResult::advance();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }

  LogicalResult lift(Operation *op, Region &region) {
    if (region.empty() || region.hasOneBlock())
      return success();
    // Upstream leaves an unreachable block behind each early return.
    IRRewriter rewriter(op->getContext());
    (void)eraseUnreachableBlocks(rewriter, region);
    if (region.hasOneBlock())
      return success();
    Lifting lifting;
    DominanceInfo dominance(op);
    if (failed(transformCFGToSCF(region, lifting, dominance)))
      return failure();
    if (!region.hasOneBlock())
      return op->emitError("cannot lift this control flow to structured form");
    return success();
  }
};

} // namespace
