//===- Reduce.cpp - operations with a region, histograms ------------------===//

#include "Converter.h"

#include "compiler/Dialect/Kernel/Kernel.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::conversion;

static LogicalResult convertCombine(Converter &converter, Operation *op,
                                    Region &from, Region &to) {
  if (!from.hasOneBlock())
    return op->emitError("control flow is not structured");
  Block *block = new Block();
  to.push_back(block);
  for (BlockArgument arg : from.front().getArguments())
    converter.set(arg, block->addArgument(Converter::convertType(arg.getType()),
                                          arg.getLoc()));
  return converter.convertBlock(from.front(), block);
}

template <typename OpT>
static SmallVector<Value> getInputs(Converter &converter, OpT op) {
  SmallVector<Value> inputs;
  for (Value source : op.getSrcs())
    inputs.push_back(converter.get(source));
  return inputs;
}

template <typename OpT> static SmallVector<Type> getResultTypes(OpT op) {
  return llvm::map_to_vector(op->getResultTypes(), Converter::convertType);
}

static LogicalResult convertReduce(Converter &converter, tt::ReduceOp op) {
  auto reduce =
      kernel::ReduceOp::create(converter.b, op.getLoc(), getResultTypes(op),
                               getInputs(converter, op), op.getAxis());
  for (auto [from, to] : llvm::zip(op->getResults(), reduce.getResults()))
    converter.set(from, to);
  return convertCombine(converter, op, op.getCombineOp(), reduce.getCombine());
}

static LogicalResult convertScan(Converter &converter, tt::ScanOp op) {
  auto scan = kernel::ScanOp::create(
      converter.b, op.getLoc(), getResultTypes(op), getInputs(converter, op),
      op.getAxis(), op.getReverse());
  for (auto [from, to] : llvm::zip(op->getResults(), scan.getResults()))
    converter.set(from, to);
  return convertCombine(converter, op, op.getCombineOp(), scan.getCombine());
}

template <typename OpT>
static LogicalResult convertReturn(Converter &converter, OpT op) {
  SmallVector<Value> values;
  for (Value value : op->getOperands())
    values.push_back(converter.get(value));
  kernel::YieldOp::create(converter.b, op->getLoc(), values);
  return success();
}

/// One kernel.map a result.
static LogicalResult convertMap(Converter &converter, tt::MapElementwiseOp op) {
  if (op.getPack() != 1)
    return refuse(op, "with several elements at once");
  WalkResult effects = op.getScalarOp().walk([&](Operation *inner) {
    return inner->getNumRegions() == 0 && !isMemoryEffectFree(inner)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (effects.wasInterrupted())
    return refuse(op, "of a function with effects");
  for (auto [i, original] : llvm::enumerate(op->getResults())) {
    auto map = kernel::MapOp::create(converter.b, op.getLoc(),
                                     Converter::convertType(original.getType()),
                                     getInputs(converter, op));
    if (failed(convertCombine(converter, op, op.getScalarOp(), map.getBody())))
      return failure();
    Operation *yield = map.getBody().front().getTerminator();
    Value kept = yield->getOperand(i);
    yield->setOperands(kept);
    converter.set(original, map);
  }
  return success();
}

static LogicalResult convertHistogram(Converter &converter,
                                      tt::HistogramOp op) {
  Value mask = op.getMask() ? converter.get(op.getMask()) : Value();
  converter.set(
      op, kernel::HistogramOp::create(converter.b, op.getLoc(),
                                      Converter::convertType(op.getType()),
                                      converter.get(op.getSrc()), mask));
  return success();
}

void conversion::addReduceHandlers(Handlers &handlers) {
  handlers.add<tt::HistogramOp, convertHistogram>();
  handlers.add<tt::MapElementwiseOp, convertMap>();
  handlers.add<tt::MapElementwiseReturnOp, convertReturn>();
  handlers.add<tt::ReduceOp, convertReduce>();
  handlers.add<tt::ScanOp, convertScan>();
  handlers.add<tt::ReduceReturnOp, convertReturn>();
  handlers.add<tt::ScanReturnOp, convertReturn>();
}
