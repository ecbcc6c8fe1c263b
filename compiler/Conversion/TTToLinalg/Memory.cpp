//===- Memory.cpp - loads, stores and pointer arithmetic ------------------===//

#include "Converter.h"

#include "compiler/Dialect/Access/Access.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::analysis;
using namespace trireme::conversion;

namespace {

/// The operands that loads and stores have in common.
struct Access {
  Value base, offset, pred, mask, valid, addresses, exactMask;
  SmallVector<Value> strides, terms, lows, highs;
  SmallVector<int32_t> termAxes, boundAxes;
};

} // namespace

/// The exact form: every address and the mask as the user computed them.
static void setExactForm(Converter &converter, Access &access, Value pointer,
                         Value mask) {
  access.addresses = converter.get(pointer);
  if (mask)
    access.exactMask = converter.get(mask);
}

/// Whether a term stands in the way of reading vectors along an axis, and does
/// not if remainders are taken for consecutive numbers.
static bool isBetterUnwrapped(const PointerDomain &wrapped,
                              const PointerDomain &unwrapped) {
  for (auto [axis, other] : llvm::zip(wrapped.index.axes, unwrapped.index.axes))
    if (axis.term && !other.term && other.stride->isConstant(1))
      return true;
  return false;
}

/// Whether a block is read by matrix products only, through element-wise
/// operations.
static bool isFactor(Operation *op, unsigned depth = 0) {
  return depth < 8 && !op->use_empty() &&
         llvm::all_of(
             op->getUsers(),
             [&](Operation *user) {
               return isa<tt::DotOp>(user) ||
                      (user->hasTrait<OpTrait::Elementwise>() &&
                       isFactor(user, depth + 1));
             });
}

/// `op`: the load or store. Where an edge wraps around inside a block that only
/// matrix products read, these copy it, which is all that the exact form costs.
static Access createAccess(Converter &converter, Operation *op, Value pointer,
                           Value mask) {
  Location loc = op->getLoc();
  Access access;
  ExprContext &exprs = converter.exprs;
  auto build = [&](const Expr *expr) {
    return converter.materialize(expr, loc);
  };
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  if (!type) {
    access.base = converter.get(pointer);
    if (mask && !matchPattern(mask, m_One()))
      access.pred = converter.get(mask);
    return access;
  }

  const PointerDomain *domain = converter.pointers.get(pointer);
  if (domain &&
      llvm::any_of(domain->index.axes,
                   [](const AxisIndex &axis) { return axis.term; }) &&
      isFactor(op)) {
    const PointerDomain *unwrapped = converter.unwrappedPointers.get(pointer);
    if (unwrapped && isBetterUnwrapped(*domain, *unwrapped))
      domain = unwrapped;
  }
  MaskDomain touched = mask ? converter.masks.get(mask) : MaskDomain();
  const Expr *valid = exprs.constant(1, 1);
  if (domain) {
    for (const Expr *condition : domain->index.conditions)
      valid = exprs.logicalAnd(valid, condition);
    for (const Expr *condition : touched.conditions)
      valid = exprs.logicalAnd(valid, condition);
  }
  // Never valid is as good as unknown.
  if (!domain || valid->isConstant(0)) {
    setExactForm(converter, access, pointer, mask);
    return access;
  }

  const IndexDomain &index = domain->index;
  ArrayRef<int64_t> shape = type.getShape();
  access.base = converter.get(domain->base);
  if (!index.offset->isConstant(0))
    access.offset = build(index.offset);
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    const AxisIndex &along = index.axes[axis];
    access.strides.push_back(
        build(shape[axis] == 1 ? exprs.constant(0, 64) : along.stride));
    if (along.term) {
      access.terms.push_back(build(along.term));
      access.termAxes.push_back(axis);
    }
  }
  for (const AxisBound &bound : touched.bounds) {
    access.boundAxes.push_back(bound.axis);
    access.lows.push_back(build(bound.low ? bound.low : exprs.constant(0, 64)));
    access.highs.push_back(
        build(bound.high ? bound.high : exprs.constant(shape[bound.axis], 64)));
  }
  if (touched.pred)
    access.pred = build(touched.pred);
  for (Value rest : touched.rest) {
    Value value = converter.get(rest);
    access.mask = access.mask ? arith::AndIOp::create(converter.b, loc,
                                                      access.mask, value)
                              : value;
  }
  if (!valid->isConstant()) {
    access.valid = build(valid);
    setExactForm(converter, access, pointer, mask);
  }
  return access;
}

static Type getPointee(Value pointer) {
  return cast<tt::PointerType>(getElementTypeOrSelf(pointer.getType()))
      .getPointeeType();
}

/// What `other` adds to a load: nothing if it is 0, and a scalar if it is
/// uniform.
static Value getOther(Converter &converter, Value other) {
  if (matchPattern(other, m_Zero()) || matchPattern(other, m_PosZeroFloat()))
    return {};
  if (auto splat = other.getDefiningOp<tt::SplatOp>()) {
    if (matchPattern(splat.getSrc(), m_Zero()) ||
        matchPattern(splat.getSrc(), m_PosZeroFloat()))
      return {};
    return converter.get(splat.getSrc());
  }
  SplatElementsAttr constant;
  if (matchPattern(other, m_Constant(&constant)))
    return arith::ConstantOp::create(converter.b, other.getLoc(),
                                     Converter::convertNumber(cast<TypedAttr>(
                                         constant.getSplatValue<Attribute>())));
  return converter.get(other);
}

Type conversion::withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), element);
  return element;
}

/// A value as it lies in memory: i1 as bytes, pointers as numbers.
static Value toMemory(OpBuilder &b, Location loc, Value value) {
  if (getElementTypeOrSelf(value.getType()).isInteger(1))
    return arith::ExtUIOp::create(
        b, loc, withElement(value.getType(), b.getI8Type()), value);
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), value);
  return value;
}

static LogicalResult convertLoad(Converter &converter, tt::LoadOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Type type = Converter::convertType(op.getType());
  Type memoryType =
      withElement(type, getMemoryType(getElementTypeOrSelf(op.getType())));
  Access access = createAccess(converter, op, op.getPtr(), op.getMask());
  Value other;
  if (op.getMask() && op.getOther())
    if ((other = getOther(converter, op.getOther())))
      other = toMemory(b, loc, other);
  Value loaded = access::LoadOp::create(
      b, loc, memoryType, access.base, access.offset, access.strides,
      access.terms, access.lows, access.highs, access.pred, access.mask, other,
      access.valid, access.addresses, access.exactMask, access.termAxes,
      access.boundAxes, op.getIsVolatile());
  if (getElementTypeOrSelf(type).isInteger(1))
    loaded = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, loaded,
                                   createZero(b, loc, memoryType));
  else if (isa<LLVM::LLVMPointerType>(type))
    loaded = LLVM::IntToPtrOp::create(b, loc, type, loaded);
  converter.set(op, loaded);
  return success();
}

static LogicalResult convertStore(Converter &converter, tt::StoreOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Access access = createAccess(converter, op, op.getPtr(), op.getMask());
  Value value = toMemory(b, loc, converter.get(op.getValue()));
  access::StoreOp::create(b, loc, value, access.base, access.offset,
                          access.strides, access.terms, access.lows,
                          access.highs, access.pred, access.mask, access.valid,
                          access.addresses, access.exactMask, access.termAxes,
                          access.boundAxes, /*isVolatile=*/false);
  return success();
}

/// The number as a signed one of 64 bits.
static Value extendOffset(OpBuilder &b, Location loc, Value offset) {
  if (getElementTypeOrSelf(offset.getType()).isInteger(64))
    return offset;
  return arith::ExtSIOp::create(
      b, loc, withElement(offset.getType(), b.getI64Type()), offset);
}

static LogicalResult convertAddPtr(Converter &converter, tt::AddPtrOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Type pointee = getPointee(op.getPtr());
  Value pointer = converter.get(op.getPtr());
  Value offset = extendOffset(b, loc, converter.get(op.getOffset()));
  if (auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType())) {
    Type element = getMemoryType(pointee);
    if (!LLVM::isCompatibleType(element))
      element = b.getIntegerType(8 * getMemorySize(pointee));
    converter.set(op, LLVM::GEPOp::create(b, loc, type, element, pointer,
                                          ArrayRef<LLVM::GEPArg>{offset}));
    return success();
  }
  int64_t size = getMemorySize(pointee);
  if (size != 1)
    offset = arith::MulIOp::create(b, loc, offset,
                                   createInt(b, loc, offset.getType(), size));
  converter.set(op, arith::AddIOp::create(b, loc, pointer, offset));
  return success();
}

static LogicalResult convertPtrToInt(Converter &converter, tt::PtrToIntOp op) {
  OpBuilder &b = converter.b;
  Value source = converter.get(op.getSrc());
  Type type = Converter::convertType(op.getType());
  if (isa<LLVM::LLVMPointerType>(source.getType()))
    source = LLVM::PtrToIntOp::create(b, op.getLoc(), b.getI64Type(), source);
  if (source.getType() != type)
    source = arith::TruncIOp::create(b, op.getLoc(), type, source);
  converter.set(op, source);
  return success();
}

static LogicalResult convertIntToPtr(Converter &converter, tt::IntToPtrOp op) {
  OpBuilder &b = converter.b;
  Value source = converter.get(op.getSrc());
  Type type = Converter::convertType(op.getType());
  Type wide = withElement(source.getType(), b.getI64Type());
  if (source.getType() != wide)
    source = arith::ExtUIOp::create(b, op.getLoc(), wide, source);
  if (isa<LLVM::LLVMPointerType>(type))
    source = LLVM::IntToPtrOp::create(b, op.getLoc(), type, source);
  converter.set(op, source);
  return success();
}

static LogicalResult convertBitcast(Converter &converter, tt::BitcastOp op) {
  Value source = converter.get(op.getSrc());
  Type type = Converter::convertType(op.getType());
  // Pointers differ in what they point at only.
  if (source.getType() == type)
    converter.set(op, source);
  else if (isa<LLVM::LLVMPointerType>(type) ||
           isa<LLVM::LLVMPointerType>(source.getType()))
    return refuse(op, "between pointers and numbers");
  else
    converter.set(
        op, arith::BitcastOp::create(converter.b, op.getLoc(), type, source));
  return success();
}

void conversion::addMemoryHandlers(Handlers &handlers) {
  handlers.add<tt::LoadOp, convertLoad>();
  handlers.add<tt::StoreOp, convertStore>();
  handlers.add<tt::AddPtrOp, convertAddPtr>();
  handlers.add<tt::PtrToIntOp, convertPtrToInt>();
  handlers.add<tt::IntToPtrOp, convertIntToPtr>();
  handlers.add<tt::BitcastOp, convertBitcast>();
}
