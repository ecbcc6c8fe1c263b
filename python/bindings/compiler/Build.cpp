//===- Build.cpp - creating operations by name ----------------------------===//

#include "python/bindings/compiler/Bindings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::bindings;

namespace {
struct PyBuilder {
  ContextRef context;
  OpBuilder builder;
  PyLocation loc;

  explicit PyBuilder(ContextRef ref)
      : context(ref), builder(&ref->mlir),
        loc{UnknownLoc::get(&ref->mlir), ref} {}

  PyOperation create(const std::string &name,
                     const std::vector<PyValue> &operands,
                     const std::vector<PyType> &types,
                     std::optional<nb::dict> attrs, unsigned regions,
                     const std::vector<PyBlock> &successors);
  PyValue constant(const PyType &type, nb::object value);
  TypedAttr scalarAttr(Type type, nb::object value);
};

/// An insertion point taken by save().
struct SavedPoint {
  Block *block;
  Operation *before; // null: at the end
  ContextRef context;
};
} // namespace

static void raiseText(PyBuilder &self, const std::string &message) {
  DiagnosticCollector collector(&self.context->mlir);
  emitError(self.loc.value) << message;
  throwError(collector.take(), message);
}

PyOperation PyBuilder::create(const std::string &name,
                              const std::vector<PyValue> &operands,
                              const std::vector<PyType> &types,
                              std::optional<nb::dict> attrs, unsigned regions,
                              const std::vector<PyBlock> &successors) {
  std::optional<RegisteredOperationName> registered =
      RegisteredOperationName::lookup(name, &context->mlir);
  if (!registered)
    raiseText(*this, "no operation is called '" + name + "'");
  if (!builder.getInsertionBlock())
    raiseText(*this, "'" + name + "' is created without an insertion point");
  OperationState state(loc.value, *registered);
  for (const PyValue &operand : operands)
    state.operands.push_back(operand.value);
  for (const PyType &type : types)
    state.types.push_back(type.value);
  if (attrs)
    for (auto [key, value] : *attrs)
      state.addAttribute(nb::cast<std::string>(key),
                         nb::cast<PyAttribute &>(value).value);
  for (unsigned i = 0; i < regions; ++i)
    state.addRegion();
  for (const PyBlock &block : successors)
    state.addSuccessors(block.value);
  DiagnosticCollector collector(&context->mlir);
  Operation *op = builder.create(state);
  std::vector<support::Diagnostic> problems = collector.take();
  if (!problems.empty()) {
    op->erase();
    throwError(problems, "cannot create '" + name + "'");
  }
  return {op, context};
}

TypedAttr PyBuilder::scalarAttr(Type type, nb::object value) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    APFloat number(nb::cast<double>(nb::float_(value)));
    bool loses = false;
    number.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &loses);
    return FloatAttr::get(type, number);
  }
  if (isa<IntegerType, IndexType>(type)) {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    // Python integers wrap to the width.
    nb::object mask = nb::int_(1).attr("__lshift__")(width).attr("__sub__")(1);
    nb::object low = nb::int_(value).attr("__and__")(mask);
    return IntegerAttr::get(type, APInt(width, nb::cast<uint64_t>(low)));
  }
  raiseText(*this, "no constant has the type " + textOf(type));
  return {};
}

PyValue PyBuilder::constant(const PyType &type, nb::object value) {
  TypedAttr attr;
  if (auto tensor = dyn_cast<RankedTensorType>(type.value))
    attr = DenseElementsAttr::get(
        tensor, Attribute(scalarAttr(tensor.getElementType(), value)));
  else
    attr = scalarAttr(type.value, value);
  if (!builder.getInsertionBlock())
    raiseText(*this, "a constant is created without an insertion point");
  return {arith::ConstantOp::create(builder, loc.value, attr), context};
}

void bindings::bindBuilder(nb::module_ &m) {
  nb::class_<SavedPoint>(m, "InsertionPoint");
  nb::class_<PyBuilder>(m, "Builder",
                        "Creates operations at an insertion point.")
      .def("__init__",
           [](PyBuilder *self, nb::object context) {
             // A location made by the context carries the shared reference.
             auto loc = nb::cast<PyLocation>(context.attr("loc_unknown")());
             new (self) PyBuilder(loc.context);
           })
      .def_prop_rw(
          "loc", [](PyBuilder &self) { return self.loc; },
          [](PyBuilder &self, const PyLocation &loc) { self.loc = loc; })
      .def("create", &PyBuilder::create, nb::arg("name"),
           nb::arg("operands") = std::vector<PyValue>(),
           nb::arg("types") = std::vector<PyType>(),
           nb::arg("attrs") = nb::none(), nb::arg("regions") = 0,
           nb::arg("successors") = std::vector<PyBlock>())
      .def("constant", &PyBuilder::constant, nb::arg("type"), nb::arg("value"))
      .def("at_end",
           [](PyBuilder &self, PyBlock &block) {
             self.builder.setInsertionPointToEnd(block.value);
           })
      .def("at_start",
           [](PyBuilder &self, PyBlock &block) {
             self.builder.setInsertionPointToStart(block.value);
           })
      .def("before",
           [](PyBuilder &self, PyOperation &op) {
             self.builder.setInsertionPoint(op.value);
           })
      .def("after",
           [](PyBuilder &self, PyOperation &op) {
             self.builder.setInsertionPointAfter(op.value);
           })
      .def_prop_ro("block",
                   [](PyBuilder &self) -> std::optional<PyBlock> {
                     Block *block = self.builder.getInsertionBlock();
                     if (!block)
                       return std::nullopt;
                     return PyBlock{block, self.context};
                   })
      .def("save",
           [](PyBuilder &self) {
             Block *block = self.builder.getInsertionBlock();
             Operation *before = nullptr;
             if (block && self.builder.getInsertionPoint() != block->end())
               before = &*self.builder.getInsertionPoint();
             return SavedPoint{block, before, self.context};
           })
      .def("restore", [](PyBuilder &self, SavedPoint &point) {
        if (!point.block)
          self.builder.clearInsertionPoint();
        else if (point.before)
          self.builder.setInsertionPoint(point.before);
        else
          self.builder.setInsertionPointToEnd(point.block);
      });
}
