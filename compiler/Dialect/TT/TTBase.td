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

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, traits>;

/// The result has the type of the elements that `ptr` points to.
class TT_Pointee<string ptr, string value>
    : TypesMatchWith<value # " must match what " # ptr # " points to", ptr, value,
                     "::trireme::tt::getPointeeType($_self)">;
/// A mask with the shape of `ptr`.
class TT_MaskOf<string ptr, string mask>
    : TypesMatchWith<mask # " must be i1 of the shape of " # ptr, ptr, mask,
                     "::trireme::tt::getI1SameShape($_self)",
                     "($_op.getOperands().size() <= 1) || std::equal_to<>()">;

#endif // TRIREME_TT_BASE
