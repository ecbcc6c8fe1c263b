//===- Matmul.cpp - matrix multiply as a register tile --------------------===//
//
// C (a slot) += A B. The tile of `rows` x `vectors` accumulators runs along K
// in registers; A gives one broadcast element a row, B a row of vectors. An
// operand is read where it lies when it is a load whose block is wholly in
// bounds and, for B, contiguous; otherwise it is first copied to scratch. One
// copy of the loops serves both, as operands are a pointer and strides known at
// run time. Where enough rows share the cost, B is packed: panels as wide as
// the tile, in the type that is computed in. Block extents are powers of two;
// the rows of a tile need not be, and what is left is a tile of its own.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/Vector/RootEmitter.h"
#include "compiler/Support/Diagnostics.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

/// A product of so few rows is bound by how fast B comes from memory.
static constexpr int64_t kFewRows = 4;
/// Rows of B that are added to C at a time then.
static constexpr int64_t kDepth = 4;
static constexpr int64_t kPageBytes = 4096;
/// Rows of A among which the cost of packing B is shared, at least.
static constexpr int64_t kRowsToPack = 64;

namespace trireme::lower {
class MatmulEmitter {
public:
  MatmulEmitter(KernelEmitter &kernel, Operation *op)
      : kernel(kernel), b(kernel.b), op(op), loc(op->getLoc()),
        type(cast<RankedTensorType>(op->getResult(0).getType())),
        tile(op->getAttrOfType<sched::TileAttr>(sched::tileAttrName)) {
    int64_t rank = type.getRank();
    batch = rank == 3 ? type.getDimSize(0) : 1;
    m = type.getDimSize(rank - 2);
    n = type.getDimSize(rank - 1);
    auto left = cast<RankedTensorType>(op->getOperand(0).getType());
    k = left.getDimSize(rank - 1);
    Type element = type.getElementType();
    // Narrow floats accumulate in f32 (architecture D12).
    computeType =
        isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32
            ? Type(b.getF32Type())
            : element;
  }

  void emit();

private:
  /// Where a matrix lies: element (r, c) at pointer[rowOffset(r) + c *
  /// columnStride].
  struct Matrix {
    Value pointer;
    Type element;
    Value batchStride, rowStride, columnStride;
    /// Offset of each row (i64 in scratch) instead of rowStride; -1: none.
    int64_t rowTable = -1;
    /// Columns beside each other are panels one after the other: element (r, c)
    /// is at (c / tile columns) * rows * tile columns + r * rowStride + c %
    /// tile columns.
    bool isPacked = false;
    /// Where it is read, for people.
    llvm::StringRef how = "in scratch";
  };

  Matrix operand(unsigned number);
  void computeInto(const Slot &slot, Value value);
  void remark(llvm::StringRef how);
  Matrix slotMatrix(const Slot &slot);
  Value directCondition(const AccessView &access);
  void fillRowTable(Matrix &matrix, const AccessView *access, int64_t rows,
                    Value stride);
  Value rowOffset(OpBuilder &builder, const Matrix &matrix, Value row);
  void tileLoops(const Matrix &a, const Matrix &bm, const Slot &c,
                 bool accumulate, Value initial);
  Matrix packColumns(const Matrix &from);
  void rowLoops(const Matrix &a, const Matrix &bm, const Slot &c);
  void tileBody(const Matrix &a, const Matrix &bm, const Slot &c,
                Value batchIndex, Value row, Value column, int64_t rows,
                bool accumulate, Value initial);

  Value addI(Value x, Value y) {
    if (matchPattern(x, m_Zero()))
      return y;
    if (matchPattern(y, m_Zero()))
      return x;
    return arith::AddIOp::create(b, loc, x, y);
  }
  Value mulI(Value x, Value y) {
    if (matchPattern(x, m_One()))
      return y;
    if (matchPattern(y, m_One()))
      return x;
    return arith::MulIOp::create(b, loc, x, y);
  }
  Value at(Value pointer, Type element, Value offset) {
    if (matchPattern(offset, m_Zero()))
      return pointer;
    return LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                               ValueRange{offset});
  }
  /// Where a batch of the matrix begins.
  Value inBatch(const Matrix &matrix, Value batchIndex) {
    if (batch == 1)
      return matrix.pointer;
    return at(matrix.pointer, matrix.element,
              mulI(batchIndex, matrix.batchStride));
  }
  Value loadOne(Value pointer, Type element) {
    return LLVM::LoadOp::create(b, loc, element, pointer,
                                elementBytes(element));
  }
  Value loadVector(Value pointer, Type element) {
    return LLVM::LoadOp::create(b, loc, vectorType(element), pointer,
                                elementBytes(element));
  }
  void storeVector(Value vector, Value pointer) {
    LLVM::StoreOp::create(b, loc, vector, pointer,
                          elementBytes(getElementTypeOrSelf(vector.getType())));
  }
  void overAxis(int64_t extent, int64_t step,
                llvm::function_ref<void(Value)> body) {
    if (extent == step)
      return body(kernel.index(0));
    auto loop = scf::ForOp::create(b, loc, kernel.index(0),
                                   kernel.index(extent), kernel.index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVar());
  }
  int64_t tileColumns() const { return tile.getVectors() * tile.getWidth(); }
  Type vectorType(Type element) const {
    return tile.getWidth() == 1
               ? element
               : Type(VectorType::get({tile.getWidth()}, element));
  }
  Value splat(Value value) {
    if (tile.getWidth() == 1)
      return value;
    return vector::BroadcastOp::create(b, loc, vectorType(value.getType()),
                                       value);
  }
  /// Widens an operand's element(s) to the type that is computed in.
  Value widen(Value value) {
    Type from = getElementTypeOrSelf(value.getType());
    if (from == computeType)
      return value;
    Type to = isa<VectorType>(value.getType()) ? vectorType(computeType)
                                               : computeType;
    if (isa<FloatType>(computeType))
      return arith::ExtFOp::create(b, loc, to, value);
    return arith::ExtSIOp::create(b, loc, to, value);
  }
  Value narrow(Value value) {
    Type to = type.getElementType();
    if (to == computeType)
      return value;
    return arith::TruncFOp::create(b, loc, vectorType(to), value);
  }
  Value multiplyAdd(Value x, Value y, Value sum) {
    if (!isa<FloatType>(computeType))
      return arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, x, y),
                                   sum);
    if (kernel.options.hasFma)
      return math::FmaOp::create(b, loc, x, y, sum);
    return arith::AddFOp::create(b, loc, arith::MulFOp::create(b, loc, x, y),
                                 sum);
  }

  KernelEmitter &kernel;
  OpBuilder &b;
  Operation *op;
  Location loc;
  RankedTensorType type;
  sched::TileAttr tile;
  int64_t batch, m, n, k;
  Type computeType;
};
} // namespace trireme::lower

MatmulEmitter::Matrix MatmulEmitter::slotMatrix(const Slot &slot) {
  ArrayRef<int64_t> shape = slot.type.getShape();
  int64_t columns = shape.back(), rows = shape[shape.size() - 2];
  return {kernel.scratchPointer(slot.offset), slot.storageType(),
          kernel.index(rows * columns), kernel.index(columns), kernel.index(1)};
}

/// The condition under which an operand may be read where it lies: its summary
/// is valid and its whole block is in bounds.
Value MatmulEmitter::directCondition(const AccessView &access) {
  Value all = kernel.constant(b.getBoolAttr(true));
  auto require = [&](Value condition) {
    all = matchPattern(all, m_One())
              ? condition
              : arith::AndIOp::create(b, loc, all, condition).getResult();
  };
  if (access.valid)
    require(kernel.scalar(access.valid));
  if (access.pred)
    require(kernel.scalar(access.pred));
  for (unsigned i = 0; i < access.boundAxes.size(); ++i) {
    APInt low, high;
    int64_t extent = access.shape[access.boundAxes[i]];
    if (!(matchPattern(access.lows[i], m_ConstantInt(&low)) &&
          low.getSExtValue() <= 0))
      require(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                    kernel.scalar(access.lows[i]),
                                    kernel.index(0)));
    if (!(matchPattern(access.highs[i], m_ConstantInt(&high)) &&
          high.getSExtValue() >= extent))
      require(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                    kernel.scalar(access.highs[i]),
                                    kernel.index(extent)));
  }
  return all;
}

/// Fills a table of row offsets: those of `access`, or plain multiples of
/// `stride`.
void MatmulEmitter::fillRowTable(Matrix &matrix, const AccessView *access,
                                 int64_t rows, Value stride) {
  auto loop = sched::LoopAttr::get(b.getContext(), {0}, 0, 1, 1);
  RootEmitter root(kernel, loc, {rows}, loop, /*slow=*/false);
  Slot table{matrix.rowTable, RankedTensorType::get({rows}, b.getI64Type())};
  root.nest([&] {
    Value row = root.coords()[0].base;
    Value offset = root.mul(loc, row, stride);
    if (access)
      for (auto [term, axis] : llvm::zip(access->terms, access->termAxes))
        offset = root.add(loc, offset, root.eval(term, root.coords()));
    root.storeSlot(loc, table, root.coords(), offset);
  });
}

/// Row by row, with vectors as wide as the tile's where the rows have room.
void MatmulEmitter::computeInto(const Slot &slot, Value value) {
  int64_t rank = slot.type.getRank();
  int64_t width =
      std::min<int64_t>(tile.getWidth(), slot.type.getShape().back());
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  kernel.materialize(
      loc, value, slot,
      sched::LoopAttr::get(b.getContext(), order, rank - 1, width, 1));
}

MatmulEmitter::Matrix MatmulEmitter::operand(unsigned number) {
  Value value = op->getOperand(number);
  if (auto it = kernel.slots.find(value); it != kernel.slots.end())
    return slotMatrix(it->second);
  auto valueType = cast<RankedTensorType>(value.getType());
  int64_t rank = valueType.getRank();
  Slot slot = kernel.allocator.allocate(valueType);

  auto load = value.getDefiningOp<access::LoadOp>();
  APInt columnStride;
  bool isDirect =
      load && load.hasSummary() && !load.getMask() && !load.getIsVolatile();
  AccessView access;
  if (isDirect) {
    access = AccessView::of(load);
    for (int32_t axis : access.termAxes)
      isDirect &= rank == 2 && axis == 0;
    // Rows of B are read as vectors.
    if (number == 1)
      isDirect &= matchPattern(access.strides[rank - 1],
                               m_ConstantInt(&columnStride)) &&
                  columnStride.isOne();
  }
  if (!isDirect) {
    computeInto(slot, value);
    Matrix copied = slotMatrix(slot);
    copied.how = load
                     ? "copied to scratch, as its rows are no vectors in memory"
                     : "computed into scratch";
    return copied;
  }

  Matrix direct;
  direct.element = access.elementType;
  direct.pointer = kernel.scalar(access.base);
  if (access.offset)
    direct.pointer =
        at(direct.pointer, direct.element, kernel.scalar(access.offset));
  direct.batchStride =
      rank == 3 ? kernel.scalar(access.strides[0]) : kernel.index(0);
  direct.rowStride = kernel.scalar(access.strides[rank - 2]);
  direct.columnStride = kernel.scalar(access.strides[rank - 1]);
  int64_t rows = valueType.getDimSize(rank - 2);
  if (!access.terms.empty())
    direct.rowTable = kernel.allocator.allocateBytes(rows * 8);

  Value condition = directCondition(access);
  if (matchPattern(condition, m_One())) {
    if (direct.rowTable >= 0)
      fillRowTable(direct, &access, rows, direct.rowStride);
    direct.how = "read where it lies";
    return direct;
  }
  Matrix copied = slotMatrix(slot);
  copied.rowTable = direct.rowTable;
  SmallVector<Value> yes{direct.pointer, direct.batchStride, direct.rowStride,
                         direct.columnStride};
  SmallVector<Value> no{copied.pointer, copied.batchStride, copied.rowStride,
                        copied.columnStride};
  SmallVector<Type> types =
      llvm::map_to_vector(yes, [](Value v) { return v.getType(); });
  auto choice =
      scf::IfOp::create(b, loc, types, condition, /*addThenBlock=*/true,
                        /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    if (direct.rowTable >= 0)
      fillRowTable(direct, &access, rows, direct.rowStride);
    scf::YieldOp::create(b, loc, yes);
    b.setInsertionPointToStart(choice.elseBlock());
    computeInto(slot, value);
    if (direct.rowTable >= 0)
      fillRowTable(copied, nullptr, rows, copied.rowStride);
    scf::YieldOp::create(b, loc, no);
  }
  // What both ways share stays a constant.
  auto either = [&](unsigned part) {
    return yes[part] == no[part] ? yes[part] : Value(choice.getResult(part));
  };
  return {either(0),
          direct.element,
          either(1),
          either(2),
          either(3),
          direct.rowTable,
          /*isPacked=*/false,
          "read where it lies if the whole block is in bounds, else copied"};
}

Value MatmulEmitter::rowOffset(OpBuilder &builder, const Matrix &matrix,
                               Value row) {
  if (matrix.rowTable < 0)
    return mulI(row, matrix.rowStride);
  Value entry =
      at(kernel.scratchPointer(matrix.rowTable), builder.getI64Type(), row);
  return LLVM::LoadOp::create(builder, loc, builder.getI64Type(), entry, 8);
}

void MatmulEmitter::tileBody(const Matrix &a, const Matrix &bm, const Slot &c,
                             Value batchIndex, Value row, Value column,
                             int64_t rows, bool accumulate, Value initial) {
  int64_t vectors = tile.getVectors(), width = tile.getWidth();
  Type storage = c.storageType();
  Value aBase = inBatch(a, batchIndex), bBase = inBatch(bm, batchIndex),
        cBase = inBatch(slotMatrix(c), batchIndex);
  // Addresses of the tile in C and of A's rows.
  SmallVector<Value> cells, aRows;
  for (int64_t r = 0; r < rows; ++r) {
    Value rowIndex = addI(row, kernel.index(r));
    Value offset = addI(mulI(rowIndex, kernel.index(n)), column);
    for (int64_t v = 0; v < vectors; ++v)
      cells.push_back(
          at(cBase, storage, addI(offset, kernel.index(v * width))));
    aRows.push_back(at(aBase, a.element, rowOffset(b, a, rowIndex)));
  }
  SmallVector<Value> inits;
  for (Value cell : cells) {
    if (!accumulate) {
      inits.push_back(splat(initial));
      continue;
    }
    inits.push_back(widen(loadVector(cell, storage)));
  }
  // A packed panel begins at (column / tile columns) * k * tile columns.
  Value bPointer = at(bBase, bm.element,
                      bm.isPacked ? mulI(column, kernel.index(k)) : column);

  // Several steps at a time where elements of A's rows are neighbours: their
  // addresses then are one pointer a row and constants.
  int64_t depth =
      matchPattern(a.columnStride, m_One()) && k % tile.getDepth() == 0
          ? tile.getDepth()
          : 1;
  auto along = scf::ForOp::create(
      b, loc, kernel.index(0), kernel.index(k), kernel.index(depth), inits,
      [&](OpBuilder &, Location, Value first, ValueRange inits) {
        SmallVector<Value> sums(inits), pointers;
        for (Value row : aRows)
          pointers.push_back(at(row, a.element, mulI(first, a.columnStride)));
        for (int64_t d = 0; d < depth; ++d) {
          Value step = addI(first, kernel.index(d));
          Value bRow = at(bPointer, bm.element, rowOffset(b, bm, step));
          SmallVector<Value> bs, ones;
          for (int64_t v = 0; v < vectors; ++v)
            bs.push_back(widen(loadVector(
                at(bRow, bm.element, kernel.index(v * width)), bm.element)));
          for (Value pointer : pointers)
            ones.push_back(
                loadOne(at(pointer, a.element, kernel.index(d)), a.element));
          for (int64_t r = 0; r < rows; ++r) {
            Value spread = splat(widen(ones[r]));
            for (int64_t v = 0; v < vectors; ++v) {
              Value &sum = sums[r * vectors + v];
              sum = multiplyAdd(spread, bs[v], sum);
            }
          }
        }
        scf::YieldOp::create(b, loc, sums);
      });
  for (auto [cell, sum] : llvm::zip(cells, along.getResults()))
    storeVector(storage == computeType ? Value(sum) : narrow(sum), cell);
}

void MatmulEmitter::tileLoops(const Matrix &a, const Matrix &bm, const Slot &c,
                              bool accumulate, Value initial) {
  // A panel of B (K x tile columns) stays in the nearest cache while all rows
  // use it.
  overAxis(batch, 1, [&](Value batchIndex) {
    overAxis(n, tileColumns(), [&](Value column) {
      auto rowsFrom = [&](Value row, int64_t rows) {
        tileBody(a, bm, c, batchIndex, row, column, rows, accumulate, initial);
      };
      int64_t rows = tile.getRows(), rest = m % rows;
      if (m >= rows)
        overAxis(m - rest, rows, [&](Value row) { rowsFrom(row, rows); });
      if (rest)
        rowsFrom(kernel.index(m - rest), rest);
    });
  });
}

/// B as the register tile reads it: a panel of as many columns as it has, one
/// row after the other, in the type that is computed in. Rows of a matrix that
/// are a large power of two apart would share a few sets of the cache.
MatmulEmitter::Matrix MatmulEmitter::packColumns(const Matrix &from) {
  int64_t width = tile.getWidth(), columns = tileColumns();
  Matrix to;
  to.pointer = kernel.scratchPointer(kernel.allocator.allocateBytes(
      batch * k * n * elementBytes(computeType)));
  to.element = computeType;
  to.batchStride = kernel.index(k * n);
  to.rowStride = kernel.index(columns);
  to.columnStride = kernel.index(1);
  to.isPacked = true;
  overAxis(batch, 1, [&](Value batchIndex) {
    Value source = inBatch(from, batchIndex), target = inBatch(to, batchIndex);
    overAxis(k, 1, [&](Value row) {
      Value fromRow = at(source, from.element, rowOffset(b, from, row));
      Value toRow = at(target, to.element, mulI(row, to.rowStride));
      overAxis(n, columns, [&](Value column) {
        Value toPanel = at(toRow, to.element, mulI(column, kernel.index(k)));
        for (int64_t v = 0; v < tile.getVectors(); ++v) {
          Value skip = kernel.index(v * width);
          Value values = loadVector(
              at(fromRow, from.element, addI(column, skip)), from.element);
          storeVector(widen(values), at(toPanel, to.element, skip));
        }
      });
    });
  });
  return to;
}

/// For few rows: B is gone through row by row from end to end, as it comes from
/// memory and long pieces of it come faster; C, which is small, is read and
/// written once for every `kDepth` rows of B.
void MatmulEmitter::rowLoops(const Matrix &a, const Matrix &bm, const Slot &c) {
  int64_t width = tile.getWidth();
  Type storage = c.storageType();
  Matrix cm = slotMatrix(c);
  int64_t depth = std::min<int64_t>(kDepth, k);
  overAxis(batch, 1, [&](Value batchIndex) {
    Value aBase = inBatch(a, batchIndex), bBase = inBatch(bm, batchIndex),
          cBase = inBatch(cm, batchIndex);
    overAxis(k, depth, [&](Value first) {
      SmallVector<Value> factors, bRows, cRows;
      for (int64_t r = 0; r < m; ++r) {
        Value row = kernel.index(r);
        Value aRow = at(aBase, a.element, rowOffset(b, a, row));
        cRows.push_back(at(cBase, storage, mulI(row, cm.rowStride)));
        for (int64_t d = 0; d < depth; ++d) {
          Value step = addI(first, kernel.index(d));
          Value one = loadOne(at(aRow, a.element, mulI(step, a.columnStride)),
                              a.element);
          factors.push_back(splat(widen(one)));
        }
      }
      for (int64_t d = 0; d < depth; ++d)
        bRows.push_back(at(bBase, bm.element,
                           rowOffset(b, bm, addI(first, kernel.index(d)))));
      overAxis(n, width, [&](Value column) {
        SmallVector<Value> bs;
        for (Value row : bRows)
          bs.push_back(
              widen(loadVector(at(row, bm.element, column), bm.element)));
        for (int64_t r = 0; r < m; ++r) {
          Value cell = at(cRows[r], storage, column);
          Value sum = loadVector(cell, storage);
          for (int64_t d = 0; d < depth; ++d)
            sum = multiplyAdd(factors[r * depth + d], bs[d], sum);
          storeVector(sum, cell);
        }
      });
    });
  });
}

void MatmulEmitter::remark(llvm::StringRef how) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "product of " << m << " x " << n << " x " << k;
  if (batch > 1)
    stream << ", " << batch << " times";
  stream << ", computed in " << computeType << ": " << how;
  support::remarkSchedule(loc, text);
}

void MatmulEmitter::emit() {
  Value result = op->getResult(0), accumulator = op->getOperand(2);
  Slot c = kernel.slotFor(result);
  int64_t mark = kernel.allocator.mark();
  DenseElementsAttr elements;
  bool isConstant =
      matchPattern(accumulator, m_Constant(&elements)) && elements.isSplat();
  Value initial;
  if (isConstant) {
    Attribute start = elements.getSplatValue<Attribute>();
    if (auto number = dyn_cast<FloatAttr>(start);
        number && number.getType() != computeType) {
      APFloat value = number.getValue();
      bool loses;
      value.convert(cast<FloatType>(computeType).getFloatSemantics(),
                    APFloat::rmNearestTiesToEven, &loses);
      start = b.getFloatAttr(computeType, value);
    }
    initial = kernel.constant(cast<TypedAttr>(start));
  } else {
    Slot from = kernel.slots.lookup(accumulator);
    if (!from.type)
      return kernel.fail(loc, "internal: accumulator without a slot");
    if (from.offset != c.offset)
      kernel.copySlot(loc, from, c);
  }
  Matrix a = operand(0), bm = operand(1);
  // Rows of B shorter than a page are no stream.
  bool isStream = m <= kFewRows && n * elementBytes(bm.element) >= kPageBytes &&
                  c.storageType() == computeType;
  std::string how = ("; A is " + a.how + ", B is " + bm.how).str();
  if (isStream) {
    remark("B is streamed row by row, as few rows of A share it" + how);
    if (isConstant)
      computeInto(c, accumulator);
    rowLoops(a, bm, c);
  } else {
    // Short rows in scratch lie as close as packed ones.
    bool isClose = kernel.slots.contains(op->getOperand(1)) &&
                   bm.element == computeType &&
                   n * elementBytes(bm.element) <= kPageBytes / 4;
    bool isPacked = m >= kRowsToPack && !isClose;
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << "tiles of " << tile.getRows() << " rows by " << tile.getVectors()
           << " vectors of " << tile.getWidth() << " stay in registers along K"
           << how;
    if (isPacked)
      stream << ", then packed to panels of " << tileColumns() << " columns ("
             << k * n * elementBytes(computeType) << " bytes), as " << m
             << " rows of A share them";
    remark(text);
    if (isPacked)
      bm = packColumns(bm);
    tileLoops(a, bm, c, !isConstant, initial);
  }
  kernel.allocator.release(mark);
  kernel.slots[result] = c;
}

void KernelEmitter::emitMatmul(Operation *op) {
  MatmulEmitter(*this, op).emit();
}
