//===- main.cpp - trireme-opt: run passes on a .ttir or .mlir file
//-------------------===//

#include "compiler/Dialect/Access/Access.h"
#include "compiler/Dialect/Kernel/Kernel.h"
#include "compiler/Dialect/Sched/Sched.h"
#include "compiler/Dialect/TT/TT.h"
#include "compiler/Lower/Math/Passes.h"
#include "compiler/Lower/Vector/Vector.h"
#include "compiler/Schedule/Schedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect, mlir::ub::UBDialect,
                  mlir::vector::VectorDialect, trireme::access::AccessDialect,
                  trireme::kernel::KernelDialect, trireme::sched::SchedDialect,
                  trireme::tt::TTDialect>();
  mlir::registerTransformsPasses();
  mlir::registerAllPasses();
  trireme::schedule::registerSchedulePasses();
  trireme::lower::registerVectorPasses();
  trireme::lower::registerLowerMathPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Trireme optimizer driver\n", registry));
}
