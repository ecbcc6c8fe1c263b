//===- Control.cpp - programs and structured control flow -----------------===//

#include "Converter.h"

#include "compiler/Dialect/Kernel/Kernel.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

static LogicalResult convertProgramId(Converter &converter,
                                      tt::GetProgramIdOp op) {
  converter.set(op, kernel::ProgramIdOp::create(
                        converter.b, op.getLoc(), converter.b.getI32Type(),
                        static_cast<uint32_t>(op.getAxis())));
  return success();
}

static LogicalResult convertNumPrograms(Converter &converter,
                                        tt::GetNumProgramsOp op) {
  converter.set(op, kernel::NumProgramsOp::create(
                        converter.b, op.getLoc(), converter.b.getI32Type(),
                        static_cast<uint32_t>(op.getAxis())));
  return success();
}

static LogicalResult convertReturn(Converter &converter, tt::ReturnOp op) {
  func::ReturnOp::create(converter.b, op.getLoc());
  return success();
}

template <typename OpT>
static LogicalResult convertStructured(Converter &converter, OpT op) {
  return converter.convertSame(op);
}

/// Assumptions about scalars are kept for LLVM.
static LogicalResult convertAssume(Converter &converter, LLVM::AssumeOp op) {
  LLVM::AssumeOp::create(converter.b, op.getLoc(), converter.get(op.getCond()));
  return success();
}

static LogicalResult convertCall(Converter &, tt::CallOp op) {
  return op.emitError("calls must be inlined before (tt-inline-calls)");
}

void conversion::addControlHandlers(Handlers &handlers) {
  handlers.add<tt::GetProgramIdOp, convertProgramId>();
  handlers.add<tt::GetNumProgramsOp, convertNumPrograms>();
  handlers.add<tt::ReturnOp, convertReturn>();
  handlers.add<tt::CallOp, convertCall>();
  handlers.add<LLVM::AssumeOp, convertAssume>();
  handlers.add<scf::ForOp, convertStructured>();
  handlers.add<scf::IfOp, convertStructured>();
  handlers.add<scf::WhileOp, convertStructured>();
  handlers.add<scf::ConditionOp, convertStructured>();
  handlers.add<scf::YieldOp, convertStructured>();
  handlers.add<scf::IndexSwitchOp, convertStructured>();
}
