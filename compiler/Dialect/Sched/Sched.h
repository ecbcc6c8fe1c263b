//===- Sched.h - the sched dialect ---------------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_DIALECT_SCHED_SCHED_H
#define TRIREME_COMPILER_DIALECT_SCHED_SCHED_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/Dialect/Sched/SchedDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Sched/SchedAttrs.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Sched/SchedOps.h.inc"

namespace trireme::sched {
/// The loop nest of a root that is not ours to give an attribute in ODS.
inline constexpr llvm::StringLiteral loopAttrName = "sched.loop";
/// A reduction that computes and keeps the sched.hold (`in_reader`) it reads.
inline constexpr llvm::StringLiteral fillsAttrName = "sched.fills";
/// The register tile of a linalg.matmul.
inline constexpr llvm::StringLiteral tileAttrName = "sched.tile";
} // namespace trireme::sched

#endif // TRIREME_COMPILER_DIALECT_SCHED_SCHED_H
