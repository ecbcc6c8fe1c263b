//===- Reduce.cpp - reductions, scans, histograms -------------------------===//
//
// A reduction along the vector axis with a combine function that is known to
// commute keeps `unroll` vectors of partial results: element i goes to vector
// (i / width) % unroll, lane i % width. Partial results are combined as a tree:
// vectors first, then lanes. Any other combine function is only associative: a
// step's `unroll` vectors become one element by combining neighbours, level by
// level, and that is combined with what came before.
//
// Whatever the bounds, the order of combination is a function of the block's
// shape and the target only.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/Vector/RootEmitter.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

/// x such that combine(x, y) is y for every y, if the region is one such
/// operation.
static TypedAttr neutralElement(Region &region, OpBuilder &b) {
  Block &block = region.front();
  if (block.getOperations().size() != 2 || block.getNumArguments() != 2)
    return {};
  Operation &op = block.front();
  if (op.getNumOperands() != 2 ||
      block.getTerminator()->getOperand(0) != op.getResult(0))
    return {};
  bool usesBoth = (op.getOperand(0) == block.getArgument(0) &&
                   op.getOperand(1) == block.getArgument(1)) ||
                  (op.getOperand(0) == block.getArgument(1) &&
                   op.getOperand(1) == block.getArgument(0));
  if (!usesBoth)
    return {};
  Type type = op.getResult(0).getType();
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    if (isa<arith::AddFOp>(op))
      return b.getFloatAttr(type,
                            APFloat::getZero(semantics, /*Negative=*/true));
    if (isa<arith::MulFOp>(op))
      return b.getFloatAttr(type, APFloat(semantics, 1));
    if (isa<arith::MaximumFOp>(op))
      return b.getFloatAttr(type,
                            APFloat::getInf(semantics, /*Negative=*/true));
    if (isa<arith::MinimumFOp>(op))
      return b.getFloatAttr(type, APFloat::getInf(semantics));
    // maxnum and minnum give the other operand when one is NaN.
    if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
      return b.getFloatAttr(type, APFloat::getNaN(semantics));
    return {};
  }
  unsigned width = type.getIntOrFloatBitWidth();
  if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(op))
    return b.getIntegerAttr(type, APInt::getZero(width));
  if (isa<arith::MulIOp>(op))
    return b.getIntegerAttr(type, APInt(width, 1));
  if (isa<arith::AndIOp, arith::MinUIOp>(op))
    return b.getIntegerAttr(type, APInt::getAllOnes(width));
  if (isa<arith::MaxSIOp>(op))
    return b.getIntegerAttr(type, APInt::getSignedMinValue(width));
  if (isa<arith::MinSIOp>(op))
    return b.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  return {};
}

/// The hold whose elements this reduction computes; null if its input is there
/// already.
static sched::HoldOp heldHere(Operation *op) {
  if (!op->hasAttr(sched::fillsAttrName))
    return {};
  return op->getOperand(0).getDefiningOp<sched::HoldOp>();
}

/// What a reduction or scan goes through.
static SmallVector<Value> inputsOf(Operation *op) {
  if (sched::HoldOp held = heldHere(op))
    return {held.getSource()};
  return llvm::to_vector(op->getOperands());
}

namespace {
/// Emits one reduction or scan.
class ReduceEmitter {
public:
  ReduceEmitter(KernelEmitter &kernel, Operation *op, Region &combine,
                int64_t axis)
      : op(op), region(combine), axis(axis), loop(analysis::loopOf(op)),
        inputs(inputsOf(op)),
        root(kernel, op->getLoc(), analysis::iterationShape(op), loop,
             /*slow=*/false),
        extent(analysis::iterationShape(op)[axis]) {
    SmallVector<int> identity =
        analysis::identityAxes(analysis::iterationShape(op).size());
    for (Value input : inputs)
      root.plan(input, identity);
    neutral = inputs.size() == 1 ? neutralElement(region, root.b) : TypedAttr();
  }

  /// Keeps the elements of the (only) input in `slot` too.
  void keepInput(Slot slot) { kept = slot; }

  /// `store` is called once a result (or vector of results), with the
  /// coordinates set.
  void reduce(llvm::function_ref<void(RootEmitter &, ArrayRef<Value>)> store) {
    if (loop.getLane() == axis) {
      root.outerNest(1, [&] { store(root, alongLanes()); });
      return;
    }
    root.outerNest(2, [&] {
      root.laneSteps(0, {},
                     [&](int64_t vectors, ValueRange) -> SmallVector<Value> {
                       SmallVector<Value> results = alongAxis(vectors, {});
                       size_t n = inputs.size();
                       for (int64_t u = 0; u < vectors; ++u) {
                         root.atVector(u);
                         store(root, ArrayRef<Value>(results).slice(u * n, n));
                       }
                       return {};
                     });
    });
  }

  /// As reduce, but `store` is called at each step of the axis.
  void scan(bool reverse,
            llvm::function_ref<void(RootEmitter &, ArrayRef<Value>)> store) {
    this->reverse = reverse;
    auto each = [&](ArrayRef<Value> values) { store(root, values); };
    if (loop.getLane() == axis) {
      root.outerNest(1, [&] { alongAxis(0, each); });
      return;
    }
    root.outerNest(2, [&] {
      root.laneSteps(0, {},
                     [&](int64_t vectors, ValueRange) -> SmallVector<Value> {
                       alongAxis(vectors, each);
                       return {};
                     });
    });
  }

private:
  SmallVector<Value> elements() {
    SmallVector<Value> values;
    for (Value input : inputs)
      values.push_back(
          root.broadcast(op->getLoc(), root.eval(input, root.coords())));
    return values;
  }

  void keep(ArrayRef<Value> values) {
    if (kept)
      root.storeSlot(op->getLoc(), *kept, root.coords(), values.front());
  }

  /// The elements of a step's vectors: all computed before the first is kept.
  SmallVector<SmallVector<Value>> stepElements(int64_t vectors) {
    SmallVector<SmallVector<Value>> parts;
    for (int64_t u = 0; u < vectors; ++u) {
      root.atVector(u);
      parts.push_back(elements());
    }
    for (int64_t u = 0; u < vectors; ++u) {
      root.atVector(u);
      keep(parts[u]);
    }
    return parts;
  }

  /// All even (0) or odd (1) elements of one or two vectors.
  Value everySecond(Value first, Value second, int64_t parity) {
    int64_t lanes = cast<VectorType>(first.getType()).getDimSize(0);
    SmallVector<int64_t> picked;
    for (int64_t i = parity; i < (second ? 2 : 1) * lanes; i += 2)
      picked.push_back(i);
    return vector::ShuffleOp::create(root.b, op->getLoc(), first,
                                     second ? second : first, picked);
  }

  /// One element (of each input) from a step's vectors, in order.
  SmallVector<Value> inOrder(int64_t vectors) {
    SmallVector<SmallVector<Value>> parts = stepElements(vectors);
    bool isVector = root.width() > 1;
    auto neighbours = [&](ArrayRef<Value> first, ArrayRef<Value> second) {
      if (!isVector)
        return root.combine(region, first, second);
      SmallVector<Value> even, odd;
      for (size_t i = 0; i < first.size(); ++i) {
        Value next = second.empty() ? Value() : second[i];
        even.push_back(everySecond(first[i], next, 0));
        odd.push_back(everySecond(first[i], next, 1));
      }
      return root.combine(region, even, odd);
    };
    while (parts.size() > 1) {
      for (size_t i = 0; i < parts.size() / 2; ++i)
        parts[i] = neighbours(parts[2 * i], parts[2 * i + 1]);
      parts.resize(parts.size() / 2);
    }
    SmallVector<Value> result = parts.front();
    for (int64_t lanes = root.width(); lanes > 1; lanes /= 2)
      result = neighbours(result, {});
    if (isVector)
      for (Value &value : result)
        value =
            vector::ExtractOp::create(root.b, op->getLoc(), value, int64_t(0));
    root.pin(result);
    return result;
  }

  SmallVector<Value> alongLanes() {
    Location loc = op->getLoc();
    int64_t unroll = loop.getUnroll(), width = root.width();
    if (!neutral) {
      root.beforeLanes();
      return root.laneSteps(unroll * width, inOrder(unroll),
                            [&](int64_t vectors, ValueRange carried) {
                              return root.combine(region, carried,
                                                  inOrder(vectors));
                            });
    }
    SmallVector<Value> inits(
        unroll, root.broadcast(loc, root.kernel.constant(neutral)));
    size_t n = inputs.size();
    auto step = [&](int64_t vectors, ValueRange carried) {
      SmallVector<SmallVector<Value>> parts = stepElements(vectors);
      SmallVector<Value> sums;
      for (int64_t u = 0; u < vectors; ++u)
        llvm::append_range(
            sums, root.combine(region, carried.slice(u * n, n), parts[u]));
      return sums;
    };
    SmallVector<Value> partial = root.laneSteps(0, inits, step);
    // Vectors, then lanes, as a tree.
    for (int64_t count = unroll; count > 1; count /= 2)
      for (int64_t u = 0; u < count / 2; ++u) {
        SmallVector<Value> merged =
            root.combine(region, ValueRange(partial).slice(u * n, n),
                         ValueRange(partial).slice((u + count / 2) * n, n));
        std::copy(merged.begin(), merged.end(), partial.begin() + u * n);
      }
    partial.resize(n);
    for (int64_t lanes = width; lanes > 1; lanes /= 2) {
      SmallVector<Value> low, high;
      for (Value value : partial) {
        auto half = llvm::to_vector(llvm::seq<int64_t>(0, lanes / 2));
        auto rest = llvm::to_vector(llvm::seq<int64_t>(lanes / 2, lanes));
        low.push_back(
            vector::ShuffleOp::create(root.b, loc, value, value, half));
        high.push_back(
            vector::ShuffleOp::create(root.b, loc, value, value, rest));
      }
      partial = root.combine(region, low, high);
    }
    if (width > 1)
      for (Value &value : partial)
        value = vector::ExtractOp::create(root.b, loc, value, int64_t(0));
    root.pin(partial);
    return partial;
  }

  /// One element of the axis after the other, for each of `vectors` vectors
  /// along another axis (0: for one element).
  SmallVector<Value> alongAxis(int64_t vectors,
                               llvm::function_ref<void(ArrayRef<Value>)> each) {
    Location loc = op->getLoc();
    size_t n = inputs.size();
    auto forEachVector = [&](llvm::function_ref<void(int64_t)> body) {
      for (int64_t u = 0; u < std::max<int64_t>(1, vectors); ++u) {
        if (vectors)
          root.atVector(u);
        body(u);
      }
    };
    SmallVector<Value> carried;
    int64_t first = neutral ? 0 : 1;
    if (!neutral)
      root.setCoord(axis, Coord{root.kernel.index(reverse ? extent - 1 : 0)});
    forEachVector([&](int64_t) {
      if (neutral) {
        carried.push_back(root.broadcast(loc, root.kernel.constant(neutral)));
        return;
      }
      SmallVector<Value> start = elements();
      keep(start);
      if (each)
        each(start);
      llvm::append_range(carried, start);
    });
    return root.axisLoop(axis, first, reverse, carried, [&](ValueRange sofar) {
      SmallVector<Value> all;
      forEachVector([&](int64_t u) {
        SmallVector<Value> here = elements();
        keep(here);
        SmallVector<Value> next =
            root.combine(region, sofar.slice(u * n, n), here);
        if (each)
          each(next);
        llvm::append_range(all, next);
      });
      return all;
    });
  }

  Operation *op;
  Region &region;
  int64_t axis;
  sched::LoopAttr loop;
  SmallVector<Value> inputs;
  RootEmitter root;
  int64_t extent;
  TypedAttr neutral;
  std::optional<Slot> kept;
  bool reverse = false;
};
} // namespace

/// The loads in a reduction's loops that may need their exact form.
static SmallVector<Operation *> uncertainLoads(Operation *op) {
  Operation *reader = heldHere(op) ? heldHere(op).getOperation() : op;
  SmallVector<Operation *> loads =
      analysis::loadsIn(analysis::rootOperands(reader));
  llvm::erase_if(loads, [](Operation *load) {
    return !cast<access::LoadOp>(load).getValid();
  });
  return loads;
}

/// Runs `emit` with the loads that may need their exact form kept in scratch
/// when they do.
void KernelEmitter::withValidLoads(Operation *op, ArrayRef<Operation *> loads,
                                   llvm::function_ref<void()> emit) {
  versioned(op->getLoc(), allValid(op->getLoc(), loads), emit, [&] {
    for (Operation *load : loads)
      keepLoad(load, analysis::loopOf(op), /*slow=*/true);
    emit();
    for (Operation *load : loads)
      slots.erase(load->getResult(0));
  });
}

void KernelEmitter::emitReduce(kernel::ReduceOp op) {
  Location loc = op.getLoc();
  int64_t axis = op.getAxis();
  bool isScalar = !isa<RankedTensorType>(op.getResult(0).getType());
  // Scalars leave through scratch too: the loops may stand in either of two
  // versions.
  SmallVector<Slot> results;
  for (Value result : op.getResults())
    results.push_back(isScalar ? allocator.allocate(RankedTensorType::get(
                                     {1}, result.getType()))
                               : slotFor(result));
  SmallVector<Operation *> uncertain = uncertainLoads(op);
  bool isVersioned = !uncertain.empty();
  sched::HoldOp held = heldHere(op);
  std::optional<Slot> kept;
  if (held)
    kept = slotFor(held.getResult());
  withValidLoads(op, uncertain, [&] {
    ReduceEmitter emitter(*this, op, op.getCombine(), axis);
    if (kept)
      emitter.keepInput(*kept);
    emitter.reduce([&](RootEmitter &root, ArrayRef<Value> values) {
      for (auto [result, slot, value] :
           llvm::zip(op.getResults(), results, values)) {
        if (isScalar && !isVersioned) {
          mapping.map(result, value);
          continue;
        }
        SmallVector<Coord> coords(root.coords());
        coords.erase(coords.begin() + axis);
        if (isScalar)
          coords.push_back(Coord{index(0)});
        root.storeSlot(loc, slot, coords, value);
      }
    });
  });
  if (kept)
    slots[held.getResult()] = *kept;
  for (auto [result, slot] : llvm::zip(op.getResults(), results)) {
    if (!isScalar) {
      slots[result] = slot;
    } else if (isVersioned) {
      Value value = LLVM::LoadOp::create(b, loc, slot.storageType(),
                                         scratchPointer(slot.offset));
      if (result.getType().isInteger(1))
        value = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value,
                                      zero(slot.storageType()));
      mapping.map(result, value);
    }
  }
}

void KernelEmitter::emitScan(kernel::ScanOp op) {
  SmallVector<Slot> results;
  for (Value result : op.getResults())
    results.push_back(slotFor(result));
  withValidLoads(op, uncertainLoads(op), [&] {
    ReduceEmitter emitter(*this, op, op.getCombine(), op.getAxis());
    emitter.scan(op.getReverse(),
                 [&](RootEmitter &root, ArrayRef<Value> values) {
                   for (auto [slot, value] : llvm::zip(results, values))
                     root.storeSlot(op.getLoc(), slot, root.coords(), value);
                 });
  });
  for (auto [result, slot] : llvm::zip(op.getResults(), results))
    slots[result] = slot;
}

/// Zeroes the bins, then counts one element after the other.
void KernelEmitter::emitHistogram(kernel::HistogramOp op) {
  Location loc = op.getLoc();
  Slot bins = slotFor(op.getResult());
  int64_t count = bins.type.getDimSize(0);
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  LLVM::MemsetOp::create(b, loc, scratchPointer(bins.offset),
                         zero(b.getI8Type()), index(4 * count),
                         /*isVolatile=*/false);
  withValidLoads(op, uncertainLoads(op), [&] {
    ArrayRef<int64_t> shape = analysis::iterationShape(op);
    RootEmitter root(*this, loc, shape, analysis::loopOf(op), /*slow=*/false);
    for (auto &[value, axes] : analysis::rootOperands(op))
      root.plan(value, axes);
    root.nest([&] {
      Value bin = root.eval(op.getSource(), root.coords());
      Value counted = op.getMask() ? root.eval(op.getMask(), root.coords())
                                   : constant(b.getBoolAttr(true));
      // Negative numbers are no bins either.
      if (bin.getType() != i64)
        bin = arith::ExtSIOp::create(b, loc, i64, bin);
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           bin, index(count));
      counted = arith::AndIOp::create(b, loc, counted, inside);
      scf::IfOp::create(b, loc, counted, [&](OpBuilder &inner, Location loc) {
        Value place = LLVM::GEPOp::create(
            inner, loc, LLVM::LLVMPointerType::get(b.getContext()), i32,
            scratchPointer(bins.offset), ValueRange{bin});
        Value before = LLVM::LoadOp::create(inner, loc, i32, place, 4);
        Value one = constant(b.getI32IntegerAttr(1));
        LLVM::StoreOp::create(inner, loc,
                              arith::AddIOp::create(inner, loc, before, one),
                              place, 4);
        scf::YieldOp::create(inner, loc);
      });
    });
  });
  slots[op.getResult()] = bins;
}
