//===- Atomics.cpp - atomic operations ------------------------------------===//

#include "Converter.h"

#include "compiler/Dialect/Access/Access.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

static LLVM::AtomicOrdering getOrdering(tt::MemSemantic semantic) {
  switch (semantic) {
  case tt::MemSemantic::RELAXED:
    return LLVM::AtomicOrdering::monotonic;
  case tt::MemSemantic::ACQUIRE:
    return LLVM::AtomicOrdering::acquire;
  case tt::MemSemantic::RELEASE:
    return LLVM::AtomicOrdering::release;
  case tt::MemSemantic::ACQUIRE_RELEASE:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("all orders are listed");
}

static LLVM::AtomicBinOp getKind(tt::RMWOp op) {
  switch (op) {
  case tt::RMWOp::AND:
    return LLVM::AtomicBinOp::_and;
  case tt::RMWOp::OR:
    return LLVM::AtomicBinOp::_or;
  case tt::RMWOp::XOR:
    return LLVM::AtomicBinOp::_xor;
  case tt::RMWOp::ADD:
    return LLVM::AtomicBinOp::add;
  case tt::RMWOp::FADD:
    return LLVM::AtomicBinOp::fadd;
  case tt::RMWOp::MAX:
    return LLVM::AtomicBinOp::max;
  case tt::RMWOp::MIN:
    return LLVM::AtomicBinOp::min;
  case tt::RMWOp::UMAX:
    return LLVM::AtomicBinOp::umax;
  case tt::RMWOp::UMIN:
    return LLVM::AtomicBinOp::umin;
  case tt::RMWOp::XCHG:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("all operations are listed");
}

/// The same bits as a number; pointers and floats become integers.
static Value toBits(OpBuilder &b, Location loc, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (isa<LLVM::LLVMPointerType>(element))
    return LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), value);
  if (isa<IntegerType>(element))
    return value;
  Type bits = b.getIntegerType(element.getIntOrFloatBitWidth());
  return arith::BitcastOp::create(b, loc, withElement(value.getType(), bits),
                                  value);
}

static Value fromBits(OpBuilder &b, Location loc, Value bits, Type type) {
  if (bits.getType() == type)
    return bits;
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(b, loc, type, bits);
  return arith::BitcastOp::create(b, loc, type, bits);
}

static LogicalResult convertRMW(Converter &converter, tt::AtomicRMWOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Value value = converter.get(op.getVal());
  Type type = value.getType();
  bool isSum = op.getAtomicRmwOp() == tt::RMWOp::FADD;
  if (!isSum)
    value = toBits(b, loc, value);
  Value mask;
  if (op.getMask() && !matchPattern(op.getMask(), m_One()))
    mask = converter.get(op.getMask());
  Value old = access::AtomicRMWOp::create(
      b, loc, value.getType(), getKind(op.getAtomicRmwOp()),
      getOrdering(op.getSem()), value, converter.get(op.getPtr()), mask);
  converter.set(op, isSum ? old : fromBits(b, loc, old, type));
  return success();
}

static LogicalResult convertCAS(Converter &converter, tt::AtomicCASOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Value expected = toBits(b, loc, converter.get(op.getCmp()));
  Value value = toBits(b, loc, converter.get(op.getVal()));
  Value old = access::AtomicCASOp::create(b, loc, value.getType(),
                                          getOrdering(op.getSem()), expected,
                                          value, converter.get(op.getPtr()));
  converter.set(op,
                fromBits(b, loc, old, Converter::convertType(op.getType())));
  return success();
}

void conversion::addAtomicHandlers(Handlers &handlers) {
  handlers.add<tt::AtomicRMWOp, convertRMW>();
  handlers.add<tt::AtomicCASOp, convertCAS>();
}
