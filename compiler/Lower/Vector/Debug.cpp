//===- Debug.cpp - prints and assertions ----------------------------------===//
//
// Both hand the runtime addresses of blocks in scratch: abi/kernel.h,
// trireme_services.
//
//===----------------------------------------------------------------------===//

#include "compiler/Lower/Vector/KernelEmitter.h"

#include "abi/kernel.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::lower;

/// A constant of the image; one per content.
Value KernelEmitter::global(StringRef prefix, Attribute content, Type type) {
  Value &pointer = globals[content];
  if (pointer)
    return pointer;
  auto module = source->getParentOfType<ModuleOp>();
  OpBuilder outside = OpBuilder::atBlockBegin(module.getBody());
  auto made = LLVM::GlobalOp::create(
      outside, source.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::Private, (prefix + llvm::Twine(globals.size())).str(),
      content);
  OpBuilder inside = OpBuilder::atBlockBegin(entry);
  pointer = LLVM::AddressOfOp::create(inside, source.getLoc(), made);
  return pointer;
}

Value KernelEmitter::text(StringRef value) {
  std::string terminated = value.str();
  terminated.push_back(0);
  return global("text_", b.getStringAttr(terminated),
                LLVM::LLVMArrayType::get(b.getI8Type(), terminated.size()));
}

Value KernelEmitter::numbers(ArrayRef<int64_t> values) {
  if (values.empty())
    return constantNull();
  return global("numbers_", b.getI64TensorAttr(values),
                LLVM::LLVMArrayType::get(b.getI64Type(), values.size()));
}

Value KernelEmitter::constantNull() {
  return LLVM::ZeroOp::create(b, source.getLoc(),
                              LLVM::LLVMPointerType::get(b.getContext()));
}

/// Where the elements of a value lie.
Value KernelEmitter::inMemory(Location loc, Value value) {
  if (isa<RankedTensorType>(value.getType()))
    return scratchPointer(slots.lookup(value).offset);
  Value element = scalar(value);
  if (element.getType().isInteger(1))
    element = arith::ExtUIOp::create(b, loc, b.getI8Type(), element);
  Slot slot = allocator.allocate(RankedTensorType::get({1}, element.getType()));
  Value pointer = scratchPointer(slot.offset);
  LLVM::StoreOp::create(b, loc, element, pointer);
  return pointer;
}

void KernelEmitter::callService(Location loc, size_t offset,
                                ArrayRef<Value> args) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto field = [&](Value base, size_t at) -> Value {
    Value place =
        LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), base,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(at)});
    return LLVM::LoadOp::create(b, loc, pointer, place, 8);
  };
  Value services = field(thread, offsetof(trireme_thread, services));
  SmallVector<Value> operands{field(services, offset), thread};
  llvm::append_range(operands, args);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()),
      llvm::to_vector(TypeRange(ValueRange(operands).drop_front())));
  LLVM::CallOp::create(b, loc, type, operands);
}

static ArrayRef<int64_t> shapeOf(Value value) {
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    return type.getShape();
  return {};
}

void KernelEmitter::emitPrint(kernel::PrintOp op) {
  Location loc = op.getLoc();
  Value none = constantNull(), type = none, data = none, shape = none;
  int32_t rank = 0;
  if (op.getValue()) {
    type = text(op.getType());
    data = inMemory(loc, op.getValue());
    shape = numbers(shapeOf(op.getValue()));
    rank = shapeOf(op.getValue()).size();
  }
  callService(loc, offsetof(trireme_services, print),
              {text(op.getPrefix()), type, data, shape,
               constant(b.getI32IntegerAttr(rank)),
               constant(b.getI32IntegerAttr(op.getHex()))});
}

/// "file:line" of the user's source.
static std::string placeOf(Location loc) {
  std::string place;
  loc->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    place = (file.getFilename().getValue() + ":" + llvm::Twine(file.getLine()))
                .str();
    return WalkResult::interrupt();
  });
  return place;
}

void KernelEmitter::emitAssert(kernel::AssertOp op) {
  Location loc = op.getLoc();
  Value condition = op.getCondition();
  auto check = [&] {
    Value none = constantNull(), left = none, right = none;
    if (op.getLeft()) {
      left = inMemory(loc, op.getLeft());
      right = inMemory(loc, op.getRight());
    }
    callService(loc, offsetof(trireme_services, check),
                {text(op.getMessage()), text(placeOf(loc)), text(op.getType()),
                 inMemory(loc, condition), left, right,
                 numbers(shapeOf(condition)),
                 constant(b.getI32IntegerAttr(shapeOf(condition).size()))});
  };
  if (isa<RankedTensorType>(condition.getType()))
    return check();
  // The call is made only to fail.
  Value fails = arith::XOrIOp::create(b, loc, scalar(condition),
                                      constant(b.getBoolAttr(true)));
  auto choice = scf::IfOp::create(b, loc, fails, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  check();
}
