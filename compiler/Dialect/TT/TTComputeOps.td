//===- TTComputeOps.td - dot, reduce, scan, gather, histogram -------*- tablegen -*-===//

#ifndef TRIREME_TT_COMPUTE_OPS
#define TRIREME_TT_COMPUTE_OPS

include "compiler/Dialect/TT/TTBase.td"

def TT_DotOp : TT_Op<"dot", [Pure, TypesMatchWith<"result must have the accumulator's type",
    "d", "c", "$_self">]> {
  let summary = "matrix product plus accumulator";
  let description = [{
    Rank 2, or rank 3 with a leading batch axis. Products of i8 are summed in i32, those
    of floats in a float that is no narrower; two 8-bit formats may meet.
    Example: `%d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>`
  }];
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c,
    DefaultValuedAttr<TT_InputPrecision, "::trireme::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict
    `:` type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"result must have the accumulator's type", "d", "c", "$_self">]> {
  let summary = "matrix product of block-scaled operands plus accumulator";
  let description = [{
    An element of a is multiplied by the scale of its row and of its 16 or 32 places along
    K, one of b by that of its column: scales are [.., M, K/16] and [.., N, K/16], or K/32.
    Two e2m1 share an i8, along K or, without `lhs_k_pack` or `rhs_k_pack`, along M or N.
    Example: `%d = tt.dot_scaled %a scale %sa, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>`
  }];
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c, Optional<TT_Tensor>:$a_scale,
    Optional<TT_Tensor>:$b_scale, TT_ScaleElemType:$a_elem_type,
    TT_ScaleElemType:$b_elem_type, BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
    DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
  let hasVerifier = 1;
}

def TT_ReduceOp : TT_Op<"reduce", [Pure, SingleBlock, SameOperandsShape]> {
  let summary = "reduce along an axis with a combine region";
  let description = [{
    Example:
    ```mlir
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.reduce.return %t : f32
    }) : (tensor<8xf32>) -> f32
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Value>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [HasParent<"ReduceOp">, Pure, Terminator,
    ReturnLike]> {
  let summary = "results of a reduce region";
  let description = [{
    Example: `tt.reduce.return %t : f32`
  }];
  let arguments = (ins Variadic<TT_Element>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ScanOp : TT_Op<"scan", [Pure, SingleBlock, SameOperandsAndResultShape]> {
  let summary = "inclusive scan along an axis with a combine region";
  let description = [{
    Example: as tt.reduce, with `<{axis = 0 : i32, reverse = false}>` and results of the
    operands' types.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ScanReturnOp : TT_Op<"scan.return", [HasParent<"ScanOp">, Pure, Terminator,
    ReturnLike]> {
  let summary = "results of a scan region";
  let description = [{
    Example: `tt.scan.return %t : f32`
  }];
  let arguments = (ins Variadic<TT_Element>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_HistogramOp : TT_Op<"histogram", [Pure]> {
  let summary = "count values";
  let description = [{
    Element i of the result says how often i occurs among the values that the mask keeps.
    Example: `%h = tt.histogram %x, %m : tensor<64xi32> -> tensor<16xi32>`
  }];
  let arguments = (ins TT_Block<TT_Int>:$src, Optional<TT_Block<I1>>:$mask);
  let results = (outs TT_Block<I32>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "pick elements along an axis by index";
  let description = [{
    Example: `%g = tt.gather %s[%i] {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, TT_Block<TT_Int>:$indices, I32Attr:$axis,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TRIREME_TT_COMPUTE_OPS
