//===- Roots.cpp - stores and holds ---------------------------------------===//
//
// A root is emitted in up to three versions. The fast one relies on run-time
// facts: the summaries of its accesses are valid (no 32-bit wrap-around), and
// what its store writes is either disjoint from each block it loads or exactly
// the same elements. Where the second does not hold, blocks are loaded to
// scratch before the first element is stored. Where the first does not, that is
// done one element at a time, by the exact form.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/Vector/RootEmitter.h"
#include "compiler/Support/Diagnostics.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

Value KernelEmitter::allValid(Location loc, ArrayRef<Operation *> accesses) {
  Value all;
  DenseSet<Value> seen;
  for (Operation *op : accesses) {
    AccessView access = AccessView::of(op);
    if (!access.valid || !access.hasSummary() ||
        !seen.insert(access.valid).second)
      continue;
    Value valid = scalar(access.valid);
    all = all ? arith::AndIOp::create(b, loc, all, valid).getResult() : valid;
  }
  return all;
}

void KernelEmitter::versioned(Location loc, Value fast,
                              llvm::function_ref<void()> yes,
                              llvm::function_ref<void()> no) {
  if (!fast || matchPattern(fast, m_One()))
    return yes();
  if (matchPattern(fast, m_Zero()))
    return no();
  auto choice = scf::IfOp::create(b, loc, fast, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  int64_t mark = allocator.mark();
  b.setInsertionPointToStart(choice.thenBlock());
  yes();
  allocator.release(mark);
  b.setInsertionPointToStart(choice.elseBlock());
  no();
  allocator.release(mark);
}

/// First byte touched and first byte not touched any more, as integers.
std::pair<Value, Value> KernelEmitter::byteRange(const AccessView &access) {
  Location loc = access.op->getLoc();
  Value low, high;
  if (access.offset)
    low = high = scalar(access.offset);
  else
    low = high = index(0);
  auto stepped = [&](Value sum, Value stride, Value at) {
    return arith::AddIOp::create(b, loc, sum,
                                 arith::MulIOp::create(b, loc, stride, at))
        .getResult();
  };
  for (auto [axis, stride] : llvm::enumerate(access.strides)) {
    APInt constant;
    bool known = matchPattern(stride, m_ConstantInt(&constant));
    if ((known && constant.isZero()) || access.shape[axis] == 1)
      continue;
    Value first = index(0), last = index(access.shape[axis] - 1);
    for (auto [i, boundAxis] : llvm::enumerate(access.boundAxes)) {
      if (boundAxis != static_cast<int32_t>(axis))
        continue;
      first = arith::MaxSIOp::create(b, loc, first, scalar(access.lows[i]));
      Value end =
          arith::SubIOp::create(b, loc, scalar(access.highs[i]), index(1));
      last = arith::MinSIOp::create(b, loc, last, end);
    }
    Value step = scalar(stride);
    if (known) {
      bool up = constant.isStrictlyPositive();
      low = stepped(low, step, up ? first : last);
      high = stepped(high, step, up ? last : first);
      continue;
    }
    Value a = arith::MulIOp::create(b, loc, step, first);
    Value z = arith::MulIOp::create(b, loc, step, last);
    low = arith::AddIOp::create(b, loc, low,
                                arith::MinSIOp::create(b, loc, a, z));
    high = arith::AddIOp::create(b, loc, high,
                                 arith::MaxSIOp::create(b, loc, a, z));
  }
  Value bytes = index(elementBytes(access.elementType));
  Value base =
      LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), scalar(access.base));
  low = arith::AddIOp::create(b, loc, base,
                              arith::MulIOp::create(b, loc, low, bytes));
  high = arith::AddIOp::create(b, loc, high, index(1));
  high = arith::AddIOp::create(b, loc, base,
                               arith::MulIOp::create(b, loc, high, bytes));
  return {low, high};
}

/// The one pointer argument that an address is made of by arithmetic; null if
/// that cannot be seen.
static BlockArgument pointerArgument(Value address, func::FuncOp kernel) {
  if (!address)
    return {};
  if (auto argument = dyn_cast<BlockArgument>(address)) {
    bool isOurs = argument.getOwner()->getParentOp() == kernel &&
                  isa<LLVM::LLVMPointerType>(argument.getType());
    return isOurs ? argument : BlockArgument();
  }
  Operation *op = address.getDefiningOp();
  if (isa<arith::AddIOp>(op)) {
    // Addresses plus offsets: the side that is no address has none.
    BlockArgument left = pointerArgument(op->getOperand(0), kernel),
                  right = pointerArgument(op->getOperand(1), kernel);
    return left && right ? BlockArgument() : left ? left : right;
  }
  if (isa<LLVM::GEPOp, LLVM::PtrToIntOp, tensor::SplatOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) ||
      analysis::isRemap(op))
    return pointerArgument(op->getOperand(0), kernel);
  return {};
}

/// Whether the caller says that two accesses are to different allocations; null
/// if nobody can say.
Value KernelEmitter::ownersDiffer(Location loc, const AccessView &first,
                                  const AccessView &second) {
  auto argumentOf = [&](const AccessView &access) {
    return pointerArgument(access.base ? access.base : access.addresses,
                           source);
  };
  BlockArgument a = argumentOf(first), z = argumentOf(second);
  if (!a || !z || a == z)
    return {};
  Value one = ownerOf(a.getArgNumber()), other = ownerOf(z.getArgNumber());
  auto differs = [&](Value left, Value right) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, left, right);
  };
  Value none = zero(b.getI8Type());
  Value known =
      arith::AndIOp::create(b, loc, differs(one, none), differs(other, none));
  return arith::AndIOp::create(b, loc, known, differs(one, other));
}

/// The condition under which `loads` may be computed in the store's loop; null:
/// always.
Value KernelEmitter::mayFuse(access::StoreOp store,
                             ArrayRef<Operation *> loads) {
  Location loc = store.getLoc();
  AccessView to = AccessView::of(store);
  Value all;
  std::optional<std::pair<Value, Value>> written;
  DenseSet<Value> basesSeen;
  for (Operation *op : loads) {
    auto load = cast<access::LoadOp>(op);
    if (analysis::sameElements(load, store))
      continue;
    AccessView from = AccessView::of(load);
    if (!to.hasSummary() || !from.hasSummary() || !to.terms.empty() ||
        !from.terms.empty()) {
      if (Value differ = ownersDiffer(loc, from, to)) {
        all = all ? arith::AndIOp::create(b, loc, all, differ).getResult()
                  : differ;
        continue;
      }
      support::remarkPerformance(
          loc, "this store may change what the block it is computed from "
               "reads, as one of them is addressed by index and nothing says "
               "that they are different arrays; that block is copied to "
               "scratch first");
      return constant(b.getBoolAttr(false));
    }
    if (!written)
      written = byteRange(to);
    auto [low, high] = byteRange(from);
    Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule,
                                         high, written->first);
    Value after = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule,
                                        written->second, low);
    Value apart = arith::OrIOp::create(b, loc, before, after);
    // Another pointer to the same elements, index by index.
    if (from.elementType == to.elementType && from.shape == to.shape &&
        llvm::equal(from.strides, to.strides)) {
      auto start = [&](const AccessView &access) {
        Type pointer = LLVM::LLVMPointerType::get(b.getContext());
        Value base = scalar(access.base);
        if (!access.offset)
          return base;
        return LLVM::GEPOp::create(b, loc, pointer, access.elementType, base,
                                   ValueRange{scalar(access.offset)})
            .getResult();
      };
      Value same = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq,
                                        start(from), start(to));
      apart = arith::OrIOp::create(b, loc, apart, same);
    }
    all = all ? arith::AndIOp::create(b, loc, all, apart).getResult() : apart;
  }
  return all;
}

/// Loads a block into a slot of its own, to be read from there until it is
/// taken out of `slots`.
void KernelEmitter::keepLoad(Operation *load, sched::LoopAttr like, bool slow) {
  Value value = load->getResult(0);
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rank = type.getRank();
  // Vectors along the last axis where the slot has room for them.
  bool vectors = !slow && type.getDimSize(rank - 1) >= like.getWidth();
  auto loop = sched::LoopAttr::get(b.getContext(),
                                   llvm::to_vector(llvm::seq<int64_t>(0, rank)),
                                   rank - 1, vectors ? like.getWidth() : 1, 1);
  Slot slot = allocator.allocate(type);
  SmallVector<int> identity = analysis::identityAxes(rank);
  RootEmitter root(*this, load->getLoc(), type.getShape(), loop, slow);
  root.plan(value, identity);
  root.nest([&] {
    root.storeSlot(load->getLoc(), slot, root.coords(),
                   root.eval(value, root.coords()));
  });
  slots[value] = slot;
}

void KernelEmitter::emitStore(access::StoreOp op) {
  Location loc = op.getLoc();
  sched::LoopAttr loop = analysis::loopOf(op);
  ArrayRef<int64_t> shape = op.getBlockShape();
  auto operands = analysis::rootOperands(op);
  SmallVector<Operation *> loads = analysis::loadsIn(operands);
  auto emit = [&](bool slow) {
    RootEmitter root(*this, loc, shape, loop, slow);
    for (auto &[value, axes] : operands)
      root.plan(value, axes);
    if (op.hasSummary() && !(slow && op.getValid()))
      root.planStore(op);
    root.nest([&] { root.emitStore(op, root.coords()); },
              [&] { root.eval(op.getValue(), root.coords()); });
  };
  // All that is read is read before the first element is written.
  auto emitApart = [&](bool slow) {
    for (Operation *load : loads)
      keepLoad(load, loop, slow);
    emit(slow);
    for (Operation *load : loads)
      slots.erase(load->getResult(0));
  };
  SmallVector<Operation *> accesses(loads);
  accesses.push_back(op);
  Value valid = allValid(loc, accesses), fuse = mayFuse(op, loads);
  versioned(
      loc, valid,
      [&] {
        versioned(
            loc, fuse, [&] { emit(/*slow=*/false); },
            [&] { emitApart(/*slow=*/false); });
      },
      [&] { emitApart(/*slow=*/true); });
}

/// Computes `value` into a slot.
void KernelEmitter::materialize(Location loc, Value value, Slot slot,
                                sched::LoopAttr loop) {
  ArrayRef<int64_t> shape = slot.type.getShape();
  SmallVector<int> identity = analysis::identityAxes(shape.size());
  auto emit = [&](bool slow) {
    RootEmitter root(*this, loc, shape, loop, slow);
    root.plan(value, identity);
    root.nest(
        [&] {
          root.storeSlot(loc, slot, root.coords(),
                         root.eval(value, root.coords()));
        },
        [&] { root.eval(value, root.coords()); });
  };
  versioned(
      loc, allValid(loc, analysis::loadsIn({{value, identity}})),
      [&] { emit(/*slow=*/false); }, [&] { emit(/*slow=*/true); });
}

void KernelEmitter::emitHold(sched::HoldOp op) {
  if (op.getInReader())
    return; // emitReduce
  Slot slot = slotFor(op.getResult());
  materialize(op.getLoc(), op.getSource(), slot, op.getLoopAttr());
  slots[op.getResult()] = slot;
}

/// Copies slot to slot, as bytes of the same type.
void KernelEmitter::copySlot(Location loc, Slot from, Slot to) {
  int64_t bytes = from.type.getNumElements() * elementBytes(from.storageType());
  LLVM::MemcpyOp::create(b, loc, scratchPointer(to.offset),
                         scratchPointer(from.offset), index(bytes),
                         /*isVolatile=*/false);
}

void KernelEmitter::emitScalarLoad(access::LoadOp op) {
  Location loc = op.getLoc();
  AccessView access = AccessView::of(op);
  Type element = op.getResult().getType();
  Value pointer = scalar(access.base);
  if (access.offset)
    pointer = LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                                  ValueRange{scalar(access.offset)});
  auto load = [&](OpBuilder &builder) -> Value {
    return LLVM::LoadOp::create(builder, loc, element, pointer,
                                elementBytes(element), access.isVolatile);
  };
  if (!access.pred) {
    mapping.map(op.getResult(), load(b));
    return;
  }
  Value other = op.getOther() ? scalar(op.getOther()) : zero(element);
  auto choice = scf::IfOp::create(
      b, loc, scalar(access.pred),
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, load(inner));
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, other);
      });
  mapping.map(op.getResult(), choice.getResult(0));
}

void KernelEmitter::emitScalarStore(access::StoreOp op) {
  Location loc = op.getLoc();
  AccessView access = AccessView::of(op);
  Value value = scalar(op.getValue()), pointer = scalar(access.base);
  Type element = value.getType();
  if (access.offset)
    pointer = LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                                  ValueRange{scalar(access.offset)});
  auto store = [&](OpBuilder &builder) {
    LLVM::StoreOp::create(builder, loc, value, pointer, elementBytes(element),
                          access.isVolatile);
  };
  if (!access.pred)
    return store(b);
  scf::IfOp::create(b, loc, scalar(access.pred),
                    [&](OpBuilder &inner, Location loc) {
                      store(inner);
                      scf::YieldOp::create(inner, loc);
                    });
}
