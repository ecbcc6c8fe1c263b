// The pass of this room: math functions to inline polynomials.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace trireme::lower {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Lower/Math/Passes.h.inc"

} // namespace trireme::lower
