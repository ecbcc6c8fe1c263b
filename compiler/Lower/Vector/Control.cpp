//===- Control.cpp - program order, loops and branches --------------------===//
//
// Scalars are carried as SSA values, tensors in slots: a loop-carried tensor
// has one slot that the body reads and that is written at the end of an
// iteration. A root that makes the next value writes that slot itself when
// nothing reads the old value after it; otherwise it writes a slot of its own,
// copied over at the end.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/Vector/RootEmitter.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// The slot a root writes: the one chosen for it, or a new one.
Slot KernelEmitter::slotFor(Value value) {
  auto it = slots.find(value);
  if (it != slots.end())
    return it->second;
  return allocator.allocate(cast<RankedTensorType>(value.getType()));
}

void KernelEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (failed)
      return;
    emitOp(&op);
  }
}

void KernelEmitter::emitOp(Operation *op) {
  if (auto store = dyn_cast<access::StoreOp>(op))
    return isTensor(store.getValue()) ? emitStore(store)
                                      : emitScalarStore(store);
  if (auto load = dyn_cast<access::LoadOp>(op);
      load && !isTensor(load.getResult()))
    return emitScalarLoad(load);
  if (auto held = dyn_cast<sched::HoldOp>(op))
    return emitHold(held);
  if (auto reduce = dyn_cast<kernel::ReduceOp>(op))
    return emitReduce(reduce);
  if (auto scan = dyn_cast<kernel::ScanOp>(op))
    return emitScan(scan);
  if (auto histogram = dyn_cast<kernel::HistogramOp>(op))
    return emitHistogram(histogram);
  if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
    return emitMatmul(op);
  if (analysis::isAtomic(op))
    return emitAtomic(op);
  if (auto print = dyn_cast<kernel::PrintOp>(op))
    return emitPrint(print);
  if (auto assertion = dyn_cast<kernel::AssertOp>(op))
    return emitAssert(assertion);
  if (isa<kernel::FenceOp>(op)) {
    // One thread runs a program: only the compiler must not move accesses.
    LLVM::FenceOp::create(b, op->getLoc(), LLVM::AtomicOrdering::seq_cst,
                          "singlethread");
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return emitIf(choice);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto id = dyn_cast<kernel::ProgramIdOp>(op))
    return mapping.map(id.getResult(), programId[id.getAxis()]);
  if (auto count = dyn_cast<kernel::NumProgramsOp>(op))
    return mapping.map(count.getResult(), numPrograms[count.getAxis()]);
  if (analysis::isInline(op))
    return; // Computed where it is asked for.
  bool anyTensor = llvm::any_of(op->getOperands(), isTensor) ||
                   llvm::any_of(op->getResults(), isTensor);
  if (anyTensor || op->getNumRegions() > 0) {
    fail(op->getLoc(), "not supported yet: " + op->getName().getStringRef());
    return;
  }
  if (auto literal = dyn_cast<arith::ConstantOp>(op))
    return mapping.map(literal.getResult(), constant(literal.getValue()));
  b.clone(*op, mapping);
}

//===----------------------------------------------------------------------===//
// Writing carried tensors in place
//===----------------------------------------------------------------------===//

/// The operations of `block` (or their ancestors in it) that read `value` when
/// they run, through inline operations.
static void collectReaders(Value value, Block *block,
                           llvm::SetVector<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    Operation *top = block->findAncestorOpInBlock(*user);
    if (top != user || analysis::isRoot(user) || !analysis::isInline(user)) {
      if (top)
        readers.insert(top);
      // A value used in a nested region may also be handed on from there
      // inline.
      if (top == user || !analysis::isInline(user))
        continue;
    }
    collectReaders(user->getResult(0), block, readers);
  }
}

/// True when `root`, writing its result over `carried`, reads each element of
/// it only to compute the same element.
static bool readsOnlyOwnElement(Operation *root, Value carried) {
  if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(root)) {
    bool isOperand = false;
    for (Value operand : root->getOperands().take_front(2))
      analysis::walkClosure(
          operand,
          analysis::identityAxes(
              cast<RankedTensorType>(operand.getType()).getRank()),
          [&](Value inner, ArrayRef<int>) { isOperand |= inner == carried; });
    return !isOperand;
  }
  auto held = dyn_cast<sched::HoldOp>(root);
  if (!held)
    return false;
  bool own = true;
  SmallVector<int> identity = analysis::identityAxes(held.getType().getRank());
  auto carriedType = cast<RankedTensorType>(carried.getType());
  analysis::walkClosure(
      held.getSource(), identity, [&](Value inner, ArrayRef<int> axes) {
        own &= inner != carried ||
               (ArrayRef<int>(identity) == axes &&
                carriedType.getShape() == held.getType().getShape());
      });
  return own;
}

/// Lets the roots that make the yielded values write their destinations
/// themselves.
void KernelEmitter::assignInPlace(Operation *terminator, OperandRange yielded,
                                  ArrayRef<Slot> destinations,
                                  Block::BlockArgListType carried) {
  Block *block = terminator->getBlock();
  for (auto [i, value] : llvm::enumerate(yielded)) {
    if (!isTensor(value))
      continue;
    Operation *root = value.getDefiningOp();
    if (!root || root->getBlock() != block || slots.contains(value) ||
        !value.hasOneUse() ||
        !isa<sched::HoldOp, linalg::MatmulOp, linalg::BatchMatmulOp>(root))
      continue;
    // The matrix multiply accumulates where its accumulator was put.
    Operation *earliest = root;
    Value accumulator;
    if (!isa<sched::HoldOp>(root)) {
      accumulator = root->getOperand(2);
      auto held = accumulator.getDefiningOp<sched::HoldOp>();
      if (held && held->getBlock() == block && accumulator.hasOneUse())
        earliest = held;
    }
    bool safe = true;
    if (i < carried.size() && isTensor(carried[i])) {
      llvm::SetVector<Operation *> readers;
      collectReaders(carried[i], block, readers);
      for (Operation *reader : readers)
        safe &= reader == earliest || reader == root ||
                reader->isBeforeInBlock(earliest);
      safe &= readsOnlyOwnElement(root, carried[i]);
      if (earliest != root)
        safe &= readsOnlyOwnElement(earliest, carried[i]);
    }
    if (!safe)
      continue;
    slots[value] = destinations[i];
    if (earliest != root)
      slots[accumulator] = destinations[i];
  }
}

/// At the end of a region: copies the yielded tensors that are not in place
/// yet.
void KernelEmitter::writeBack(Operation *terminator, OperandRange yielded,
                              ArrayRef<Slot> destinations, Block *carriedBy) {
  Location loc = terminator->getLoc();
  // A value that is another carried tensor is read before any is written.
  SmallVector<std::pair<Slot, Slot>> copies;
  for (auto [i, value] : llvm::enumerate(yielded)) {
    if (!isTensor(value))
      continue;
    Slot from = slots.lookup(value);
    if (!from.type) {
      fail(loc, "internal: a carried tensor has no slot");
      return;
    }
    if (from.offset == destinations[i].offset)
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && carriedBy && argument.getOwner() == carriedBy) {
      Slot copy = allocator.allocate(from.type);
      copySlot(loc, from, copy);
      from = copy;
    }
    copies.push_back({from, destinations[i]});
  }
  for (auto &[from, to] : copies)
    copySlot(loc, from, to);
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

void KernelEmitter::emitFor(scf::ForOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  SmallVector<Slot> carried;
  for (auto [init, argument] :
       llvm::zip(op.getInitArgs(), op.getRegionIterArgs())) {
    if (!isTensor(init)) {
      inits.push_back(scalar(init));
      carried.push_back(Slot());
      continue;
    }
    // The initial value's own slot serves, unless something else needs it
    // unchanged.
    Slot slot = slots.lookup(init);
    if (!init.getDefiningOp<sched::HoldOp>() || !init.hasOneUse() ||
        init.getParentBlock() != op->getBlock()) {
      Slot own = allocator.allocate(slot.type);
      copySlot(loc, slot, own);
      slot = own;
    }
    carried.push_back(slot);
    slots[argument] = slot;
  }
  auto loop = scf::ForOp::create(
      b, loc, scalar(op.getLowerBound()), scalar(op.getUpperBound()),
      scalar(op.getStep()), inits, nullptr, op.getUnsignedCmp());
  mapping.map(op.getInductionVar(), loop.getInductionVar());
  unsigned next = 0;
  for (Value argument : op.getRegionIterArgs())
    if (!isTensor(argument))
      mapping.map(argument, loop.getRegionIterArgs()[next++]);

  {
    OpBuilder::InsertionGuard guard(b);
    int64_t mark = allocator.mark();
    if (inits.empty())
      b.setInsertionPoint(loop.getBody()->getTerminator());
    else
      b.setInsertionPointToEnd(loop.getBody());
    Operation *terminator = op.getBody()->getTerminator();
    assignInPlace(terminator, terminator->getOperands(), carried,
                  op.getBody()->getArguments().drop_front());
    emitBlock(*op.getBody());
    if (failed)
      return;
    writeBack(terminator, terminator->getOperands(), carried, op.getBody());
    if (!inits.empty()) {
      SmallVector<Value> yielded;
      for (Value value : terminator->getOperands())
        if (!isTensor(value))
          yielded.push_back(scalar(value));
      scf::YieldOp::create(b, terminator->getLoc(), yielded);
    }
    allocator.release(mark);
  }
  next = 0;
  for (auto [result, slot] : llvm::zip(op.getResults(), carried)) {
    if (isTensor(result))
      slots[result] = slot;
    else
      mapping.map(result, loop.getResult(next++));
  }
}

void KernelEmitter::emitIf(scf::IfOp op) {
  Location loc = op.getLoc();
  SmallVector<Type> types;
  SmallVector<Slot> destinations;
  for (Value result : op.getResults()) {
    if (isTensor(result)) {
      destinations.push_back(
          allocator.allocate(cast<RankedTensorType>(result.getType())));
      slots[result] = destinations.back();
    } else {
      destinations.push_back(Slot());
      types.push_back(result.getType());
    }
  }
  bool hasElse = !op.getElseRegion().empty();
  auto choice =
      scf::IfOp::create(b, loc, types, scalar(op.getCondition()),
                        /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  auto emitBranch = [&](Block *from, Block *to) {
    OpBuilder::InsertionGuard guard(b);
    int64_t mark = allocator.mark();
    b.setInsertionPointToStart(to);
    Operation *terminator = from->getTerminator();
    assignInPlace(terminator, terminator->getOperands(), destinations, {});
    emitBlock(*from);
    if (failed)
      return;
    writeBack(terminator, terminator->getOperands(), destinations, nullptr);
    SmallVector<Value> yielded;
    for (Value value : terminator->getOperands())
      if (!isTensor(value))
        yielded.push_back(scalar(value));
    scf::YieldOp::create(b, terminator->getLoc(), yielded);
    allocator.release(mark);
  };
  emitBranch(op.thenBlock(), choice.thenBlock());
  if (hasElse && !failed)
    emitBranch(op.elseBlock(), choice.elseBlock());
  unsigned next = 0;
  for (Value result : op.getResults())
    if (!isTensor(result))
      mapping.map(result, choice.getResult(next++));
}

void KernelEmitter::emitWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  Block *before = op.getBeforeBody(), *after = op.getAfterBody();
  SmallVector<Value> inits;
  SmallVector<Slot> carried, forwarded;
  for (auto [init, argument] :
       llvm::zip(op.getInits(), before->getArguments())) {
    carried.push_back(Slot());
    if (!isTensor(init)) {
      inits.push_back(scalar(init));
      continue;
    }
    Slot own = allocator.allocate(cast<RankedTensorType>(init.getType()));
    copySlot(loc, slots.lookup(init), own);
    slots[argument] = carried.back() = own;
  }
  SmallVector<Type> types;
  for (auto [argument, result] :
       llvm::zip(after->getArguments(), op.getResults())) {
    forwarded.push_back(Slot());
    if (!isTensor(result)) {
      types.push_back(result.getType());
      continue;
    }
    Slot own = allocator.allocate(cast<RankedTensorType>(result.getType()));
    forwarded.back() = own;
    slots[result] = own;
    slots[argument] = own;
  }
  auto scalars = [&](ValueRange values) {
    SmallVector<Value> result;
    for (Value value : values)
      if (!isTensor(value))
        result.push_back(scalar(value));
    return result;
  };
  auto mapScalars = [&](Block *from, ValueRange to) {
    unsigned next = 0;
    for (Value argument : from->getArguments())
      if (!isTensor(argument))
        mapping.map(argument, to[next++]);
  };
  auto condition = cast<scf::ConditionOp>(before->getTerminator());
  Operation *yield = after->getTerminator();
  // The builder functions run with `b` inside the new regions.
  auto loop = scf::WhileOp::create(
      b, loc, types, inits,
      [&](OpBuilder &, Location, ValueRange arguments) {
        mapScalars(before, arguments);
        emitBlock(*before);
        if (!failed)
          writeBack(condition, condition.getArgs(), forwarded, nullptr);
        if (failed)
          return;
        scf::ConditionOp::create(b, condition.getLoc(),
                                 scalar(condition.getCondition()),
                                 scalars(condition.getArgs()));
      },
      [&](OpBuilder &, Location, ValueRange arguments) {
        if (failed)
          return;
        mapScalars(after, arguments);
        emitBlock(*after);
        if (!failed)
          writeBack(yield, yield->getOperands(), carried, nullptr);
        if (!failed)
          scf::YieldOp::create(b, yield->getLoc(),
                               scalars(yield->getOperands()));
      });
  unsigned next = 0;
  for (Value result : op.getResults())
    if (!isTensor(result))
      mapping.map(result, loop.getResult(next++));
}
