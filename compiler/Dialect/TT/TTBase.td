//===- TTBase.td - what all operations of the dialect share --------*- tablegen -*-===//

#ifndef TRIREME_TT_BASE
#define TRIREME_TT_BASE

include "compiler/Dialect/TT/TTDialect.td"
include "compiler/Dialect/TT/TTEnums.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Operands and results that are blocks keep the limits on blocks.
def TT_BlockLimits : NativeOpTrait<"BlockLimits"> {
  let cppNamespace = "::trireme::tt";
}

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, !listconcat([TT_BlockLimits], traits)>;

/// The result has the type of the elements that `ptr` points to.
class TT_Pointee<string ptr, string value>
    : TypesMatchWith<value # " must match what " # ptr # " points to", ptr, value,
                     "::trireme::tt::getPointeeType($_self)">;

#endif // TRIREME_TT_BASE
