//===- Shape.cpp - ranges, splats and changes of shape --------------------===//

#include "Converter.h"

#include "compiler/Dialect/Kernel/Kernel.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

/// The source and map of a generic that only reads through a map.
static std::optional<std::pair<Value, AffineMap>> matchView(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInputs() != 1)
    return std::nullopt;
  auto yield = cast<linalg::YieldOp>(generic.getBody()->getTerminator());
  if (yield.getOperand(0) != generic.getBody()->getArgument(0))
    return std::nullopt;
  return std::make_pair(generic.getDpsInputOperand(0)->get(),
                        generic.getIndexingMapsArray().front());
}

Value conversion::createView(OpBuilder &b, Location loc, Value source,
                             AffineMap map, RankedTensorType type) {
  if (auto splat = source.getDefiningOp<tensor::SplatOp>())
    return tensor::SplatOp::create(b, loc, splat.getInput(), type);
  SplatElementsAttr constant;
  if (matchPattern(source, m_Constant(&constant)))
    return arith::ConstantOp::create(
        b, loc,
        SplatElementsAttr::get(type, constant.getSplatValue<Attribute>()));
  if (source.getType() == type && map.isIdentity())
    return source;
  if (auto view = matchView(source)) {
    source = view->first;
    map = view->second.compose(map);
  }
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  unsigned rank = type.getRank();
  AffineMap maps[] = {map, b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, TypeRange{type}, ValueRange{source}, ValueRange{empty},
             maps, iterators,
             [](OpBuilder &builder, Location loc, ValueRange args) {
               linalg::YieldOp::create(builder, loc, args.front());
             })
      .getResult(0);
}

static RankedTensorType getResultType(Operation *op) {
  return cast<RankedTensorType>(
      Converter::convertType(op->getResult(0).getType()));
}

static LogicalResult convertRange(Converter &converter, tt::MakeRangeOp op) {
  converter.set(
      op, kernel::IotaOp::create(converter.b, op.getLoc(), getResultType(op),
                                 static_cast<int32_t>(op.getStart())));
  return success();
}

static LogicalResult convertSplat(Converter &converter, tt::SplatOp op) {
  OpBuilder &b = converter.b;
  Value source = converter.get(op.getSrc());
  if (isa<LLVM::LLVMPointerType>(source.getType()))
    source = LLVM::PtrToIntOp::create(b, op.getLoc(), b.getI64Type(), source);
  converter.set(
      op, tensor::SplatOp::create(b, op.getLoc(), source, getResultType(op)));
  return success();
}

static LogicalResult convertUnsplat(Converter &converter, tt::UnsplatOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Value source = converter.get(op.getSrc());
  auto type = cast<RankedTensorType>(source.getType());
  if (isa<tt::PointerType>(op.getType()))
    return refuse(op, "pointers");
  auto element = type.getElementType();
  if (type.getRank() > 1)
    source = tensor::CollapseShapeOp::create(
        b, loc, RankedTensorType::get({1}, element), source,
        ArrayRef<ReassociationIndices>(
            llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))));
  // The only element is the sum of all.
  auto reduce = kernel::ReduceOp::create(b, loc, TypeRange{element},
                                         ValueRange{source}, 0);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *block =
        b.createBlock(&reduce.getCombine(), {}, {element, element}, {loc, loc});
    kernel::YieldOp::create(b, loc, ValueRange{block->getArgument(0)});
  }
  converter.set(op, reduce.getResult(0));
  return success();
}

static LogicalResult convertBroadcast(Converter &converter,
                                      tt::BroadcastOp op) {
  OpBuilder &b = converter.b;
  Value source = converter.get(op.getSrc());
  RankedTensorType type = getResultType(op);
  auto from = cast<RankedTensorType>(source.getType()).getShape();
  SmallVector<AffineExpr> exprs;
  for (unsigned axis = 0; axis < from.size(); ++axis)
    exprs.push_back(from[axis] == type.getDimSize(axis)
                        ? b.getAffineDimExpr(axis)
                        : b.getAffineConstantExpr(0));
  AffineMap map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
  converter.set(op, createView(b, op.getLoc(), source, map, type));
  return success();
}

static LogicalResult convertExpandDims(Converter &converter,
                                       tt::ExpandDimsOp op) {
  OpBuilder &b = converter.b;
  RankedTensorType type = getResultType(op);
  SmallVector<AffineExpr> exprs;
  for (unsigned axis = 0; axis < type.getRank(); ++axis)
    if (axis != op.getAxis())
      exprs.push_back(b.getAffineDimExpr(axis));
  AffineMap map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
  converter.set(
      op, createView(b, op.getLoc(), converter.get(op.getSrc()), map, type));
  return success();
}

static LogicalResult convertTrans(Converter &converter, tt::TransOp op) {
  OpBuilder &b = converter.b;
  RankedTensorType type = getResultType(op);
  // Axis i of the result is axis order[i] of the source.
  SmallVector<AffineExpr> exprs(type.getRank());
  for (auto [axis, source] : llvm::enumerate(op.getOrder()))
    exprs[source] = b.getAffineDimExpr(axis);
  AffineMap map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
  converter.set(
      op, createView(b, op.getLoc(), converter.get(op.getSrc()), map, type));
  return success();
}

static LogicalResult convertReshape(Converter &converter, tt::ReshapeOp op) {
  OpBuilder &b = converter.b;
  Location loc = op.getLoc();
  Value source = converter.get(op.getSrc());
  RankedTensorType type = getResultType(op);
  auto sourceType = cast<RankedTensorType>(source.getType());
  auto all = [](int64_t rank) {
    ReassociationIndices indices =
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rank));
    return SmallVector<ReassociationIndices>{indices};
  };
  if (sourceType == type) {
    converter.set(op, source);
    return success();
  }
  if (auto splat = source.getDefiningOp<tensor::SplatOp>()) {
    converter.set(op, tensor::SplatOp::create(b, loc, splat.getInput(), type));
    return success();
  }
  if (sourceType.getRank() > 1)
    source = tensor::CollapseShapeOp::create(
        b, loc,
        RankedTensorType::get({type.getNumElements()}, type.getElementType()),
        source, all(sourceType.getRank()));
  if (type.getRank() > 1)
    source = tensor::ExpandShapeOp::create(b, loc, type, source,
                                           all(type.getRank()));
  converter.set(op, source);
  return success();
}

/// `type` filled from two sources: position 0 along `axis` from the first. Each
/// source has the other axes.
static Value stack(OpBuilder &b, Location loc, Value first, Value second,
                   unsigned axis, RankedTensorType type) {
  SmallVector<AffineExpr> others;
  for (unsigned d = 0; d < type.getRank(); ++d)
    if (d != axis)
      others.push_back(b.getAffineDimExpr(d));
  AffineMap map = AffineMap::get(type.getRank(), 0, others, b.getContext());
  Value index = kernel::IotaOp::create(
      b, loc, RankedTensorType::get({2}, b.getI32Type()), 0);
  AffineMap along = AffineMap::get(type.getRank(), 0, b.getAffineDimExpr(axis));
  RankedTensorType indexType = type.clone(b.getI32Type());
  index = createView(b, loc, index, along, indexType);
  Value zero = arith::ConstantOp::create(
      b, loc, SplatElementsAttr::get(indexType, b.getI32IntegerAttr(0)));
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, index, zero);
  return arith::SelectOp::create(b, loc, isFirst,
                                 createView(b, loc, first, map, type),
                                 createView(b, loc, second, map, type));
}

static LogicalResult convertJoin(Converter &converter, tt::JoinOp op) {
  RankedTensorType type = getResultType(op);
  converter.set(op,
                stack(converter.b, op.getLoc(), converter.get(op.getLhs()),
                      converter.get(op.getRhs()), type.getRank() - 1, type));
  return success();
}

static LogicalResult convertSplit(Converter &converter, tt::SplitOp op) {
  OpBuilder &b = converter.b;
  Value source = converter.get(op.getSrc());
  auto type =
      cast<RankedTensorType>(Converter::convertType(op.getOutLHS().getType()));
  for (int64_t half : {0, 1}) {
    SmallVector<AffineExpr> exprs;
    for (unsigned d = 0; d < type.getRank(); ++d)
      exprs.push_back(b.getAffineDimExpr(d));
    exprs.push_back(b.getAffineConstantExpr(half));
    AffineMap map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
    converter.set(op->getResult(half),
                  createView(b, op.getLoc(), source, map, type));
  }
  return success();
}

static LogicalResult convertCat(Converter &converter, tt::CatOp op) {
  OpBuilder &b = converter.b;
  Value lhs = converter.get(op.getLhs()), rhs = converter.get(op.getRhs());
  if (lhs.getType() != rhs.getType())
    return refuse(op, "of blocks of two sizes");
  RankedTensorType type = getResultType(op);
  int64_t size = type.getDimSize(0) / 2;
  Value both = stack(b, op.getLoc(), lhs, rhs, 0,
                     RankedTensorType::get({2, size}, type.getElementType()));
  converter.set(
      op, tensor::CollapseShapeOp::create(
              b, op.getLoc(), type, both,
              SmallVector<ReassociationIndices>{ReassociationIndices{0, 1}}));
  return success();
}

static LogicalResult convertGather(Converter &converter, tt::GatherOp op) {
  converter.set(op, kernel::GatherOp::create(
                        converter.b, op.getLoc(),
                        Converter::convertType(op.getType()),
                        converter.get(op.getSrc()),
                        converter.get(op.getIndices()), op.getAxis()));
  return success();
}

void conversion::addShapeHandlers(Handlers &handlers) {
  handlers.add<tt::GatherOp, convertGather>();
  handlers.add<tt::MakeRangeOp, convertRange>();
  handlers.add<tt::SplatOp, convertSplat>();
  handlers.add<tt::UnsplatOp, convertUnsplat>();
  handlers.add<tt::BroadcastOp, convertBroadcast>();
  handlers.add<tt::ExpandDimsOp, convertExpandDims>();
  handlers.add<tt::TransOp, convertTrans>();
  handlers.add<tt::ReshapeOp, convertReshape>();
  handlers.add<tt::JoinOp, convertJoin>();
  handlers.add<tt::SplitOp, convertSplit>();
  handlers.add<tt::CatOp, convertCat>();
}
