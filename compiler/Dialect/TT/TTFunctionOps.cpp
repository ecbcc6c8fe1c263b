//===- TTFunctionOps.cpp - rules of functions, calls and prints -----------===//

#include "compiler/Dialect/TT/TT.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::tt;

LogicalResult FuncOp::verify() {
  auto emitError = [this] { return emitOpError(); };
  for (ArrayRef<Type> types : {getArgumentTypes(), getResultTypes()})
    for (Type type : types)
      if (auto block = dyn_cast<RankedTensorType>(type))
        if (failed(verifyBlockShape(emitError, block.getShape())))
          return failure();
  return success();
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (!llvm::equal(getOperandTypes(), function.getResultTypes()))
    return emitOpError("returned types must be the function's result types (")
           << function.getResultTypes() << "), got (" << getOperandTypes()
           << ")";
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("calls '")
           << getCallee() << "', which the module does not define as a tt.func";
  if (!llvm::equal(callee.getArgumentTypes(), getOperandTypes()) ||
      !llvm::equal(callee.getResultTypes(), getResultTypes()))
    return emitOpError("does not match the type of '")
           << getCallee() << "': expected " << callee.getFunctionType()
           << ", got "
           << FunctionType::get(getContext(), getOperandTypes(),
                                getResultTypes());
  return success();
}

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() != getArgs().size())
    return emitOpError("isSigned must have one entry a value: expected ")
           << getArgs().size() << ", got " << getIsSigned().size();
  return success();
}
