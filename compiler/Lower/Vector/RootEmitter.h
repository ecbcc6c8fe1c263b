//===- RootEmitter.h - one root's loop nest ------------------- -*- C++ -*-===//
//
// Loops are opened one by one. Each open loop is a level; level 0 is the code
// before the nest. A value is computed at the outermost level that knows all
// its coordinates, so a row's address or a broadcast scalar is never computed
// again in the vector loop.
//
// The vector axis is walked twice: a loop over the groups of vectors that lie
// within the bounds of every access (no masks), and a loop over the rest
// (masked).
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_LOWER_VECTOR_ROOTEMITTER_H
#define TRIREME_COMPILER_LOWER_VECTOR_ROOTEMITTER_H

#include "compiler/Lower/Vector/AccessView.h"
#include "compiler/Lower/Vector/KernelEmitter.h"

namespace trireme::lower {

/// Where along one axis of a tensor an element, or a vector of elements, lies.
struct Coord {
  /// The index (i64); of the first lane when `lane`. Null with `vector`.
  Value base;
  /// Consecutive indices base, base + 1, .. one a lane.
  bool lane = false;
  /// Arbitrary indices, one a lane (vector of i64).
  Value vector;

  bool isUniform() const { return !lane && !vector; }
  bool operator==(const Coord &other) const {
    return base == other.base && lane == other.lane && vector == other.vector;
  }
};

/// Which lanes of an access are touched; all of them when nothing is set.
struct Mask {
  /// One condition for all lanes (i1).
  Value uniform;
  /// Only the first `prefix` lanes (i64, not clamped).
  Value prefix;
  /// One condition a lane (vector of i1).
  Value lanes;

  bool isAll() const { return !uniform && !prefix && !lanes; }
};

/// Where elements lie, in emitted values.
struct Place {
  Value pointer;
  Type storageType;
  /// In elements; may be null (0).
  Value offset;
  /// One an axis.
  SmallVector<Value> strides;
  /// Further offsets: i64 or a vector of them.
  SmallVector<Value> extra;
  bool isVolatile = false;
};

class RootEmitter {
public:
  /// In slow mode accesses that may be invalid use their exact form and
  /// elements go one at a time.
  RootEmitter(KernelEmitter &kernel, Location loc, ArrayRef<int64_t> shape,
              sched::LoopAttr loop, bool slow);

  /// Tells that `value` is computed in this nest, seen with these axes.
  void plan(Value value, ArrayRef<int> axes);
  /// Tells that the nest ends in this store, which also limits the vector axis.
  void planStore(access::StoreOp store);

  /// Emits the nest in the schedule's order; `body` is called once a vector
  /// with `coords()` set. `prepare` is called before that for each of a step's
  /// vectors, to evaluate what `body` will ask for: computations then do not
  /// wait for the stores of the vector before them.
  void nest(
      llvm::function_ref<void()> body,
      llvm::function_ref<void()> prepare = [] {});
  /// Emits the loops of the order but the last `inner`, then calls `body` once.
  void outerNest(size_t inner, llvm::function_ref<void()> body);
  /// The loop over the vector axis, with carried values. `body` is called once
  /// a step of `vectors` vectors, and goes to each of them with atVector().
  /// Starts at group `first` (in elements).
  using StepBody = llvm::function_ref<SmallVector<Value>(
      int64_t vectors, mlir::ValueRange carried)>;
  SmallVector<Value> laneSteps(int64_t first, mlir::ValueRange inits,
                               StepBody body);
  /// Sets the vector axis to one of the vectors of the step.
  void atVector(int64_t vector);
  /// For values that are computed before the loop over the vector axis: sets it
  /// to its first step and finds the bounds there.
  void beforeLanes();
  /// A plain loop over an axis from `first` to its end.
  SmallVector<Value>
  axisLoop(int64_t axis, int64_t first, bool reverse, mlir::ValueRange inits,
           llvm::function_ref<SmallVector<Value>(mlir::ValueRange)> body);

  ArrayRef<Coord> coords() const { return rootCoords; }
  void setCoord(int64_t axis, Coord coord) { rootCoords[axis] = coord; }
  /// While true accesses are masked by their bounds.
  bool masked = true;

  //===--- values (Evaluate.cpp)
  //---------------------------------------------------===//

  /// The element(s) of `value` at `coords`: a scalar when no coordinate has
  /// lanes and when all lanes are equal, else a vector of width() elements.
  Value eval(Value value, ArrayRef<Coord> coords);
  /// `value` as a vector of width() elements (unchanged when width() is 1).
  Value broadcast(Location loc, Value value);
  int64_t width() const { return loop.getWidth(); }
  /// Applies a combine region to values of any one width.
  SmallVector<Value> combine(mlir::Region &region, mlir::ValueRange lhs,
                             mlir::ValueRange rhs);

  //===--- memory (Memory.cpp)
  //-----------------------------------------------------===//

  Value load(Location loc, const Place &place, ArrayRef<Coord> coords,
             Mask mask, Value other);
  void store(Location loc, const Place &place, ArrayRef<Coord> coords,
             Value value, Mask mask);
  Place slotPlace(Location loc, const Slot &slot);
  Value loadSlot(Location loc, const Slot &slot, ArrayRef<Coord> coords);
  void storeSlot(Location loc, const Slot &slot, ArrayRef<Coord> coords,
                 Value value);
  Place placeOf(const AccessView &access, ArrayRef<Coord> coords);
  Mask maskOf(const AccessView &access, ArrayRef<Coord> coords);
  /// The exact form: pointer (i64 address made a pointer) and condition of one
  /// element.
  std::pair<Value, Value> exactElement(const AccessView &access,
                                       ArrayRef<Coord> coords);
  void emitStore(access::StoreOp op, ArrayRef<Coord> coords);

  //===--- building
  //----------------------------------------------------------------===//

  /// Creates an operation at the outermost level its operands allow.
  template <typename OpT, typename... Args>
  Value make(Location loc, Args &&...args) {
    return settle(OpT::create(b, loc, std::forward<Args>(args)...));
  }
  Value settle(Operation *op);
  /// Keeps what is made of these values in the innermost open loop: their code
  /// was put there without make().
  void pin(mlir::ValueRange values);
  Value add(Location loc, Value lhs, Value rhs);
  Value sub(Location loc, Value lhs, Value rhs);
  Value mul(Location loc, Value lhs, Value rhs);
  Value both(Location loc, Value lhs, Value rhs);
  Value minimum(Location loc, Value lhs, Value rhs);
  Value maximum(Location loc, Value lhs, Value rhs);
  Value compare(Location loc, mlir::arith::CmpIPredicate predicate, Value lhs,
                Value rhs);
  Value select(Location loc, Value condition, Value yes, Value no);
  Type vectorOf(Type element);
  /// 0, 1, .. width-1 as a vector of integers.
  Value step(unsigned bits);
  /// The mask as a vector of i1.
  Value laneMask(Location loc, const Mask &mask);

  KernelEmitter &kernel;
  mlir::OpBuilder &b;

private:
  struct Level {
    mlir::Block *block;
    mlir::Block::iterator before;
  };
  /// The bounds of an access along the vector axis, for the current outer
  /// coordinates.
  struct Plan {
    SmallVector<int> axes;
    /// False when its bounds cannot be folded into the vector loop's.
    bool foldable = true;
    /// Null: no bound.
    Value low, high;
    /// Bounds on axes whose loops are inside the vector loop.
    SmallVector<unsigned> deeper;
  };
  struct Memo {
    SmallVector<Coord> coords;
    Value result;
    int level;
  };

  int levelOf(Value value) const;
  int levelOf(ArrayRef<Value> values) const;
  Value compute(Value value, ArrayRef<Coord> coords);
  Value computeElementwise(Operation *op, ArrayRef<Coord> coords);
  Value computeGather(kernel::GatherOp op, ArrayRef<Coord> coords);
  Value computeLoad(access::LoadOp op, ArrayRef<Coord> coords);
  Value computeMap(kernel::MapOp op, ArrayRef<Coord> coords);
  SmallVector<Value> apply(mlir::Region &region, mlir::ValueRange arguments);
  SmallVector<Coord> reshapeCoords(Location loc, ArrayRef<int64_t> from,
                                   ArrayRef<int64_t> to,
                                   ArrayRef<Coord> coords);
  Value indexVector(Location loc, const Coord &coord);
  Value loadIf(Location loc, Value condition, Value pointer, Type element,
               Value fallback, bool isVolatile);
  Value lineLoad(Location loc, Value pointer, Type element, const Mask &mask,
                 Value other);
  void lineStore(Location loc, Value pointer, Value vector, const Mask &mask);
  bool hasMaskedAccess(Type element) const;
  SmallVector<Value>
  forLoop(Value low, Value high, int64_t step, mlir::ValueRange inits,
          llvm::function_ref<SmallVector<Value>(Value, mlir::ValueRange)> body);
  void foldBounds();
  void nestFrom(size_t position, llvm::function_ref<void()> body,
                llvm::function_ref<void()> prepare);
  bool isOpen(int64_t axis) const { return open[axis]; }

  Location loc;
  SmallVector<int64_t> shape;
  sched::LoopAttr loop;
  bool slow;
  SmallVector<Coord> rootCoords;
  SmallVector<bool> open;
  SmallVector<Level> levels;
  llvm::DenseMap<Value, int> valueLevel;
  llvm::DenseMap<Value, SmallVector<Memo, 1>> memo;
  llvm::MapVector<Operation *, Plan> plans;
  access::StoreOp limit;
  /// Where the current step of the vector axis begins.
  Value stepBase;
  /// Whether the bounds on axes inside the vector loop hold from end to end.
  Value deeperHolds;
};

} // namespace trireme::lower

#endif // TRIREME_COMPILER_LOWER_VECTOR_ROOTEMITTER_H
