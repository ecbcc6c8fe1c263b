//===- Image.cpp - what a kernel image says about itself ------------------===//

#include "compiler/Emit/Emit.h"

#include "abi/kernel.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;
using namespace trireme;

static Constant *textConstant(Module &module, StringRef text) {
  auto *data = ConstantDataArray::getString(module.getContext(), text);
  auto *global =
      new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, data);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

void emit::describeImage(Module &module, const ImageInfo &info,
                         const trireme_target &target) {
  LLVMContext &context = module.getContext();
  Function *entry = module.getFunction(info.name);
  entry->setName("trireme_kernel_" + info.name);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    // Without this the x86-64-v4 model splits 512-bit vectors in two.
    if (target.cpu->arch == TRIREME_ARCH_x86_64) {
      std::string bits = std::to_string(target.vector_bits);
      function.addFnAttr("min-legal-vector-width", bits);
      function.addFnAttr("prefer-vector-width", bits);
    }
    if (target.vlen_bits)
      function.addFnAttr(Attribute::getWithVScaleRangeArgs(
          context, target.vlen_bits / 64, target.vlen_bits / 64));
    function.addFnAttr(Attribute::NoUnwind);
  }

  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  Type *pointer = PointerType::getUnqual(context);
  auto number = [&](Type *type, uint64_t value) {
    return ConstantInt::get(type, value);
  };

  StructType *paramType =
      StructType::get(context, {pointer, pointer, i32, i32});
  std::vector<Constant *> params;
  for (const Param &param : info.params)
    params.push_back(ConstantStruct::get(
        paramType,
        {textConstant(module, param.name), textConstant(module, param.type),
         number(i32, param.offset), number(i32, param.flags)}));
  ArrayType *paramsType = ArrayType::get(paramType, params.size());
  auto *table = new GlobalVariable(
      module, paramsType, true, GlobalValue::PrivateLinkage,
      ConstantArray::get(paramsType, params), "trireme_params");

  // The fields of trireme_image, in order.
  StructType *imageType =
      StructType::get(context, {i32, i32, pointer, pointer, pointer, i32, i32,
                                i64, i32, i32, pointer});
  Constant *image = ConstantStruct::get(
      imageType,
      {number(i32, sizeof(trireme_image)), number(i32, TRIREME_ABI_VERSION),
       entry, textConstant(module, info.name),
       textConstant(module, info.target), number(i32, info.vlenBits),
       number(i32, info.flags), number(i64, info.scratchBytes),
       number(i32, info.argsBytes), number(i32, info.params.size()), table});
  auto *exported =
      new GlobalVariable(module, imageType, true, GlobalValue::ExternalLinkage,
                         image, "trireme_image");
  exported->setAlignment(Align(8));
}

bool emit::isRuntimeSymbol(StringRef name) {
  static const char *const names[] = {
#define TRIREME_SYMBOL(name, provider, why) #name,
#include "abi/runtime_symbols.inc"
#undef TRIREME_SYMBOL
  };
  return llvm::is_contained(names, name) || name == "_GLOBAL_OFFSET_TABLE_";
}

Expected<std::vector<std::string>> emit::undefinedSymbols(StringRef text) {
  auto file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(text, "kernel.o"));
  if (!file)
    return file.takeError();
  std::vector<std::string> names;
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      consumeError(flags.takeError());
      consumeError(name.takeError());
      continue;
    }
    if ((*flags & object::SymbolRef::SF_Undefined) && !name->empty())
      names.push_back(name->str());
  }
  return names;
}
