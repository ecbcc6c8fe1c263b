//===- PointerAnalysis.cpp - where the elements of a block lie ------------===//

#include "compiler/Analysis/PointerAnalysis.h"

#include "compiler/Dialect/TT/TT.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::analysis;

static constexpr unsigned maxDepth = 512;

const PointerDomain *PointerAnalysis::get(Value pointer) {
  auto found = domains.find(pointer);
  if (found != domains.end())
    return found->second.get();
  std::unique_ptr<PointerDomain> domain;
  if (depth < maxDepth) {
    ++depth;
    if (std::optional<PointerDomain> computed = compute(pointer))
      domain = std::make_unique<PointerDomain>(std::move(*computed));
    --depth;
  }
  return (domains[pointer] = std::move(domain)).get();
}

std::optional<PointerDomain> PointerAnalysis::compute(Value pointer) {
  const Expr *zero = indices.getExprs().constant(0, 64);
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  if (!type)
    return PointerDomain{pointer, indices.getUniform(zero, {})};
  Operation *op = pointer.getDefiningOp();
  if (!op)
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape();

  /// The domain of the operand with its index changed.
  auto change = [&](auto function) -> std::optional<PointerDomain> {
    const PointerDomain *source = get(op->getOperand(0));
    if (!source)
      return std::nullopt;
    std::optional<IndexDomain> index = function(source->index);
    if (!index)
      return std::nullopt;
    return PointerDomain{source->base, std::move(*index)};
  };

  return llvm::TypeSwitch<Operation *, std::optional<PointerDomain>>(op)
      .Case([&](tt::SplatOp splat) {
        return PointerDomain{splat.getSrc(), indices.getUniform(zero, shape)};
      })
      .Case([&](tt::AddPtrOp add) {
        return change(
            [&](const IndexDomain &source) -> std::optional<IndexDomain> {
              const IndexDomain *offset = indices.get(add.getOffset());
              if (!offset)
                return std::nullopt;
              auto wide = indices.extend(*offset, 64, /*isSigned=*/true);
              return wide ? indices.add(source, *wide) : std::nullopt;
            });
      })
      .Case([&](tt::BroadcastOp) {
        return change(
            [&](auto &source) { return indices.broadcast(source, shape); });
      })
      .Case([&](tt::ExpandDimsOp expand) {
        return change([&](const IndexDomain &source) {
          SmallVector<int, 4> sources =
              llvm::to_vector<4>(llvm::seq<int>(0, source.shape.size()));
          sources.insert(sources.begin() + expand.getAxis(), -1);
          return indices.permute(source, sources);
        });
      })
      .Case([&](tt::TransOp trans) {
        return change([&](auto &source) {
          return indices.permute(source, SmallVector<int, 4>(trans.getOrder()));
        });
      })
      .Case([&](tt::ReshapeOp) {
        return change(
            [&](const IndexDomain &source) -> std::optional<IndexDomain> {
              auto sources = matchUnitReshape(source.shape, shape);
              return sources ? indices.permute(source, *sources) : std::nullopt;
            });
      })
      .Default([](Operation *) -> std::optional<PointerDomain> {
        return std::nullopt;
      });
}
