//===- AccessOps.td - memory access on tensors --------------------*- tablegen -*-===//
//
// Loads and stores of blocks stay operations on tensors, with memory effects, until
// vectorisation. An access says where its elements lie in up to two ways:
//
//  * the summary (when `base` is given): element (i0, i1, ..) lies at
//      base + sizeof(T) * (offset + sum_a strides[a] * i_a
//                                 + sum_t terms[t][i_{termAxes[t]}])
//    and is touched iff `pred`, and lows[b] <= i_{boundAxes[b]} < highs[b] for every b,
//    and mask[i0, i1, ..]. Whatever is absent is 0 or true.
//  * the exact form: `addresses` (bytes) and `exactMask`, computed element by element
//    just as the user wrote them, wrap-around included.
//
// `valid` says at run time whether the summary equals the exact form (no 32-bit
// wrap-around); absent means always. Values used by one form only cost nothing when
// code for the other is emitted, as code is generated on demand from the roots.
//
//===------------------------------------------------------------------------------===//

#ifndef TRIREME_ACCESS_OPS
#define TRIREME_ACCESS_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Dialect/LLVMIR/LLVMEnums.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"

def Access_Dialect : Dialect {
  let name = "access";
  let cppNamespace = "::trireme::access";
  let summary = "Memory access operations on tensors";
  let description = [{
    What `tt.load` and `tt.store` become: a description of where the elements of a
    block lie, kept whole until code is generated, so that nothing is copied to a local
    buffer unless order or reuse asks for it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultAttributePrinterParser = 0;
}

class Access_Op<string mnemonic, list<Trait> traits = []>
    : Op<Access_Dialect, mnemonic, traits>;

/// What lies in memory.
def Access_Element : AnyTypeOf<[AnySignlessInteger, AnyFloat]>;
def Access_Value : AnyTypeOf<[Access_Element, StaticShapeTensorOf<[Access_Element]>]>;
def Access_Mask : StaticShapeTensorOf<[I1]>;
def Access_Addresses : StaticShapeTensorOf<[I64]>;

def Access_Terms : Variadic<1DTensorOf<[I64]>>;

def Access_LoadOp : Access_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "load a block (or one scalar)";
  let description = [{
    The value of elements that are not touched is `other` (0 when absent). A scalar load
    has a non-tensor result, `base` and at most `offset`, `pred` and `other`.

    Example:
    ```mlir
    %v = access.load base %p : !llvm.ptr offset %o strides [%c1]
           bounds [%lo to %hi] [0] other %zero : f32 -> tensor<1024xf32>
    ```
  }];
  let arguments = (ins
    Optional<LLVM_AnyPointer>:$base, Optional<I64>:$offset, Variadic<I64>:$strides,
    Access_Terms:$terms, Variadic<I64>:$lows, Variadic<I64>:$highs, Optional<I1>:$pred,
    Optional<Access_Mask>:$mask,
    Optional<Access_Value>:$other,
    Optional<I1>:$valid,
    Optional<Access_Addresses>:$addresses, Optional<Access_Mask>:$exactMask,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$termAxes,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundAxes,
    UnitAttr:$isVolatile);
  let results = (outs Access_Value:$result);
  let assemblyFormat = [{
    oilist(`base` $base `:` type($base) | `offset` $offset | `strides` `[` $strides `]`
      | `terms` `[` $terms `:` type($terms) `]` $termAxes
      | `bounds` `[` $lows `to` $highs `]` $boundAxes
      | `pred` $pred | `mask` $mask `:` type($mask) | `other` $other `:` type($other)
      | `valid` $valid | `addresses` $addresses `:` type($addresses)
      | `exactmask` $exactMask `:` type($exactMask))
    attr-dict `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The element type in memory.
    ::mlir::Type getElementType() {
      return ::mlir::getElementTypeOrSelf(getResult().getType());
    }
    /// The block's shape; empty for a scalar.
    ::llvm::ArrayRef<int64_t> getBlockShape() {
      if (auto type = ::llvm::dyn_cast<::mlir::RankedTensorType>(getResult().getType()))
        return type.getShape();
      return {};
    }
    bool hasSummary() { return static_cast<bool>(getBase()); }
  }];
}

def Access_StoreOp : Access_Op<"store", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "store a block (or one scalar)";
  let description = [{
    Operands mean what they mean on `access.load`; only touched elements are written.

    Example:
    ```mlir
    access.store %v base %p : !llvm.ptr offset %o strides [%c1]
        bounds [%lo to %hi] [0] : tensor<1024xf32>
    ```
  }];
  let arguments = (ins Access_Value:$value,
    Optional<LLVM_AnyPointer>:$base, Optional<I64>:$offset, Variadic<I64>:$strides,
    Access_Terms:$terms, Variadic<I64>:$lows, Variadic<I64>:$highs, Optional<I1>:$pred,
    Optional<Access_Mask>:$mask,
    Optional<I1>:$valid,
    Optional<Access_Addresses>:$addresses, Optional<Access_Mask>:$exactMask,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$termAxes,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundAxes,
    UnitAttr:$isVolatile);
  let assemblyFormat = [{
    $value
    oilist(`base` $base `:` type($base) | `offset` $offset | `strides` `[` $strides `]`
      | `terms` `[` $terms `:` type($terms) `]` $termAxes
      | `bounds` `[` $lows `to` $highs `]` $boundAxes
      | `pred` $pred | `mask` $mask `:` type($mask)
      | `valid` $valid | `addresses` $addresses `:` type($addresses)
      | `exactmask` $exactMask `:` type($exactMask))
    attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Type getElementType() {
      return ::mlir::getElementTypeOrSelf(getValue().getType());
    }
    ::llvm::ArrayRef<int64_t> getBlockShape() {
      if (auto type = ::llvm::dyn_cast<::mlir::RankedTensorType>(getValue().getType()))
        return type.getShape();
      return {};
    }
    bool hasSummary() { return static_cast<bool>(getBase()); }
  }];
}

def Access_Address : AnyTypeOf<[LLVM_AnyPointer, Access_Addresses]>;
def Access_Condition : AnyTypeOf<[I1, Access_Mask]>;

def Access_AtomicRMWOp : Access_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "atomically change elements in memory; gives the old values";
  let description = [{
    Elements go one after the other in row-major order, so that equal addresses within
    one block each take effect. `address` is a pointer for a scalar and holds bytes
    addresses for a block; where `mask` is false memory is not touched and the result is
    0. Nothing moves across an atomic.

    Example:
    ```mlir
    %old = access.atomic_rmw add acq_rel %v at %a mask %m
        : tensor<64xi32>, tensor<64xi64>, tensor<64xi1>
    ```
  }];
  let arguments = (ins AtomicBinOp:$kind, AtomicOrdering:$ordering, Access_Value:$value,
                       Access_Address:$address, Optional<Access_Condition>:$mask);
  let results = (outs Access_Value:$result);
  let assemblyFormat = [{
    $kind $ordering $value `at` $address (`mask` $mask^)? attr-dict
    `:` type($value) `,` type($address) (`,` type($mask)^)?
  }];
  let hasVerifier = 1;
}

def Access_AtomicCASOp : Access_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>,
    AllTypesMatch<["expected", "value", "result"]>]> {
  let summary = "atomically replace elements that equal what is expected";
  let description = [{
    Integers only: floats are compared by their bits. Order as for `access.atomic_rmw`.

    Example: `%old = access.atomic_cas acq_rel %e to %v at %p : i32, !llvm.ptr`
  }];
  let arguments = (ins AtomicOrdering:$ordering, Access_Value:$expected, Access_Value:$value,
                       Access_Address:$address);
  let results = (outs Access_Value:$result);
  let assemblyFormat = [{
    $ordering $expected `to` $value `at` $address attr-dict
    `:` type($value) `,` type($address)
  }];
  let hasVerifier = 1;
}

#endif // TRIREME_ACCESS_OPS
