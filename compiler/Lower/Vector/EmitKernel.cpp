//===- EmitKernel.cpp - the kernel's function and its loop over programs --===//
//
// func.func @k(%p: !llvm.ptr, %n: i32) { one program }  becomes
// func.func @k(%args, %grid, %begin: i64, %end: i64, %thread) -> i32, which
// unpacks its arguments once, then runs the programs [begin, end) in order
// until told to stop.
//
// Runs after schedule-kernel, which decides all that is decided; before
// lower-math-expand-functions.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/Vector/AccessView.h"
#include "compiler/Lower/Vector/KernelEmitter.h"
#include "compiler/Lower/Vector/Vector.h"

#include "abi/kernel.h"

namespace trireme::lower {
#define GEN_PASS_DEF_EMITKERNELPASS
#include "compiler/Lower/Vector/Passes.h.inc"
} // namespace trireme::lower

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

//===----------------------------------------------------------------------===//
// Shared with the emitters of roots
//===----------------------------------------------------------------------===//

void KernelEmitter::fail(Location loc, const llvm::Twine &message) {
  if (!failed)
    emitError(loc) << message;
  failed = true;
}

Value KernelEmitter::constant(TypedAttr attr) {
  Value &value = constants[attr];
  if (!value) {
    OpBuilder builder = OpBuilder::atBlockBegin(entry);
    value = arith::ConstantOp::create(builder, source.getLoc(), attr);
  }
  return value;
}

Value KernelEmitter::index(int64_t value) {
  return constant(b.getI64IntegerAttr(value));
}

Value KernelEmitter::zero(Type type) {
  return constant(cast<TypedAttr>(b.getZeroAttr(type)));
}

Value KernelEmitter::scratchPointer(int64_t offset) {
  if (offset == 0)
    return scratch;
  Value &pointer = pointers[offset];
  if (!pointer) {
    OpBuilder builder(b.getContext());
    builder.setInsertionPointAfterValue(scratch);
    pointer = LLVM::GEPOp::create(
        builder, source.getLoc(), scratch.getType(), b.getI8Type(), scratch,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  }
  return pointer;
}

Value KernelEmitter::linePointer(unsigned which) {
  // 64 elements of 8 bytes.
  constexpr int64_t kLineBytes = 512;
  if (lines[which] < 0)
    lines[which] = which * kLineBytes;
  return scratchPointer(lines[which]);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
struct Param {
  Type type;
  int64_t offset;
};
} // namespace

static int64_t bytesOf(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  return elementBytes(type);
}

/// Offsets in the argument block: abi/kernel.h.
static SmallVector<Param> layOut(func::FuncOp source, int64_t &total) {
  SmallVector<Param> params;
  total = 0;
  for (Type type : source.getArgumentTypes()) {
    int64_t bytes = bytesOf(type);
    total = llvm::alignTo(total, bytes);
    params.push_back({type, total});
    total += bytes;
  }
  return params;
}

/// The function arguments that `value` is computed from.
static void collectArguments(Value value, func::FuncOp source,
                             llvm::SmallBitVector &found,
                             DenseSet<Value> &seen) {
  if (!value || !seen.insert(value).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (owner == source) {
      found.set(argument.getArgNumber());
      return;
    }
    // A region argument may be any value that enters the operation or is handed
    // on in it.
    for (Value operand : owner->getOperands())
      collectArguments(operand, source, found, seen);
    for (Region &region : owner->getRegions())
      for (Block &block : region)
        for (Value operand : block.getTerminator()->getOperands())
          collectArguments(operand, source, found, seen);
    return;
  }
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    collectArguments(operand, source, found, seen);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value operand : block.getTerminator()->getOperands())
        collectArguments(operand, source, found, seen);
}

void KernelEmitter::describe(func::FuncOp target) {
  llvm::SmallBitVector written(source.getNumArguments()),
      read(source.getNumArguments());
  uint32_t flags = owners.empty() ? 0 : TRIREME_IMAGE_OWNERS;
  DenseSet<Value> seenWrite, seenRead;
  source.walk([&](Operation *op) {
    if (isa<kernel::PrintOp>(op))
      flags |= TRIREME_IMAGE_PRINTS;
    if (analysis::isAtomic(op)) {
      flags |= TRIREME_IMAGE_ORDERED;
      Value address = isa<access::AtomicRMWOp>(op)
                          ? cast<access::AtomicRMWOp>(op).getAddress()
                          : cast<access::AtomicCASOp>(op).getAddress();
      collectArguments(address, source, written, seenWrite);
      collectArguments(address, source, read, seenRead);
    }
    if (!isa<access::LoadOp, access::StoreOp>(op))
      return;
    bool isStore = isa<access::StoreOp>(op);
    AccessView access = AccessView::of(op);
    if (access.isVolatile)
      flags |= TRIREME_IMAGE_ORDERED;
    for (Value address : {access.base, access.addresses})
      collectArguments(address, source, isStore ? written : read,
                       isStore ? seenWrite : seenRead);
  });
  int64_t total;
  SmallVector<Param> params = layOut(source, total);
  SmallVector<Attribute> described;
  for (auto [i, param] : llvm::enumerate(params)) {
    auto name = source.getArgAttrOfType<StringAttr>(i, kernel::nameAttrName);
    auto type = source.getArgAttrOfType<StringAttr>(i, kernel::typeAttrName);
    int64_t bits = isa<LLVM::LLVMPointerType>(param.type)
                       ? (written.test(i) ? 1 : 0) | (read.test(i) ? 2 : 0)
                       : 0;
    described.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("name",
                        name ? name : b.getStringAttr("arg" + llvm::Twine(i))),
         b.getNamedAttr("type", type ? type : b.getStringAttr("")),
         b.getNamedAttr("offset", b.getI64IntegerAttr(param.offset)),
         b.getNamedAttr("flags", b.getI32IntegerAttr(bits))}));
  }
  target->setAttr(paramsAttrName, b.getArrayAttr(described));
  target->setAttr(argsBytesAttrName, b.getI64IntegerAttr(total));
  target->setAttr(kernel::entryAttrName, b.getUnitAttr());
  Operation *module = target->getParentOp();
  module->setAttr(scratchBytesAttrName,
                  b.getI64IntegerAttr(allocator.peakBytes()));
  module->setAttr(flagsAttrName, b.getI32IntegerAttr(flags));
}

/// The caller's number of the allocation that an argument points into:
/// abi/kernel.h.
Value KernelEmitter::ownerOf(unsigned argument) {
  Value &owner = owners[argument];
  if (owner)
    return owner;
  int64_t offset;
  layOut(source, offset);
  for (Type type : source.getArgumentTypes().take_front(argument))
    offset += isa<LLVM::LLVMPointerType>(type);
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  Value pointer = LLVM::GEPOp::create(
      builder, source.getLoc(), args.getType(), b.getI8Type(), args,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  owner =
      LLVM::LoadOp::create(builder, source.getLoc(), b.getI8Type(), pointer, 1);
  return owner;
}

void KernelEmitter::emitArguments() {
  int64_t total;
  SmallVector<Param> params = layOut(source, total);
  Location loc = source.getLoc();
  for (auto [argument, param] : llvm::zip(source.getArguments(), params)) {
    Value pointer = args;
    if (param.offset)
      pointer = LLVM::GEPOp::create(
          b, loc, args.getType(), b.getI8Type(), args,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(param.offset)});
    bool isBool = param.type.isInteger(1);
    Type stored = isBool ? Type(b.getI8Type()) : param.type;
    Value value =
        LLVM::LoadOp::create(b, loc, stored, pointer, bytesOf(param.type));
    if (isBool)
      value = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value,
                                    zero(stored));
    mapping.map(argument, value);
  }
}

//===----------------------------------------------------------------------===//
// The loop over programs
//===----------------------------------------------------------------------===//

void KernelEmitter::emitProgramLoop(Value begin, Value end, Value thread) {
  Location loc = source.getLoc();
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  auto field = [&](Value base, size_t offset) -> Value {
    return LLVM::GEPOp::create(
        b, loc, base.getType(), b.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  };
  Value stop =
      LLVM::LoadOp::create(b, loc, thread.getType(),
                           field(thread, offsetof(trireme_thread, stop)), 8);
  Value current = field(thread, offsetof(trireme_thread, program));

  // Where the first program lies; the loop counts on from there without
  // divisions.
  auto wide = [&](Value value) {
    return arith::ExtUIOp::create(b, loc, i64, value).getResult();
  };
  Value rows = wide(numPrograms[0]), columns = wide(numPrograms[1]);
  Value x = arith::RemUIOp::create(b, loc, begin, rows);
  Value rest = arith::DivUIOp::create(b, loc, begin, rows);
  Value y = arith::RemUIOp::create(b, loc, rest, columns);
  Value z = arith::DivUIOp::create(b, loc, rest, columns);
  auto narrow = [&](Value value) {
    return arith::TruncIOp::create(b, loc, i32, value).getResult();
  };
  SmallVector<Value> inits{begin, narrow(x), narrow(y), narrow(z)};

  auto loop = scf::WhileOp::create(
      b, loc, ValueRange(inits).getTypes(), inits,
      [&](OpBuilder &, Location, ValueRange state) {
        Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           state[0], end);
        // A range is left at once when told to stop: the flag is read once a
        // program.
        Value asked =
            LLVM::LoadOp::create(b, loc, i32, stop, 4, /*isVolatile=*/true);
        Value goes = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           asked, zero(i32));
        scf::ConditionOp::create(
            b, loc, arith::AndIOp::create(b, loc, more, goes), state);
      },
      [&](OpBuilder &, Location, ValueRange state) {
        LLVM::StoreOp::create(b, loc, state[0], current, 8);
        programId.assign({state[1], state[2], state[3]});
        emitBlock(source.getBody().front());
        Value one = constant(b.getI32IntegerAttr(1));
        Value program = arith::AddIOp::create(b, loc, state[0], index(1));
        auto advance = [&](Value id, Value count, Value carry,
                           Value &wrapped) -> Value {
          Value next = arith::AddIOp::create(
              b, loc, id,
              carry ? arith::ExtUIOp::create(b, loc, i32, carry).getResult()
                    : one);
          wrapped = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          next, count);
          return arith::SelectOp::create(b, loc, wrapped, zero(i32), next);
        };
        Value carryX, carryY, carryZ;
        Value nextX = advance(state[1], numPrograms[0], Value(), carryX);
        Value nextY = advance(state[2], numPrograms[1], carryX, carryY);
        Value nextZ = advance(state[3], numPrograms[2], carryY, carryZ);
        scf::YieldOp::create(b, loc, ValueRange{program, nextX, nextY, nextZ});
      });
  Value early = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                      loop.getResult(0), end);
  func::ReturnOp::create(
      b, loc, arith::ExtUIOp::create(b, loc, i32, early).getResult());
}

LogicalResult KernelEmitter::run() {
  Location loc = source.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  b.setInsertionPoint(source);
  auto type = b.getFunctionType({pointer, pointer, i64, i64, pointer}, {i32});
  auto target = func::FuncOp::create(b, loc, source.getName(), type);
  SymbolTable::setSymbolVisibility(target, SymbolTable::Visibility::Public);
  entry = target.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  args = entry->getArgument(0);
  Value grid = entry->getArgument(1);
  thread = entry->getArgument(4);

  // The two lines of padded accesses come first; kernels without scratch pay
  // nothing.
  allocator.allocateBytes(1024);
  auto field = [&](Value base, size_t offset) -> Value {
    return LLVM::GEPOp::create(
        b, loc, pointer, b.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  };
  scratch = LLVM::LoadOp::create(
      b, loc, pointer, field(thread, offsetof(trireme_thread, scratch)), 8);
  for (unsigned axis = 0; axis < 3; ++axis)
    numPrograms.push_back(LLVM::LoadOp::create(
        b, loc, i32, field(grid, offsetof(trireme_grid, dim) + 4 * axis), 4));
  emitArguments();
  emitProgramLoop(entry->getArgument(2), entry->getArgument(3), thread);
  if (failed) {
    target.erase();
    return failure();
  }
  if (allocator.peakBytes() > SlotAllocator::kLimitBytes)
    return source.emitError("kernel '")
           << source.getName() << "' needs " << allocator.peakBytes()
           << " bytes of scratch a thread; the limit is "
           << SlotAllocator::kLimitBytes << "; use smaller blocks";
  describe(target);
  source.erase();
  return success();
}

namespace {
struct EmitKernelPass
    : trireme::lower::impl::EmitKernelPassBase<EmitKernelPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kernel::entryAttrName))
        kernel = function;
    if (!kernel)
      return;
    EmitOptions options;
    options.maskBits = maskBits;
    options.hasFma = hasFma;
    if (failed(KernelEmitter(kernel, options).run()))
      signalPassFailure();
  }
};
} // namespace
