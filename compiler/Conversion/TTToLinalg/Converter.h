//===- Converter.h - one walk from tt to linalg --------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_CONVERSION_TTTOLINALG_CONVERTER_H
#define TRIREME_COMPILER_CONVERSION_TTTOLINALG_CONVERTER_H

#include "compiler/Analysis/MaskAnalysis.h"
#include "compiler/Analysis/PointerAnalysis.h"
#include "compiler/Dialect/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace trireme::conversion {

class Converter;
using Handler = llvm::LogicalResult (*)(Converter &, mlir::Operation *);

/// Which function converts an operation, by its class.
class Handlers {
public:
  template <typename OpT, llvm::LogicalResult (*function)(Converter &, OpT)>
  void add() {
    table[mlir::TypeID::get<OpT>()] = [](Converter &converter,
                                         mlir::Operation *op) {
      return function(converter, llvm::cast<OpT>(op));
    };
  }
  Handler lookup(mlir::Operation *op) const {
    return table.lookup(op->getName().getTypeID());
  }

private:
  llvm::DenseMap<mlir::TypeID, Handler> table;
};

void addAtomicHandlers(Handlers &handlers);
void addControlHandlers(Handlers &handlers);
void addDebugHandlers(Handlers &handlers);
void addDotHandlers(Handlers &handlers);
void addElementwiseHandlers(Handlers &handlers);
void addMemoryHandlers(Handlers &handlers);
void addReduceHandlers(Handlers &handlers);
void addShapeHandlers(Handlers &handlers);

/// Builds the converted function while it walks the original, which stays
/// untouched so that the analyses can read it.
class Converter : public analysis::Materializer {
public:
  Converter(mlir::Block *entry, bool fpFusion);

  /// Appends the conversion of each operation, terminator included.
  llvm::LogicalResult convertBlock(mlir::Block &from, mlir::Block *to);
  llvm::LogicalResult convertOp(mlir::Operation *op);
  /// The same operation on converted operands, with converted types and
  /// regions.
  llvm::LogicalResult convertSame(mlir::Operation *op);

  mlir::Value get(mlir::Value original) const {
    mlir::Value value = values.lookup(original);
    assert(value && "operands are converted before their users");
    return value;
  }
  void set(mlir::Value original, mlir::Value converted) {
    values[original] = converted;
  }

  static mlir::Type convertType(mlir::Type type);
  static mlir::TypedAttr convertNumber(mlir::TypedAttr number);

  /// The same operation in f32: for eight-bit floats.
  llvm::LogicalResult computeInF32(mlir::Operation *op);

  mlir::OpBuilder b; // at the end of the block being built
  analysis::ExprContext exprs;
  analysis::IndexAnalysis indices;
  analysis::PointerAnalysis pointers;
  /// The same, with remainders taken for consecutive numbers.
  analysis::IndexAnalysis unwrappedIndices;
  analysis::PointerAnalysis unwrappedPointers;
  analysis::MaskAnalysis masks;

protected:
  mlir::Value getLeaf(mlir::Value original) override { return get(original); }
  mlir::Value cloneElementwise(mlir::OpBuilder &builder, mlir::Operation *op,
                               mlir::ValueRange operands,
                               mlir::Type type) override;

private:
  bool fpFusion;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
};

/// Refuses an operation: "not supported yet: NAME", and why if that needs
/// saying.
llvm::LogicalResult refuse(mlir::Operation *op, llvm::StringRef why = "");

/// The type an element has in memory: i8 for i1, i64 for pointers.
mlir::Type getMemoryType(mlir::Type element);
/// The type with another element.
mlir::Type withElement(mlir::Type type, mlir::Type element);
/// Triton's spelling of an element type ("fp32", "*i8"); empty if it has none.
/// Integers are signed ones.
std::string spellType(mlir::Type type);
/// The bytes of an element in memory.
int64_t getMemorySize(mlir::Type element);

/// A constant, spread over the elements if the type is a tensor.
mlir::Value createInt(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                      const llvm::APInt &value);
mlir::Value createInt(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                      int64_t value);
mlir::Value createZero(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type);

/// An elementwise integer operation on converted operands, made total.
mlir::Value createElementwise(mlir::OpBuilder &b, mlir::Operation *op,
                              mlir::ValueRange operands, mlir::Type type);

/// The source read through `map` (result index to source index): a broadcast,
/// an added axis or a transposition.
mlir::Value createView(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value source, mlir::AffineMap map,
                       mlir::RankedTensorType type);

} // namespace trireme::conversion

#endif // TRIREME_COMPILER_CONVERSION_TTTOLINALG_CONVERTER_H
