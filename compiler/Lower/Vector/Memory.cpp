//===- Memory.cpp - loads and stores of elements and vectors --------------===//

#include "compiler/Lower/Vector/RootEmitter.h"
#include "compiler/Support/Diagnostics.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

static std::optional<int64_t> constantOf(Value value) {
  APInt result;
  if (value && matchPattern(value, m_ConstantInt(&result)))
    return result.getSExtValue();
  return std::nullopt;
}

static void remarkTail(Location loc, Type element, llvm::StringRef verb) {
  support::remarkPerformance(loc,
                             "the target has no masked access to elements of " +
                                 llvm::Twine(element.getIntOrFloatBitWidth()) +
                                 " bits: a vector that is partly masked is " +
                                 verb + " one element at a time");
}

bool RootEmitter::hasMaskedAccess(Type element) const {
  unsigned least = kernel.options.maskBits;
  return least != 0 && element.getIntOrFloatBitWidth() >= least;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {
/// An address split into what all lanes share and what differs.
struct Address {
  Value pointer;
  /// Offsets of the lanes in elements (vector of i64); null when consecutive.
  Value lanes;
  bool consecutive = false;

  bool isScalar() const { return !lanes && !consecutive; }
};
} // namespace

/// Pointer plus `terms` elements, those known at outer levels added there.
static Value offsetPointer(RootEmitter &root, Location loc, Value pointer,
                           Type element, ArrayRef<Value> outer,
                           ArrayRef<Value> inner) {
  Type pointerType = LLVM::LLVMPointerType::get(pointer.getContext());
  for (ArrayRef<Value> part : {outer, inner}) {
    Value sum;
    for (Value term : part)
      sum = root.add(loc, sum, term);
    if (sum && constantOf(sum) != 0)
      pointer = root.make<LLVM::GEPOp>(loc, pointerType, element, pointer,
                                       ValueRange{sum});
  }
  return pointer;
}

/// The address of `coords` in `place`. `levelOf` orders the terms.
static Address addressOf(RootEmitter &root, Location loc, const Place &place,
                         ArrayRef<Coord> coords,
                         llvm::function_ref<int(Value)> levelOf,
                         int innermost) {
  SmallVector<Value> outer, inner;
  auto addTerm = [&](Value term) {
    if (constantOf(term) == 0)
      return;
    (levelOf(term) < innermost ? outer : inner).push_back(term);
  };
  Value vector, laneStride;
  auto addVector = [&](Value indices) {
    vector = vector ? root.make<arith::AddIOp>(loc, vector, indices) : indices;
  };
  if (place.offset)
    addTerm(place.offset);
  for (auto [coord, stride] : llvm::zip(coords, place.strides)) {
    if (constantOf(stride) == 0)
      continue;
    if (coord.vector) {
      addVector(constantOf(stride) == 1
                    ? coord.vector
                    : root.make<arith::MulIOp>(loc, coord.vector,
                                               root.broadcast(loc, stride)));
      continue;
    }
    addTerm(root.mul(loc, coord.base, stride));
    if (coord.lane)
      laneStride = root.add(loc, laneStride, stride);
  }
  for (Value extra : place.extra) {
    if (isa<VectorType>(extra.getType()))
      addVector(extra);
    else
      addTerm(extra);
  }
  llvm::stable_sort(outer,
                    [&](Value a, Value b) { return levelOf(a) < levelOf(b); });
  Address address;
  address.pointer =
      offsetPointer(root, loc, place.pointer, place.storageType, outer, inner);
  if (laneStride && !vector && constantOf(laneStride) == 1) {
    address.consecutive = true;
  } else if (laneStride || vector) {
    if (laneStride)
      addVector(root.make<arith::MulIOp>(loc, root.step(64),
                                         root.broadcast(loc, laneStride)));
    address.lanes = vector;
  }
  return address;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value RootEmitter::laneMask(Location loc, const Mask &mask) {
  Value lanes = mask.lanes;
  if (mask.prefix) {
    Value count = maximum(loc, minimum(loc, mask.prefix, kernel.index(width())),
                          kernel.index(0));
    count = make<arith::TruncIOp>(loc, b.getI32Type(), count);
    lanes = both(loc, lanes,
                 compare(loc, arith::CmpIPredicate::slt, step(32),
                         broadcast(loc, count)));
  }
  if (mask.uniform)
    lanes = both(loc, lanes, broadcast(loc, mask.uniform));
  if (!lanes)
    lanes = broadcast(loc, kernel.constant(b.getBoolAttr(true)));
  return lanes;
}

Mask RootEmitter::maskOf(const AccessView &access, ArrayRef<Coord> coords) {
  Location loc = access.op->getLoc();
  Mask mask;
  auto bound = [&](unsigned i) {
    const Coord &coord = coords[access.boundAxes[i]];
    Value low = kernel.scalar(access.lows[i]),
          high = kernel.scalar(access.highs[i]);
    Value at = coord.isUniform() ? coord.base : indexVector(loc, coord);
    bool vector = !coord.isUniform() && width() > 1;
    Value inside;
    if (!(constantOf(low) && *constantOf(low) <= 0))
      inside = compare(loc, arith::CmpIPredicate::sge, at,
                       vector ? broadcast(loc, low) : low);
    if (!(constantOf(high) &&
          *constantOf(high) >= access.shape[access.boundAxes[i]]))
      inside = both(loc, inside,
                    compare(loc, arith::CmpIPredicate::slt, at,
                            vector ? broadcast(loc, high) : high));
    if (!inside)
      return;
    Value &part = vector ? mask.lanes : mask.uniform;
    part = both(loc, part, inside);
  };
  auto plan = plans.find(access.op);
  Value laneBase;
  if (width() > 1 && plan != plans.end() && plan->second.foldable)
    for (auto [coord, axis] : llvm::zip(coords, plan->second.axes))
      if (axis == loop.getLane() && coord.lane)
        laneBase = coord.base;
  if (laneBase) {
    if (masked) {
      for (unsigned i : plan->second.deeper)
        bound(i);
      if (Value high = plan->second.high)
        mask.prefix = sub(loc, high, laneBase);
      if (Value low = plan->second.low) {
        Value first = sub(loc, low, laneBase);
        mask.lanes = both(loc, mask.lanes,
                          compare(loc, arith::CmpIPredicate::sge, step(64),
                                  broadcast(loc, first)));
      }
    }
  } else {
    for (unsigned i = 0; i < access.boundAxes.size(); ++i)
      bound(i);
    if (access.pred)
      mask.uniform = both(loc, mask.uniform, kernel.scalar(access.pred));
  }
  if (access.mask) {
    Value rest = eval(access.mask, coords);
    Value &part = isa<VectorType>(rest.getType()) ? mask.lanes : mask.uniform;
    part = both(loc, part, rest);
  }
  return mask;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// One element if `condition`, else `fallback`, at the outermost level
/// possible.
Value RootEmitter::loadIf(Location loc, Value condition, Value pointer,
                          Type element, Value fallback, bool isVolatile) {
  int level = levelOf({pointer, condition, fallback});
  OpBuilder::InsertionGuard guard(b);
  if (level + 1 < static_cast<int>(levels.size()))
    b.setInsertionPoint(levels[level].block, levels[level].before);
  auto choice = scf::IfOp::create(
      b, loc, condition,
      [&](OpBuilder &inner, Location loc) {
        Value loaded = LLVM::LoadOp::create(inner, loc, element, pointer,
                                            elementBytes(element), isVolatile);
        scf::YieldOp::create(inner, loc, loaded);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, fallback);
      });
  valueLevel[choice.getResult(0)] = level;
  return choice.getResult(0);
}

Value RootEmitter::load(Location loc, const Place &place,
                        ArrayRef<Coord> coords, Mask mask, Value other) {
  Type element = place.storageType;
  unsigned alignment = elementBytes(element);
  Address address = addressOf(
      *this, loc, place, coords, [&](Value v) { return levelOf(v); },
      static_cast<int>(levels.size()) - 1);
  if (!other)
    other = kernel.zero(element);
  // One element for all lanes, but not all lanes ask for it.
  if (address.isScalar() && (mask.prefix || mask.lanes))
    address.lanes = broadcast(loc, kernel.index(0));

  if (address.isScalar()) {
    if (!mask.uniform)
      return make<LLVM::LoadOp>(loc, element, address.pointer, alignment,
                                place.isVolatile);
    bool otherIsVector = isa<VectorType>(other.getType());
    Value fallback = otherIsVector ? kernel.zero(element) : other;
    Value chosen = loadIf(loc, mask.uniform, address.pointer, element, fallback,
                          place.isVolatile);
    if (!otherIsVector)
      return chosen;
    return make<arith::SelectOp>(loc, broadcast(loc, mask.uniform),
                                 broadcast(loc, chosen), other);
  }

  Type vectorType = vectorOf(element);
  if (address.consecutive) {
    if (mask.isAll())
      return make<LLVM::LoadOp>(loc, vectorType, address.pointer, alignment,
                                place.isVolatile);
    other = broadcast(loc, other);
    if (!hasMaskedAccess(element)) {
      remarkTail(loc, element, "loaded");
      return lineLoad(loc, address.pointer, element, mask, other);
    }
    return make<LLVM::MaskedLoadOp>(loc, vectorType, address.pointer,
                                    laneMask(loc, mask), other, alignment);
  }
  Type pointers =
      VectorType::get({width()}, LLVM::LLVMPointerType::get(b.getContext()));
  Value lanes = make<LLVM::GEPOp>(loc, pointers, element, address.pointer,
                                  ValueRange{address.lanes});
  return make<LLVM::masked_gather>(loc, vectorType, lanes, laneMask(loc, mask),
                                   ValueRange{broadcast(loc, other)},
                                   alignment);
}

/// A masked load where the target has none: the touched elements are copied,
/// one by one, over a line of scratch that holds `other`, and the line is
/// loaded whole.
Value RootEmitter::lineLoad(Location loc, Value pointer, Type element,
                            const Mask &mask, Value other) {
  Value line = kernel.linePointer(0);
  unsigned alignment = elementBytes(element);
  LLVM::StoreOp::create(b, loc, other, line, alignment);
  Value lanes = mask.lanes || mask.uniform ? laneMask(loc, mask) : Value();
  Value count = lanes ? kernel.index(width())
                      : minimum(loc, mask.prefix, kernel.index(width()));
  Value flags = kernel.linePointer(1);
  Type i8 = b.getI8Type();
  if (lanes)
    LLVM::StoreOp::create(
        b, loc, arith::ExtUIOp::create(b, loc, vectorOf(i8), lanes), flags, 1);
  Type pointerType = pointer.getType();
  scf::ForOp::create(
      b, loc, kernel.index(0), count, kernel.index(1), ValueRange{},
      [&](OpBuilder &inner, Location loc, Value i, ValueRange) {
        auto copy = [&](OpBuilder &body, Location loc) {
          Value from = LLVM::GEPOp::create(body, loc, pointerType, element,
                                           pointer, ValueRange{i});
          Value to = LLVM::GEPOp::create(body, loc, pointerType, element, line,
                                         ValueRange{i});
          Value one = LLVM::LoadOp::create(body, loc, element, from, alignment);
          LLVM::StoreOp::create(body, loc, one, to, alignment);
        };
        if (!lanes) {
          copy(inner, loc);
        } else {
          Value at = LLVM::GEPOp::create(inner, loc, pointerType, i8, flags,
                                         ValueRange{i});
          Value flag = LLVM::LoadOp::create(inner, loc, i8, at, 1);
          Value set = arith::CmpIOp::create(
              inner, loc, arith::CmpIPredicate::ne, flag, kernel.zero(i8));
          scf::IfOp::create(inner, loc, set,
                            [&](OpBuilder &body, Location loc) {
                              copy(body, loc);
                              scf::YieldOp::create(body, loc);
                            });
        }
        scf::YieldOp::create(inner, loc);
      });
  Value result =
      LLVM::LoadOp::create(b, loc, vectorOf(element), line, alignment);
  valueLevel[result] = static_cast<int>(levels.size()) - 1;
  return result;
}

Place RootEmitter::slotPlace(Location loc, const Slot &slot) {
  Place place;
  place.pointer = kernel.scratchPointer(slot.offset);
  place.storageType = slot.storageType();
  int64_t stride = 1;
  for (int64_t extent : llvm::reverse(slot.type.getShape())) {
    place.strides.insert(place.strides.begin(), kernel.index(stride));
    stride *= extent;
  }
  return place;
}

Value RootEmitter::loadSlot(Location loc, const Slot &slot,
                            ArrayRef<Coord> coords) {
  Value value = load(loc, slotPlace(loc, slot), coords, Mask(), Value());
  if (!slot.type.getElementType().isInteger(1))
    return value;
  Value zero = kernel.zero(slot.storageType());
  if (isa<VectorType>(value.getType()))
    zero = broadcast(loc, zero);
  return compare(loc, arith::CmpIPredicate::ne, value, zero);
}

Place RootEmitter::placeOf(const AccessView &access, ArrayRef<Coord> coords) {
  Place place;
  place.pointer = kernel.scalar(access.base);
  place.storageType = access.elementType;
  place.isVolatile = access.isVolatile;
  if (access.offset)
    place.offset = kernel.scalar(access.offset);
  for (Value stride : access.strides)
    place.strides.push_back(kernel.scalar(stride));
  for (auto [term, axis] : llvm::zip(access.terms, access.termAxes))
    place.extra.push_back(eval(term, coords[axis]));
  return place;
}

std::pair<Value, Value> RootEmitter::exactElement(const AccessView &access,
                                                  ArrayRef<Coord> coords) {
  Location loc = access.op->getLoc();
  Value address = eval(access.addresses, coords);
  Type pointerType = LLVM::LLVMPointerType::get(b.getContext());
  if (isa<VectorType>(address.getType()))
    pointerType = VectorType::get({width()}, pointerType);
  Value pointer = make<LLVM::IntToPtrOp>(loc, pointerType, address);
  Value condition = access.exactMask ? eval(access.exactMask, coords) : Value();
  return {pointer, condition};
}

Value RootEmitter::computeLoad(access::LoadOp op, ArrayRef<Coord> coords) {
  Location loc = op.getLoc();
  AccessView access = AccessView::of(op);
  Value other;
  if (op.getOther())
    other = isa<RankedTensorType>(op.getOther().getType())
                ? eval(op.getOther(), coords)
                : kernel.scalar(op.getOther());
  if (access.hasSummary() && !(slow && access.valid))
    return load(loc, placeOf(access, coords), coords, maskOf(access, coords),
                other);

  auto [pointer, condition] = exactElement(access, coords);
  Type element = access.elementType;
  bool vector = isa<VectorType>(pointer.getType()) ||
                (condition && isa<VectorType>(condition.getType()));
  if (!vector) {
    Place place;
    place.pointer = pointer;
    place.storageType = element;
    place.isVolatile = access.isVolatile;
    return load(loc, place, {}, Mask{condition, Value(), Value()}, other);
  }
  if (!isa<VectorType>(pointer.getType()))
    pointer = make<vector::BroadcastOp>(
        loc, VectorType::get({width()}, pointer.getType()), pointer);
  Value lanes = broadcast(
      loc, condition ? condition : kernel.constant(b.getBoolAttr(true)));
  return make<LLVM::masked_gather>(
      loc, vectorOf(element), pointer, lanes,
      ValueRange{broadcast(loc, other ? other : kernel.zero(element))},
      elementBytes(element));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static void ifAny(OpBuilder &b, Location loc, Value condition,
                  llvm::function_ref<void(OpBuilder &)> body) {
  if (!condition)
    return body(b);
  scf::IfOp::create(b, loc, condition, [&](OpBuilder &inner, Location loc) {
    body(inner);
    scf::YieldOp::create(inner, loc);
  });
}

void RootEmitter::store(Location loc, const Place &place,
                        ArrayRef<Coord> coords, Value value, Mask mask) {
  Type element = place.storageType;
  unsigned alignment = elementBytes(element);
  Address address = addressOf(
      *this, loc, place, coords, [&](Value v) { return levelOf(v); },
      static_cast<int>(levels.size()) - 1);
  bool vector = isa<VectorType>(value.getType()) || mask.prefix || mask.lanes;
  if (address.isScalar() && !vector) {
    ifAny(b, loc, mask.uniform, [&](OpBuilder &inner) {
      LLVM::StoreOp::create(inner, loc, value, address.pointer, alignment,
                            place.isVolatile);
    });
    return;
  }
  value = broadcast(loc, value);
  if (address.consecutive) {
    if (mask.isAll())
      LLVM::StoreOp::create(b, loc, value, address.pointer, alignment,
                            place.isVolatile);
    else if (hasMaskedAccess(element))
      LLVM::MaskedStoreOp::create(b, loc, value, address.pointer,
                                  laneMask(loc, mask), alignment);
    else {
      remarkTail(loc, element, "stored");
      lineStore(loc, address.pointer, value, mask);
    }
    return;
  }
  // Lanes are written in order, so of equal addresses the last one wins.
  Value lanes = address.lanes ? address.lanes : broadcast(loc, kernel.index(0));
  Type pointers =
      VectorType::get({width()}, LLVM::LLVMPointerType::get(b.getContext()));
  Value to = make<LLVM::GEPOp>(loc, pointers, element, address.pointer,
                               ValueRange{lanes});
  LLVM::masked_scatter::create(b, loc, value, to, laneMask(loc, mask),
                               alignment);
}

void RootEmitter::lineStore(Location loc, Value pointer, Value vector,
                            const Mask &mask) {
  Type element = cast<VectorType>(vector.getType()).getElementType();
  unsigned alignment = elementBytes(element);
  Value line = kernel.linePointer(0), flags = kernel.linePointer(1);
  LLVM::StoreOp::create(b, loc, vector, line, alignment);
  Value lanes = mask.lanes || mask.uniform ? laneMask(loc, mask) : Value();
  Value count = lanes ? kernel.index(width())
                      : minimum(loc, mask.prefix, kernel.index(width()));
  Type i8 = b.getI8Type(), pointerType = pointer.getType();
  if (lanes)
    LLVM::StoreOp::create(
        b, loc, arith::ExtUIOp::create(b, loc, vectorOf(i8), lanes), flags, 1);
  scf::ForOp::create(
      b, loc, kernel.index(0), count, kernel.index(1), ValueRange{},
      [&](OpBuilder &inner, Location loc, Value i, ValueRange) {
        Value set;
        if (lanes) {
          Value at = LLVM::GEPOp::create(inner, loc, pointerType, i8, flags,
                                         ValueRange{i});
          Value flag = LLVM::LoadOp::create(inner, loc, i8, at, 1);
          set = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::ne,
                                      flag, kernel.zero(i8));
        }
        ifAny(inner, loc, set, [&](OpBuilder &body) {
          Value from = LLVM::GEPOp::create(body, loc, pointerType, element,
                                           line, ValueRange{i});
          Value to = LLVM::GEPOp::create(body, loc, pointerType, element,
                                         pointer, ValueRange{i});
          Value one = LLVM::LoadOp::create(body, loc, element, from, alignment);
          LLVM::StoreOp::create(body, loc, one, to, alignment);
        });
        scf::YieldOp::create(inner, loc);
      });
}

void RootEmitter::storeSlot(Location loc, const Slot &slot,
                            ArrayRef<Coord> coords, Value value) {
  if (slot.type.getElementType().isInteger(1)) {
    Type i8 = b.getI8Type();
    value = make<arith::ExtUIOp>(
        loc, isa<VectorType>(value.getType()) ? vectorOf(i8) : i8, value);
  }
  store(loc, slotPlace(loc, slot), coords, value, Mask());
}

void RootEmitter::emitStore(access::StoreOp op, ArrayRef<Coord> coords) {
  Location loc = op.getLoc();
  AccessView access = AccessView::of(op);
  Value value = eval(op.getValue(), coords);
  if (access.hasSummary() && !(slow && access.valid))
    return store(loc, placeOf(access, coords), coords, value,
                 maskOf(access, coords));
  auto [pointer, condition] = exactElement(access, coords);
  Type element = access.elementType;
  bool vector = isa<VectorType>(pointer.getType()) ||
                isa<VectorType>(value.getType()) ||
                (condition && isa<VectorType>(condition.getType()));
  if (!vector) {
    Place place;
    place.pointer = pointer;
    place.storageType = element;
    place.isVolatile = access.isVolatile;
    return store(loc, place, {}, value, Mask{condition, Value(), Value()});
  }
  if (!isa<VectorType>(pointer.getType()))
    pointer = make<vector::BroadcastOp>(
        loc, VectorType::get({width()}, pointer.getType()), pointer);
  Value lanes = broadcast(
      loc, condition ? condition : kernel.constant(b.getBoolAttr(true)));
  LLVM::masked_scatter::create(b, loc, broadcast(loc, value), pointer, lanes,
                               elementBytes(element));
}
