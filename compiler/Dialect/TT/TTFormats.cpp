//===- TTFormats.cpp - text of operations that ODS cannot say -------------===//

#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> arguments,
                     ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), makeType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

//===----------------------------------------------------------------------===//
// Loads and stores: operands, then hints in any order, then the pointer's type
//===----------------------------------------------------------------------===//

/// `cacheModifier = ca evictionPolicy = evict_last`
static ParseResult parseHints(OpAsmParser &parser, OperationState &result) {
  while (true) {
    StringRef value;
    SMLoc loc = parser.getCurrentLocation();
    bool isCache = succeeded(parser.parseOptionalKeyword("cacheModifier"));
    if (!isCache && failed(parser.parseOptionalKeyword("evictionPolicy")))
      return success();
    if (parser.parseEqual() || parser.parseKeyword(&value))
      return failure();
    Builder &builder = parser.getBuilder();
    if (isCache) {
      std::optional<CacheModifier> modifier = symbolizeCacheModifier(value);
      if (!modifier)
        return parser.emitError(loc, "unknown cache modifier '")
               << value << "'";
      result.addAttribute(
          "cache", CacheModifierAttr::get(builder.getContext(), *modifier));
    } else {
      std::optional<EvictionPolicy> policy = symbolizeEvictionPolicy(value);
      if (!policy)
        return parser.emitError(loc, "unknown eviction policy '")
               << value << "'";
      result.addAttribute(
          "evict", EvictionPolicyAttr::get(builder.getContext(), *policy));
    }
  }
}

static void printHints(OpAsmPrinter &printer, CacheModifier cache,
                       EvictionPolicy evict) {
  if (cache != CacheModifier::NONE)
    printer << " cacheModifier = " << stringifyCacheModifier(cache);
  if (evict != EvictionPolicy::NORMAL)
    printer << " evictionPolicy = " << stringifyEvictionPolicy(evict);
}

namespace {
/// What loads and stores are written with, before operands get their types.
struct ParsedAccess {
  SmallVector<OpAsmParser::UnresolvedOperand, 3> operands;
  Type pointer, value;
  SMLoc loc;
};
} // namespace

static ParseResult parseAccess(OpAsmParser &parser, OperationState &result,
                               ParsedAccess &access) {
  access.loc = parser.getCurrentLocation();
  if (parser.parseOperandList(access.operands) || parseHints(parser, result) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(access.pointer))
    return failure();
  access.value = getPointeeType(access.pointer);
  if (!access.value)
    return parser.emitError(access.loc,
                            "expected a pointer or a tensor of pointers, got ")
           << access.pointer;
  return success();
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  ParsedAccess access;
  if (parseAccess(parser, result, access))
    return failure();
  auto &[operands, pointer, value, loc] = access;
  if (operands.empty() || operands.size() > 3)
    return parser.emitError(
        loc, "expected a pointer, a mask and a value for masked elements");
  SmallVector<Type, 3> types{pointer, getI1SameShape(pointer), value};
  types.resize(operands.size());
  if (parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  int32_t count = operands.size();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {1, count > 1,
                                                                 count > 2};
  result.addTypes(value);
  return success();
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperands();
  printHints(printer, getCache(), getEvict());
  SmallVector<StringRef> hidden{"operandSegmentSizes", "cache", "evict"};
  if (!getIsVolatile())
    hidden.push_back("isVolatile");
  printer.printOptionalAttrDict((*this)->getAttrs(), hidden);
  printer << " : " << getPtr().getType();
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  ParsedAccess access;
  if (parseAccess(parser, result, access))
    return failure();
  auto &[operands, pointer, value, loc] = access;
  if (operands.size() < 2 || operands.size() > 3)
    return parser.emitError(loc, "expected a pointer, a value and a mask");
  SmallVector<Type, 3> types{pointer, value, getI1SameShape(pointer)};
  types.resize(operands.size());
  return parser.resolveOperands(operands, types, loc, result.operands);
}

void StoreOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperands();
  printHints(printer, getCache(), getEvict());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"cache", "evict"});
  printer << " : " << getPtr().getType();
}

ParseResult HistogramOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand, 2> operands;
  RankedTensorType source, counts;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(source) || parser.parseArrow() ||
      parser.parseType(counts))
    return failure();
  if (operands.empty() || operands.size() > 2)
    return parser.emitError(loc, "expected values and an optional mask");
  SmallVector<Type, 2> types{source, getI1SameShape(source)};
  types.resize(operands.size());
  result.addTypes(counts);
  return parser.resolveOperands(operands, types, loc, result.operands);
}

void HistogramOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperands();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getSrc().getType() << " -> " << getType();
}
