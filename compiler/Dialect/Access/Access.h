//===- Access.h - the access dialect -------------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_DIALECT_ACCESS_ACCESS_H
#define TRIREME_COMPILER_DIALECT_ACCESS_ACCESS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/Dialect/Access/AccessDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Access/AccessOps.h.inc"

#endif // TRIREME_COMPILER_DIALECT_ACCESS_ACCESS_H
