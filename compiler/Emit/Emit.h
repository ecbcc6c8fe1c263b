//===- Emit.h ------------------------------------------------- -*- C++ -*-===//
//
// LLVM IR to assembly, objects and kernel images.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_EMIT_EMIT_H
#define TRIREME_COMPILER_EMIT_EMIT_H

#include "target/target.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace trireme::emit {

/// One parameter of a kernel, as abi/kernel.h describes it.
struct Param {
  std::string name, type;
  uint32_t offset = 0, flags = 0;
};

/// What the image says about its kernel.
struct ImageInfo {
  std::string name;
  std::string target;
  uint32_t vlenBits = 0, flags = 0;
  uint64_t scratchBytes = 0;
  uint32_t argsBytes = 0;
  std::vector<Param> params;
};

/// A machine that emits code for `target`: CodeGen O2, position independent.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const trireme_target &target);

/// Sets triple and data layout. Must come before any optimisation: without them
/// LLVM expands memcpy to a byte loop, for one.
void prepare(llvm::Module &module, llvm::TargetMachine &machine);

/// Names the entry, gives it the target's attributes and adds the
/// `trireme_image` constant that the loader reads.
void describeImage(llvm::Module &module, const ImageInfo &info,
                   const trireme_target &target);

/// Lets a*b+c fuse where the user's options allow it.
void allowContraction(llvm::Module &module);

/// The light pass list: the code arrives vectorised, so the rest is clean-up.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

llvm::Expected<std::string> assembly(llvm::Module &module,
                                     llvm::TargetMachine &machine);
llvm::Expected<std::string> object(llvm::Module &module,
                                   llvm::TargetMachine &machine);

/// Links one object to a shared object with LLD as a library. `directory` is a
/// private directory for the linker's files. One link at a time in the process.
llvm::Expected<std::string> sharedObject(llvm::StringRef object,
                                         const trireme_target &target,
                                         llvm::StringRef directory);

/// Names of the undefined symbols of an object.
llvm::Expected<std::vector<std::string>>
undefinedSymbols(llvm::StringRef object);
/// True for a row of abi/runtime_symbols.inc.
bool isRuntimeSymbol(llvm::StringRef name);

} // namespace trireme::emit

#endif // TRIREME_COMPILER_EMIT_EMIT_H
