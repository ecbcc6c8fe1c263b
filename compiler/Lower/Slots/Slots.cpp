//===- Slots.cpp - static scratch for tensors that live in memory ---------===//

#include "compiler/Lower/Slots/Slots.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace trireme::lower;

Type Slot::storageType() const {
  Type element = type.getElementType();
  return element.isInteger(1) ? IntegerType::get(type.getContext(), 8)
                              : element;
}

int64_t SlotAllocator::allocateBytes(int64_t bytes) {
  int64_t offset = top;
  top = llvm::alignTo(top + bytes, kAlignment);
  peak = std::max(peak, top);
  // Beyond the limit the kernel is refused once all is counted; until then its
  // code is made as if everything lay at the start, as no offset may outgrow an
  // instruction.
  return top <= kLimitBytes ? offset : 0;
}

Slot SlotAllocator::allocate(RankedTensorType type) {
  Slot slot{0, type};
  slot.offset =
      allocateBytes(type.getNumElements() * elementBytes(slot.storageType()));
  return slot;
}
