//===- TTToLinalg.cpp - the pass convert-tt-to-linalg ---------------------===//

#include "Converter.h"
#include "compiler/Conversion/TTToLinalg/Passes.h"

#include "compiler/Dialect/Access/Access.h"
#include "compiler/Dialect/Kernel/Kernel.h"

namespace trireme::conversion {
#define GEN_PASS_DEF_CONVERTTTTOLINALGPASS
#include "compiler/Conversion/TTToLinalg/Passes.h.inc"
} // namespace trireme::conversion

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

std::string conversion::spellType(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type)) {
    std::string pointee = spellType(pointer.getPointeeType());
    if (pointee == "u1")
      pointee = "i1";
    return pointee.empty() ? "" : "*" + pointee;
  }
  if (type.isInteger(1))
    return "u1";
  if (auto integer = dyn_cast<IntegerType>(type))
    return "i" + std::to_string(integer.getWidth());
  return llvm::TypeSwitch<Type, std::string>(type)
      .Case([](Float64Type) { return "fp64"; })
      .Case([](Float32Type) { return "fp32"; })
      .Case([](Float16Type) { return "fp16"; })
      .Case([](BFloat16Type) { return "bf16"; })
      .Case([](Float8E4M3FNType) { return "fp8e4nv"; })
      .Case([](Float8E5M2Type) { return "fp8e5"; })
      .Case([](Float8E4M3FNUZType) { return "fp8e4b8"; })
      .Case([](Float8E5M2FNUZType) { return "fp8e5b16"; })
      .Default([](Type) { return ""; });
}

/// Erases what only the analyses looked at.
static void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseDeadOps(inner);
  }
}

static LogicalResult convertFunction(tt::FuncOp function, bool fpFusion) {
  Region &region = function.getFunctionBody();
  if (region.empty())
    return function.emitError("kernel has no body");
  if (!region.hasOneBlock())
    return function.emitError("control flow is not structured");
  if (function.getNumResults())
    return function.emitError("a kernel returns nothing");

  OpBuilder builder(function);
  MLIRContext *context = builder.getContext();
  SmallVector<Type> types =
      llvm::map_to_vector(function.getArgumentTypes(), Converter::convertType);
  auto kernel =
      func::FuncOp::create(builder, function.getLoc(), function.getName(),
                           builder.getFunctionType(types, {}));
  kernel->setAttr(kernel::entryAttrName, builder.getUnitAttr());
  Block *entry = kernel.addEntryBlock();
  Converter converter(entry, fpFusion);
  for (BlockArgument arg : region.front().getArguments()) {
    unsigned i = arg.getArgNumber();
    std::string spelling = spellType(arg.getType());
    if (spelling.empty())
      return function.emitError("not supported yet: parameter of type ")
             << arg.getType();
    NamedAttrList attrs(function_interface_impl::getArgAttrDict(function, i));
    attrs.set(kernel::typeAttrName, builder.getStringAttr(spelling));
    if (auto name = arg.getLoc()->findInstanceOf<NameLoc>())
      attrs.set(kernel::nameAttrName, name.getName());
    kernel.setArgAttrs(i, attrs.getDictionary(context));
    entry->getArgument(i).setLoc(arg.getLoc());
    converter.set(arg, entry->getArgument(i));
  }
  if (failed(converter.convertBlock(region.front(), entry)))
    return failure();
  eraseDeadOps(*entry);
  return success();
}

namespace {
struct ConvertTTToLinalgPass
    : conversion::impl::ConvertTTToLinalgPassBase<ConvertTTToLinalgPass> {
  using ConvertTTToLinalgPassBase::ConvertTTToLinalgPassBase;

  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<tt::FuncOp>())) {
      if (!function.isPrivate() && failed(convertFunction(function, fpFusion)))
        return signalPassFailure();
      function.erase();
    }
  }
};
} // namespace
