//===- ExpandBlockPointers.cpp - pointers to blocks as their parts --------===//
//
// A pointer to a block becomes where its tensor begins and, for each axis, an
// extent, a stride and an offset, all of 64 bits. Loads and stores through it
// become those of a block of pointers with a mask.
//
//===----------------------------------------------------------------------===//

#include "compiler/Dialect/TT/TT.h"
#include "compiler/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace trireme::transforms {
#define GEN_PASS_DEF_EXPANDBLOCKPOINTERSPASS
#include "compiler/Transforms/Passes.h.inc"
} // namespace trireme::transforms

using namespace mlir;
using namespace trireme;

static bool isBlockPointer(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(type);
  return pointer && pointer.pointsToBlock();
}

namespace {

/// The parts of a pointer to a block, in the order in which they are carried.
struct Parts {
  explicit Parts(ValueRange parts) {
    size_t rank = parts.size() / 3;
    base = parts.front();
    shape = parts.slice(1, rank);
    strides = parts.slice(1 + rank, rank);
    offsets = parts.slice(1 + 2 * rank, rank);
  }
  Value base;
  ValueRange shape, strides, offsets;
};

/// Blocks of numbers of 64 bits over the axes of `shape`.
struct Indices {
  OpBuilder &b;
  Location loc;
  ArrayRef<int64_t> shape;

  Value splat(Value scalar, ArrayRef<int64_t> extents) {
    return tt::SplatOp::create(
        b, loc, RankedTensorType::get(extents, scalar.getType()), scalar);
  }

  Value broadcast(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return tt::BroadcastOp::create(
        b, loc, RankedTensorType::get(shape, type.getElementType()), value);
  }

  /// `offset` + 0, 1, .. along `axis`, with extent 1 along all others.
  Value along(size_t axis, Value offset) {
    int32_t extent = shape[axis];
    Value lane = tt::MakeRangeOp::create(
        b, loc, RankedTensorType::get({extent}, b.getI32Type()), 0, extent);
    lane = arith::ExtSIOp::create(
        b, loc, RankedTensorType::get({extent}, b.getI64Type()), lane);
    Value index = arith::AddIOp::create(b, loc, lane, splat(offset, {extent}));
    SmallVector<int64_t> extents{extent};
    for (size_t other = 0; other < shape.size(); ++other) {
      if (other == axis)
        continue;
      extents.insert(extents.begin() + other, 1);
      index = tt::ExpandDimsOp::create(
          b, loc, RankedTensorType::get(extents, b.getI64Type()), index, other);
    }
    return index;
  }

  /// 0 <= `index` < `extent`
  Value within(Value index, Value extent) {
    auto type = cast<RankedTensorType>(index.getType());
    Value zero = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, b.getI64IntegerAttr(0)));
    Value low =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, index, zero);
    Value high = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index,
                                       splat(extent, type.getShape()));
    return arith::AndIOp::create(b, loc, low, high);
  }
};

/// Pointers to the elements, and a mask if any axis is checked.
std::pair<Value, Value> getAddresses(OpBuilder &b, Location loc, Parts parts,
                                     ArrayRef<int64_t> shape,
                                     ArrayRef<int32_t> checked) {
  Indices indices{b, loc, shape};
  Value total, mask;
  auto add = [&](Value &sum, Value term, auto combine) {
    term = indices.broadcast(term);
    sum = sum ? combine(sum, term) : term;
  };
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    Value index = indices.along(axis, parts.offsets[axis]);
    auto type = cast<RankedTensorType>(index.getType());
    Value stride = indices.splat(parts.strides[axis], type.getShape());
    add(total, arith::MulIOp::create(b, loc, index, stride),
        [&](Value x, Value y) -> Value {
          return arith::AddIOp::create(b, loc, x, y);
        });
    if (llvm::is_contained(checked, axis))
      add(mask, indices.within(index, parts.shape[axis]),
          [&](Value x, Value y) -> Value {
            return arith::AndIOp::create(b, loc, x, y);
          });
  }
  Value base = indices.splat(parts.base, shape);
  return {tt::AddPtrOp::create(b, loc, base.getType(), base, total), mask};
}

struct ExpandMake : OpConversionPattern<tt::MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{adaptor.getBase()};
    llvm::append_range(parts, adaptor.getShape());
    llvm::append_range(parts, adaptor.getStrides());
    for (Value offset : adaptor.getOffsets())
      parts.push_back(arith::ExtSIOp::create(rewriter, op.getLoc(),
                                             rewriter.getI64Type(), offset));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ExpandAdvance : OpConversionPattern<tt::AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts(adaptor.getPtr());
    size_t rank = op.getOffsets().size();
    for (auto [offset, step] :
         llvm::zip(MutableArrayRef(parts).take_back(rank), op.getOffsets())) {
      Value wide = arith::ExtSIOp::create(rewriter, op.getLoc(),
                                          rewriter.getI64Type(), step);
      offset = arith::AddIOp::create(rewriter, op.getLoc(), offset, wide);
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ExpandLoad : OpConversionPattern<tt::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto [pointers, mask] =
        getAddresses(rewriter, op.getLoc(), Parts(adaptor.getPtr()),
                     type.getShape(), op.getBoundaryCheck());
    Value other;
    if (op.getPadding() == tt::PaddingOption::PAD_NAN) {
      auto element = cast<FloatType>(type.getElementType());
      other = arith::ConstantOp::create(
          rewriter, op.getLoc(),
          DenseElementsAttr::get(type,
                                 APFloat::getNaN(element.getFloatSemantics())));
    }
    auto load =
        tt::LoadOp::create(rewriter, op.getLoc(), pointers, mask, other,
                           op.getCache(), op.getEvict(), op.getIsVolatile(),
                           ArrayRef<int32_t>(), tt::PaddingOptionAttr());
    load->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, load);
    return success();
  }
};

struct ExpandStore : OpConversionPattern<tt::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getValue().getType());
    auto [pointers, mask] =
        getAddresses(rewriter, op.getLoc(), Parts(adaptor.getPtr()),
                     type.getShape(), op.getBoundaryCheck());
    auto store = tt::StoreOp::create(
        rewriter, op.getLoc(), pointers, op.getValue(), mask, op.getCache(),
        op.getEvict(), op.getIgnoreCta(), ArrayRef<int32_t>());
    store->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpandSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [left, right] :
         llvm::zip(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                              op.getCondition(), left, right));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// What lifted control flow passes where a value is not defined.
struct ExpandPoison : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return failure();
    SmallVector<Value> parts;
    for (Type type : types)
      parts.push_back(ub::PoisonOp::create(rewriter, op.getLoc(), type));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ExpandBlockPointersPass
    : transforms::impl::ExpandBlockPointersPassBase<ExpandBlockPointersPass> {
  void runOnOperation() override {
    bool found = false;
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      if (llvm::any_of(function.getArgumentTypes(), isBlockPointer)) {
        function.emitError("a kernel takes no pointer to a block; make one "
                           "with tt.make_tensor_ptr");
        return signalPassFailure();
      }
      function.walk([&](tt::MakeTensorPtrOp) { found = true; });
    }
    // Files of today have none, and pay nothing.
    if (found)
      expand();
  }

  void expand() {
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](tt::PointerType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          if (!type.pointsToBlock())
            return std::nullopt;
          int64_t rank =
              cast<RankedTensorType>(type.getPointeeType()).getRank();
          parts.push_back(tt::getElementPointer(type));
          parts.append(3 * rank, IntegerType::get(type.getContext(), 64));
          return success();
        });
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandMake, ExpandAdvance, ExpandLoad, ExpandStore,
                 ExpandSelect, ExpandPoison>(converter, &getContext());
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return llvm::none_of(op->getOperandTypes(), isBlockPointer) &&
             llvm::none_of(op->getResultTypes(), isBlockPointer);
    });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (failed(applyPartialConversion(function, target, frozen)))
        return signalPassFailure();
  }
};

} // namespace
