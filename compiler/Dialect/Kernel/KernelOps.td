//===- KernelOps.td - what remains once tt is gone ----------------*- tablegen -*-===//

#ifndef TRIREME_KERNEL_OPS
#define TRIREME_KERNEL_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::trireme::kernel";
  let summary = "The Triton program model on a CPU";
  let description = [{
    What upstream dialects have no word for: which program of the grid this is, index
    ranges, reductions and scans with an arbitrary combine function, look-ups by index,
    and what a program says: prints and assertions.

    A kernel is a `func.func` with the unit attribute `kernel.entry` whose body is one
    program. Each parameter carries `kernel.type` (Triton's signature spelling, such as
    "*fp32") and `kernel.name`.
  }];
}

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

def Kernel_ProgramIdOp : Kernel_Op<"program_id", [Pure]> {
  let summary = "index of this program along an axis of the grid";
  let description = [{
    Example: `%x = kernel.program_id 0 : i32`
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<2>]>:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def Kernel_NumProgramsOp : Kernel_Op<"num_programs", [Pure]> {
  let summary = "number of programs along an axis of the grid";
  let description = [{
    Example: `%n = kernel.num_programs 0 : i32`
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<2>]>:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def Kernel_IotaOp : Kernel_Op<"iota", [Pure]> {
  let summary = "start, start + 1, .. as a 1-D tensor";
  let description = [{
    Example: `%r = kernel.iota 0 : tensor<1024xi32>`
  }];
  let arguments = (ins I32Attr:$start);
  let results = (outs StaticShapeTensorOf<[I32]>:$result);
  let assemblyFormat = "$start attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_ReduceOp : Kernel_Op<"reduce", [Pure,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "reduce tensors along an axis with a combine region";
  let description = [{
    n operands of one shape give n results without the axis (scalars for rank 1). The
    region takes 2n scalars, left values first, and yields n. The order of combination
    is a function of shape and target only.

    Example:
    ```mlir
    %m = kernel.reduce %x axis 0 : (tensor<128xf32>) -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      kernel.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$inputs, I32Attr:$axis);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $inputs `axis` $axis attr-dict `:` functional-type($inputs, $results) $combine
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Kernel_ScanOp : Kernel_Op<"scan", [Pure, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "inclusive scan of tensors along an axis with a combine region";
  let description = [{
    Example:
    ```mlir
    %c = kernel.scan %x axis 0 : (tensor<8xi32>) -> tensor<8xi32> {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      kernel.yield %s : i32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$inputs, I32Attr:$axis,
                       UnitAttr:$reverse);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $inputs `axis` $axis (`reverse` $reverse^)? attr-dict
    `:` functional-type($inputs, $results) $combine
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Kernel_GatherOp : Kernel_Op<"gather", [Pure]> {
  let summary = "elements of a tensor picked along an axis by index";
  let description = [{
    result[i0, .., ia, ..] = source[i0, .., indices[i0, .., ia, ..], ..] with the index at
    `axis`. Indices are taken modulo the extent of the axis, a power of two.

    Example: `%g = kernel.gather %x[%i] axis 1 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>`
  }];
  let arguments = (ins AnyStaticShapeTensor:$source, StaticShapeTensorOf<[AnySignlessInteger]>:$indices,
                       I32Attr:$axis);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` `axis` $axis attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Kernel_HistogramOp : Kernel_Op<"histogram", [Pure]> {
  let summary = "how often each number from 0 on occurs";
  let description = [{
    Numbers that are no bin, and elements whose mask is false, are not counted.

    Example: `%h = kernel.histogram %x mask %m : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>`
  }];
  let arguments = (ins StaticShapeTensorOf<[AnySignlessInteger]>:$source,
                       Optional<StaticShapeTensorOf<[I1]>>:$mask);
  let results = (outs 1DTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $source (`mask` $mask^)? attr-dict `:` type($source) (`,` type($mask)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_FenceOp : Kernel_Op<"fence", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "no memory access moves across";
  let description = [{
    Example: `kernel.fence`
  }];
  let assemblyFormat = "attr-dict";
}

def Kernel_PrintOp : Kernel_Op<"print", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "print a value, or text alone";
  let description = [{
    One record: the program, `prefix`, the value. `type` spells the element type as
    Triton's signatures do, as prints must know signs.

    Example: `kernel.print " x: " %v : tensor<8xi32> "i32"`
  }];
  let arguments = (ins StrAttr:$prefix, Optional<AnyType>:$value,
                       DefaultValuedAttr<StrAttr, "\"\"">:$type, UnitAttr:$hex);
  let assemblyFormat = "$prefix ($value^ `:` type($value) $type)? (`hex` $hex^)? attr-dict";
  let hasVerifier = 1;
}

def Kernel_AssertOp : Kernel_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>,
    AttrSizedOperandSegments]> {
  let summary = "stop the launch unless all elements are true";
  let description = [{
    `left` and `right`, where given, are what the condition compares; an error shows
    them, spelled by `type`.

    Example: `kernel.assert %c "x is small" compares %x, %y : tensor<8xi32> "i32" : tensor<8xi1>`
  }];
  let arguments = (ins AnyTypeOf<[I1, StaticShapeTensorOf<[I1]>]>:$condition, StrAttr:$message,
                       Optional<AnyType>:$left, Optional<AnyType>:$right,
                       DefaultValuedAttr<StrAttr, "\"\"">:$type);
  let assemblyFormat = [{
    $condition $message (`compares` $left^ `,` $right `:` type($left) `,` type($right) $type)?
    attr-dict `:` type($condition)
  }];
  let hasVerifier = 1;
}

def Kernel_YieldOp : Kernel_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "results of a combine region";
  let description = [{
    Example: `kernel.yield %c : f32`
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ (void)$_builder; (void)$_state; }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // TRIREME_KERNEL_OPS
