//===- TTDialect.td - the Triton dialect and its types -------------*- tablegen -*-===//

#ifndef TRIREME_TT_DIALECT
#define TRIREME_TT_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::trireme::tt";
  let summary = "Triton IR";
  let description = [{
    Operations on blocks (statically shaped tensors whose extents are powers of two) and
    on tensors of pointers, text-compatible with upstream Triton's dialect of this name.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
  let hasConstantMaterializer = 1;
}

class TT_Type<string name, string mnemonicText> : TypeDef<TT_Dialect, name> {
  let mnemonic = mnemonicText;
}

def TT_PtrType : TT_Type<"Pointer", "ptr"> {
  let summary = "pointer to an element";
  let description = [{
    Example: `!tt.ptr<f32>`, `tensor<16x!tt.ptr<f16>>`
  }];
  let parameters = (ins "::mlir::Type":$pointeeType,
                        DefaultValuedParameter<"int", "1">:$addressSpace);
  let assemblyFormat = "`<` $pointeeType (`,` $addressSpace^)? `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
    return $_get(pointeeType.getContext(), pointeeType, 1);
  }]>];
}

def TT_TensorDescType : TT_Type<"TensorDesc", "tensordesc"> {
  let summary = "descriptor of a tensor in memory, accessed by blocks";
  let description = [{
    Example: `!tt.tensordesc<128x64xf16>`. The older spelling
    `!tt.tensordesc<tensor<128x64xf16>>` is read, not written.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
}

def TT_PtrLike : AnyTypeOf<[TT_PtrType, TensorOf<[TT_PtrType]>]>;
def TT_IntLike : AnyTypeOf<[AnyInteger, TensorOf<[AnyInteger]>]>;
def TT_FloatLike : AnyTypeOf<[AnyFloat, TensorOf<[AnyFloat]>]>;
def TT_BoolLike : AnyTypeOf<[I1, TensorOf<[I1]>]>;
def TT_I64Like : AnyTypeOf<[I64, TensorOf<[I64]>]>;
def TT_Element : AnyTypeOf<[AnyFloat, AnyInteger, TT_PtrType]>;
def TT_Tensor : RankedTensorOf<[TT_Element]>;
def TT_Value : AnyTypeOf<[AnyFloat, AnyInteger, TT_PtrType, TT_Tensor, TT_TensorDescType]>;

#endif // TRIREME_TT_DIALECT
