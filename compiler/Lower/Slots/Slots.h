//===- Slots.h ------------------------------------------------ -*- C++ -*-===//
//
// Static scratch for tensors that live in memory.
//
// Every tensor that lives in memory has a slot: a fixed offset in the thread's
// scratch arena, known when the kernel is compiled. Slots are handed out in the
// order in which the kernel is emitted and given back when the region that made
// them ends, so sibling regions share their bytes.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_LOWER_SLOTS_SLOTS_H
#define TRIREME_COMPILER_LOWER_SLOTS_SLOTS_H

#include "mlir/IR/BuiltinTypes.h"

namespace trireme::lower {

/// Bytes of an element in memory, which are its alignment too; i1 takes one.
inline unsigned elementBytes(mlir::Type element) {
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

/// A tensor's place in scratch, row-major; i1 elements take a byte each.
struct Slot {
  int64_t offset = 0;
  mlir::RankedTensorType type;

  /// The type of an element in memory.
  mlir::Type storageType() const;
};

class SlotAllocator {
public:
  /// Bytes that one thread may hold at most (architecture D22).
  static constexpr int64_t kLimitBytes = int64_t(64) << 20;
  /// One cache line: slots never share one.
  static constexpr int64_t kAlignment = 64;

  Slot allocate(mlir::RankedTensorType type);
  /// Raw bytes, such as a line for padded accesses.
  int64_t allocateBytes(int64_t bytes);

  /// A position to go back to: what was allocated since is free again.
  int64_t mark() const { return top; }
  void release(int64_t position) { top = position; }
  int64_t peakBytes() const { return peak; }

private:
  int64_t top = 0;
  int64_t peak = 0;
};

} // namespace trireme::lower

#endif // TRIREME_COMPILER_LOWER_SLOTS_SLOTS_H
