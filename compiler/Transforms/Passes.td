//===- Passes.td - TTIR to TTIR -----------------------------------*- tablegen -*-===//
#ifndef TRIREME_TRANSFORMS_PASSES
#define TRIREME_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def LiftControlFlowPass : Pass<"tt-lift-control-flow", "::mlir::ModuleOp"> {
  let summary = "Turn branches between blocks into scf operations";
  let description = [{
    Early returns and other `cf` become `scf.if`, `scf.index_switch` and `scf.while`;
    afterwards every function body is one block.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::ub::UBDialect"];
}

def InlineCallsPass : Pass<"tt-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline every call, noinline included";
  let description = [{
    Needs bodies of one block. Private functions are erased; recursion is an error.
  }];
}

def ExpandBlockPointersPass : Pass<"tt-expand-block-pointers", "::mlir::ModuleOp"> {
  let summary = "Replace pointers to blocks by their parts";
  let description = [{
    `tt.make_tensor_ptr` and `tt.advance` of older files become a pointer, extents, strides
    and offsets, through loops and branches; loads and stores through them become those of
    a block of pointers, masked along the axes of `boundaryCheck`. Needs inlined calls.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

def CarryScalarsPass : Pass<"tt-carry-scalars", "::mlir::ModuleOp"> {
  let summary = "Carry one scalar instead of a tensor that moves by a uniform amount";
  let description = [{
    A tensor of pointers or integers that a loop (or a branch) changes only by adding
    splats is replaced by its initial value plus a carried scalar. Exact, since the sums
    wrap. Pointer analysis then needs no loop cases.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // TRIREME_TRANSFORMS_PASSES
