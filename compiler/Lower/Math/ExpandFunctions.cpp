// lower-math-expand-functions: selects the formula of every math op that has a
// row in functions.inc.
#include "compiler/Lower/Math/Formulas.h"
#include "compiler/Lower/Math/Passes.h"

namespace trireme::lower {

#define GEN_PASS_DEF_EXPANDFUNCTIONSPASS
#include "compiler/Lower/Math/Passes.h.inc"

namespace {

using namespace mlir;

enum class Element { F32, F64 };

struct Row {
  StringRef op;
  Element element;
  Num (*unary)(Num);
  Num (*binary)(Num, Num);
};

ArrayRef<Row> rows() {
  static const Row table[] = {
#define TRIREME_MATH_UNARY(OP, TYPE, ULP, ULP_NO_FMA, NOTES)                   \
  {math::OP##Op::getOperationName(), Element::TYPE, expand##OP, nullptr},
#define TRIREME_MATH_BINARY(OP, TYPE, ULP, ULP_NO_FMA, NOTES)                  \
  {math::OP##Op::getOperationName(), Element::TYPE, nullptr, expand##OP},
#include "compiler/Lower/Math/functions.inc"
  };
  return table;
}

/// The row that computes `op`, and in `compute` the type in which it does.
const Row *find(Operation *op, Type &compute) {
  if (op->getNumResults() != 1)
    return nullptr;
  Type type = op->getResult(0).getType();
  if (auto vector = dyn_cast<VectorType>(type);
      vector && (vector.getRank() != 1 || vector.isScalable()))
    return nullptr;
  Type element = getElementTypeOrSelf(type);
  compute = type;
  if (element.isF16() || element.isBF16()) {
    element = Float32Type::get(op->getContext());
    auto vector = dyn_cast<VectorType>(type);
    compute = vector ? Type(vector.clone(element)) : element;
  }
  if (!element.isF32() && !element.isF64())
    return nullptr;
  Element wanted = element.isF64() ? Element::F64 : Element::F32;
  for (const Row &row : rows())
    if (row.element == wanted && row.op == op->getName().getStringRef())
      return &row;
  return nullptr;
}

struct ExpandFunctionsPass
    : impl::ExpandFunctionsPassBase<ExpandFunctionsPass> {
  using ExpandFunctionsPassBase::ExpandFunctionsPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> work;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
        work.push_back(op);
    });
    for (Operation *op : work) {
      Type compute;
      if (const Row *row = find(op, compute))
        expand(op, *row, compute);
    }
  }

  void expand(Operation *op, const Row &row, Type compute) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    FloatOps ops(builder, loc, compute, hasFma, hasScalef);
    bool widen = compute != op->getResult(0).getType();
    auto operand = [&](unsigned i) -> Num {
      Value value = op->getOperand(i);
      return {&ops, widen ? ops.make<arith::ExtFOp>(compute, value) : value};
    };
    Value result = row.unary ? row.unary(operand(0)).value
                             : row.binary(operand(0), operand(1)).value;
    if (widen)
      result = ops.make<arith::TruncFOp>(op->getResult(0).getType(), result);
    op->replaceAllUsesWith(ValueRange(result));
    op->erase();
  }
};

} // namespace
} // namespace trireme::lower
