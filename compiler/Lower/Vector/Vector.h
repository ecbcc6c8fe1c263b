//===- Vector.h - passes of Lower/Vector ---------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_LOWER_VECTOR_VECTOR_H
#define TRIREME_COMPILER_LOWER_VECTOR_VECTOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace trireme::lower {

#define GEN_PASS_DECL
#include "compiler/Lower/Vector/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/Lower/Vector/Passes.h.inc"

/// Attributes of a vector-stage function and its module, read by Emit.
inline constexpr llvm::StringLiteral paramsAttrName = "kernel.params";
inline constexpr llvm::StringLiteral argsBytesAttrName = "kernel.args_bytes";
inline constexpr llvm::StringLiteral scratchBytesAttrName =
    "kernel.scratch_bytes";
inline constexpr llvm::StringLiteral flagsAttrName = "kernel.flags";

} // namespace trireme::lower

#endif // TRIREME_COMPILER_LOWER_VECTOR_VECTOR_H
