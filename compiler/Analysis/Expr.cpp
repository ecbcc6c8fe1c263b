//===- Expr.cpp - folding and building of expressions ---------------------===//

#include "compiler/Analysis/Expr.h"

#include "compiler/Dialect/Kernel/Kernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::analysis;

static void profile(llvm::FoldingSetNodeID &id, ExprKind kind, unsigned width,
                    int64_t length, ArrayRef<const Expr *> operands,
                    int64_t constant, Value value, Operation *op) {
  id.AddInteger(static_cast<unsigned>(kind));
  id.AddInteger(width);
  id.AddInteger(length);
  id.AddInteger(constant);
  id.AddPointer(value.getAsOpaquePointer());
  id.AddPointer(op);
  for (const Expr *operand : operands)
    id.AddPointer(operand);
}

void Expr::Profile(llvm::FoldingSetNodeID &id) const {
  profile(id, kind, width, length, operands, constant, value, op);
}

const Expr *ExprContext::get(ExprKind kind, unsigned width, int64_t length,
                             ArrayRef<const Expr *> operands, int64_t constant,
                             Value value, Operation *op) {
  llvm::FoldingSetNodeID id;
  profile(id, kind, width, length, operands, constant, value, op);
  void *place;
  if (Expr *found = exprs.FindNodeOrInsertPos(id, place))
    return found;
  Expr *expr = new (allocator.Allocate<Expr>()) Expr();
  expr->kind = kind;
  expr->width = width;
  expr->length = length;
  expr->constant = constant;
  expr->value = value;
  expr->op = op;
  expr->operands = operands.copy(allocator);
  exprs.InsertNode(expr, place);
  return expr;
}

/// The signed value of the low `width` bits.
static int64_t wrap(uint64_t value, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(value)
                     : llvm::SignExtend64(value, width);
}

const Expr *ExprContext::constant(int64_t value, unsigned width) {
  return get(ExprKind::Constant, width, 0, {}, wrap(value, width));
}

const Expr *ExprContext::leaf(Value value, unsigned width, int64_t length) {
  return get(ExprKind::Leaf, width, length, {}, 0, value);
}

const Expr *ExprContext::clone(Operation *op, ArrayRef<const Expr *> operands,
                               unsigned width) {
  int64_t length = 0;
  for (const Expr *operand : operands)
    length = std::max(length, operand->length);
  return get(ExprKind::Clone, width, length, operands, 0, {}, op);
}

const Expr *ExprContext::iota(int64_t length, unsigned width) {
  return get(ExprKind::Iota, width, length, {});
}

const Expr *ExprContext::add(const Expr *a, const Expr *b) {
  if (a->isConstant())
    std::swap(a, b);
  if (b->isConstant(0))
    return a;
  if (b->isConstant()) {
    if (a->isConstant())
      return constant(uint64_t(a->constant) + uint64_t(b->constant), a->width);
    if (a->kind == ExprKind::Add && a->operands[1]->isConstant())
      return add(a->operands[0], add(a->operands[1], b));
  }
  return get(ExprKind::Add, a->width, std::max(a->length, b->length), {a, b});
}

const Expr *ExprContext::sub(const Expr *a, const Expr *b) {
  if (a == b && !a->isVector())
    return constant(0, a->width);
  if (b->isConstant())
    return add(a, constant(-uint64_t(b->constant), b->width));
  return get(ExprKind::Sub, a->width, std::max(a->length, b->length), {a, b});
}

const Expr *ExprContext::mul(const Expr *a, const Expr *b) {
  if (a->isConstant())
    std::swap(a, b);
  if (b->isConstant(1))
    return a;
  if (b->isConstant(0))
    return b;
  if (a->isConstant())
    return constant(uint64_t(a->constant) * uint64_t(b->constant), a->width);
  return get(ExprKind::Mul, a->width, std::max(a->length, b->length), {a, b});
}

const Expr *ExprContext::sext(const Expr *a, unsigned width) {
  if (a->width == width)
    return a;
  if (a->isConstant())
    return constant(a->constant, width);
  if (a->kind == ExprKind::SExt)
    return sext(a->operands[0], width);
  return get(ExprKind::SExt, width, a->length, {a});
}

const Expr *ExprContext::zext(const Expr *a, unsigned width) {
  if (a->width == width)
    return a;
  if (a->isConstant())
    return constant(uint64_t(a->constant) &
                        llvm::maskTrailingOnes<uint64_t>(a->width),
                    width);
  return get(ExprKind::ZExt, width, a->length, {a});
}

const Expr *ExprContext::trunc(const Expr *a, unsigned width) {
  if (a->width == width)
    return a;
  if (a->isConstant())
    return constant(a->constant, width);
  if (a->kind == ExprKind::SExt || a->kind == ExprKind::ZExt) {
    const Expr *source = a->operands[0];
    if (source->width >= width)
      return trunc(source, width);
    return a->kind == ExprKind::SExt ? sext(source, width)
                                     : zext(source, width);
  }
  return get(ExprKind::Trunc, width, a->length, {a});
}

const Expr *ExprContext::min(const Expr *a, const Expr *b) {
  if (a == b)
    return a;
  if (a->isConstant() && b->isConstant())
    return a->constant < b->constant ? a : b;
  if (a->isConstant())
    std::swap(a, b);
  return get(ExprKind::MinS, a->width, std::max(a->length, b->length), {a, b});
}

const Expr *ExprContext::max(const Expr *a, const Expr *b) {
  if (a == b)
    return a;
  if (a->isConstant() && b->isConstant())
    return a->constant > b->constant ? a : b;
  if (a->isConstant())
    std::swap(a, b);
  return get(ExprKind::MaxS, a->width, std::max(a->length, b->length), {a, b});
}

const Expr *ExprContext::floorDiv(const Expr *a, int64_t divisor) {
  assert(divisor > 0 && "the divisor is a positive constant");
  if (divisor == 1)
    return a;
  if (a->isConstant())
    return constant(llvm::divideFloorSigned(a->constant, divisor), a->width);
  return get(ExprKind::FloorDiv, a->width, a->length,
             {a, constant(divisor, a->width)});
}

/// Largest and smallest value of a signed number of so many bits.
static int64_t getMax(unsigned bits) {
  return llvm::maxIntN(std::min(bits, 64u));
}
static int64_t getMin(unsigned bits) {
  return llvm::minIntN(std::min(bits, 64u));
}

const Expr *ExprContext::lessEqual(const Expr *a, const Expr *b) {
  if (a == b)
    return constant(1, 1);
  if (a->isConstant() && b->isConstant())
    return constant(a->constant <= b->constant, 1);
  if (b->isConstant() && getMax(getSignedBits(a)) <= b->constant)
    return constant(1, 1);
  if (a->isConstant() && a->constant <= getMin(getSignedBits(b)))
    return constant(1, 1);
  return get(ExprKind::LessEqual, 1, std::max(a->length, b->length), {a, b});
}

const Expr *ExprContext::logicalAnd(const Expr *a, const Expr *b) {
  if (a == b)
    return a;
  if (a->isConstant())
    std::swap(a, b);
  if (b->isConstant())
    return b->constant ? a : b;
  return get(ExprKind::And, 1, std::max(a->length, b->length), {a, b});
}

const Expr *ExprContext::reduceMin(const Expr *a) {
  return a->isVector() ? get(ExprKind::ReduceMin, a->width, 0, {a}) : a;
}

const Expr *ExprContext::reduceMax(const Expr *a) {
  return a->isVector() ? get(ExprKind::ReduceMax, a->width, 0, {a}) : a;
}

unsigned analysis::getSignedBits(const Expr *expr) {
  auto operandBits = [&](unsigned i) {
    return getSignedBits(expr->operands[i]);
  };
  switch (expr->kind) {
  case ExprKind::Constant: {
    uint64_t magnitude = expr->constant < 0 ? ~expr->constant : expr->constant;
    return llvm::bit_width(magnitude) + 1;
  }
  case ExprKind::SExt:
    return operandBits(0);
  case ExprKind::ZExt:
    return std::min(expr->width, expr->operands[0]->width + 1);
  case ExprKind::Add:
  case ExprKind::Sub:
    return std::min(expr->width, std::max(operandBits(0), operandBits(1)) + 1);
  case ExprKind::Mul:
    return std::min(expr->width, operandBits(0) + operandBits(1));
  case ExprKind::MinS:
  case ExprKind::MaxS:
    return std::max(operandBits(0), operandBits(1));
  case ExprKind::FloorDiv:
  case ExprKind::ReduceMin:
  case ExprKind::ReduceMax:
    return operandBits(0);
  case ExprKind::Iota:
    return std::min<unsigned>(expr->width,
                              llvm::bit_width(uint64_t(expr->length)) + 1);
  default:
    return expr->width;
  }
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Of two values that both dominate one place, the one defined later.
static Value getLater(Value a, Value b) {
  if (!a)
    return b;
  Block *blockA = a.getParentBlock(), *blockB = b.getParentBlock();
  if (blockA == blockB) {
    Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
    if (!opA)
      return b;
    return opB && opA->isBeforeInBlock(opB) ? b : a;
  }
  return blockA->getParent()->isAncestor(blockB->getParent()) ? b : a;
}

Value Materializer::materialize(const Expr *expr, Location loc) {
  if (Value value = built.lookup(expr))
    return value;
  Value value;
  if (expr->kind == ExprKind::Leaf) {
    value = getLeaf(expr->value);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && type.getRank() != 1) {
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      auto flat =
          RankedTensorType::get(type.getNumElements(), type.getElementType());
      ReassociationIndices all =
          llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
      value = tensor::CollapseShapeOp::create(
          builder, loc, flat, value, ArrayRef<ReassociationIndices>(all));
    }
  } else {
    SmallVector<Value> operands;
    Value last;
    for (const Expr *operand : expr->operands) {
      operands.push_back(materialize(operand, loc));
      last = getLater(last, operands.back());
    }
    OpBuilder builder(entry, entry->begin());
    if (last)
      builder.setInsertionPointAfterValue(last);
    // A vector's scalar operands are spread over its elements.
    if (expr->isVector())
      for (Value &operand : operands)
        if (!isa<RankedTensorType>(operand.getType()))
          operand = tensor::SplatOp::create(
              builder, loc, operand,
              RankedTensorType::get(expr->length, operand.getType()));
    value = create(expr, operands, builder, loc);
  }
  built[expr] = value;
  return value;
}

Value Materializer::create(const Expr *expr, ValueRange operands, OpBuilder &b,
                           Location loc) {
  Type element = b.getIntegerType(expr->width);
  Type type = element;
  if (expr->isVector())
    type = RankedTensorType::get(expr->length, element);
  auto reduce = [&](auto combine) -> Value {
    auto op = kernel::ReduceOp::create(b, loc, TypeRange{element}, operands, 0);
    OpBuilder::InsertionGuard guard(b);
    Block *block =
        b.createBlock(&op.getCombine(), {}, {element, element}, {loc, loc});
    kernel::YieldOp::create(b, loc, ValueRange{combine(block)});
    return op.getResult(0);
  };
  switch (expr->kind) {
  case ExprKind::Constant:
    return arith::ConstantOp::create(b, loc,
                                     b.getIntegerAttr(element, expr->constant));
  case ExprKind::Leaf:
    llvm_unreachable("leaves exist already");
  case ExprKind::Clone:
    return cloneElementwise(b, expr->op, operands, type);
  case ExprKind::Iota: {
    Value iota = kernel::IotaOp::create(
        b, loc, RankedTensorType::get(expr->length, b.getI32Type()), 0);
    if (expr->width > 32)
      return arith::ExtSIOp::create(b, loc, type, iota);
    if (expr->width < 32)
      return arith::TruncIOp::create(b, loc, type, iota);
    return iota;
  }
  case ExprKind::Add:
    return arith::AddIOp::create(b, loc, operands[0], operands[1]);
  case ExprKind::Sub:
    return arith::SubIOp::create(b, loc, operands[0], operands[1]);
  case ExprKind::Mul:
    return arith::MulIOp::create(b, loc, operands[0], operands[1]);
  case ExprKind::SExt:
    return arith::ExtSIOp::create(b, loc, type, operands[0]);
  case ExprKind::ZExt:
    return arith::ExtUIOp::create(b, loc, type, operands[0]);
  case ExprKind::Trunc:
    return arith::TruncIOp::create(b, loc, type, operands[0]);
  case ExprKind::MinS:
    return arith::MinSIOp::create(b, loc, operands[0], operands[1]);
  case ExprKind::MaxS:
    return arith::MaxSIOp::create(b, loc, operands[0], operands[1]);
  case ExprKind::FloorDiv: {
    // The divisor is positive: one less where the remainder is negative.
    Value quotient = arith::DivSIOp::create(b, loc, operands[0], operands[1]);
    Value product = arith::MulIOp::create(b, loc, quotient, operands[1]);
    Value above = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                        product, operands[0]);
    Value one = arith::ExtUIOp::create(b, loc, type, above);
    return arith::SubIOp::create(b, loc, quotient, one);
  }
  case ExprKind::LessEqual:
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, operands[0],
                                 operands[1]);
  case ExprKind::And:
    return arith::AndIOp::create(b, loc, operands[0], operands[1]);
  case ExprKind::ReduceMin:
    return reduce([&](Block *block) -> Value {
      return arith::MinSIOp::create(b, loc, block->getArgument(0),
                                    block->getArgument(1));
    });
  case ExprKind::ReduceMax:
    return reduce([&](Block *block) -> Value {
      return arith::MaxSIOp::create(b, loc, block->getArgument(0),
                                    block->getArgument(1));
    });
  }
  llvm_unreachable("covered switch");
}
