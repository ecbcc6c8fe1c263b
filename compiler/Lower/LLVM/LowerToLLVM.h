//===- LowerToLLVM.h - passes of Lower/LLVM ------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_LOWER_LLVM_LOWERTOLLVM_H
#define TRIREME_COMPILER_LOWER_LLVM_LOWERTOLLVM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace trireme::lower {

#define GEN_PASS_DECL
#include "compiler/Lower/LLVM/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/Lower/LLVM/Passes.h.inc"

} // namespace trireme::lower

#endif // TRIREME_COMPILER_LOWER_LLVM_LOWERTOLLVM_H
