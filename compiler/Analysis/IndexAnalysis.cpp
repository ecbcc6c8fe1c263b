//===- IndexAnalysis.cpp - how integer tensors vary -----------------------===//

#include "compiler/Analysis/IndexAnalysis.h"

#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::analysis;

/// Deeper expressions are taken as they are; recursion must end somewhere.
static constexpr unsigned maxDepth = 512;

bool IndexDomain::isUniform() const {
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    if (varies(axis))
      return false;
  return true;
}

std::optional<unsigned> IndexDomain::getOnlyAxis() const {
  std::optional<unsigned> only;
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    if (!varies(axis))
      continue;
    if (only)
      return std::nullopt;
    only = axis;
  }
  return only;
}

void IndexDomain::addCondition(const Expr *condition) {
  if (!condition->isConstant() || !condition->constant)
    if (!llvm::is_contained(conditions, condition))
      conditions.push_back(condition);
}

std::optional<SmallVector<int, 4>>
analysis::matchUnitReshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int, 4> sources;
  unsigned next = 0;
  for (int64_t size : to) {
    while (next < from.size() && from[next] == 1 && size != 1)
      ++next;
    if (next < from.size() && from[next] == size)
      sources.push_back(next++);
    else if (size == 1)
      sources.push_back(-1);
    else
      return std::nullopt;
  }
  for (; next < from.size(); ++next)
    if (from[next] != 1)
      return std::nullopt;
  return sources;
}

static unsigned getWidth(Value value) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  return type && type.getWidth() <= 64 ? type.getWidth() : 0;
}

static ArrayRef<int64_t> getShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

const Expr *IndexAnalysis::getScalar(Value value) {
  unsigned width = getWidth(value);
  assert(width && "integers only");
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return exprs.constant(constant.getSExtValue(), width);
  // Extensions are looked through so that the range of a number is known.
  if (auto op = value.getDefiningOp<arith::ExtSIOp>())
    return exprs.sext(getScalar(op.getIn()), width);
  if (auto op = value.getDefiningOp<arith::ExtUIOp>())
    return exprs.zext(getScalar(op.getIn()), width);
  return exprs.leaf(value, width, 0);
}

const IndexDomain *IndexAnalysis::get(Value value) {
  auto found = domains.find(value);
  if (found != domains.end())
    return found->second.get();
  std::unique_ptr<IndexDomain> domain;
  if (getWidth(value) && depth < maxDepth) {
    ++depth;
    std::optional<IndexDomain> computed = compute(value);
    if (!computed)
      computed = computeSeparable(value);
    --depth;
    if (computed)
      domain = std::make_unique<IndexDomain>(std::move(*computed));
  }
  return (domains[value] = std::move(domain)).get();
}

IndexDomain IndexAnalysis::getUniform(const Expr *value,
                                      ArrayRef<int64_t> shape) {
  IndexDomain domain{value->width, llvm::to_vector<2>(shape), value, {}, {}};
  domain.axes.assign(shape.size(), {exprs.constant(0, value->width)});
  return domain;
}

/// The domain with each part converted to another width.
static IndexDomain
withParts(const IndexDomain &a, unsigned width,
          llvm::function_ref<const Expr *(const Expr *)> convert) {
  IndexDomain converted(a);
  converted.width = width;
  converted.offset = convert(a.offset);
  for (AxisIndex &axis : converted.axes) {
    axis.stride = convert(axis.stride);
    if (axis.term)
      axis.term = convert(axis.term);
  }
  return converted;
}

std::optional<IndexDomain> IndexAnalysis::compute(Value value) {
  unsigned width = getWidth(value);
  ArrayRef<int64_t> shape = getShape(value);
  if (!isa<RankedTensorType>(value.getType()))
    return getUniform(getScalar(value), {});
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto domainOf = [&](unsigned operand) {
    return get(op->getOperand(operand));
  };
  auto binary = [&](auto combine) -> std::optional<IndexDomain> {
    const IndexDomain *a = domainOf(0), *b = domainOf(1);
    return a && b ? combine(*a, *b) : std::nullopt;
  };
  auto unary = [&](auto change) -> std::optional<IndexDomain> {
    const IndexDomain *a = domainOf(0);
    return a ? change(*a) : std::nullopt;
  };

  return llvm::TypeSwitch<Operation *, std::optional<IndexDomain>>(op)
      .Case([&](arith::ConstantOp constant) -> std::optional<IndexDomain> {
        auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
        if (!splat)
          return std::nullopt;
        int64_t number = splat.getSplatValue<APInt>().getSExtValue();
        return getUniform(exprs.constant(number, width), shape);
      })
      .Case([&](tt::SplatOp splat) -> std::optional<IndexDomain> {
        return getUniform(getScalar(splat.getSrc()), shape);
      })
      .Case([&](tt::MakeRangeOp range) -> std::optional<IndexDomain> {
        IndexDomain domain = getUniform(
            exprs.constant(static_cast<int32_t>(range.getStart()), width),
            shape);
        domain.axes[0].stride = exprs.constant(1, width);
        return domain;
      })
      .Case([&](arith::AddIOp) {
        return binary([&](auto &a, auto &b) { return add(a, b); });
      })
      .Case([&](arith::SubIOp) {
        return binary([&](auto &a, auto &b) { return sub(a, b); });
      })
      .Case([&](arith::MulIOp) {
        return binary([&](auto &a, auto &b) { return mul(a, b); });
      })
      .Case([&](arith::ShLIOp) {
        return binary([&](auto &a, auto &b) -> std::optional<IndexDomain> {
          if (!b.isUniform() || !b.offset->isConstant())
            return std::nullopt;
          uint64_t amount =
              llvm::maskTrailingOnes<uint64_t>(width) & b.offset->constant;
          int64_t factor = amount >= width ? 0 : int64_t(uint64_t(1) << amount);
          return mul(a, getUniform(exprs.constant(factor, width), shape));
        });
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) {
        return binary([&](auto &a, auto &b) { return unwrap(op, a, b); });
      })
      .Case([&](arith::ExtSIOp) {
        return unary(
            [&](auto &a) { return extend(a, width, /*isSigned=*/true); });
      })
      .Case([&](arith::ExtUIOp) {
        return unary(
            [&](auto &a) { return extend(a, width, /*isSigned=*/false); });
      })
      .Case([&](arith::TruncIOp) {
        return unary([&](const IndexDomain &a) -> std::optional<IndexDomain> {
          return withParts(a, width, [&](const Expr *part) {
            return exprs.trunc(part, width);
          });
        });
      })
      .Case([&](tt::BroadcastOp) {
        return unary([&](auto &a) { return broadcast(a, shape); });
      })
      .Case([&](tt::ExpandDimsOp expand) {
        return unary([&](const IndexDomain &a) {
          SmallVector<int, 4> sources =
              llvm::to_vector<4>(llvm::seq<int>(0, a.shape.size()));
          sources.insert(sources.begin() + expand.getAxis(), -1);
          return permute(a, sources);
        });
      })
      .Case([&](tt::TransOp trans) {
        return unary([&](auto &a) {
          return permute(a, SmallVector<int, 4>(trans.getOrder()));
        });
      })
      .Case([&](tt::ReshapeOp) {
        return unary([&](const IndexDomain &a) -> std::optional<IndexDomain> {
          auto sources = matchUnitReshape(a.shape, shape);
          return sources ? permute(a, *sources) : std::nullopt;
        });
      })
      .Default([](Operation *) -> std::optional<IndexDomain> {
        return std::nullopt;
      });
}

std::optional<IndexDomain> IndexAnalysis::combine(const IndexDomain &a,
                                                  const IndexDomain &b,
                                                  bool subtract) {
  auto apply = [&](const Expr *x, const Expr *y) {
    return subtract ? exprs.sub(x, y) : exprs.add(x, y);
  };
  IndexDomain sum(a);
  sum.offset = apply(a.offset, b.offset);
  for (auto [axis, other] : llvm::zip(sum.axes, b.axes)) {
    axis.stride = apply(axis.stride, other.stride);
    if (other.term)
      axis.term =
          apply(axis.term ? axis.term : exprs.constant(0, a.width), other.term);
  }
  for (const Expr *condition : b.conditions)
    sum.addCondition(condition);
  return sum;
}

std::optional<IndexDomain> IndexAnalysis::add(const IndexDomain &a,
                                              const IndexDomain &b) {
  return combine(a, b, /*subtract=*/false);
}

std::optional<IndexDomain> IndexAnalysis::sub(const IndexDomain &a,
                                              const IndexDomain &b) {
  return combine(a, b, /*subtract=*/true);
}

std::optional<IndexDomain> IndexAnalysis::mul(const IndexDomain &a,
                                              const IndexDomain &b) {
  if (!b.isUniform())
    return a.isUniform() ? mul(b, a) : std::nullopt;
  IndexDomain product(a);
  product.offset = exprs.mul(a.offset, b.offset);
  for (AxisIndex &axis : product.axes) {
    axis.stride = exprs.mul(axis.stride, b.offset);
    if (axis.term)
      axis.term = exprs.mul(axis.term, b.offset);
    if (axis.term && !axis.term->isVector())
      axis.term = nullptr; // times 0
  }
  for (const Expr *condition : b.conditions)
    product.addCondition(condition);
  return product;
}

std::optional<IndexDomain> IndexAnalysis::unwrap(Operation *remainder,
                                                 const IndexDomain &a,
                                                 const IndexDomain &b) {
  if (remainders != Remainders::Unwrapped || !b.isUniform() || a.isUniform() ||
      a.width > 32)
    return std::nullopt;
  int64_t extent = 0;
  for (auto [axis, size] : llvm::zip(a.axes, a.shape)) {
    if (axis.term || !axis.stride->isConstant() || axis.stride->constant < 0)
      return std::nullopt;
    extent += axis.stride->constant * (size - 1);
  }
  const Expr *sane = getRangeCheck(a, 0, llvm::maxIntN(a.width));
  if (!sane)
    return std::nullopt;
  IndexDomain result(a);
  result.offset = exprs.clone(remainder, {a.offset, b.offset}, a.width);
  const Expr *end =
      exprs.add(exprs.sext(result.offset, 64), exprs.constant(extent + 1, 64));
  result.addCondition(sane);
  result.addCondition(exprs.lessEqual(end, exprs.sext(b.offset, 64)));
  for (const Expr *condition : b.conditions)
    result.addCondition(condition);
  return result;
}

/// A domain that varies along one axis, as one exact vector.
const Expr *IndexAnalysis::collapse(const IndexDomain &a, unsigned axis) {
  const AxisIndex &index = a.axes[axis];
  const Expr *vector = index.term;
  if (!index.stride->isConstant(0)) {
    const Expr *steps =
        exprs.mul(exprs.iota(a.shape[axis], a.width), index.stride);
    vector = vector ? exprs.add(vector, steps) : steps;
  }
  return exprs.add(vector, a.offset);
}

std::optional<IndexDomain>
IndexAnalysis::extend(const IndexDomain &a, unsigned width, bool isSigned) {
  auto extendExpr = [&](const Expr *expr) {
    return isSigned ? exprs.sext(expr, width) : exprs.zext(expr, width);
  };
  // Uniform values and lone vectors are extended element by element, exactly.
  if (a.isUniform()) {
    IndexDomain extended = getUniform(extendExpr(a.offset), a.shape);
    extended.conditions = a.conditions;
    return extended;
  }
  std::optional<unsigned> only = a.getOnlyAxis();
  if (only && a.axes[*only].term) {
    IndexDomain extended = getUniform(exprs.constant(0, width), a.shape);
    extended.axes[*only].term = extendExpr(collapse(a, *only));
    extended.conditions = a.conditions;
    return extended;
  }
  // Otherwise the parts may be extended if their sum does not wrap. For zero
  // extension the range where both extensions agree is asked for.
  const Expr *check = getRangeCheck(a, isSigned ? llvm::minIntN(a.width) : 0,
                                    llvm::maxIntN(a.width));
  if (!check)
    return std::nullopt;
  IndexDomain extended = withParts(
      a, width, [&](const Expr *part) { return exprs.sext(part, width); });
  extended.addCondition(check);
  return extended;
}

std::optional<IndexDomain> IndexAnalysis::broadcast(const IndexDomain &a,
                                                    ArrayRef<int64_t> shape) {
  IndexDomain result(a);
  result.shape.assign(shape.begin(), shape.end());
  for (auto [axis, from, to] : llvm::zip(result.axes, a.shape, shape)) {
    if (from == to)
      continue;
    if (axis.term)
      return std::nullopt;
    axis.stride = exprs.constant(0, a.width);
  }
  return result;
}

std::optional<IndexDomain> IndexAnalysis::permute(const IndexDomain &a,
                                                  ArrayRef<int> sources) {
  IndexDomain result(a);
  result.shape.clear();
  result.axes.clear();
  for (int source : sources) {
    result.shape.push_back(source < 0 ? 1 : a.shape[source]);
    result.axes.push_back(source < 0 ? AxisIndex{exprs.constant(0, a.width)}
                                     : a.axes[source]);
  }
  // A dropped axis has size 1; its stride says nothing, but a term would.
  for (unsigned axis = 0; axis < a.axes.size(); ++axis)
    if (a.axes[axis].term &&
        !llvm::is_contained(sources, static_cast<int>(axis)))
      return std::nullopt;
  return result;
}

const Expr *IndexAnalysis::getRangeCheck(const IndexDomain &a, int64_t low,
                                         int64_t high) {
  bool constant = true;
  int64_t least = 0, most = 0;
  for (auto [axis, size] : llvm::zip(a.axes, a.shape)) {
    if (axis.term || !(axis.stride->isConstant() || size == 1)) {
      constant = false;
      break;
    }
    int64_t extent;
    if (size > 1 &&
        (llvm::MulOverflow(axis.stride->constant, size - 1, extent) ||
         (extent < 0 ? llvm::AddOverflow(least, extent, least)
                     : llvm::AddOverflow(most, extent, most))))
      return nullptr;
  }
  if (constant) {
    // low - least <= offset <= high - most, in the width of the offset.
    int64_t lowest, highest;
    if (llvm::SubOverflow(low, least, lowest) ||
        llvm::SubOverflow(high, most, highest) || lowest > highest)
      return nullptr;
    return exprs.logicalAnd(
        exprs.lessEqual(exprs.constant(lowest, a.width), a.offset),
        exprs.lessEqual(a.offset, exprs.constant(highest, a.width)));
  }
  // Sums of 32-bit numbers times at most 2^20 cannot overflow 64 bits.
  if (a.width > 32)
    return nullptr;
  const Expr *zero = exprs.constant(0, 64);
  const Expr *lower = exprs.sext(a.offset, 64), *upper = lower;
  for (auto [axis, size] : llvm::zip(a.axes, a.shape)) {
    if (size > 1) {
      const Expr *extent =
          exprs.mul(exprs.sext(axis.stride, 64), exprs.constant(size - 1, 64));
      lower = exprs.add(lower, exprs.min(extent, zero));
      upper = exprs.add(upper, exprs.max(extent, zero));
    }
    if (axis.term) {
      lower = exprs.add(lower, exprs.sext(exprs.reduceMin(axis.term), 64));
      upper = exprs.add(upper, exprs.sext(exprs.reduceMax(axis.term), 64));
    }
  }
  return exprs.logicalAnd(exprs.lessEqual(exprs.constant(low, 64), lower),
                          exprs.lessEqual(upper, exprs.constant(high, 64)));
}

//===----------------------------------------------------------------------===//
// Values that are no sum of products, but depend on one axis only
//===----------------------------------------------------------------------===//

std::optional<IndexDomain> IndexAnalysis::computeSeparable(Value value) {
  ArrayRef<int64_t> shape = getShape(value);
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    const Expr *expr = getAlongAxis(value, axis);
    if (!expr)
      continue;
    if (!expr->isVector())
      return getUniform(expr, shape);
    IndexDomain domain = getUniform(exprs.constant(0, expr->width), shape);
    domain.axes[axis].term = expr;
    return domain;
  }
  return std::nullopt;
}

const Expr *IndexAnalysis::getAlongAxis(Value value, unsigned axis) {
  if (!getWidth(value))
    return nullptr;
  if (!isa<RankedTensorType>(value.getType()))
    return getScalar(value);
  auto found = alongAxis.find({value, axis});
  if (found != alongAxis.end())
    return found->second;
  ++depth;
  const Expr *expr = computeAlongAxis(value, axis);
  --depth;
  alongAxis[{value, axis}] = expr;
  return expr;
}

const Expr *IndexAnalysis::computeAlongAxis(Value value, unsigned axis) {
  ArrayRef<int64_t> shape = getShape(value);
  unsigned width = getWidth(value);
  Operation *op = value.getDefiningOp();
  int64_t others = 1;
  for (unsigned other = 0; other < shape.size(); ++other)
    others *= other == axis ? 1 : shape[other];
  const Expr *itself =
      others == 1 ? exprs.leaf(value, width, shape[axis]) : nullptr;
  if (!op || depth >= maxDepth)
    return itself;

  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return getScalar(splat.getSrc());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    return splat ? exprs.constant(splat.getSplatValue<APInt>().getSExtValue(),
                                  width)
                 : itself;
  }
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    if (expand.getAxis() == axis)
      return itself;
    return getAlongAxis(expand.getSrc(), axis - (expand.getAxis() < axis));
  }
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    if (getShape(broadcast.getSrc())[axis] == shape[axis])
      return getAlongAxis(broadcast.getSrc(), axis);
    // A vector of one element cannot be used as a scalar.
    const Expr *expr = getAlongAxis(broadcast.getSrc(), axis);
    return expr && !expr->isVector() ? expr : itself;
  }
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return getAlongAxis(trans.getSrc(), trans.getOrder()[axis]);

  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 ||
      op->getNumRegions())
    return itself;
  SmallVector<const Expr *> operands;
  bool uniform = true;
  for (Value operand : op->getOperands()) {
    const Expr *expr = getAlongAxis(operand, axis);
    if (!expr)
      return itself;
    uniform &= !expr->isVector();
    operands.push_back(expr);
  }
  return uniform || !itself ? exprs.clone(op, operands, width) : itself;
}
