//===- Pipeline.cpp - all stages and passes, in order ---------------------===//

#include "compiler/Driver/Driver.h"

#include "compiler/Conversion/TTToLinalg/Passes.h"
#include "compiler/Dialect/Access/Access.h"
#include "compiler/Dialect/Kernel/Kernel.h"
#include "compiler/Dialect/Sched/Sched.h"
#include "compiler/Dialect/TT/TT.h"
#include "compiler/Lower/LLVM/LowerToLLVM.h"
#include "compiler/Lower/Math/Passes.h"
#include "compiler/Lower/Vector/Vector.h"
#include "compiler/Schedule/Schedule.h"
#include "compiler/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace trireme;

static void toTTIR(OpPassManager &passes, const trireme_target &,
                   const support::Options &) {
  passes.addPass(transforms::createLiftControlFlowPass());
  passes.addPass(transforms::createInlineCallsPass());
  passes.addPass(transforms::createExpandBlockPointersPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(transforms::createCarryScalarsPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createLoopInvariantCodeMotionPass());
}

static void toLinalg(OpPassManager &passes, const trireme_target &,
                     const support::Options &options) {
  conversion::ConvertTTToLinalgPassOptions conversion;
  conversion.fpFusion = options.fp_fusion;
  passes.addPass(conversion::createConvertTTToLinalgPass(conversion));
  passes.addPass(createCSEPass());
}

static void toSched(OpPassManager &passes, const trireme_target &target,
                    const support::Options &) {
  schedule::ScheduleKernelPassOptions schedule;
  schedule.vectorBits = target.vector_bits;
  schedule.vectorRegisters = target.cpu->vector_registers;
  schedule.maxGroup = target.cpu->max_group;
  passes.addNestedPass<func::FuncOp>(
      schedule::createScheduleKernelPass(schedule));
}

static void toVector(OpPassManager &passes, const trireme_target &target,
                     const support::Options &) {
  lower::EmitKernelPassOptions emission;
  emission.maskBits = target.cpu->mask_bits;
  emission.hasFma = target.cpu->has_fma != 0;
  passes.addPass(lower::createEmitKernelPass(emission));
}

static void toLLVM(OpPassManager &passes, const trireme_target &target,
                   const support::Options &) {
  lower::ExpandFunctionsPassOptions math;
  math.hasFma = target.cpu->has_fma != 0;
  math.hasScalef = target.cpu->has_scalef != 0;
  passes.addPass(lower::createExpandFunctionsPass(math));
  lower::LowerToLLVMPassOptions conversion;
  conversion.hasF16 = target.cpu->has_f16 != 0;
  passes.addPass(lower::createLowerToLLVMPass(conversion));
  lower::InterleaveChainsPassOptions interleaving;
  interleaving.atOnce = target.cpu->vector_registers / 8;
  passes.addPass(lower::createInterleaveChainsPass(interleaving));
}

llvm::ArrayRef<driver::Stage> driver::stages() {
  static const Stage list[] = {{"ttir", toTTIR},
                               {"linalg", toLinalg},
                               {"sched", toSched},
                               {"vector", toVector},
                               {"llvm", toLLVM}};
  return list;
}

llvm::ArrayRef<const char *> driver::stageNames() {
  static const char *const names[] = {
      "ttir", "linalg", "sched", "vector", "llvm", "llir", "asm", "obj", "so"};
  return names;
}

const DialectRegistry &driver::registry() {
  static const DialectRegistry *all = [] {
    auto *registry = new DialectRegistry();
    registry
        ->insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                 LLVM::LLVMDialect, linalg::LinalgDialect, math::MathDialect,
                 scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
                 vector::VectorDialect, access::AccessDialect,
                 kernel::KernelDialect, sched::SchedDialect, tt::TTDialect>();
    func::registerInlinerExtension(*registry);
    LLVM::registerInlinerInterface(*registry);
    registerBuiltinDialectTranslation(*registry);
    registerLLVMDialectTranslation(*registry);
    return registry;
  }();
  return *all;
}

void driver::registerPasses() {
  registerTransformsPasses();
  transforms::registerTransformsPasses();
  conversion::registerTTToLinalgPasses();
  schedule::registerSchedulePasses();
  lower::registerVectorPasses();
  lower::registerLowerMathPasses();
  lower::registerLowerLLVMPasses();
}
