//===- TTFormats.cpp - text of operations that ODS cannot say -------------===//

#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

//===----------------------------------------------------------------------===//
// Names that upstream has given up
//===----------------------------------------------------------------------===//

/// `tt.experimental_descriptor_load` is `tt.descriptor_load`, and so on.
static ParseResult parseOldName(OpAsmParser &parser, OperationState &result) {
  StringRef name = result.name.getStringRef();
  name.consume_front("tt.experimental_");
  auto today = RegisteredOperationName::lookup(("tt." + name).str(),
                                               parser.getContext());
  result.name = *today;
  return today->getParseAssemblyFn()(parser, result);
}

static ParseResult parseReinterpret(OpAsmParser &parser, OperationState &) {
  return parser.emitError(
      parser.getNameLoc(),
      "takes the descriptor of a GPU's copy engine, which a CPU has none of; "
      "use tt.make_tensor_descriptor");
}

std::optional<Dialect::ParseOpHook>
TTDialect::getParseOperationHook(StringRef name) const {
  StringRef today = name;
  if (today.consume_front("tt.experimental_descriptor_") &&
      RegisteredOperationName::lookup(("tt.descriptor_" + today).str(),
                                      getContext()))
    return ParseOpHook(parseOldName);
  if (name == "tt.reinterpret_tensor_descriptor")
    return ParseOpHook(parseReinterpret);
  return std::nullopt;
}

/// What the parsers that ODS writes ask after an attribute dictionary: whether
/// each attribute is of the kind that the operation has under its name.
static ParseResult verifyAttributes(OpAsmParser &parser,
                                    OperationState &result) {
  SMLoc loc = parser.getNameLoc();
  if (auto twice = result.attributes.findDuplicate())
    return parser.emitError(loc, "'")
           << twice->getName().getValue() << "' is given twice";
  return result.name.verifyInherentAttrs(result.attributes,
                                         [&] { return parser.emitError(loc); });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> arguments,
                     ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  if (function_interface_impl::parseFunctionOp(
          parser, result, /*allowVariadic=*/false,
          getFunctionTypeAttrName(result.name), makeType,
          getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name)))
    return failure();
  return verifyAttributes(parser, result);
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
        return parser.emitError(loc,
                                "expected a cache modifier, one of none, ca, "
                                "cg, wb, cs, wt and cv; got '")
               << value << "'";
      result.addAttribute(
          "cache", CacheModifierAttr::get(builder.getContext(), *modifier));
    } else {
      std::optional<EvictionPolicy> policy = symbolizeEvictionPolicy(value);
      if (!policy)
        return parser.emitError(loc, "expected an eviction policy, one of "
                                     "evict_normal, evict_first and "
                                     "evict_last; got '")
               << value << "'";
      result.addAttribute(
          "evict", EvictionPolicyAttr::get(builder.getContext(), *policy));
    }
  }
}

/// Everything but what `hidden` names.
template <typename OpT>
static void printAccess(OpAsmPrinter &printer, OpT op,
                        SmallVector<StringRef> hidden) {
  printer << " " << op->getOperands();
  if (op.getCache() != CacheModifier::NONE)
    printer << " cacheModifier = " << stringifyCacheModifier(op.getCache());
  if (op.getEvict() != EvictionPolicy::NORMAL)
    printer << " evictionPolicy = " << stringifyEvictionPolicy(op.getEvict());
  hidden.append({"cache", "evict"});
  if (op.getBoundaryCheck().empty())
    hidden.push_back("boundaryCheck");
  printer.printOptionalAttrDict(op->getAttrs(), hidden);
  printer << " : " << op.getPtr().getType();
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
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (verifyAttributes(parser, result) || parser.parseColonType(access.pointer))
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
    return parser.emitError(loc, "expected a pointer, perhaps a mask and a "
                                 "value for masked elements; got ")
           << operands.size() << " operands";
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
  SmallVector<StringRef> hidden{"operandSegmentSizes"};
  if (!getIsVolatile())
    hidden.push_back("isVolatile");
  printAccess(printer, *this, hidden);
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  ParsedAccess access;
  if (parseAccess(parser, result, access))
    return failure();
  auto &[operands, pointer, value, loc] = access;
  if (operands.size() < 2 || operands.size() > 3)
    return parser.emitError(
               loc, "expected a pointer, a value and perhaps a mask; got ")
           << operands.size() << " operands";
  SmallVector<Type, 3> types{pointer, value, getI1SameShape(pointer)};
  types.resize(operands.size());
  return parser.resolveOperands(operands, types, loc, result.operands);
}

void StoreOp::print(OpAsmPrinter &printer) { printAccess(printer, *this, {}); }

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
    return parser.emitError(loc, "expected values and an optional mask, got ")
           << operands.size() << " operands";
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
