//===- Evaluate.cpp - inline values on demand -----------------------------===//

#include "compiler/Lower/Vector/RootEmitter.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

//===----------------------------------------------------------------------===//
// Building at the right level
//===----------------------------------------------------------------------===//

int RootEmitter::levelOf(Value value) const {
  auto it = valueLevel.find(value);
  return it == valueLevel.end() ? 0 : it->second;
}

int RootEmitter::levelOf(ArrayRef<Value> values) const {
  int level = 0;
  for (Value value : values)
    if (value)
      level = std::max(level, levelOf(value));
  return level;
}

Value RootEmitter::settle(Operation *op) {
  int level = 0;
  for (Value operand : op->getOperands())
    level = std::max(level, levelOf(operand));
  if (level + 1 < static_cast<int>(levels.size()))
    op->moveBefore(levels[level].block, levels[level].before);
  for (Value result : op->getResults())
    valueLevel[result] = level;
  return op->getNumResults() ? op->getResult(0) : Value();
}

static std::optional<int64_t> constantOf(Value value) {
  APInt result;
  if (value && matchPattern(value, m_ConstantInt(&result)))
    return result.getSExtValue();
  return std::nullopt;
}

Value RootEmitter::add(Location loc, Value lhs, Value rhs) {
  if (!lhs || constantOf(lhs) == 0)
    return rhs ? rhs : lhs;
  if (!rhs || constantOf(rhs) == 0)
    return lhs;
  if (auto l = constantOf(lhs), r = constantOf(rhs); l && r)
    return kernel.index(*l + *r);
  return make<arith::AddIOp>(loc, lhs, rhs);
}

Value RootEmitter::sub(Location loc, Value lhs, Value rhs) {
  if (constantOf(rhs) == 0)
    return lhs;
  if (auto l = constantOf(lhs), r = constantOf(rhs); l && r)
    return kernel.index(*l - *r);
  return make<arith::SubIOp>(loc, lhs, rhs);
}

Value RootEmitter::mul(Location loc, Value lhs, Value rhs) {
  auto l = constantOf(lhs), r = constantOf(rhs);
  if (l && r)
    return kernel.index(*l * *r);
  if (l == 0 || r == 0)
    return kernel.index(0);
  if (l == 1)
    return rhs;
  if (r == 1)
    return lhs;
  return make<arith::MulIOp>(loc, lhs, rhs);
}

Value RootEmitter::both(Location loc, Value lhs, Value rhs) {
  if (!lhs)
    return rhs;
  if (!rhs)
    return lhs;
  return make<arith::AndIOp>(loc, lhs, rhs);
}

Value RootEmitter::minimum(Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  if (auto l = constantOf(lhs), r = constantOf(rhs); l && r)
    return kernel.index(std::min(*l, *r));
  return make<arith::MinSIOp>(loc, lhs, rhs);
}

Value RootEmitter::maximum(Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  if (auto l = constantOf(lhs), r = constantOf(rhs); l && r)
    return kernel.index(std::max(*l, *r));
  return make<arith::MaxSIOp>(loc, lhs, rhs);
}

Value RootEmitter::compare(Location loc, arith::CmpIPredicate predicate,
                           Value lhs, Value rhs) {
  return make<arith::CmpIOp>(loc, predicate, lhs, rhs);
}

Value RootEmitter::select(Location loc, Value condition, Value yes, Value no) {
  return yes == no ? yes : make<arith::SelectOp>(loc, condition, yes, no);
}

Type RootEmitter::vectorOf(Type element) {
  return VectorType::get({width()}, element);
}

Value RootEmitter::step(unsigned bits) {
  auto type =
      VectorType::get({width()}, IntegerType::get(b.getContext(), bits));
  SmallVector<APInt> values;
  for (int64_t i = 0; i < width(); ++i)
    values.push_back(APInt(bits, i));
  return kernel.constant(DenseElementsAttr::get(type, values));
}

Value RootEmitter::broadcast(Location loc, Value value) {
  if (isa<VectorType>(value.getType()) || width() == 1)
    return value;
  Attribute attr;
  if (matchPattern(value, m_Constant(&attr)))
    return kernel.constant(DenseElementsAttr::get(
        cast<VectorType>(vectorOf(value.getType())), attr));
  return make<vector::BroadcastOp>(loc, vectorOf(value.getType()), value);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value RootEmitter::eval(Value value, ArrayRef<Coord> coords) {
  for (Memo &entry : memo[value])
    if (ArrayRef<Coord>(entry.coords) == coords)
      return entry.result;
  Value result = compute(value, coords);
  memo[value].push_back({SmallVector<Coord>(coords), result, levelOf(result)});
  return result;
}

Value RootEmitter::compute(Value value, ArrayRef<Coord> coords) {
  Operation *op = value.getDefiningOp();
  Location loc = op ? op->getLoc() : this->loc;
  if (auto it = kernel.slots.find(value); it != kernel.slots.end())
    return loadSlot(loc, it->second, coords);
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  if (!op || !analysis::isInline(op)) {
    kernel.fail(loc,
                "not supported yet: " + (op ? op->getName().getStringRef()
                                            : llvm::StringRef("argument")));
    return kernel.zero(element);
  }
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements))) {
    if (!elements.isSplat()) {
      kernel.fail(loc, "not supported yet: constants that are not splats");
      return kernel.zero(element);
    }
    return kernel.constant(
        cast<TypedAttr>(elements.getSplatValue<Attribute>()));
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return kernel.scalar(splat.getInput());
  if (isa<tensor::EmptyOp>(op))
    return kernel.zero(element);
  if (auto iota = dyn_cast<kernel::IotaOp>(op)) {
    const Coord &coord = coords[0];
    Type i32 = b.getI32Type();
    Value start = kernel.constant(b.getI32IntegerAttr(iota.getStart()));
    if (coord.vector) {
      Value low = make<arith::TruncIOp>(loc, vectorOf(i32), coord.vector);
      return iota.getStart()
                 ? make<arith::AddIOp>(loc, low, broadcast(loc, start))
                 : low;
    }
    Value base =
        constantOf(coord.base)
            ? kernel.constant(b.getI32IntegerAttr(*constantOf(coord.base)))
            : make<arith::TruncIOp>(loc, i32, coord.base);
    if (iota.getStart())
      base = make<arith::AddIOp>(loc, base, start);
    if (!coord.lane)
      return base;
    return make<arith::AddIOp>(loc, broadcast(loc, base), step(32));
  }
  if (analysis::isRemap(op)) {
    OpOperand &operand = op->getOpOperand(0);
    AffineMap map =
        cast<linalg::GenericOp>(op).getMatchingIndexingMap(&operand);
    SmallVector<Coord> mapped;
    for (AffineExpr expr : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        mapped.push_back(coords[dim.getPosition()]);
      else
        mapped.push_back(
            {kernel.index(cast<AffineConstantExpr>(expr).getValue())});
    }
    return eval(operand.get(), mapped);
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    Value operand = op->getOperand(0);
    return eval(
        operand,
        reshapeCoords(loc, cast<RankedTensorType>(value.getType()).getShape(),
                      cast<RankedTensorType>(operand.getType()).getShape(),
                      coords));
  }
  if (auto gather = dyn_cast<kernel::GatherOp>(op))
    return computeGather(gather, coords);
  if (auto map = dyn_cast<kernel::MapOp>(op))
    return computeMap(map, coords);
  if (auto load = dyn_cast<access::LoadOp>(op))
    return computeLoad(load, coords);
  return computeElementwise(op, coords);
}

Value RootEmitter::computeElementwise(Operation *op, ArrayRef<Coord> coords) {
  SmallVector<Value> operands;
  bool anyVector = false;
  for (Value operand : op->getOperands()) {
    Value element = isa<RankedTensorType>(operand.getType())
                        ? eval(operand, coords)
                        : kernel.scalar(operand);
    anyVector |= isa<VectorType>(element.getType());
    operands.push_back(element);
  }
  if (anyVector)
    for (Value &operand : operands)
      operand = broadcast(op->getLoc(), operand);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  Operation *created = Operation::create(
      op->getLoc(), op->getName(),
      TypeRange{anyVector ? vectorOf(element) : element}, operands,
      NamedAttrList(op->getDiscardableAttrDictionary()),
      op->getPropertiesStorage(), {}, 0);
  b.insert(created);
  return settle(created);
}

/// The source at the index, which stays inside whatever its value.
Value RootEmitter::computeGather(kernel::GatherOp op, ArrayRef<Coord> coords) {
  Location loc = op.getLoc();
  Value indices = eval(op.getIndices(), coords);
  bool vector = isa<VectorType>(indices.getType());
  Type i64 = vector ? vectorOf(b.getI64Type()) : Type(b.getI64Type());
  if (indices.getType() != i64)
    indices = make<arith::ExtSIOp>(loc, i64, indices);
  int64_t axis = op.getAxis();
  Value last = kernel.index(
      cast<RankedTensorType>(op.getSource().getType()).getDimSize(axis) - 1);
  indices =
      make<arith::AndIOp>(loc, indices, vector ? broadcast(loc, last) : last);
  SmallVector<Coord> picked(coords);
  picked[axis] =
      vector ? Coord{Value(), false, indices} : Coord{indices, false, Value()};
  return eval(op.getSource(), picked);
}

/// Coordinates of the same element in a tensor of another shape.
SmallVector<Coord> RootEmitter::reshapeCoords(Location loc,
                                              ArrayRef<int64_t> from,
                                              ArrayRef<int64_t> to,
                                              ArrayRef<Coord> coords) {
  // Row-major position, as base plus lanes when only the last moving axis has
  // lanes and its inner stride is 1.
  Value base = kernel.index(0);
  Value vector;
  bool lanes = false;
  int64_t stride = 1;
  for (int64_t axis = static_cast<int64_t>(from.size()) - 1; axis >= 0;
       --axis) {
    const Coord &coord = coords[axis];
    Value scale = kernel.index(stride);
    if (coord.isUniform() || (coord.lane && stride == 1)) {
      base = add(loc, base, mul(loc, coord.base, scale));
      lanes |= coord.lane;
    } else {
      Value indices = make<arith::MulIOp>(loc, indexVector(loc, coord),
                                          broadcast(loc, scale));
      vector = vector ? make<arith::AddIOp>(loc, vector, indices) : indices;
    }
    stride *= from[axis];
  }
  // Lanes stay consecutive in the result when the last moving axis holds all of
  // them: the vector starts at a multiple of the width and extents are powers
  // of two.
  int64_t last = static_cast<int64_t>(to.size()) - 1;
  while (last > 0 && to[last] == 1)
    --last;
  bool keepLanes = lanes && !vector && (to.empty() || to[last] % width() == 0);
  if ((lanes || vector) && !keepLanes) {
    Value start = make<arith::AddIOp>(loc, broadcast(loc, base),
                                      lanes ? step(64) : vector);
    if (lanes && vector)
      start = make<arith::AddIOp>(loc, start, vector);
    vector = start;
  } else {
    vector = Value();
  }
  SmallVector<Coord> result(to.size(), Coord{kernel.index(0)});
  int64_t inner = 1;
  for (int64_t axis = static_cast<int64_t>(to.size()) - 1; axis >= 0; --axis) {
    int64_t extent = to[axis], shift = llvm::Log2_64(inner);
    bool outermost = true;
    for (int64_t outer = 0; outer < axis; ++outer)
      outermost &= to[outer] == 1;
    if (extent == 1)
      continue;
    Value position = vector ? vector : base;
    auto literal = [&](int64_t value) {
      return vector ? broadcast(loc, kernel.index(value)) : kernel.index(value);
    };
    if (auto constant = vector ? std::nullopt : constantOf(base)) {
      position = kernel.index((*constant >> shift) & (extent - 1));
    } else {
      if (shift)
        position = make<arith::ShRUIOp>(loc, position, literal(shift));
      if (!outermost)
        position = make<arith::AndIOp>(loc, position, literal(extent - 1));
    }
    if (vector)
      result[axis] = Coord{Value(), false, position};
    else
      result[axis] = Coord{position, keepLanes && axis == last, Value()};
    inner *= extent;
  }
  return result;
}

Value RootEmitter::indexVector(Location loc, const Coord &coord) {
  if (coord.vector)
    return coord.vector;
  Value base = broadcast(loc, coord.base);
  return coord.lane && width() > 1 ? make<arith::AddIOp>(loc, base, step(64))
                                   : base;
}

SmallVector<Value> RootEmitter::combine(Region &region, ValueRange lhs,
                                        ValueRange rhs) {
  SmallVector<Value> arguments(lhs);
  llvm::append_range(arguments, rhs);
  return apply(region, arguments);
}

Value RootEmitter::computeMap(kernel::MapOp op, ArrayRef<Coord> coords) {
  SmallVector<Value> elements;
  for (Value input : op.getInputs())
    elements.push_back(eval(input, coords));
  if (llvm::any_of(elements,
                   [](Value v) { return isa<VectorType>(v.getType()); }))
    for (Value &element : elements)
      element = broadcast(op.getLoc(), element);
  return apply(op.getBody(), elements).front();
}

void RootEmitter::pin(ValueRange values) {
  for (Value value : values)
    valueLevel[value] = static_cast<int>(levels.size()) - 1;
}

SmallVector<Value> RootEmitter::apply(Region &region, ValueRange arguments) {
  Block &block = region.front();
  IRMapping inner;
  auto vectorType = arguments.empty()
                        ? VectorType()
                        : dyn_cast<VectorType>(arguments.front().getType());
  inner.map(block.getArguments(), arguments);
  auto lookup = [&](Value value) {
    if (Value mapped = inner.lookupOrNull(value))
      return mapped;
    Attribute attr;
    Value outer = matchPattern(value, m_Constant(&attr))
                      ? kernel.constant(cast<TypedAttr>(attr))
                      : kernel.scalar(value);
    return outer;
  };
  auto widen = [&](Location loc, Value value) -> Value {
    if (!vectorType || isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(
        b, loc, VectorType::get(vectorType.getShape(), value.getType()), value);
  };
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() > 0 || !vectorType) {
      op.walk([&](Operation *inside) {
        for (Value operand : inside->getOperands())
          if (!inner.contains(operand) &&
              !region.isAncestor(operand.getParentRegion()))
            inner.map(operand, lookup(operand));
      });
      b.clone(op, inner);
      continue;
    }
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(widen(op.getLoc(), lookup(operand)));
    Operation *created = Operation::create(
        op.getLoc(), op.getName(),
        TypeRange{
            VectorType::get(vectorType.getShape(), op.getResult(0).getType())},
        operands, NamedAttrList(op.getDiscardableAttrDictionary()),
        op.getPropertiesStorage(), {}, 0);
    b.insert(created);
    inner.map(op.getResult(0), created->getResult(0));
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(widen(loc, lookup(value)));
  pin(results);
  return results;
}
