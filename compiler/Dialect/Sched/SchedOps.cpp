//===- SchedOps.cpp - verifier of the schedule ----------------------------===//

#include "compiler/Dialect/Sched/Sched.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trireme::sched;

#include "compiler/Dialect/Sched/SchedDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Sched/SchedAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Sched/SchedOps.cpp.inc"

void SchedDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/Dialect/Sched/SchedAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Sched/SchedOps.cpp.inc"
      >();
}

LogicalResult
LoopAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int64_t> order, int64_t lane, int64_t width,
                 int64_t unroll) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  for (auto [index, axis] : llvm::enumerate(sorted))
    if (axis != static_cast<int64_t>(index))
      return emitError() << "order must be a permutation of the axes, got ["
                         << order << "]";
  if (lane < 0 || lane >= static_cast<int64_t>(order.size()))
    return emitError() << "lane axis " << lane
                       << " is outside the iteration space of " << order.size()
                       << " axes";
  if (width < 1 || unroll < 1)
    return emitError() << "width and unroll must be positive, got " << width
                       << " and " << unroll;
  return success();
}

LogicalResult
TileAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t rows, int64_t vectors, int64_t width, int64_t depth) {
  if (rows < 1 || vectors < 1 || width < 1 || depth < 1)
    return emitError()
           << "rows, vectors, width and depth must be positive, got " << rows
           << ", " << vectors << ", " << width << " and " << depth;
  return success();
}

LogicalResult HoldOp::verify() {
  size_t rank = cast<RankedTensorType>(getType()).getRank();
  if (getLoop() && getLoop()->getOrder().size() != rank)
    return emitOpError("loop nest must have the ")
           << rank << " axes of the tensor, got "
           << getLoop()->getOrder().size();
  return success();
}
