//===- main.cpp - trireme-opt: run passes on a .ttir or .mlir file --------===//
//
// With --stop-after=STAGE the stages of compiler/Driver/Pipeline.cpp run up to
// that one; otherwise this is MLIR's opt with our dialects and passes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Driver.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace trireme;

/// Runs the pipeline on `file` and prints the last stage.
static int runStages(llvm::StringRef file, const support::Options &options) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!buffer) {
    llvm::errs() << "trireme-opt: cannot read " << file << ": "
                 << buffer.getError().message() << "\n";
    return 1;
  }
  driver::Result result =
      driver::compile((*buffer)->getBuffer(), file, options);
  for (const support::Diagnostic &diagnostic : result.diagnostics) {
    if (diagnostic.line)
      llvm::errs() << diagnostic.file << ":" << diagnostic.line << ":"
                   << diagnostic.column << ": ";
    llvm::errs() << diagnostic.kind << ": " << diagnostic.message << "\n";
  }
  llvm::outs() << result.output;
  return result.succeeded ? 0 : 1;
}

int main(int argc, char **argv) {
  support::Options options;
  bool hasStage = false;
  llvm::StringRef file = "-";
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument(argv[i]);
    if (argument.consume_front("--stop-after=")) {
      options.stop_after = argument.str();
      hasStage = true;
    } else if (argument.consume_front("--target=")) {
      options.target = argument.str();
    } else if (!argument.starts_with("-")) {
      file = argument;
    }
  }
  if (hasStage)
    return runStages(file, options);

  mlir::DialectRegistry registry;
  driver::registry().appendTo(registry);
  driver::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Trireme optimizer driver\n", registry));
}
