//===- InlineCalls.cpp - inline every call --------------------------------===//

#include "compiler/Dialect/TT/TT.h"
#include "compiler/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace trireme::transforms {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "compiler/Transforms/Passes.h.inc"
} // namespace trireme::transforms

using namespace mlir;
using namespace trireme;

namespace {

struct InlineCallsPass
    : transforms::impl::InlineCallsPassBase<InlineCallsPass> {
  enum class State { Unseen, Open, Done };

  void runOnOperation() override {
    // Most kernels call nothing and stand alone.
    SmallVector<tt::FuncOp> functions =
        llvm::to_vector(getOperation().getOps<tt::FuncOp>());
    SymbolTable symbols(getOperation());
    llvm::DenseMap<Operation *, State> states;
    for (tt::FuncOp function : functions)
      if (!function.isPrivate() &&
          failed(inlineInto(function, symbols, states)))
        return signalPassFailure();
    for (tt::FuncOp function : functions)
      if (function.isPrivate())
        function.erase();
  }

  /// Callees first, so that each body is cloned in its final form.
  LogicalResult inlineInto(tt::FuncOp function, SymbolTable &symbols,
                           llvm::DenseMap<Operation *, State> &states) {
    states[function] = State::Open;
    SmallVector<tt::CallOp> calls;
    function.walk([&](tt::CallOp call) { calls.push_back(call); });
    for (tt::CallOp call : calls) {
      auto callee = symbols.lookup<tt::FuncOp>(call.getCallee());
      if (!callee)
        return call.emitError("call of an unknown function: ")
               << call.getCallee();
      State state = states.lookup(callee);
      if (state == State::Open)
        return call.emitError("recursive call of ") << call.getCallee();
      if (state == State::Unseen && failed(inlineInto(callee, symbols, states)))
        return failure();
      if (failed(inlineCall(call, callee)))
        return failure();
    }
    states[function] = State::Done;
    return success();
  }

  LogicalResult inlineCall(tt::CallOp call, tt::FuncOp callee) {
    if (!callee.getBody().hasOneBlock())
      return call.emitError("callee is not of one block: ") << call.getCallee();
    Block &body = callee.getBody().front();
    if (body.getArgumentTypes() != call.getOperandTypes() ||
        body.getTerminator()->getOperandTypes() != call.getResultTypes())
      return call.emitError("call does not match the function ")
             << call.getCallee();
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getOperands());
    for (Operation &op : body.without_terminator()) {
      Operation *copy = builder.clone(op, mapping);
      copy->walk([&](Operation *inner) {
        inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
      });
    }
    for (auto [result, value] :
         llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
    return success();
  }
};

} // namespace
