//===- Expr.h - integer expressions of the address analyses --- -*- C++ -*-===//
//
// The analyses describe offsets, strides and bounds as small expressions over
// values of the analysed function: uniqued, folded as they are built, and
// turned into operations only when somebody asks. An expression is a scalar
// (length 0) or a 1-D vector.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_ANALYSIS_EXPR_H
#define TRIREME_COMPILER_ANALYSIS_EXPR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/Allocator.h"

namespace trireme::analysis {

enum class ExprKind : uint8_t {
  Constant, // signed value of `width` bits
  Leaf,  // a value of the function; vectors: a 1-D tensor or one with unit dims
  Clone, // an elementwise operation of the function on other operands
  Iota,  // 0, 1, .. length - 1
  Add,
  Sub,
  Mul,
  SExt,
  ZExt,
  Trunc,
  MinS,
  MaxS,
  FloorDiv,  // by a positive constant, towards minus infinity
  LessEqual, // signed; width 1
  And,       // width 1
  ReduceMin,
  ReduceMax, // smallest and largest signed element of a vector
};

class Expr : public llvm::FoldingSetNode {
public:
  ExprKind kind;
  unsigned width; // bits of an element
  int64_t length; // 0: scalar
  int64_t constant = 0;
  mlir::Value value;             // Leaf
  mlir::Operation *op = nullptr; // Clone
  llvm::ArrayRef<const Expr *> operands;

  bool isConstant() const { return kind == ExprKind::Constant; }
  bool isConstant(int64_t c) const { return isConstant() && constant == c; }
  bool isVector() const { return length != 0; }
  void Profile(llvm::FoldingSetNodeID &id) const;
};

/// Owns expressions. All arithmetic wraps at the operands' width.
class ExprContext {
public:
  const Expr *constant(int64_t value, unsigned width);
  const Expr *leaf(mlir::Value value, unsigned width, int64_t length);
  const Expr *clone(mlir::Operation *op, llvm::ArrayRef<const Expr *> operands,
                    unsigned width);
  const Expr *iota(int64_t length, unsigned width);
  const Expr *add(const Expr *a, const Expr *b);
  const Expr *sub(const Expr *a, const Expr *b);
  const Expr *mul(const Expr *a, const Expr *b);
  const Expr *sext(const Expr *a, unsigned width);
  const Expr *zext(const Expr *a, unsigned width);
  const Expr *trunc(const Expr *a, unsigned width);
  const Expr *min(const Expr *a, const Expr *b);
  const Expr *max(const Expr *a, const Expr *b);
  const Expr *floorDiv(const Expr *a, int64_t divisor);
  const Expr *lessEqual(const Expr *a, const Expr *b);
  const Expr *logicalAnd(const Expr *a, const Expr *b);
  const Expr *reduceMin(const Expr *a);
  const Expr *reduceMax(const Expr *a);

private:
  const Expr *get(ExprKind kind, unsigned width, int64_t length,
                  llvm::ArrayRef<const Expr *> operands, int64_t constant = 0,
                  mlir::Value value = {}, mlir::Operation *op = nullptr);

  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<Expr> exprs;
};

/// An upper bound of the bits that the signed value of `expr` needs.
unsigned getSignedBits(const Expr *expr);

/// Turns expressions into operations, each once, at the earliest place where
/// its operands exist: whatever is invariant in a loop is computed outside.
class Materializer {
public:
  explicit Materializer(mlir::Block *entry) : entry(entry) {}
  virtual ~Materializer() = default;

  mlir::Value materialize(const Expr *expr, mlir::Location loc);

protected:
  /// The value that stands for `original` in the function being built.
  virtual mlir::Value getLeaf(mlir::Value original) = 0;
  /// The elementwise `op` on other operands.
  virtual mlir::Value cloneElementwise(mlir::OpBuilder &builder,
                                       mlir::Operation *op,
                                       mlir::ValueRange operands,
                                       mlir::Type type) = 0;

private:
  mlir::Value create(const Expr *expr, mlir::ValueRange operands,
                     mlir::OpBuilder &builder, mlir::Location loc);

  mlir::Block *entry;
  llvm::DenseMap<const Expr *, mlir::Value> built;
};

} // namespace trireme::analysis

#endif // TRIREME_COMPILER_ANALYSIS_EXPR_H
