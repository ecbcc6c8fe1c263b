//===- Atomics.cpp - atomic operations, one element after the other -------===//

#include "compiler/Lower/Vector/RootEmitter.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

static LLVM::AtomicOrdering failureOrdering(LLVM::AtomicOrdering success) {
  bool acquires = success == LLVM::AtomicOrdering::acquire ||
                  success == LLVM::AtomicOrdering::acq_rel;
  return acquires ? LLVM::AtomicOrdering::acquire
                  : LLVM::AtomicOrdering::monotonic;
}

/// The sum of narrow floats, which no target has: computed in f32 and swapped
/// in when nobody else came between.
static Value addNarrow(OpBuilder &b, Location loc, access::AtomicRMWOp op,
                       Value pointer, Value value) {
  Type type = value.getType(), f32 = b.getF32Type();
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  unsigned alignment = type.getIntOrFloatBitWidth() / 8;
  Value first = LLVM::LoadOp::create(b, loc, bits, pointer, alignment,
                                     /*isVolatile=*/false,
                                     /*isNonTemporal=*/false,
                                     /*isInvariant=*/false,
                                     /*isInvariantGroup=*/false,
                                     LLVM::AtomicOrdering::monotonic);
  Value addend = arith::ExtFOp::create(b, loc, f32, value);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{bits}, ValueRange{first},
      [&](OpBuilder &inner, Location loc, ValueRange state) {
        Value old = arith::BitcastOp::create(inner, loc, type, state[0]);
        Value sum = arith::AddFOp::create(
            inner, loc, arith::ExtFOp::create(inner, loc, f32, old), addend);
        Value wanted = arith::BitcastOp::create(
            inner, loc, bits, arith::TruncFOp::create(inner, loc, type, sum));
        Value swapped = LLVM::AtomicCmpXchgOp::create(
            inner, loc, pointer, state[0], wanted, op.getOrdering(),
            failureOrdering(op.getOrdering()));
        Value found = LLVM::ExtractValueOp::create(inner, loc, swapped, 0);
        Value done = LLVM::ExtractValueOp::create(inner, loc, swapped, 1);
        Value again = arith::XOrIOp::create(
            inner, loc, done,
            arith::ConstantOp::create(inner, loc, inner.getBoolAttr(true)));
        scf::ConditionOp::create(inner, loc, again, ValueRange{found});
      },
      [&](OpBuilder &inner, Location loc, ValueRange state) {
        scf::YieldOp::create(inner, loc, state);
      });
  return arith::BitcastOp::create(b, loc, type, loop.getResult(0));
}

static Value atomicElement(OpBuilder &b, Location loc, Operation *op,
                           Value pointer, ArrayRef<Value> operands) {
  auto rmw = dyn_cast<access::AtomicRMWOp>(op);
  if (!rmw) {
    LLVM::AtomicOrdering ordering = cast<access::AtomicCASOp>(op).getOrdering();
    Value swapped =
        LLVM::AtomicCmpXchgOp::create(b, loc, pointer, operands[0], operands[1],
                                      ordering, failureOrdering(ordering));
    return LLVM::ExtractValueOp::create(b, loc, swapped, 0);
  }
  Type type = operands[0].getType();
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return addNarrow(b, loc, rmw, pointer, operands[0]);
  return LLVM::AtomicRMWOp::create(b, loc, rmw.getKind(), pointer, operands[0],
                                   rmw.getOrdering());
}

/// The old value, or 0 where the condition does not hold.
Value KernelEmitter::emitAtomicElement(Operation *op, Value pointer,
                                       Value condition,
                                       ArrayRef<Value> operands) {
  Location loc = op->getLoc();
  if (!condition || matchPattern(condition, m_One()))
    return atomicElement(b, loc, op, pointer, operands);
  Value nothing = zero(operands[0].getType());
  auto choice = scf::IfOp::create(
      b, loc, condition,
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc,
                             atomicElement(inner, loc, op, pointer, operands));
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, nothing);
      });
  return choice.getResult(0);
}

void KernelEmitter::emitAtomic(Operation *op) {
  Location loc = op->getLoc();
  auto rmw = dyn_cast<access::AtomicRMWOp>(op);
  auto cas = dyn_cast<access::AtomicCASOp>(op);
  Value address = rmw ? rmw.getAddress() : cas.getAddress();
  Value mask = rmw ? rmw.getMask() : Value();
  SmallVector<Value, 2> operands;
  if (rmw)
    operands = {rmw.getValue()};
  else
    operands = {cas.getExpected(), cas.getValue()};
  Value result = op->getResult(0);

  if (!isa<RankedTensorType>(result.getType())) {
    SmallVector<Value> scalars =
        llvm::map_to_vector(operands, [&](Value v) { return scalar(v); });
    mapping.map(result,
                emitAtomicElement(op, scalar(address),
                                  mask ? scalar(mask) : Value(), scalars));
    return;
  }
  // The loads that it needs were all done before (Schedule/Holds.cpp), so no
  // element's address or value depends on what another changed.
  RootEmitter root(*this, loc, analysis::iterationShape(op),
                   analysis::loopOf(op), /*slow=*/true);
  Slot old;
  if (!result.use_empty())
    old = slots[result] = slotFor(result);
  root.nest([&] {
    ArrayRef<Coord> coords = root.coords();
    SmallVector<Value> elements = llvm::map_to_vector(
        operands, [&](Value v) { return root.eval(v, coords); });
    Value pointer = root.make<LLVM::IntToPtrOp>(
        loc, LLVM::LLVMPointerType::get(b.getContext()),
        root.eval(address, coords));
    Value condition = mask ? root.eval(mask, coords) : Value();
    Value before = emitAtomicElement(op, pointer, condition, elements);
    if (old.type)
      root.storeSlot(loc, old, coords, before);
  });
}
