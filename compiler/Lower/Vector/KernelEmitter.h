//===- KernelEmitter.h ---------------------------------------- -*- C++ -*-===//
//
// From scheduled tensors to loops over vectors.
//
// KernelEmitter walks the kernel in program order: scalars are cloned, control
// flow is rebuilt, and each root becomes a loop nest through a RootEmitter,
// which computes inline values on demand ("the element, or vector of elements,
// of this tensor at these coordinates").
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_LOWER_VECTOR_KERNELEMITTER_H
#define TRIREME_COMPILER_LOWER_VECTOR_KERNELEMITTER_H

#include "compiler/Analysis/Fusion/Fusion.h"
#include "compiler/Lower/Slots/Slots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace trireme::lower {

using mlir::ArrayRef;
using mlir::Location;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::SmallVector;
using mlir::Type;
using mlir::Value;

/// What code generation is told about the target, beyond the schedule.
struct EmitOptions {
  /// Narrowest element, in bits, that has masked loads and stores; 0 = none.
  unsigned maskBits = 8;
  bool hasFma = true;
};

class KernelEmitter {
public:
  KernelEmitter(mlir::func::FuncOp source, const EmitOptions &options)
      : options(options), source(source), b(source.getContext()) {}

  /// Builds the vector-stage function and erases the source. Failure has a
  /// diagnostic.
  LogicalResult run();

  //===--- shared with the emitters of roots
  //---------------------------------------===//

  const EmitOptions options;
  mlir::func::FuncOp source;
  mlir::OpBuilder b;
  SlotAllocator allocator;
  /// Where the tensors that live in scratch are; a root may add loads for a
  /// while.
  llvm::DenseMap<Value, Slot> slots;

  /// The new function's value of a scalar of the source.
  Value scalar(Value value) { return mapping.lookup(value); }
  /// A constant in the entry block; one per value.
  Value constant(mlir::TypedAttr attr);
  Value index(int64_t value);
  Value zero(Type type);
  /// Pointer to a byte of scratch.
  Value scratchPointer(int64_t offset);
  /// Scratch for one padded vector, shared by all.
  Value linePointer(unsigned which);
  void fail(Location loc, const llvm::Twine &message);
  /// Pointers to constants of the image.
  Value text(llvm::StringRef value);
  Value numbers(ArrayRef<int64_t> values);
  Value constantNull();

private:
  // EmitKernel.cpp
  LogicalResult emitFunction();
  void emitArguments();
  void emitProgramLoop(Value begin, Value end, Value thread);
  void describe(mlir::func::FuncOp target);
  // Control.cpp
  void emitBlock(mlir::Block &block);
  void emitOp(Operation *op);
  void emitFor(mlir::scf::ForOp op);
  void emitIf(mlir::scf::IfOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void writeBack(Operation *terminator, mlir::OperandRange yielded,
                 ArrayRef<Slot> destinations, mlir::Block *carriedBy);
  void assignInPlace(Operation *terminator, mlir::OperandRange yielded,
                     ArrayRef<Slot> destinations,
                     mlir::Block::BlockArgListType carried);
  Slot slotFor(Value value);
  // Roots.cpp
  void emitStore(access::StoreOp op);
  void emitHold(sched::HoldOp op);
  void emitScalarLoad(access::LoadOp op);
  void emitScalarStore(access::StoreOp op);
  void materialize(Location loc, Value value, Slot slot, sched::LoopAttr loop);
  void copySlot(Location loc, Slot from, Slot to);
  void keepLoad(Operation *load, sched::LoopAttr like, bool slow);
  Value allValid(Location loc, ArrayRef<Operation *> accesses);
  Value mayFuse(access::StoreOp store, ArrayRef<Operation *> loads);
  Value ownersDiffer(Location loc, const struct AccessView &a,
                     const struct AccessView &b);
  Value ownerOf(unsigned argument);
  std::pair<Value, Value> byteRange(const struct AccessView &access);
  void versioned(Location loc, Value fast, llvm::function_ref<void()> yes,
                 llvm::function_ref<void()> no);
  // Reduce.cpp
  void emitReduce(kernel::ReduceOp op);
  void withValidLoads(Operation *op, ArrayRef<Operation *> loads,
                      llvm::function_ref<void()> emit);
  void emitScan(kernel::ScanOp op);
  void emitHistogram(kernel::HistogramOp op);
  // Atomics.cpp
  void emitAtomic(Operation *op);
  Value emitAtomicElement(Operation *op, Value pointer, Value condition,
                          ArrayRef<Value> operands);
  // Debug.cpp
  void emitPrint(kernel::PrintOp op);
  void emitAssert(kernel::AssertOp op);
  Value inMemory(Location loc, Value value);
  void callService(Location loc, size_t offset, ArrayRef<Value> args);
  Value global(llvm::StringRef prefix, mlir::Attribute content, Type type);
  // Matmul.cpp
  void emitMatmul(Operation *op);

  friend class MatmulEmitter;

  mlir::IRMapping mapping;
  llvm::DenseMap<mlir::Attribute, Value> constants;
  llvm::DenseMap<int64_t, Value> pointers;
  int64_t lines[2] = {-1, -1};
  mlir::Block *entry = nullptr;
  Value scratch, thread, args;
  /// The owner byte of each pointer argument that was asked for.
  llvm::DenseMap<unsigned, Value> owners;
  llvm::DenseMap<mlir::Attribute, Value> globals;
  SmallVector<Value> programId, numPrograms;
  bool failed = false;
};

} // namespace trireme::lower

#endif // TRIREME_COMPILER_LOWER_VECTOR_KERNELEMITTER_H
