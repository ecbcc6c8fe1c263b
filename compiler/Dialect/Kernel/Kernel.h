//===- Kernel.h - the kernel dialect -------------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_DIALECT_KERNEL_KERNEL_H
#define TRIREME_COMPILER_DIALECT_KERNEL_KERNEL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/Dialect/Kernel/KernelDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Kernel/KernelOps.h.inc"

namespace trireme::kernel {
/// Unit attribute on the `func.func` that is a kernel.
inline constexpr llvm::StringLiteral entryAttrName = "kernel.entry";
/// Parameter attribute: Triton's signature spelling of the type, such as
/// "*fp32".
inline constexpr llvm::StringLiteral typeAttrName = "kernel.type";
/// Parameter attribute: the parameter's name in the Python source.
inline constexpr llvm::StringLiteral nameAttrName = "kernel.name";
} // namespace trireme::kernel

#endif // TRIREME_COMPILER_DIALECT_KERNEL_KERNEL_H
