//===- TTShapeOps.td - creating and rearranging blocks --------------*- tablegen -*-===//

#ifndef TRIREME_TT_SHAPE_OPS
#define TRIREME_TT_SHAPE_OPS

include "compiler/Dialect/TT/TTBase.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, .. end - 1";
  let description = [{
    Example: `%r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>`
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_Block<I32>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TT_SplatOp : TT_Op<"splat", [Pure, SameOperandsAndResultElementType]> {
  let summary = "a block of equal elements";
  let description = [{
    Example: `%s = tt.splat %x : f32 -> tensor<8xf32>`
  }];
  let arguments = (ins TT_Element:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure, TypesMatchWith<
    "result must be the operand's element", "src", "result",
    "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "the element of a block of one";
  let description = [{
    Example: `%u = tt.unsplat %v : tensor<1xi32>`
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Element:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [Pure, SameOperandsAndResultElementType]> {
  let summary = "insert an axis of extent 1";
  let description = [{
    Example: `%e = tt.expand_dims %s {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure, SameOperandsAndResultElementType]> {
  let summary = "repeat axes of extent 1";
  let description = [{
    Example: `%b = tt.broadcast %c : tensor<1x8xf32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure, SameOperandsAndResultElementType]> {
  let summary = "the same elements in another shape";
  let description = [{
    Example: `%h = tt.reshape %e allow_reorder : tensor<1x8xf32> -> tensor<8xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)?
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_TransOp : TT_Op<"trans", [Pure, SameOperandsAndResultElementType]> {
  let summary = "permute the axes";
  let description = [{
    Axis i of the result is axis order[i] of the operand.
    Example: `%t = tt.trans %m {order = array<i32: 1, 0>} : tensor<2x4xf32> -> tensor<4x2xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure, SameTypeOperands, SameOperandsAndResultElementType]> {
  let summary = "two blocks side by side along a new last axis";
  let description = [{
    Example: `%j = tt.join %a, %b : tensor<8xf32> -> tensor<8x2xf32>`
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_CatOp : TT_Op<"cat", [Pure, SameTypeOperands, SameOperandsAndResultElementType]> {
  let summary = "the elements of two blocks, in any order";
  let description = [{
    Example: `%c = tt.cat %a, %b : tensor<8xf32> -> tensor<16xf32>`
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_SplitOp : TT_Op<"split", [Pure, SameOperandsAndResultElementType,
    AllTypesMatch<["outLHS", "outRHS"]>]> {
  let summary = "the two halves along a last axis of extent 2";
  let description = [{
    Example: `%l, %r = tt.split %j : tensor<8x2xf32> -> tensor<8xf32>`
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasVerifier = 1;
}

#endif // TRIREME_TT_SHAPE_OPS
