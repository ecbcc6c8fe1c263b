//===- RootEmitter.cpp - loop nests ---------------------------------------===//

#include "compiler/Lower/Vector/RootEmitter.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

RootEmitter::RootEmitter(KernelEmitter &kernel, Location loc,
                         ArrayRef<int64_t> shape, sched::LoopAttr loop,
                         bool slow)
    : kernel(kernel), b(kernel.b), loc(loc), shape(shape), loop(loop),
      slow(slow) {
  if (slow)
    this->loop = sched::LoopAttr::get(loop.getContext(), loop.getOrder(),
                                      loop.getLane(), 1, 1);
  rootCoords.assign(shape.size(), Coord{kernel.index(0)});
  open.assign(shape.size(), false);
  levels.push_back({b.getInsertionBlock(), b.getInsertionPoint()});
}

void RootEmitter::plan(Value value, ArrayRef<int> axes) {
  analysis::walkClosure(value, axes, [&](Value inner, ArrayRef<int> map) {
    auto load = inner.getDefiningOp<access::LoadOp>();
    if (!load || kernel.slots.contains(inner) || !load.hasSummary())
      return;
    auto [it, isNew] = plans.insert({load, Plan()});
    Plan &plan = it->second;
    if (!isNew && plan.axes != map)
      plan.foldable = false;
    plan.axes.assign(map.begin(), map.end());
    plan.foldable &= !llvm::is_contained(map, analysis::kMixedAxis);
  });
}

void RootEmitter::planStore(access::StoreOp store) {
  limit = store;
  plans[store].axes = analysis::identityAxes(shape.size());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> RootEmitter::forLoop(
    Value low, Value high, int64_t step, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  Level &outer = levels.back();
  Block::iterator end = b.getInsertionPoint();
  Block *block = b.getInsertionBlock();
  auto loopOp =
      scf::ForOp::create(b, loc, low, high, kernel.index(step), inits);
  // Hoisted code goes before the first of several loops at one level.
  if (outer.before == end)
    outer.before = Block::iterator(loopOp);
  Block *inside = loopOp.getBody();
  Block::iterator before =
      inits.empty() ? Block::iterator(inside->getTerminator()) : inside->end();
  levels.push_back({inside, before});
  int level = static_cast<int>(levels.size()) - 1;
  for (Value argument : inside->getArguments())
    valueLevel[argument] = level;
  b.setInsertionPoint(inside, before);
  SmallVector<Value> results =
      body(loopOp.getInductionVar(), ValueRange(loopOp.getRegionIterArgs()));
  if (!inits.empty())
    scf::YieldOp::create(b, loc, results);
  levels.pop_back();
  for (auto &entry : memo)
    llvm::erase_if(entry.second,
                   [&](const Memo &m) { return m.level >= level; });
  b.setInsertionPoint(block, end);
  for (Value result : loopOp.getResults())
    valueLevel[result] = level - 1;
  return SmallVector<Value>(loopOp.getResults());
}

SmallVector<Value>
RootEmitter::axisLoop(int64_t axis, int64_t first, bool reverse,
                      ValueRange inits,
                      llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  int64_t extent = shape[axis];
  if (first >= extent)
    return SmallVector<Value>(inits);
  Block::iterator saved = levels.back().before;
  open[axis] = true;
  SmallVector<Value> results;
  if (extent - first == 1) {
    rootCoords[axis] =
        Coord{kernel.index(reverse ? extent - 1 - first : first)};
    results = body(inits);
  } else {
    results = forLoop(kernel.index(first), kernel.index(extent), 1, inits,
                      [&](Value i, ValueRange carried) {
                        Value at =
                            reverse ? sub(loc, kernel.index(extent - 1), i) : i;
                        rootCoords[axis] = Coord{at};
                        return body(carried);
                      });
  }
  levels.back().before = saved;
  open[axis] = false;
  return results;
}

/// Computes, for the current outer coordinates, where each access's bounds cut
/// the vector axis.
void RootEmitter::foldBounds() {
  for (auto &[op, plan] : plans) {
    plan.low = plan.high = Value();
    plan.deeper.clear();
    if (!plan.foldable ||
        !llvm::is_contained(plan.axes, static_cast<int>(loop.getLane())))
      continue;
    AccessView access = AccessView::of(op);
    Location loc = op->getLoc();
    auto constant = [](Value value) -> std::optional<int64_t> {
      APInt result;
      if (matchPattern(value, m_ConstantInt(&result)))
        return result.getSExtValue();
      return std::nullopt;
    };
    Value condition = access.pred ? kernel.scalar(access.pred) : Value();
    for (unsigned i = 0; i < access.boundAxes.size(); ++i) {
      int axis = plan.axes[access.boundAxes[i]];
      int64_t extent = access.shape[access.boundAxes[i]];
      Value low = kernel.scalar(access.lows[i]),
            high = kernel.scalar(access.highs[i]);
      bool lowHolds = constant(low) && *constant(low) <= 0;
      bool highHolds = constant(high) && *constant(high) >= extent;
      if (axis == loop.getLane()) {
        if (!lowHolds)
          plan.low = maximum(loc, plan.low, low);
        if (!highHolds)
          plan.high = minimum(loc, plan.high, high);
        continue;
      }
      // On another axis: a condition for the whole row; where the loop of that
      // axis is further in, the full loop needs the axis to be in bounds from
      // end to end.
      bool isDeeper = axis >= 0 && !open[axis];
      if (isDeeper && !(lowHolds && highHolds))
        plan.deeper.push_back(i);
      Value least = axis < 0   ? kernel.index(0)
                    : isDeeper ? kernel.index(0)
                               : rootCoords[axis].base;
      Value most = isDeeper ? kernel.index(extent - 1) : least;
      // Only what is known of the row may mask it; a deeper axis masks for
      // itself.
      Value row;
      if (!lowHolds)
        row = compare(loc, arith::CmpIPredicate::sle, low, least);
      if (!highHolds)
        row =
            both(loc, row, compare(loc, arith::CmpIPredicate::slt, most, high));
      if (!row)
        continue;
      if (isDeeper)
        deeperHolds = both(loc, deeperHolds, row);
      else
        condition = both(loc, condition, row);
    }
    if (condition) {
      Value high = plan.high ? plan.high : kernel.index(shape[loop.getLane()]);
      plan.high = select(loc, condition, high, kernel.index(0));
    }
  }
}

void RootEmitter::atVector(int64_t vector) {
  Value at = add(loc, stepBase, kernel.index(vector * width()));
  rootCoords[loop.getLane()] = Coord{at, width() > 1, Value()};
}

void RootEmitter::beforeLanes() {
  stepBase = kernel.index(0);
  deeperHolds = Value();
  foldBounds();
}

SmallVector<Value> RootEmitter::laneSteps(int64_t first, ValueRange inits,
                                          StepBody body) {
  int64_t lane = loop.getLane(), extent = shape[lane];
  int64_t unroll = loop.getUnroll(), step = unroll * width();
  Block::iterator saved = levels.back().before;
  open[lane] = true;
  deeperHolds = Value();
  foldBounds();

  // Where full vectors end, and where the loop ends.
  Value clean = kernel.index(extent), last = kernel.index(extent);
  Value startsAtZero = deeperHolds;
  bool bounded = static_cast<bool>(deeperHolds);
  for (auto &[op, plan] : plans) {
    if (plan.high)
      clean = minimum(loc, clean, plan.high);
    if (plan.low)
      startsAtZero = both(
          loc, startsAtZero,
          compare(loc, arith::CmpIPredicate::sle, plan.low, kernel.index(0)));
    bounded |= plan.high || plan.low;
    if (limit && op == limit.getOperation() && plan.high)
      last = minimum(loc, last, plan.high);
  }

  auto vectorsAt = [&](Value base, int64_t vectors, ValueRange carried) {
    stepBase = base;
    return body(vectors, carried);
  };
  auto run = [&](Value low, Value high, int64_t by, int64_t vectors,
                 ValueRange carried) {
    return forLoop(low, high, by, carried, [&](Value i, ValueRange inner) {
      return vectorsAt(i, vectors, inner);
    });
  };

  SmallVector<Value> results(inits);
  if (width() == 1 || !bounded) {
    masked = bounded;
    bool single = width() * unroll == extent && first == 0 &&
                  last == kernel.index(extent);
    if (first < extent)
      results = single ? vectorsAt(kernel.index(0), unroll, results)
                       : run(kernel.index(first), last, step, unroll, results);
  } else {
    if (startsAtZero)
      clean = select(loc, startsAtZero, clean, kernel.index(0));
    clean = maximum(loc, clean, kernel.index(first));
    if (step > 1)
      clean = make<arith::AndIOp>(loc, clean, kernel.index(-step));
    masked = false;
    results = run(kernel.index(first), clean, step, unroll, results);
    masked = true;
    if (inits.empty())
      results = run(clean, last, width(), 1, results);
    else
      results = run(clean, last, step, unroll, results);
  }
  masked = true;
  levels.back().before = saved;
  open[lane] = false;
  return results;
}

void RootEmitter::nestFrom(size_t position, llvm::function_ref<void()> body,
                           llvm::function_ref<void()> prepare) {
  if (position == loop.getOrder().size())
    return body();
  int64_t axis = loop.getOrder()[position];
  if (axis != loop.getLane()) {
    axisLoop(axis, 0, /*reverse=*/false, {},
             [&](ValueRange) -> SmallVector<Value> {
               nestFrom(position + 1, body, prepare);
               return {};
             });
    return;
  }
  bool innermost = position + 1 == loop.getOrder().size();
  laneSteps(0, {}, [&](int64_t vectors, ValueRange) -> SmallVector<Value> {
    auto forEachVector = [&](llvm::function_ref<void()> emit) {
      for (int64_t u = 0; u < vectors; ++u) {
        atVector(u);
        emit();
      }
    };
    if (innermost)
      forEachVector(prepare);
    forEachVector([&] { nestFrom(position + 1, body, prepare); });
    return {};
  });
}

void RootEmitter::nest(llvm::function_ref<void()> body,
                       llvm::function_ref<void()> prepare) {
  nestFrom(0, body, prepare);
}

void RootEmitter::outerNest(size_t inner, llvm::function_ref<void()> body) {
  ArrayRef<int64_t> order = loop.getOrder();
  size_t outer = order.size() - inner;
  std::function<void(size_t)> openFrom = [&](size_t position) {
    if (position == outer)
      return body();
    axisLoop(order[position], 0, /*reverse=*/false, {},
             [&](ValueRange) -> SmallVector<Value> {
               openFrom(position + 1);
               return {};
             });
  };
  openFrom(0);
}
