//===- Driver.cpp - from a module to a kernel image -----------------------===//

#include "compiler/Driver/Driver.h"

#include "compiler/Dialect/Kernel/Kernel.h"
#include "compiler/Dialect/TT/TT.h"
#include "compiler/Driver/Guard.h"
#include "compiler/Lower/Vector/Vector.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>

using namespace mlir;
using namespace trireme;
using namespace trireme::driver;

const char *driver::version() { return TRIREME_VERSION; }

namespace {
/// One compilation, from whatever stage the module is at.
class Compilation {
public:
  Compilation(ModuleOp module, const support::Options &options, Result &result)
      : module(module), options(options), result(result) {}

  void run();

private:
  using Clock = std::chrono::steady_clock;

  void error(const llvm::Twine &message) {
    emitError(module.getLoc()) << message;
  }
  size_t firstStage();
  bool runStages();
  bool withinBudget(llvm::StringRef stage);
  bool readImageInfo();
  void emitCode();
  void keep(const std::string &stage, const std::string &text) {
    if (llvm::is_contained(options.dump, stage))
      result.texts[stage] = text;
  }
  std::string text();
  bool stopsAt(llvm::StringRef stage) const {
    return options.stop_after == stage;
  }
  template <typename T> bool take(llvm::Expected<T> value, T &into) {
    if (value) {
      into = std::move(*value);
      return true;
    }
    error(llvm::toString(value.takeError()));
    return false;
  }
  void time(const char *name, llvm::function_ref<void()> work) {
    Clock::time_point start = Clock::now();
    work();
    result.timings.push_back(
        {name, std::chrono::duration<double, std::micro>(Clock::now() - start)
                   .count()});
  }

  ModuleOp module;
  const support::Options &options;
  Result &result;
  trireme_target target;
  Clock::time_point started = Clock::now();
};
} // namespace

std::string Compilation::text() {
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  module.print(stream);
  return printed;
}

/// Index of the first stage that has not run yet, by what the module contains.
size_t Compilation::firstStage() {
  bool hasTT = false, hasKernel = false, hasSchedule = false, hasParams = false,
       hasLLVM = false;
  module.walk([&](Operation *op) {
    hasTT |= isa<tt::FuncOp>(op);
    hasLLVM |= isa<LLVM::LLVMFuncOp>(op);
    hasKernel |= isa<func::FuncOp>(op) && op->hasAttr(kernel::entryAttrName);
    hasParams |= op->hasAttr(lower::paramsAttrName);
    hasSchedule |= op->hasAttr("sched.loop") || op->hasAttr("sched.tile");
  });
  if (hasTT)
    return 0;
  if (hasLLVM)
    return 5;
  if (hasParams)
    return 4;
  if (hasSchedule)
    return 3;
  return hasKernel ? 2 : 0;
}

/// Code that no machine compiles in reasonable time is refused before it tries,
/// and so is what has taken too long already. At 2 to 5 microseconds an
/// operation in LLVM, the limit is about a second.
bool Compilation::withinBudget(llvm::StringRef stage) {
  constexpr int64_t kOperations = 250'000;
  int64_t count = 0;
  module.walk([&](Operation *) { ++count; });
  std::chrono::duration<double> spent = Clock::now() - started;
  if (spent.count() > options.time_budget) {
    error("the kernel took " + llvm::formatv("{0:f1}", spent.count()) +
          " s up to stage " + stage + "; the limit is " +
          llvm::formatv("{0:f1}", options.time_budget) +
          " s: use smaller kernels or unroll less");
    return false;
  }
  if (count <= kOperations)
    return true;
  error("the kernel has " + llvm::Twine(count) + " operations after stage " +
        stage + "; the limit is " + llvm::Twine(kOperations) +
        ": unroll less (tl.range instead of tl.static_range)");
  return false;
}

bool Compilation::runStages() {
  llvm::ArrayRef<Stage> all = stages();
  for (size_t i = firstStage(); i < all.size(); ++i) {
    bool ok = true;
    time(all[i].name, [&] {
      PassManager passes(module.getContext(), ModuleOp::getOperationName());
      // Passes are verified where they are tested; here once a stage.
      passes.enableVerifier(false);
      all[i].build(passes, target, options);
      ok = succeeded(passes.run(module)) && succeeded(verify(module));
    });
    if (!ok || !withinBudget(all[i].name))
      return false;
    if (llvm::StringRef(all[i].name) != "llvm" && !readImageInfo())
      return false;
    bool wanted =
        llvm::is_contained(options.dump, all[i].name) || stopsAt(all[i].name);
    if (wanted) {
      std::string printed = text();
      keep(all[i].name, printed);
      result.output = std::move(printed);
    }
    if (stopsAt(all[i].name))
      return true;
  }
  return true;
}

/// Reads what Lower/Vector wrote on the kernel's function.
bool Compilation::readImageInfo() {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto params = function->getAttrOfType<ArrayAttr>(lower::paramsAttrName);
    if (!params)
      continue;
    emit::ImageInfo &info = result.info;
    info = emit::ImageInfo();
    info.name = function.getName().str();
    info.target = target.text;
    info.vlenBits = target.vlen_bits;
    auto number = [](Operation *op, llvm::StringRef name) -> uint64_t {
      auto attr = op->getAttrOfType<IntegerAttr>(name);
      return attr ? attr.getValue().getZExtValue() : 0;
    };
    info.flags = number(module, lower::flagsAttrName);
    info.scratchBytes = number(module, lower::scratchBytesAttrName);
    info.argsBytes = number(function, lower::argsBytesAttrName);
    for (Attribute attr : params) {
      auto fields = cast<DictionaryAttr>(attr);
      emit::Param param;
      param.name = fields.getAs<StringAttr>("name").getValue().str();
      param.type = fields.getAs<StringAttr>("type").getValue().str();
      param.offset = fields.getAs<IntegerAttr>("offset").getInt();
      param.flags = fields.getAs<IntegerAttr>("flags").getInt();
      info.params.push_back(std::move(param));
    }
  }
  return true;
}

void Compilation::emitCode() {
  std::unique_ptr<llvm::TargetMachine> machine;
  if (!take(emit::createMachine(target), machine))
    return;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code;
  time("translate", [&] {
    code = translateModuleToLLVMIR(module, context, result.info.name);
  });
  if (!code)
    return error("translation to LLVM IR failed");
  emit::prepare(*code, *machine);
  if (!code->getFunction(result.info.name))
    return error("the module has no kernel");
  emit::describeImage(*code, result.info, target);
  if (options.fp_fusion)
    emit::allowContraction(*code);
  time("optimize", [&] { emit::optimize(*code, *machine); });
  if (llvm::is_contained(options.dump, "llir") || stopsAt("llir")) {
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    code->print(stream, nullptr);
    keep("llir", printed);
    result.output = std::move(printed);
    if (stopsAt("llir")) {
      result.succeeded = true;
      return;
    }
  }
  if (llvm::is_contained(options.dump, "asm") || stopsAt("asm")) {
    // Code generation changes the module, so assembly is made from a copy.
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*code);
    std::string printed;
    if (!take(emit::assembly(*copy, *machine), printed))
      return;
    keep("asm", printed);
    result.output = std::move(printed);
    if (stopsAt("asm")) {
      result.succeeded = true;
      return;
    }
  }
  std::string object;
  bool emitted = false;
  time("codegen",
       [&] { emitted = take(emit::object(*code, *machine), object); });
  std::vector<std::string> undefined;
  if (!emitted || !take(emit::undefinedSymbols(object), undefined))
    return;
  for (const std::string &symbol : undefined)
    if (!emit::isRuntimeSymbol(symbol))
      return error("internal: the kernel calls '" + symbol +
                   "', which is no row of abi/runtime_symbols.inc");
  if (stopsAt("obj")) {
    result.output = std::move(object);
    result.succeeded = true;
    return;
  }
  llvm::SmallString<128> directory;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("trireme", directory))
    return error("cannot make a temporary directory: " + code.message());
  time("link", [&] {
    result.succeeded =
        take(emit::sharedObject(object, target, directory), result.output);
  });
  llvm::sys::fs::remove(directory);
}

void Compilation::run() {
  char problem[TRIREME_TARGET_ERROR] = "";
  if (trireme_target_resolve(options.target.c_str(), &target, problem) != 0)
    return error(problem);
  if (!llvm::is_contained(stageNames(), options.stop_after))
    return error("unknown stage '" + options.stop_after + "'");
  driver::forceFault(options.force_fault);
  // Read before anything is printed: a module may come in at the vector stage.
  readImageInfo();
  if (!runStages())
    return;
  for (const Stage &stage : stages())
    if (stopsAt(stage.name)) {
      result.succeeded = true;
      return;
    }
  emitCode();
}

Result driver::compile(ModuleOp module, const support::Options &options) {
  Result result;
  // Leaked after a fault: the frames that own parts of it are gone.
  auto *collector = new support::DiagnosticCollector(module.getContext());
  std::string fault =
      runGuarded([&] { Compilation(module, options, result).run(); });
  if (!fault.empty()) {
    result.succeeded = false;
    result.diagnostics.clear();
    support::Diagnostic internal;
    internal.kind = "internal";
    internal.message =
        "the compiler itself failed (" + fault +
        "); this is a bug of Trireme, please report it with the kernel";
    result.diagnostics.push_back(internal);
    return result;
  }
  result.diagnostics = collector->take();
  delete collector;
  return result;
}

Result driver::compile(llvm::StringRef text, llvm::StringRef name,
                       const support::Options &options) {
  // Leaked after a fault, for the same reason.
  auto *context = new MLIRContext(registry(), MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  Result result;
  OwningOpRef<ModuleOp> module;
  {
    support::DiagnosticCollector collector(context);
    ParserConfig config(context);
    std::string fault = runGuarded(
        [&] { module = parseSourceString<ModuleOp>(text, config, name); });
    if (!module) {
      result.diagnostics = collector.take();
      return result;
    }
  }
  result = compile(*module, options);
  bool faulted =
      !result.diagnostics.empty() && result.diagnostics[0].kind == "internal";
  if (faulted) {
    (void)module.release();
    return result;
  }
  module = nullptr;
  delete context;
  return result;
}
