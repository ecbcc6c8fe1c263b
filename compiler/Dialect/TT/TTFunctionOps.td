//===- TTFunctionOps.td - functions, calls, the grid ----------------*- tablegen -*-===//

#ifndef TRIREME_TT_FUNCTION_OPS
#define TRIREME_TT_FUNCTION_OPS

include "compiler/Dialect/TT/TTBase.td"

def TT_FuncOp : TT_Op<"func", [AffineScope, AutomaticAllocationScope, CallableOpInterface,
    FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "a kernel or a function that kernels call";
  let description = [{
    The one public function of a module is its kernel.

    Example:
    ```mlir
    tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
      tt.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isDeclaration() { return isExternal(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
  let hasVerifier = 1;
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "leave a function";
  let description = [{
    Example: `tt.return %a, %b : i32, f32`
  }];
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

def TT_CallOp : TT_Op<"call", [CallOpInterface,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a function of the module";
  let description = [{
    Example: `%r = tt.call @g(%a) : (i32) -> f32`
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$callOperands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = [{
    $callee `(` $callOperands `)` attr-dict `:` functional-type($callOperands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return (*this)->getAttrOfType<::mlir::SymbolRefAttr>("callee");
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      (*this)->setAttr("callee", ::llvm::cast<::mlir::SymbolRefAttr>(callee));
    }
    operand_range getArgOperands() { return getCallOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getCallOperandsMutable(); }
  }];
}

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "index of this program along an axis of the grid";
  let description = [{
    Example: `%i = tt.get_program_id x : i32`
  }];
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "number of programs along an axis of the grid";
  let description = [{
    Example: `%n = tt.get_num_programs y : i32`
  }];
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "print values while running";
  let description = [{
    Example: `tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %v : tensor<8xi32>`
  }];
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Value>:$args,
                       DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "stop the kernel when a condition does not hold";
  let description = [{
    Example: `tt.assert %c, "bad" : tensor<8xi1>`
  }];
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def TT_DebugBarrierOp : TT_Op<"debug_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all accesses before take effect before all after";
  let description = [{
    Upstream writes `ttg.barrier` or `gpu.barrier` here. Example: `tt.debug_barrier`
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TRIREME_TT_FUNCTION_OPS
