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

/// `<128x64xf16>`, or the older `<tensor<128x64xf16>>`.
Type TensorDescType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  RankedTensorType tensor;
  OptionalParseResult old = parser.parseOptionalType(tensor);
  if (old.has_value()) {
    if (failed(*old) || parser.parseGreater())
      return {};
    return TensorDescType::get(parser.getContext(), tensor.getShape(),
                               tensor.getElementType());
  }
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseGreater())
    return {};
  return TensorDescType::get(parser.getContext(), shape, element);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape())
    printer << extent << "x";
  printer << getElementType() << ">";
}
