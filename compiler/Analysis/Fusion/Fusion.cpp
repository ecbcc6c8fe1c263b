//===- Fusion.cpp - which operations are computed inside which loops ------===//

#include "compiler/Analysis/Fusion/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace trireme;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

bool analysis::isAtomic(Operation *op) {
  return isa<access::AtomicRMWOp, access::AtomicCASOp>(op);
}

bool analysis::isRoot(Operation *op) {
  if (auto store = dyn_cast<access::StoreOp>(op))
    return isTensor(store.getValue());
  if (isAtomic(op))
    return isTensor(op->getResult(0));
  return isa<sched::HoldOp, kernel::ReduceOp, kernel::ScanOp,
             kernel::HistogramOp, linalg::MatmulOp, linalg::BatchMatmulOp>(op);
}

bool analysis::isRemap(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1)
    return false;
  Block &body = generic.getRegion().front();
  return body.getOperations().size() == 1 &&
         body.getTerminator()->getOperand(0) == body.getArgument(0);
}

bool analysis::isInline(Operation *op) {
  if (op->getNumResults() != 1 || !isTensor(op->getResult(0)) || isRoot(op))
    return false;
  if (isa<access::LoadOp, kernel::GatherOp, kernel::IotaOp, kernel::MapOp,
          tensor::SplatOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::EmptyOp>(op))
    return true;
  return isRemap(op) || OpTrait::hasElementwiseMappableTraits(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

bool analysis::hasSlot(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isRoot(op))
    return true;
  return op->getNumRegions() > 0 && !isInline(op);
}

SmallVector<int> analysis::identityAxes(int64_t rank) {
  return llvm::to_vector(llvm::seq<int>(0, static_cast<int>(rank)));
}

/// The axes of a reshape's operand: an axis of the operand keeps the root's
/// axis when the result has an axis of the same extent and the same inner
/// stride; otherwise it is mixed.
static SmallVector<int> reshapeAxes(ArrayRef<int64_t> from,
                                    ArrayRef<int64_t> to,
                                    ArrayRef<int> toAxes) {
  auto strides = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> result(shape.size(), 1);
    for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
      result[i] = result[i + 1] * shape[i + 1];
    return result;
  };
  SmallVector<int64_t> fromStrides = strides(from), toStrides = strides(to);
  SmallVector<int> axes;
  for (auto [extent, stride] : llvm::zip(from, fromStrides)) {
    int axis = extent == 1 ? analysis::kNoAxis : analysis::kMixedAxis;
    for (auto [i, toExtent] : llvm::enumerate(to))
      if (extent != 1 && toExtent == extent && toStrides[i] == stride)
        axis = toAxes[i];
    axes.push_back(axis);
  }
  return axes;
}

SmallVector<int> analysis::operandAxes(Operation *op, OpOperand &operand,
                                       ArrayRef<int> resultAxes) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return {};
  if (isRemap(op)) {
    AffineMap map =
        cast<linalg::GenericOp>(op).getMatchingIndexingMap(&operand);
    SmallVector<int> axes;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      axes.push_back(dim ? resultAxes[dim.getPosition()] : kNoAxis);
    }
    return axes;
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return reshapeAxes(
        type.getShape(),
        cast<RankedTensorType>(op->getResult(0).getType()).getShape(),
        resultAxes);
  SmallVector<int> axes(resultAxes);
  if (auto gather = dyn_cast<kernel::GatherOp>(op);
      gather && &operand == &gather.getSourceMutable())
    axes[gather.getAxis()] = kMixedAxis;
  if (auto load = dyn_cast<access::LoadOp>(op)) {
    for (auto [term, axis] :
         llvm::zip(load.getTermsMutable(), load.getTermAxes()))
      if (&term == &operand)
        return {resultAxes[axis]};
  }
  if (auto store = dyn_cast<access::StoreOp>(op)) {
    for (auto [term, axis] :
         llvm::zip(store.getTermsMutable(), store.getTermAxes()))
      if (&term == &operand)
        return {resultAxes[axis]};
  }
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    if (extent == 1)
      axes[i] = kNoAxis;
  return axes;
}

SmallVector<OpOperand *> analysis::fastOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  if (isRemap(op))
    return {&op->getOpOperand(0)};
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return {&op->getOpOperand(0)};
  auto skip = [](auto access, OpOperand &operand) {
    // Without a summary the exact form is all there is.
    if (!access.hasSummary())
      return false;
    return operand.get() == access.getAddresses() ||
           operand.get() == access.getExactMask();
  };
  for (OpOperand &operand : op->getOpOperands()) {
    if (auto load = dyn_cast<access::LoadOp>(op); load && skip(load, operand))
      continue;
    if (auto store = dyn_cast<access::StoreOp>(op);
        store && skip(store, operand))
      continue;
    if (isTensor(operand.get()))
      operands.push_back(&operand);
  }
  return operands;
}

void analysis::walkClosure(
    Value value, ArrayRef<int> axes,
    llvm::function_ref<void(Value, ArrayRef<int>)> visit) {
  SmallVector<std::pair<Value, SmallVector<int>>> work{
      {value, SmallVector<int>(axes)}};
  DenseMap<Value, SmallVector<SmallVector<int>, 1>> seen;
  while (!work.empty()) {
    auto [current, map] = work.pop_back_val();
    auto &maps = seen[current];
    if (llvm::is_contained(maps, map))
      continue;
    maps.push_back(map);
    visit(current, map);
    Operation *op = current.getDefiningOp();
    if (!op || hasSlot(current) || !isInline(op))
      continue;
    for (OpOperand *operand : fastOperands(op))
      work.push_back({operand->get(), operandAxes(op, *operand, map)});
  }
}

SmallVector<std::pair<Value, SmallVector<int>>>
analysis::rootOperands(Operation *root) {
  SmallVector<std::pair<Value, SmallVector<int>>> result;
  SmallVector<int> identity = identityAxes(iterationShape(root).size());
  for (OpOperand *operand : fastOperands(root))
    result.push_back({operand->get(), operandAxes(root, *operand, identity)});
  return result;
}

SmallVector<Operation *>
analysis::loadsIn(ArrayRef<std::pair<Value, SmallVector<int>>> closures) {
  llvm::SetVector<Operation *> loads;
  for (auto &[value, axes] : closures)
    walkClosure(value, axes, [&](Value inner, ArrayRef<int>) {
      if (inner.getDefiningOp<access::LoadOp>())
        loads.insert(inner.getDefiningOp());
    });
  return loads.takeVector();
}

ArrayRef<int64_t> analysis::iterationShape(Operation *root) {
  Value value = root->getOperand(0);
  if (auto store = dyn_cast<access::StoreOp>(root))
    value = store.getValue();
  else if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(root))
    value = root->getResult(0);
  return cast<RankedTensorType>(value.getType()).getShape();
}

sched::LoopAttr analysis::loopOf(Operation *root) {
  if (auto hold = dyn_cast<sched::HoldOp>(root))
    return hold.getLoopAttr();
  return root->getAttrOfType<sched::LoopAttr>(sched::loopAttrName);
}

bool analysis::sameElements(access::LoadOp load, access::StoreOp store) {
  return load.hasSummary() && store.hasSummary() &&
         load.getBase() == store.getBase() &&
         load.getOffset() == store.getOffset() &&
         llvm::equal(load.getStrides(), store.getStrides()) &&
         llvm::equal(load.getTerms(), store.getTerms()) &&
         load.getTermAxes() == store.getTermAxes() &&
         load.getElementType() == store.getElementType();
}
