//===- IndexAnalysis.h - how integer tensors vary ------------- -*- C++ -*-===//
//
// The domain of the address analyses. An integer tensor of width w is separable
// when
//
//   value[i0, i1, ..] = wrap_w(offset + sum_a (stride_a * i_a + term_a[i_a]))
//
// with scalar offset and strides and 1-D terms, all of width w. Wrapping is a
// ring homomorphism, so sums and products by scalars stay exact without any
// check. A check is due only where a narrow value is read as a wider number: it
// becomes one of the `conditions`, under which (all of them together) the
// formula holds.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_ANALYSIS_INDEXANALYSIS_H
#define TRIREME_COMPILER_ANALYSIS_INDEXANALYSIS_H

#include "compiler/Analysis/Expr.h"

#include "mlir/IR/BuiltinTypes.h"

#include <memory>
#include <optional>

namespace trireme::analysis {

struct AxisIndex {
  const Expr *stride;         // scalar
  const Expr *term = nullptr; // vector as long as the axis
};

struct IndexDomain {
  unsigned width;
  llvm::SmallVector<int64_t, 2> shape;
  const Expr *offset;
  llvm::SmallVector<AxisIndex, 2> axes;
  llvm::SmallVector<const Expr *, 2> conditions;

  /// Whether elements differ along the axis.
  bool varies(unsigned axis) const {
    return axes[axis].term ||
           (shape[axis] > 1 && !axes[axis].stride->isConstant(0));
  }
  bool isUniform() const;
  /// The only axis along which elements differ, if there is exactly one.
  std::optional<unsigned> getOnlyAxis() const;
  void addCondition(const Expr *condition);
};

/// Where each axis of a reshaped tensor comes from: the source axis, or -1 for
/// a new axis of size 1. None if the reshape does more than add and drop axes
/// of size 1.
std::optional<llvm::SmallVector<int, 4>>
matchUnitReshape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// What a remainder by a scalar is taken for.
enum class Remainders {
  /// Any function of its axis: a term.
  Terms,
  /// Consecutive numbers, under the condition that the block does not reach the
  /// divisor: the index of a tile that is wrapped around the edge of a matrix.
  Unwrapped,
};

class IndexAnalysis {
public:
  explicit IndexAnalysis(ExprContext &exprs,
                         Remainders remainders = Remainders::Terms)
      : exprs(exprs), remainders(remainders) {}

  ExprContext &getExprs() { return exprs; }

  /// The domain of an integer tensor or scalar; null if it is not separable.
  const IndexDomain *get(mlir::Value value);
  /// An integer scalar as an expression.
  const Expr *getScalar(mlir::Value value);

  /// A domain of equal elements.
  IndexDomain getUniform(const Expr *value, llvm::ArrayRef<int64_t> shape);
  /// All of these are none where the result is not separable.
  std::optional<IndexDomain> add(const IndexDomain &a, const IndexDomain &b);
  std::optional<IndexDomain> sub(const IndexDomain &a, const IndexDomain &b);
  std::optional<IndexDomain> mul(const IndexDomain &a, const IndexDomain &b);
  std::optional<IndexDomain> extend(const IndexDomain &a, unsigned width,
                                    bool isSigned);
  std::optional<IndexDomain> broadcast(const IndexDomain &a,
                                       llvm::ArrayRef<int64_t> shape);
  /// Axis i of the result is axis `sources[i]` of `a`; -1: new, of size 1.
  std::optional<IndexDomain> permute(const IndexDomain &a,
                                     llvm::ArrayRef<int> sources);

  /// That every element lies in [low, high], computed without wrap-around; null
  /// if that cannot be said cheaply. An i1 scalar.
  const Expr *getRangeCheck(const IndexDomain &a, int64_t low, int64_t high);

private:
  std::optional<IndexDomain> compute(mlir::Value value);
  std::optional<IndexDomain> computeSeparable(mlir::Value value);
  /// The tensor as a function of one axis: a vector, or a scalar if it is
  /// uniform.
  const Expr *getAlongAxis(mlir::Value value, unsigned axis);
  const Expr *computeAlongAxis(mlir::Value value, unsigned axis);
  std::optional<IndexDomain> unwrap(mlir::Operation *remainder,
                                    const IndexDomain &a, const IndexDomain &b);
  const Expr *collapse(const IndexDomain &a, unsigned axis);
  std::optional<IndexDomain> combine(const IndexDomain &a, const IndexDomain &b,
                                     bool subtract);

  ExprContext &exprs;
  Remainders remainders;
  unsigned depth = 0;
  llvm::DenseMap<mlir::Value, std::unique_ptr<IndexDomain>> domains;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, const Expr *> alongAxis;
};

} // namespace trireme::analysis

#endif // TRIREME_COMPILER_ANALYSIS_INDEXANALYSIS_H
