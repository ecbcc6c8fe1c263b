//===- ExpandFloats.cpp - narrow floats without library calls -------------===//

#include "compiler/Lower/LLVM/ExpandFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace trireme;

namespace {

/// Integer and float operations on values of one shape.
class Bits {
public:
  Bits(OpBuilder &b, Location loc, Value like) : b(b), loc(loc) {
    if (auto vector = dyn_cast<VectorType>(like.getType()))
      shape.assign(vector.getShape().begin(), vector.getShape().end());
  }

  Type type(Type element) const {
    return shape.empty() ? element : VectorType::get(shape, element);
  }
  Value constant(Type element, uint64_t bits) {
    TypedAttr scalar = IntegerAttr::get(
        element, APInt(element.getIntOrFloatBitWidth(), bits, false, true));
    if (shape.empty())
      return arith::ConstantOp::create(b, loc, scalar);
    auto vector = cast<ShapedType>(type(element));
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(vector, Attribute(scalar)));
  }
  Value i32(uint64_t bits) { return constant(b.getI32Type(), bits); }
  Value cast_(Type element, Value value) {
    return arith::BitcastOp::create(b, loc, type(element), value);
  }
  Value asFloat(Value value) { return cast_(b.getF32Type(), value); }
  Value asInt(Value value) { return cast_(b.getI32Type(), value); }
  Value f32(uint64_t bits) { return asFloat(i32(bits)); }
  Value widen(Value value) {
    return arith::ExtUIOp::create(b, loc, type(b.getI32Type()), value);
  }
  Value narrow(Value value) {
    return arith::TruncIOp::create(b, loc, type(b.getI16Type()), value);
  }
  template <typename Op> Value op(Value x, Value y) {
    return Op::create(b, loc, x, y);
  }
  Value add(Value x, Value y) { return op<arith::AddIOp>(x, y); }
  Value sub(Value x, Value y) { return op<arith::SubIOp>(x, y); }
  Value And(Value x, Value y) { return op<arith::AndIOp>(x, y); }
  Value Or(Value x, Value y) { return op<arith::OrIOp>(x, y); }
  Value shl(Value x, unsigned n) { return op<arith::ShLIOp>(x, i32(n)); }
  Value shr(Value x, unsigned n) { return op<arith::ShRUIOp>(x, i32(n)); }
  Value atLeast(Value x, uint64_t bound) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, x,
                                 i32(bound));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  OpBuilder &b;
  Location loc;

private:
  SmallVector<int64_t> shape;
};

Value bf16ToF32(Bits &x, Value value) {
  return x.asFloat(x.shl(x.widen(x.cast_(x.b.getI16Type(), value)), 16));
}

Value f32ToBf16(Bits &x, Value value) {
  Value bits = x.asInt(value);
  Value odd = x.And(x.shr(bits, 16), x.i32(1));
  Value rounded = x.shr(x.add(bits, x.add(odd, x.i32(0x7fff))), 16);
  Value quiet = x.Or(x.shr(bits, 16), x.i32(0x40));
  Value nan = x.atLeast(x.And(bits, x.i32(0x7fffffff)), 0x7f800001);
  return x.cast_(x.b.getBF16Type(), x.narrow(x.select(nan, quiet, rounded)));
}

Value f16ToF32(Bits &x, Value value) {
  Value half = x.widen(x.cast_(x.b.getI16Type(), value));
  Value magnitude = x.And(half, x.i32(0x7fff));
  Value shifted = x.shl(magnitude, 13);
  Value normal = x.add(shifted, x.i32(112u << 23));
  Value special = x.add(shifted, x.i32(224u << 23));
  // A subnormal is its bits times 2^-24; both factors and the product are
  // exact.
  Value count =
      arith::SIToFPOp::create(x.b, x.loc, x.type(x.b.getF32Type()), magnitude);
  Value tiny = x.asInt(x.op<arith::MulFOp>(count, x.f32(0x33800000)));
  Value finite = x.select(x.atLeast(magnitude, 0x400), normal, tiny);
  Value result = x.select(x.atLeast(magnitude, 0x7c00), special, finite);
  return x.asFloat(x.Or(result, x.shl(x.And(half, x.i32(0x8000)), 16)));
}

Value f32ToF16(Bits &x, Value value) {
  Value bits = x.asInt(value);
  Value magnitude = x.And(bits, x.i32(0x7fffffff));
  Value odd = x.And(x.shr(magnitude, 13), x.i32(1));
  Value rounded = x.add(magnitude, x.add(odd, x.i32(0xfff)));
  Value normal = x.sub(x.shr(rounded, 13), x.i32(112u << 10));
  // Adding 0.5, whose last bit is worth 2^-24, rounds to a multiple of it.
  Value sum = x.op<arith::AddFOp>(x.asFloat(magnitude), x.f32(0x3f000000));
  Value tiny = x.sub(x.asInt(sum), x.i32(0x3f000000));
  Value finite = x.select(x.atLeast(magnitude, 0x38800000), normal, tiny);
  Value large =
      x.select(x.atLeast(magnitude, 0x477ff000), x.i32(0x7c00), finite);
  Value nan = x.Or(x.i32(0x7e00), x.And(x.shr(magnitude, 13), x.i32(0x3ff)));
  Value result = x.select(x.atLeast(magnitude, 0x7f800001), nan, large);
  result = x.Or(result, x.And(x.shr(bits, 16), x.i32(0x8000)));
  return x.cast_(x.b.getF16Type(), x.narrow(result));
}

/// f64 to f32, rounded to odd: of the two neighbours the one whose last bit is
/// set.
Value f64ToOddF32(Bits &x, Value value) {
  Type f32 = x.type(x.b.getF32Type());
  Value nearest = arith::TruncFOp::create(x.b, x.loc, f32, value);
  Value back = arith::ExtFOp::create(x.b, x.loc, value.getType(), nearest);
  auto magnitude = [&](Value v) { return math::AbsFOp::create(x.b, x.loc, v); };
  auto compare = [&](arith::CmpFPredicate how, Value a, Value b) {
    return arith::CmpFOp::create(x.b, x.loc, how, a, b);
  };
  Value bits = x.asInt(nearest);
  Value away =
      compare(arith::CmpFPredicate::OGT, magnitude(back), magnitude(value));
  Value toZero = x.sub(bits, x.select(away, x.i32(1), x.i32(0)));
  Value inexact = compare(arith::CmpFPredicate::ONE, back, value);
  return x.asFloat(x.select(inexact, x.Or(toZero, x.i32(1)), bits));
}

Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

struct ExpandTrunc : OpRewritePattern<arith::TruncFOp> {
  ExpandTrunc(MLIRContext *context, bool hasF16)
      : OpRewritePattern(context), hasF16(hasF16) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type to = elementOf(op.getResult());
    if (!to.isF16() && !to.isBF16())
      return failure();
    bool wide = elementOf(op.getIn()).isF64();
    if (!wide && to.isF16() && hasF16)
      return failure();
    Bits x(rewriter, op.getLoc(), op.getIn());
    Value value = wide ? f64ToOddF32(x, op.getIn()) : op.getIn();
    if (to.isF16() && hasF16)
      value =
          arith::TruncFOp::create(rewriter, op.getLoc(), op.getType(), value);
    else
      value = to.isBF16() ? f32ToBf16(x, value) : f32ToF16(x, value);
    rewriter.replaceOp(op, value);
    return success();
  }
  bool hasF16;
};

struct ExpandExt : OpRewritePattern<arith::ExtFOp> {
  ExpandExt(MLIRContext *context, bool hasF16)
      : OpRewritePattern(context), hasF16(hasF16) {}
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = elementOf(op.getIn());
    if (!from.isBF16() && !(from.isF16() && !hasF16))
      return failure();
    Bits x(rewriter, op.getLoc(), op.getIn());
    Value value =
        from.isBF16() ? bf16ToF32(x, op.getIn()) : f16ToF32(x, op.getIn());
    if (elementOf(op.getResult()).isF64())
      value = arith::ExtFOp::create(rewriter, op.getLoc(), op.getType(), value);
    rewriter.replaceOp(op, value);
    return success();
  }
  bool hasF16;
};

/// Integers that f32 may round go to bf16 by f64, so that they are rounded
/// once.
template <typename OpT> struct ExpandFromInt : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Value in = op.getIn();
    unsigned width = elementOf(in).getIntOrFloatBitWidth();
    if (!elementOf(op.getResult()).isBF16() || width <= 24)
      return failure();
    Bits x(rewriter, op.getLoc(), in);
    if (width > 53) {
      // The last bits of what f64 may round become one that says if any is set.
      constexpr uint64_t kLow = (1 << 11) - 1, kExact = uint64_t(1) << 53;
      bool isSigned = isa<arith::SIToFPOp>(op);
      auto literal = [&](uint64_t bits) {
        return x.constant(elementOf(in), bits);
      };
      auto compare = [&](arith::CmpIPredicate how, Value value, uint64_t bits) {
        return arith::CmpIOp::create(rewriter, x.loc, how, value,
                                     literal(bits));
      };
      Value distance = isSigned ? x.add(in, literal(kExact)) : in;
      Value rounds = compare(arith::CmpIPredicate::uge, distance,
                             isSigned ? 2 * kExact : kExact);
      Value any =
          compare(arith::CmpIPredicate::ne, x.And(in, literal(kLow)), 0);
      Value sticky = x.select(any, literal(kLow + 1), literal(0));
      Value odd = x.Or(x.And(in, literal(~kLow)), sticky);
      in = x.select(rounds, odd, in);
    }
    Value wide =
        OpT::create(rewriter, x.loc, x.type(rewriter.getF64Type()), in);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return success();
  }
};

/// Arithmetic on narrow floats computes in f32.
LogicalResult computeInF32(ModuleOp module, bool hasF16) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> narrow{BFloat16Type::get(context)};
  if (!hasF16)
    narrow.push_back(Float16Type::get(context));
  TypeConverter types;
  arith::populateEmulateUnsupportedFloatsConversions(types, narrow,
                                                     Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, types);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, types);
  target.addDynamicallyLegalDialect<math::MathDialect>(
      [&](Operation *op) { return types.isLegal(op); });
  target.addLegalOp<vector::BroadcastOp, arith::SelectOp>();
  return applyPartialConversion(module, target, std::move(patterns));
}

/// The integer type of the same layout for a type made of a narrow float, or
/// null.
Type asIntegers(Type type, bool hasF16) {
  Type element = getElementTypeOrSelf(type);
  if (!element.isBF16() && !(element.isF16() && !hasF16))
    return {};
  Type integer = IntegerType::get(type.getContext(), 16);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(integer);
  return integer;
}

Attribute asIntegers(Attribute attribute, bool hasF16) {
  if (auto typed = dyn_cast<TypeAttr>(attribute)) {
    Type type = asIntegers(typed.getValue(), hasF16);
    return type ? TypeAttr::get(type) : Attribute();
  }
  auto constant = dyn_cast<TypedAttr>(attribute);
  Type type = constant ? asIntegers(constant.getType(), hasF16) : Type();
  if (!type)
    return {};
  if (auto scalar = dyn_cast<FloatAttr>(attribute))
    return IntegerAttr::get(type, scalar.getValue().bitcastToAPInt());
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return dense.bitcast(getElementTypeOrSelf(type));
  return {};
}

} // namespace

void lower::retypeNarrowFloats(ModuleOp module, bool hasF16) {
  auto retype = [&](Value value) {
    if (Type type = asIntegers(value.getType(), hasF16))
      value.setType(type);
  };
  module.walk([&](Operation *op) {
    if (isa<FunctionOpInterface>(op))
      return; // the entry's arguments are pointers and numbers of the ABI
    for (Value result : op->getResults())
      retype(result);
    for (NamedAttribute attribute : op->getAttrs())
      if (Attribute changed = asIntegers(attribute.getValue(), hasF16))
        op->setAttr(attribute.getName(), changed);
  });
  module.walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      retype(argument);
  });
}

LogicalResult lower::expandFloats(ModuleOp module, bool hasF16) {
  RewritePatternSet fromIntegers(module.getContext());
  fromIntegers
      .add<ExpandFromInt<arith::SIToFPOp>, ExpandFromInt<arith::UIToFPOp>>(
          module.getContext());
  walkAndApplyPatterns(module, std::move(fromIntegers));
  if (failed(computeInF32(module, hasF16)))
    return failure();
  RewritePatternSet patterns(module.getContext());
  patterns.add<ExpandTrunc, ExpandExt>(module.getContext(), hasF16);
  walkAndApplyPatterns(module, std::move(patterns));
  return success();
}
