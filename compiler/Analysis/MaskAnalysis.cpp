//===- MaskAnalysis.cpp - which elements of a block are touched -----------===//

#include "compiler/Analysis/MaskAnalysis.h"

#include "compiler/Dialect/TT/TT.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::analysis;

static constexpr unsigned maxDepth = 256;

static void addCondition(MaskDomain &mask, const Expr *condition) {
  if (!condition->isConstant() || !condition->constant)
    if (!llvm::is_contained(mask.conditions, condition))
      mask.conditions.push_back(condition);
}

void MaskAnalysis::addPred(MaskDomain &mask, const Expr *pred) {
  // A constant i1 that holds is -1 as a signed number.
  if (pred->isConstant() && pred->constant)
    return;
  mask.pred = mask.pred ? exprs.logicalAnd(mask.pred, pred) : pred;
}

void MaskAnalysis::addBound(MaskDomain &mask, AxisBound bound) {
  for (AxisBound &other : mask.bounds) {
    if (other.axis != bound.axis)
      continue;
    if (bound.low)
      other.low = other.low ? exprs.max(other.low, bound.low) : bound.low;
    if (bound.high)
      other.high = other.high ? exprs.min(other.high, bound.high) : bound.high;
    return;
  }
  mask.bounds.push_back(bound);
}

MaskDomain MaskAnalysis::get(Value mask) {
  if (depth >= maxDepth) {
    MaskDomain rest;
    rest.rest.push_back(mask);
    return rest;
  }
  ++depth;
  MaskDomain domain = compute(mask);
  --depth;
  return domain;
}

MaskDomain MaskAnalysis::compute(Value mask) {
  MaskDomain domain;
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (!type) {
    addPred(domain, indices.getScalar(mask));
    return domain;
  }
  Operation *op = mask.getDefiningOp();
  if (auto splat = dyn_cast_or_null<tt::SplatOp>(op)) {
    addPred(domain, indices.getScalar(splat.getSrc()));
    return domain;
  }
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op)) {
    domain = get(both.getLhs());
    MaskDomain other = get(both.getRhs());
    for (AxisBound bound : other.bounds)
      addBound(domain, bound);
    if (other.pred)
      addPred(domain, other.pred);
    for (Value rest : other.rest)
      if (!llvm::is_contained(domain.rest, rest))
        domain.rest.push_back(rest);
    for (const Expr *condition : other.conditions)
      addCondition(domain, condition);
    return domain;
  }
  if (auto compareOp = dyn_cast_or_null<arith::CmpIOp>(op))
    return compare(compareOp);
  if (auto broadcastOp = dyn_cast_or_null<tt::BroadcastOp>(op))
    return broadcast(get(broadcastOp.getSrc()), broadcastOp.getSrc(), mask);
  if (auto trans = dyn_cast_or_null<tt::TransOp>(op))
    return permute(get(trans.getSrc()), mask,
                   SmallVector<int, 4>(trans.getOrder()));
  if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op)) {
    SmallVector<int, 4> sources =
        llvm::to_vector<4>(llvm::seq<int>(0, type.getRank() - 1));
    sources.insert(sources.begin() + expand.getAxis(), -1);
    return permute(get(expand.getSrc()), mask, sources);
  }
  if (auto reshape = dyn_cast_or_null<tt::ReshapeOp>(op)) {
    auto from = cast<RankedTensorType>(reshape.getSrc().getType()).getShape();
    if (auto sources = matchUnitReshape(from, type.getShape()))
      return permute(get(reshape.getSrc()), mask, *sources);
  }
  // One value for the whole block?
  if (const IndexDomain *index = indices.get(mask);
      index && index->isUniform()) {
    addPred(domain, index->offset);
    domain.conditions.assign(index->conditions);
    return domain;
  }
  domain.rest.push_back(mask);
  return domain;
}

MaskDomain MaskAnalysis::permute(const MaskDomain &source, Value result,
                                 ArrayRef<int> sources) {
  MaskDomain domain;
  domain.pred = source.pred;
  domain.conditions = source.conditions;
  for (AxisBound bound : source.bounds) {
    auto place = llvm::find(sources, static_cast<int>(bound.axis));
    if (place != sources.end()) {
      bound.axis = place - sources.begin();
      domain.bounds.push_back(bound);
    } else {
      // The axis had size 1 and is gone: its only index is 0.
      if (bound.low)
        addPred(domain, exprs.lessEqual(bound.low, exprs.constant(0, 64)));
      if (bound.high)
        addPred(domain, exprs.lessEqual(exprs.constant(1, 64), bound.high));
    }
  }
  // The rest is taken in the result's shape; that it repeats the bounds does no
  // harm.
  if (!source.rest.empty())
    domain.rest.push_back(result);
  return domain;
}

MaskDomain MaskAnalysis::broadcast(const MaskDomain &source, Value from,
                                   Value result) {
  auto fromShape = cast<RankedTensorType>(from.getType()).getShape();
  auto toShape = cast<RankedTensorType>(result.getType()).getShape();
  SmallVector<int, 4> sources;
  for (int axis = 0; axis < static_cast<int>(toShape.size()); ++axis)
    sources.push_back(fromShape[axis] == toShape[axis] ? axis : -1);
  return permute(source, result, sources);
}

/// The predicate with its sides exchanged, and whether it reads numbers as
/// unsigned.
static arith::CmpIPredicate swapSides(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sgt;
  case P::sle:
    return P::sge;
  case P::sgt:
    return P::slt;
  case P::sge:
    return P::sle;
  case P::ult:
    return P::ugt;
  case P::ule:
    return P::uge;
  case P::ugt:
    return P::ult;
  case P::uge:
    return P::ule;
  default:
    return predicate;
  }
}

MaskDomain MaskAnalysis::compare(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  MaskDomain rest;
  rest.rest.push_back(op.getResult());
  MaskDomain domain;

  if (const IndexDomain *index = indices.get(op.getResult());
      index && index->isUniform()) {
    addPred(domain, index->offset);
    domain.conditions.assign(index->conditions);
    return domain;
  }
  const IndexDomain *varying = indices.get(op.getLhs());
  const IndexDomain *limit = indices.get(op.getRhs());
  if (!varying || !limit)
    return rest;
  P predicate = op.getPredicate();
  if (varying->isUniform()) {
    std::swap(varying, limit);
    predicate = swapSides(predicate);
  }
  std::optional<unsigned> axis = varying->getOnlyAxis();
  if (!limit->isUniform() || !axis || varying->axes[*axis].term ||
      !varying->axes[*axis].stride->isConstant() || predicate == P::eq ||
      predicate == P::ne)
    return rest;

  // offset + stride * i < limit, over the integers if neither side wraps. An
  // unsigned comparison agrees where the varying side is not negative.
  unsigned width = varying->width;
  bool isUnsigned = predicate == P::ult || predicate == P::ule ||
                    predicate == P::ugt || predicate == P::uge;
  const Expr *check = indices.getRangeCheck(
      *varying, isUnsigned ? 0 : llvm::minIntN(width), llvm::maxIntN(width));
  if (!check)
    return rest;
  for (const Expr *condition : varying->conditions)
    addCondition(domain, condition);
  for (const Expr *condition : limit->conditions)
    addCondition(domain, condition);
  addCondition(domain, check);
  const Expr *offset = exprs.sext(varying->offset, 64);
  const Expr *end = isUnsigned ? exprs.zext(limit->offset, 64)
                               : exprs.sext(limit->offset, 64);
  // The bounds are differences; 64-bit sides must leave room for them.
  constexpr int64_t room = int64_t(1) << 62;
  for (const Expr *side : {offset, end}) {
    addCondition(domain, exprs.lessEqual(exprs.constant(-room, 64), side));
    addCondition(domain, exprs.lessEqual(side, exprs.constant(room - 1, 64)));
  }
  if (isUnsigned && width > 32)
    addCondition(domain, exprs.lessEqual(exprs.constant(0, 64), end));

  // Bring to stride * i OP distance with a positive stride.
  int64_t stride = varying->axes[*axis].stride->constant;
  const Expr *distance = exprs.sub(end, offset);
  if (stride < 0) {
    if (stride == std::numeric_limits<int64_t>::min())
      return rest;
    stride = -stride;
    distance = exprs.sub(offset, end);
    predicate = swapSides(predicate);
  }
  const Expr *one = exprs.constant(1, 64);
  AxisBound bound{*axis};
  switch (predicate) {
  case P::slt: // i < ceil(distance / stride)
  case P::ult:
    bound.high =
        stride == 1
            ? distance
            : exprs.add(exprs.floorDiv(exprs.sub(distance, one), stride), one);
    break;
  case P::sle:
  case P::ule:
    bound.high = exprs.add(exprs.floorDiv(distance, stride), one);
    break;
  case P::sgt:
  case P::ugt:
    bound.low = exprs.add(exprs.floorDiv(distance, stride), one);
    break;
  default: // sge, uge: i >= ceil(distance / stride)
    bound.low =
        stride == 1
            ? distance
            : exprs.add(exprs.floorDiv(exprs.sub(distance, one), stride), one);
    break;
  }
  domain.bounds.push_back(bound);
  return domain;
}
