//===- NarrowFloats.h - numbers of eight bits ----------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_CONVERSION_TTTOLINALG_NARROWFLOATS_H
#define TRIREME_COMPILER_CONVERSION_TTTOLINALG_NARROWFLOATS_H

#include "mlir/IR/Builders.h"

namespace trireme::conversion {

/// True for types of eight-bit floats and tensors of them. After conversion
/// they are i8: no target computes with them, and memory holds bytes.
bool isFloat8(mlir::Type type);

/// The f32 value of eight-bit floats, exact; `format` is their type.
mlir::Value decodeFloat8(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value bytes, mlir::FloatType format);

/// Rounds f32 to an eight-bit format, as bytes: to nearest even, or towards
/// zero. What is beyond the largest number, infinities included, becomes the
/// largest; NaN stays NaN.
mlir::Value encodeFloat8(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value value, mlir::FloatType format,
                         bool towardsZero);

/// f32 to f16 or bf16, rounded towards zero.
mlir::Value truncateTowardsZero(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::Value value, mlir::FloatType format);

/// f64 to f32, towards zero; or, for a result that is rounded once more, so
/// that this is rounding once: of the two neighbours the one whose last bit is
/// set, unless exact.
mlir::Value narrowToF32(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, bool towardsZero);

} // namespace trireme::conversion

#endif // TRIREME_COMPILER_CONVERSION_TTTOLINALG_NARROWFLOATS_H
