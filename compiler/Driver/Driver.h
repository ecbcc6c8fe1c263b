//===- Driver.h - from a module to a kernel image ------------- -*- C++ -*-===//
//
// The only composer: Pipeline.cpp lists the stages and their passes in order. A
// module may come in at any stage up to `vector`; later ones run until
// `stop_after`.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_COMPILER_DRIVER_DRIVER_H
#define TRIREME_COMPILER_DRIVER_DRIVER_H

#include "compiler/Emit/Emit.h"
#include "compiler/Support/Diagnostics.h"
#include "compiler/Support/Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <map>
#include <string>
#include <vector>

namespace trireme::driver {

/// Every dialect that a module may contain.
const mlir::DialectRegistry &registry();

/// Registers every pass with its command-line name (tools).
void registerPasses();

/// The MLIR stages in order: ttir, linalg, sched, vector, llvm.
struct Stage {
  const char *name;
  void (*build)(mlir::OpPassManager &passes, const trireme_target &target,
                const support::Options &options);
};
llvm::ArrayRef<Stage> stages();

/// Names of all stages, for help and checks.
llvm::ArrayRef<const char *> stageNames();

struct Result {
  bool succeeded = false;
  /// Bytes of the last stage: text, object or image.
  std::string output;
  emit::ImageInfo info;
  std::map<std::string, std::string> texts;
  std::vector<std::pair<std::string, double>> timings; // microseconds
  std::vector<support::Diagnostic> diagnostics;
};

/// Compiles `module` (and changes it), on a thread of its own inside the guard:
/// a fault of the compiler becomes a diagnostic of kind "internal".
Result compile(mlir::ModuleOp module, const support::Options &options);

/// The same from text, in a context of its own.
Result compile(llvm::StringRef text, llvm::StringRef name,
               const support::Options &options);

/// What has to be equal for two compilers to make the same images.
const char *version();

} // namespace trireme::driver

#endif // TRIREME_COMPILER_DRIVER_DRIVER_H
