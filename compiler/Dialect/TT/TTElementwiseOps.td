//===- TTElementwiseOps.td - element by element ----------------------*- tablegen -*-===//

#ifndef TRIREME_TT_ELEMENTWISE_OPS
#define TRIREME_TT_ELEMENTWISE_OPS

include "compiler/Dialect/TT/TTBase.td"

class TT_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat(traits, [Pure, SameOperandsAndResultShape, Elementwise])>;

def TT_AddPtrOp : TT_ElementwiseOp<"addptr", [AllTypesMatch<["ptr", "result"]>]> {
  let summary = "advance a pointer by a number of elements";
  let description = [{
    The offset is signed. Example: `%q = tt.addptr %p, %o : !tt.ptr<f32>, i32`
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

def TT_IntToPtrOp : TT_ElementwiseOp<"int_to_ptr"> {
  let summary = "an address as a pointer";
  let description = [{
    Example: `%p = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>`
  }];
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_PtrToIntOp : TT_ElementwiseOp<"ptr_to_int"> {
  let summary = "a pointer as an address";
  let description = [{
    Example: `%i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64`
  }];
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_BitcastOp : TT_ElementwiseOp<"bitcast"> {
  let summary = "the same bits as another type";
  let description = [{
    Pointers become pointers only; `tt.ptr_to_int` gives an address.
    Example: `%y = tt.bitcast %x : tensor<8xf32> -> tensor<8xi32>`
  }];
  let arguments = (ins TT_Value:$src);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TT_FpToFpOp : TT_ElementwiseOp<"fp_to_fp"> {
  let summary = "convert between float types";
  let description = [{
    Where the result is no wider, `rounding` may say how (to nearest even when absent).
    Example: `%y = tt.fp_to_fp %x, rounding = rtz : tensor<8xf32> -> tensor<8xf16>`
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingMode>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_ClampFOp : TT_ElementwiseOp<"clampf", [SameOperandsAndResultType]> {
  let summary = "limit to a range";
  let description = [{
    Example: `%c = tt.clampf %x, %l, %h, propagateNan = none : f32`
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max,
                       TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)
  }];
}

def TT_PreciseSqrtOp : TT_ElementwiseOp<"precise_sqrt", [SameOperandsAndResultType]> {
  let summary = "square root, correctly rounded";
  let description = [{
    Example: `%d = tt.precise_sqrt %a : tensor<8xf32>`
  }];
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_ElementwiseOp<"precise_divf", [SameOperandsAndResultType]> {
  let summary = "quotient, correctly rounded";
  let description = [{
    Example: `%d = tt.precise_divf %a, %b : tensor<8xf32>`
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_MulhiUIOp : TT_ElementwiseOp<"mulhiui", [SameOperandsAndResultType]> {
  let summary = "high half of an unsigned product";
  let description = [{
    Example: `%h = tt.mulhiui %a, %b : tensor<8xi32>`
  }];
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [SameOperandsAndResultShape,
    Elementwise, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a library function, element by element";
  let description = [{
    Example:
    `%e = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "f"} : (f32) -> f32`
  }];
  let arguments = (ins Variadic<TT_Value>:$srcs, StrAttr:$libname, StrAttr:$libpath,
                       StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "assembly text, element by element";
  let description = [{
    The text is run once for every `packed_element` neighbouring elements.
    Example: `%a = tt.elementwise_inline_asm "nop" {constraints = "=r,r",
    packed_element = 1 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>`
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
                       I32Attr:$packed_element, Variadic<TT_Value>:$args);
  let results = (outs Variadic<TT_Value>:$result);
  let assemblyFormat = [{
    $asm_string attr-dict ($args^ `:` type($args))? `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [RecursiveMemoryEffects,
    SameOperandsAndResultShape]> {
  let summary = "a region, element by element";
  let description = [{
    The region takes `pack` neighbouring elements of the first operand, then of the next,
    and gives as many of each result.
    Example:
    ```mlir
    %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
    ^bb0(%e: f32):
      tt.map_elementwise.return %e : f32
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return",
    [HasParent<"MapElementwiseOp">, Pure, Terminator, ReturnLike]> {
  let summary = "results of a map_elementwise region";
  let description = [{
    Example: `tt.map_elementwise.return %e : f32`
  }];
  let arguments = (ins Variadic<TT_Element>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

#endif // TRIREME_TT_ELEMENTWISE_OPS
