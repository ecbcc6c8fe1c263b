//===- TTOps.cpp - what ODS generates, and limits on every block ----------===//

#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

using OperandList = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

/// `[%m, %n], [%s, %t]`: lists of one length. Their operations have no other
/// word on where one list ends.
template <typename... Lists>
static ParseResult parseEqualLists(OpAsmParser &parser, OperandList &first,
                                   Lists &...others) {
  SMLoc loc = parser.getCurrentLocation();
  auto parseList = [&](OperandList &list) {
    return parser.parseOperandList(list, OpAsmParser::Delimiter::Square);
  };
  if (parseList(first))
    return failure();
  for (OperandList *list : {static_cast<OperandList *>(&others)...})
    if (parser.parseComma() || parseList(*list))
      return failure();
  for (size_t length : {others.size()...})
    if (length != first.size())
      return parser.emitError(loc, "expected lists of one length, got ")
             << first.size() << " and " << length << " operands";
  return success();
}

template <typename... Ranges>
static void printEqualLists(OpAsmPrinter &printer, Operation *,
                            OperandRange first, Ranges... others) {
  printer << "[" << first << "]";
  for (OperandRange range : {others...})
    printer << ", [" << range << "]";
}

#define GET_OP_CLASSES
#include "compiler/Dialect/TT/TTOps.cpp.inc"

LogicalResult tt::verifyBlocks(Operation *op) {
  auto emitError = [op] { return op->emitOpError(); };
  auto keepsLimits = [&](Type type) {
    auto block = dyn_cast<RankedTensorType>(type);
    return !block || succeeded(verifyBlockShape(emitError, block.getShape()));
  };
  return success(llvm::all_of(op->getOperandTypes(), keepsLimits) &&
                 llvm::all_of(op->getResultTypes(), keepsLimits));
}
