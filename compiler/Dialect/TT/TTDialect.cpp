//===- TTDialect.cpp - types, inlining and registration -------------------===//

#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

#include "compiler/Dialect/TT/TTDialect.cpp.inc"
#include "compiler/Dialect/TT/TTEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/TT/TTTypes.cpp.inc"

namespace {
/// Every function may be inlined, `noinline` included: the code generator needs
/// one body.
struct TTInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }

  void handleTerminator(Operation *op, Block *destination) const final {
    auto returned = cast<ReturnOp>(op);
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), destination,
                         returned.getSrcs());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange values) const final {
    for (auto [value, returned] :
         llvm::zip(values, cast<ReturnOp>(op).getSrcs()))
      value.replaceAllUsesWith(returned);
  }
};
} // namespace

void TTDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/Dialect/TT/TTTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/TT/TTOps.cpp.inc"
      >();
  addInterfaces<TTInlinerInterface>();
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

Type tt::getPointeeType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    auto pointer = dyn_cast<PointerType>(tensor.getElementType());
    return pointer ? tensor.clone(pointer.getPointeeType()) : Type();
  }
  auto pointer = dyn_cast<PointerType>(type);
  return pointer ? pointer.getPointeeType() : Type();
}

Type tt::getI1SameShape(Type type) {
  Type i1 = IntegerType::get(type.getContext(), 1);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(i1);
  return i1;
}

Type tt::getElementPointer(Type blockPointer) {
  auto pointer = cast<PointerType>(blockPointer);
  return PointerType::get(pointer.getContext(),
                          getElementTypeOrSelf(pointer.getPointeeType()),
                          pointer.getAddressSpace());
}

//===----------------------------------------------------------------------===//
// What types may be made of
//===----------------------------------------------------------------------===//

static bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
             Float8E5M2FNUZType, Float16Type, BFloat16Type, Float32Type,
             Float64Type, PointerType>(type);
}

LogicalResult
tt::verifyBlockShape(llvm::function_ref<InFlightDiagnostic()> emitError,
                     ArrayRef<int64_t> shape) {
  auto print = [&](InFlightDiagnostic &&diagnostic) {
    llvm::interleave(
        shape,
        [&](int64_t extent) {
          if (ShapedType::isDynamic(extent))
            diagnostic << "?";
          else
            diagnostic << extent;
        },
        [&] { diagnostic << "x"; });
    return failure();
  };
  if (shape.empty())
    return emitError() << "a block has one axis or more, got none";
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return print(emitError()
                   << "extents of a block must be powers of two, got ");
    // Stops before the product leaves 64 bits.
    if (extent > kMaxElements / elements)
      return print(emitError() << "a block has at most " << kMaxElements
                               << " elements, got ");
    elements *= extent;
  }
  return success();
}

LogicalResult
PointerType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    Type pointee, int addressSpace) {
  if (addressSpace < 0)
    return emitError() << "address space must not be negative, got "
                       << addressSpace;
  auto block = dyn_cast<RankedTensorType>(pointee);
  if (block && failed(verifyBlockShape(emitError, block.getShape())))
    return failure();
  Type element = block ? block.getElementType() : pointee;
  if (isElement(element) && !(block && isa<PointerType>(element)))
    return success();
  return emitError()
         << "expected a pointer to a float of 8, 16, 32 or 64 bits, "
            "to i1, i8, i16, i32 or i64, to a pointer, or to a "
            "block of numbers; got "
         << pointee;
}

LogicalResult
TensorDescType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> shape, Type element) {
  if (shape.empty() || static_cast<int64_t>(shape.size()) > kMaxDescriptorRank)
    return emitError() << "a tensor descriptor has 1 to " << kMaxDescriptorRank
                       << " axes, got " << shape.size();
  if (failed(verifyBlockShape(emitError, shape)))
    return failure();
  auto integer = dyn_cast<IntegerType>(element);
  Type signless =
      integer ? IntegerType::get(element.getContext(), integer.getWidth())
              : element;
  if (isElement(signless) && !isa<PointerType>(element))
    return success();
  return emitError()
         << "expected a tensor descriptor of floats of 8, 16, 32 or "
            "64 bits or of integers of 1, 8, 16, 32 or 64, got "
         << element;
}

Type TensorDescType::getBlockElementType() const {
  if (auto integer = dyn_cast<IntegerType>(getElementType()))
    return IntegerType::get(getContext(), integer.getWidth());
  return getElementType();
}

/// `<128x64xf16>`, or the older `<tensor<128x64xf16>>`.
Type TensorDescType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  SmallVector<int64_t> shape;
  Type element;
  Type inner;
  OptionalParseResult old = parser.parseOptionalType(inner);
  if (old.has_value()) {
    if (failed(*old))
      return {};
    auto tensor = dyn_cast<RankedTensorType>(inner);
    if (!tensor) {
      parser.emitError(loc, "expected a tensor descriptor such as "
                            "!tt.tensordesc<16x16xf16>, got one of ")
          << inner;
      return {};
    }
    shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    element = tensor.getElementType();
  } else if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
             parser.parseType(element)) {
    return {};
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    shape, element);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape())
    printer << extent << "x";
  printer << getElementType() << ">";
}
