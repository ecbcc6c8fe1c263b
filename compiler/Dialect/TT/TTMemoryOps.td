//===- TTMemoryOps.td - loads, stores, atomics, descriptors ---------*- tablegen -*-===//

#ifndef TRIREME_TT_MEMORY_OPS
#define TRIREME_TT_MEMORY_OPS

include "compiler/Dialect/TT/TTBase.td"

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments, TT_Pointee<"ptr", "result">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "load through a pointer or a block of pointers";
  let description = [{
    Through a pointer to a block, there is no mask: axes in `boundaryCheck` are not read
    out of bounds, `padding` says what such elements are.
    Example: `%v = tt.load %p, %m, %z evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>`
  }];
  let arguments = (ins TT_Address:$ptr, Optional<TT_BoolLike>:$mask,
    Optional<TT_Value>:$other,
    DefaultValuedAttr<TT_CacheModifier, "::trireme::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::trireme::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck,
    OptionalAttr<TT_PaddingOption>:$padding);
  let results = (outs TT_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TT_StoreOp : TT_Op<"store", [TT_Pointee<"ptr", "value">,
    MemoryEffects<[MemWrite]>]> {
  let summary = "store through a pointer or a block of pointers";
  let description = [{
    Through a pointer to a block, there is no mask: axes in `boundaryCheck` are not
    written out of bounds.
    Example: `tt.store %p, %v, %m cacheModifier = cs : tensor<8x!tt.ptr<f32>>`
  }];
  let arguments = (ins TT_Address:$ptr, TT_Value:$value, Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<TT_CacheModifier, "::trireme::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::trireme::tt::EvictionPolicy::NORMAL">:$evict,
    UnitAttr:$ignore_cta, DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "read, modify and write as one step; gives the old value";
  let description = [{
    `fadd` takes f16, bf16, f32 and f64, `exch` any 32 or 64 bits, pointers too, all others i32 and i64.
    Example: `%o = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (!tt.ptr<f32>, f32, i1) -> f32`
  }];
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, TT_PtrLike:$ptr, TT_Value:$val,
                       Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "compare and swap as one step; gives the old value";
  let description = [{
    Takes anything of 16, 32 and 64 bits and compares bits.
    Example: `%o = tt.atomic_cas relaxed, sys, %p, %c, %v : (!tt.ptr<i32>, i32, i32) -> i32`
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_Value:$cmp, TT_Value:$val, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [Pure, SameVariadicOperandSize,
    TypesMatchWith<"base must point to the elements of the block", "result", "base",
                   "::trireme::tt::getElementPointer($_self)">]> {
  let summary = "pointer to a block of a tensor in memory (files before March 2026)";
  let description = [{
    The tensor's extents and strides, where the block begins, and which axes of memory
    vary fastest (a hint).
    Example: `%b = tt.make_tensor_ptr %p, [%m, %n], [%s, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>`
  }];
  let arguments = (ins TT_ElementPtr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides,
                       Variadic<I32>:$offsets, DenseI32ArrayAttr:$order);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = [{
    $base `,` custom<EqualLists>($shape, $strides, $offsets) attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "move a pointer to a block (files before March 2026)";
  let description = [{
    Example: `%c = tt.advance %b, [%i, %j] : <tensor<8x8xf16>>`
  }];
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "describe a tensor in memory";
  let description = [{
    Elements out of bounds read as `padding` says (zero when absent).
    Example: `%d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %c1] : <f16>, <16x16xf16>`
  }];
  let arguments = (ins TT_ElementPtr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
    DefaultValuedAttr<TT_PaddingOption, "::trireme::tt::PaddingOption::PAD_ZERO">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` custom<EqualLists>($shape, $strides) attr-dict `:` type($base) `,` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorLoadOp : TT_Op<"descriptor_load", [MemoryEffects<[MemRead]>]> {
  let summary = "load a block through a descriptor";
  let description = [{
    The result may leave out axes of extent 1.
    Example: `%v = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>`
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$indices,
    DefaultValuedAttr<TT_CacheModifier, "::trireme::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::trireme::tt::EvictionPolicy::NORMAL">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "store a block through a descriptor";
  let description = [{
    Example: `tt.descriptor_store %d[%i, %j], %v : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>`
  }];
  let arguments = (ins TT_TensorDescType:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "combine a block into memory through a descriptor";
  let description = [{
    Example: `tt.descriptor_reduce add, %d[%i, %j], %v : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>`
  }];
  let arguments = (ins TT_DescriptorReduceKind:$kind, TT_TensorDescType:$desc, TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict
    `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_RowNumbers : TT_Block<AnyTypeOf<[I16, I32]>>;

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather", [MemoryEffects<[MemRead]>]> {
  let summary = "load rows through a descriptor";
  let description = [{
    Example: `%v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<1x64xf16>, tensor<8xi32>, i32) -> tensor<8x64xf16>`
  }];
  let arguments = (ins TT_TensorDescType:$desc, TT_RowNumbers:$x_offsets, I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter", [MemoryEffects<[MemWrite]>]> {
  let summary = "store rows through a descriptor";
  let description = [{
    Example: `tt.descriptor_scatter %d[%x, %y], %v : !tt.tensordesc<1x64xf16>, tensor<8xi32>, i32, tensor<8x64xf16>`
  }];
  let arguments = (ins TT_TensorDescType:$desc, TT_RowNumbers:$x_offsets, I32:$y_offset,
                       TT_Tensor:$src);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

#endif // TRIREME_TT_MEMORY_OPS
