//===- TT.h - the Triton dialect ------------------------------ -*- C++ -*-===//
#ifndef TRIREME_COMPILER_DIALECT_TT_TT_H
#define TRIREME_COMPILER_DIALECT_TT_TT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace trireme::tt {
/// Most elements of a block (upstream's TRITON_MAX_TENSOR_NUMEL).
inline constexpr int64_t kMaxElements = 1 << 20;
/// Most axes of a tensor descriptor.
inline constexpr int64_t kMaxDescriptorRank = 5;

/// Says what a block is when `shape` is none: an axis or more, extents that are
/// powers of two, not more than kMaxElements elements.
mlir::LogicalResult
verifyBlockShape(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                 llvm::ArrayRef<int64_t> shape);
/// Verifies the blocks among the operands and results of `op`.
mlir::LogicalResult verifyBlocks(mlir::Operation *op);

template <typename ConcreteType>
class BlockLimits : public mlir::OpTrait::TraitBase<ConcreteType, BlockLimits> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyBlocks(op);
  }
};
} // namespace trireme::tt

#include "compiler/Dialect/TT/TTDialect.h.inc"
#include "compiler/Dialect/TT/TTEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/TT/TTTypes.h.inc"

namespace trireme::tt {

/// What a pointer, or each pointer of a block, points to: `f32` for
/// `!tt.ptr<f32>`, `tensor<8xf32>` for `tensor<8x!tt.ptr<f32>>`.
mlir::Type getPointeeType(mlir::Type type);
/// i1, or a block of i1 of the shape of `type`.
mlir::Type getI1SameShape(mlir::Type type);
/// `!tt.ptr<f16>` for `!tt.ptr<tensor<8x8xf16>>`.
mlir::Type getElementPointer(mlir::Type blockPointer);

} // namespace trireme::tt

#define GET_OP_CLASSES
#include "compiler/Dialect/TT/TTOps.h.inc"

#endif // TRIREME_COMPILER_DIALECT_TT_TT_H
