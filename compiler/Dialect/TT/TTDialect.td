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
  let extraClassDeclaration = [{
    /// Reads operations of names that upstream has given up; see TTFormats.cpp.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

class TT_Type<string name, string mnemonicText> : TypeDef<TT_Dialect, name> {
  let mnemonic = mnemonicText;
}

def TT_PtrType : TT_Type<"Pointer", "ptr"> {
  let summary = "pointer to an element, or to a block";
  let description = [{
    Pointers to blocks come from files older than tensor descriptors
    (`tt.make_tensor_ptr`). Example: `!tt.ptr<f32>`, `tensor<16x!tt.ptr<f16>>`,
    `!tt.ptr<tensor<8x8xf16>>`
  }];
  let parameters = (ins "::mlir::Type":$pointeeType,
                        DefaultValuedParameter<"int", "1">:$addressSpace);
  let assemblyFormat = "`<` $pointeeType (`,` $addressSpace^)? `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
    return $_get(pointeeType.getContext(), pointeeType, 1);
  }]>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Points to a block, not to an element.
    bool pointsToBlock() const { return ::llvm::isa<::mlir::RankedTensorType>(getPointeeType()); }
  }];
}

def TT_TensorDescType : TT_Type<"TensorDesc", "tensordesc"> {
  let summary = "descriptor of a tensor in memory, accessed by blocks";
  let description = [{
    Integers may be signed or unsigned (`si32`, `ui32`); blocks of them are signless.
    Example: `!tt.tensordesc<128x64xf16>`. The older spelling
    `!tt.tensordesc<tensor<128x64xf16>>` is read, not written.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The elements of a block: `elementType` without its sign.
    ::mlir::Type getBlockElementType() const;
  }];
}

def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64],
                         "float of 8, 16, 32 or 64 bits">;
def TT_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "integer i1, i8, i16, i32 or i64">;
def TT_ElementPtr : ConfinedType<TT_PtrType, [CPred<"!::llvm::cast<::trireme::tt::PointerType>($_self).pointsToBlock()">],
                                 "pointer to an element">;
def TT_BlockPtr : ConfinedType<TT_PtrType, [CPred<"::llvm::cast<::trireme::tt::PointerType>($_self).pointsToBlock()">],
                               "pointer to a block">;
def TT_Element : AnyTypeOf<[TT_Float, TT_Int, TT_ElementPtr], "float, integer or pointer">;

class TT_Block<Type element> : StaticShapeTensorOf<[element]>;
class TT_Like<Type element, string text>
    : AnyTypeOf<[element, TT_Block<element>], text # " or a block of such">;

def TT_PtrLike : TT_Like<TT_ElementPtr, TT_ElementPtr.summary>;
def TT_IntLike : TT_Like<TT_Int, TT_Int.summary>;
def TT_FloatLike : TT_Like<TT_Float, TT_Float.summary>;
def TT_BoolLike : TT_Like<I1, "i1">;
def TT_I64Like : TT_Like<I64, "i64">;
def TT_Tensor : TT_Block<TT_Element>;
def TT_Value : TT_Like<TT_Element, TT_Element.summary>;
def TT_Address : AnyTypeOf<[TT_ElementPtr, TT_Block<TT_ElementPtr>, TT_BlockPtr],
                           "pointer or a block of pointers">;

#endif // TRIREME_TT_DIALECT
