//===- TTComputeOps.cpp - rules of dot, reduce, scan, gather, histogram ---===//

#include "compiler/Dialect/TT/TT.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// a is M x K, b is K x N and c is M x N, all with the same batch axis or none.
static LogicalResult verifyProduct(Operation *op, ArrayRef<int64_t> a,
                                   ArrayRef<int64_t> b, ArrayRef<int64_t> c) {
  size_t rank = c.size();
  if ((rank != 2 && rank != 3) || a.size() != rank || b.size() != rank)
    return op->emitOpError("operands must all have rank 2 or all rank 3, got ")
           << a.size() << ", " << b.size() << " and " << rank;
  if (a[rank - 1] != b[rank - 2])
    return op->emitOpError("K differs: ")
           << a[rank - 1] << " columns of a, " << b[rank - 2] << " rows of b";
  if (a[rank - 2] != c[rank - 2] || b[rank - 1] != c[rank - 1])
    return op->emitOpError("accumulator must have the rows of a and the "
                           "columns of b, ")
           << a[rank - 2] << "x" << b[rank - 1] << "; got " << c[rank - 2]
           << "x" << c[rank - 1];
  if (rank == 3 && (a[0] != c[0] || b[0] != c[0]))
    return op->emitOpError("operands must have one batch extent, got ")
           << a[0] << ", " << b[0] << " and " << c[0];
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(),
                   c = getC().getType();
  if (failed(verifyProduct(*this, a.getShape(), b.getShape(), c.getShape())))
    return failure();
  Type left = a.getElementType(), right = b.getElementType(),
       sum = c.getElementType();
  if (left.isInteger(8) && right.isInteger(8)) {
    if (!sum.isInteger(32))
      return emitOpError("accumulator of i8 products must be of i32, got ")
             << sum;
    return success();
  }
  auto leftFloat = dyn_cast<FloatType>(left),
       rightFloat = dyn_cast<FloatType>(right);
  bool narrow = leftFloat && rightFloat && leftFloat.getWidth() == 8 &&
                rightFloat.getWidth() == 8;
  if (!leftFloat || !rightFloat || (left != right && !narrow))
    return emitOpError("operands must both be of i8, both of one float type or "
                       "both of 8-bit floats, got ")
           << left << " and " << right;
  auto sumFloat = dyn_cast<FloatType>(sum);
  unsigned least = std::max(16u, leftFloat.getWidth());
  if (!sumFloat || sumFloat.getWidth() < least)
    return emitOpError("accumulator must be of a float of ")
           << least << " bits or more, got " << sum;
  return success();
}

/// The types that elements of a format are kept in, as text; empty if `element`
/// is of it.
static StringRef wantedByFormat(ScaleElemType format, Type element) {
  switch (format) {
  case ScaleElemType::E4M3:
    return isa<Float8E4M3FNType>(element) || element.isInteger(8)
               ? ""
               : "f8E4M3FN or i8";
  case ScaleElemType::E5M2:
    return isa<Float8E5M2Type>(element) || element.isInteger(8)
               ? ""
               : "f8E5M2 or i8";
  case ScaleElemType::BF16:
    return element.isBF16() ? "" : "bf16";
  case ScaleElemType::FP16:
    return element.isF16() ? "" : "f16";
  case ScaleElemType::E2M1:
  case ScaleElemType::E2M3:
  case ScaleElemType::E3M2:
    return element.isInteger(8) ? "" : "i8";
  }
  llvm_unreachable("no such format");
}

namespace {
/// One side of a scaled product: [.., rows, K], b transposed.
struct ScaledOperand {
  StringRef name;
  RankedTensorType type, scale;
  ScaleElemType format;
  bool packedAlongK;
  /// Axis of `type` that runs along K.
  size_t axisK;
};
} // namespace

/// The shape in elements: two e2m1 share a byte.
static LogicalResult unpack(Operation *op, const ScaledOperand &operand,
                            SmallVectorImpl<int64_t> &shape) {
  shape.assign(operand.type.getShape().begin(), operand.type.getShape().end());
  StringRef wanted =
      wantedByFormat(operand.format, operand.type.getElementType());
  if (!wanted.empty())
    return op->emitOpError()
           << operand.name << " holds "
           << stringifyScaleElemType(operand.format) << " and must be of "
           << wanted << ", got " << operand.type.getElementType();
  if (operand.format == ScaleElemType::E2M1) {
    size_t otherAxis = 2 * shape.size() - 3 - operand.axisK;
    shape[operand.packedAlongK ? operand.axisK : otherAxis] *= 2;
  } else if (!operand.packedAlongK) {
    return op->emitOpError()
           << "only e2m1 is packed along another axis than K, " << operand.name
           << " holds " << stringifyScaleElemType(operand.format);
  }
  return success();
}

/// Gives how many places along K share a scale; 0 where there is none.
static FailureOr<int64_t> verifyScale(Operation *op,
                                      const ScaledOperand &operand,
                                      ArrayRef<int64_t> shape) {
  if (!operand.scale)
    return 0;
  Type element = operand.scale.getElementType();
  if (!element.isInteger(8) && !isa<Float8E4M3FNType>(element))
    return op->emitOpError("scale of ")
           << operand.name << " must be of i8 (e8m0) or f8E4M3FN, got "
           << element;
  SmallVector<int64_t> expected(shape);
  size_t rank = shape.size();
  if (operand.axisK != rank - 1)
    std::swap(expected[rank - 2], expected[rank - 1]);
  int64_t depth = expected.back();
  ArrayRef<int64_t> found = operand.scale.getShape();
  int64_t factor = found.empty() ? 0 : depth / found.back();
  expected.back() = found.empty() ? 0 : found.back();
  if (found != ArrayRef<int64_t>(expected) || (factor != 16 && factor != 32) ||
      factor * found.back() != depth) {
    expected.pop_back();
    auto diagnostic = op->emitOpError("scale of ")
                      << operand.name << " must be ";
    for (int64_t extent : expected)
      diagnostic << extent << "x";
    return diagnostic << depth << "/f with f 16 or 32, got " << operand.scale;
  }
  return factor;
}

LogicalResult DotScaledOp::verify() {
  RankedTensorType c = getC().getType();
  size_t rank = c.getRank();
  if ((rank != 2 && rank != 3) || getA().getType().getRank() != c.getRank() ||
      getB().getType().getRank() != c.getRank())
    return emitOpError("operands must all have rank 2 or all rank 3, got ")
           << getA().getType().getRank() << ", " << getB().getType().getRank()
           << " and " << rank;
  if (!c.getElementType().isF32())
    return emitOpError("accumulator must be of f32, got ")
           << c.getElementType();
  auto typeOf = [](Value scale) {
    return scale ? cast<RankedTensorType>(scale.getType()) : RankedTensorType();
  };
  ScaledOperand a{
      "a",           getA().getType(), typeOf(getAScale()), getAElemType(),
      getLhsKPack(), rank - 1};
  ScaledOperand b{
      "b",           getB().getType(), typeOf(getBScale()), getBElemType(),
      getRhsKPack(), rank - 2};
  SmallVector<int64_t> left, right;
  if (failed(unpack(*this, a, left)) || failed(unpack(*this, b, right)) ||
      failed(verifyProduct(*this, left, right, c.getShape())))
    return failure();
  FailureOr<int64_t> leftFactor = verifyScale(*this, a, left);
  if (failed(leftFactor))
    return failure();
  FailureOr<int64_t> rightFactor = verifyScale(*this, b, right);
  if (failed(rightFactor))
    return failure();
  if (*leftFactor && *rightFactor && *leftFactor != *rightFactor)
    return emitOpError("a and b must have one scale factor, got ")
           << *leftFactor << " and " << *rightFactor;
  return success();
}

//===----------------------------------------------------------------------===//
// Reduce and scan
//===----------------------------------------------------------------------===//

/// The axis lies in the operands, and every operand has a result.
template <typename OpT> static LogicalResult verifyAxis(OpT op) {
  int32_t axis = op.getAxis();
  int64_t rank =
      cast<RankedTensorType>(op.getSrcs().front().getType()).getRank();
  if (axis < 0 || axis >= rank)
    return op.emitOpError("axis ")
           << axis << " must be 0 or more and less than the rank " << rank;
  if (op.getResult().size() != op.getSrcs().size())
    return op.emitOpError("needs one result an operand: expected ")
           << op.getSrcs().size() << ", got " << op.getResult().size();
  return success();
}

/// The region takes 2n scalars, one side first, and returns n.
template <typename ReturnOpT, typename OpT>
static LogicalResult verifyCombine(OpT op) {
  SmallVector<Type> scalars;
  for (Value source : op.getSrcs())
    scalars.push_back(getElementTypeOrSelf(source.getType()));
  SmallVector<Type> both(scalars);
  both.append(scalars);
  Block &block = op.getCombineOp().front();
  if (!llvm::equal(block.getArgumentTypes(), both))
    return op.emitOpError("combine region must take the elements of both "
                          "sides, (")
           << both << "); it takes (" << block.getArgumentTypes() << ")";
  Operation *terminator = block.getTerminator();
  if (!isa<ReturnOpT>(terminator))
    return op.emitOpError("combine region must end with ")
           << ReturnOpT::getOperationName() << ", got "
           << terminator->getName();
  if (!llvm::equal(terminator->getOperandTypes(), scalars))
    return op.emitOpError("combine region must return one element an operand, "
                          "(")
           << scalars << "); it returns (" << terminator->getOperandTypes()
           << ")";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyAxis(*this)))
    return failure();
  for (auto [source, result] : llvm::zip(getSrcs(), getResult())) {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + getAxis());
    Type expected = shape.empty()
                        ? type.getElementType()
                        : RankedTensorType::get(shape, type.getElementType());
    if (result.getType() != expected)
      return emitOpError("result must be ")
             << expected << ", got " << result.getType();
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyCombine<ReduceReturnOp>(*this);
}

LogicalResult ScanOp::verify() {
  if (failed(verifyAxis(*this)))
    return failure();
  if (!llvm::equal(getSrcs().getTypes(), getResult().getTypes()))
    return emitOpError("results must have the operands' types (")
           << getSrcs().getTypes() << "), got (" << getResult().getTypes()
           << ")";
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  return verifyCombine<ScanReturnOp>(*this);
}

//===----------------------------------------------------------------------===//
// Histogram and gather
//===----------------------------------------------------------------------===//

LogicalResult HistogramOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  auto counts = cast<RankedTensorType>(getType());
  if (source.getRank() != 1 || counts.getRank() != 1)
    return emitOpError("values and counts must have one axis, got ")
           << source << " and " << counts;
  if (getMask() && getMask().getType() != getI1SameShape(source))
    return emitOpError("mask must be ")
           << getI1SameShape(source) << ", got " << getMask().getType();
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType source = getSrc().getType(), result = getType();
  auto indices = cast<RankedTensorType>(getIndices().getType());
  int32_t along = getAxis();
  if (along < 0 || along >= source.getRank())
    return emitOpError("axis ") << along << " must be 0 or more and less than "
                                << "the rank " << source.getRank();
  if (indices.getRank() != source.getRank())
    return emitOpError("indices must have the operand's rank ")
           << source.getRank() << ", got " << indices;
  for (int64_t axis = 0; axis < source.getRank(); ++axis)
    if (axis != along && indices.getDimSize(axis) != source.getDimSize(axis))
      return emitOpError("axis ")
             << axis << " of the indices must have the operand's extent "
             << source.getDimSize(axis) << ", got " << indices.getDimSize(axis);
  auto expected =
      RankedTensorType::get(indices.getShape(), source.getElementType());
  if (result != expected)
    return emitOpError("result must be ") << expected << ", got " << result;
  return success();
}
