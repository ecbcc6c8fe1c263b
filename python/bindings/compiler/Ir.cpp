//===- Ir.cpp - contexts, types, attributes, values, operations, modules --===//

#include "python/bindings/compiler/Bindings.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::bindings;

bindings::Context::Context()
    : mlir(driver::registry(), MLIRContext::Threading::DISABLED) {
  mlir.loadAllAvailableDialects();
  mlir.printOpOnDiagnostic(false);
}

template <typename T> static size_t hashOf(T value) {
  using llvm::hash_value;
  return static_cast<size_t>(hash_value(value));
}

static void verifyOrThrow(Operation *op, const ContextRef &context) {
  DiagnosticCollector collector(&context->mlir);
  if (failed(verify(op)))
    throwError(collector.take(), "verification failed");
}

static OwningOpRef<ModuleOp> parseModule(const ContextRef &context,
                                         const std::string &text,
                                         const std::string &name) {
  DiagnosticCollector collector(&context->mlir);
  ParserConfig config(&context->mlir);
  OwningOpRef<ModuleOp> op = parseSourceString<ModuleOp>(text, config, name);
  if (!op)
    throwError(collector.take(), "cannot parse the module");
  return op;
}

static std::string moduleText(PyModule &module, bool debugInfo) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.printNameLocAsPrefix();
  if (debugInfo)
    flags.enableDebugInfo();
  module.op->print(stream, flags);
  return text;
}

namespace {
/// Contexts are shared with every handle, so Python sees a holder.
struct ContextHandle {
  ContextRef ref = std::make_shared<bindings::Context>();
  PyType type(const std::string &text) {
    DiagnosticCollector collector(&ref->mlir);
    Type parsed = parseType(text, &ref->mlir);
    if (!parsed)
      throwError(collector.take(), "cannot parse the type '" + text + "'");
    return {parsed, ref};
  }
  PyAttribute attr(const std::string &text) {
    DiagnosticCollector collector(&ref->mlir);
    Attribute parsed = parseAttribute(text, &ref->mlir);
    if (!parsed)
      throwError(collector.take(), "cannot parse the attribute '" + text + "'");
    return {parsed, ref};
  }
};
} // namespace

static void bindHandles(nb::module_ &m) {
  nb::class_<ContextHandle>(m, "Context",
                            "Owner of types and attributes; for one thread.")
      .def(nb::init<>())
      .def("type", &ContextHandle::type, nb::arg("text"))
      .def("attr", &ContextHandle::attr, nb::arg("text"))
      .def("loc_file",
           [](ContextHandle &c, const std::string &file, unsigned line,
              unsigned col) {
             return PyLocation{
                 FileLineColLoc::get(&c.ref->mlir, file, line, col), c.ref};
           })
      .def("loc_call",
           [](ContextHandle &c, PyLocation &callee, PyLocation &caller) {
             return PyLocation{CallSiteLoc::get(callee.value, caller.value),
                               c.ref};
           })
      .def("loc_name",
           [](ContextHandle &c, const std::string &name, PyLocation &child) {
             return PyLocation{
                 NameLoc::get(StringAttr::get(&c.ref->mlir, name), child.value),
                 c.ref};
           })
      .def("loc_unknown",
           [](ContextHandle &c) {
             return PyLocation{UnknownLoc::get(&c.ref->mlir), c.ref};
           })
      .def(
          "module",
          [](ContextHandle &c, std::optional<PyLocation> loc) {
            Location where =
                loc ? loc->value : Location(UnknownLoc::get(&c.ref->mlir));
            return PyModule{c.ref, ModuleOp::create(where)};
          },
          nb::arg("loc") = nb::none())
      .def(
          "parse_module",
          [](ContextHandle &c, const std::string &text,
             const std::string &name) {
            return PyModule{c.ref, parseModule(c.ref, text, name)};
          },
          nb::arg("text"), nb::arg("name") = "<string>");

  nb::class_<PyLocation>(m, "Location").def("__str__", [](PyLocation &self) {
    return textOf(self.value);
  });
  nb::class_<PyType>(m, "Type")
      .def("__str__", [](PyType &self) { return textOf(self.value); })
      .def("__repr__", [](PyType &self) { return textOf(self.value); })
      .def("__hash__", [](PyType &self) { return hashOf(self.value); })
      .def("__eq__", [](PyType &self,
                        PyType &other) { return self.value == other.value; })
      .def_prop_ro(
          "is_tensor",
          [](PyType &self) { return isa<RankedTensorType>(self.value); })
      .def_prop_ro("shape",
                   [](PyType &self) {
                     auto tensor = dyn_cast<RankedTensorType>(self.value);
                     return tensor ? std::vector<int64_t>(tensor.getShape())
                                   : std::vector<int64_t>();
                   })
      .def_prop_ro("element", [](PyType &self) {
        return PyType{getElementTypeOrSelf(self.value), self.context};
      });
  nb::class_<PyAttribute>(m, "Attribute")
      .def("__str__", [](PyAttribute &self) { return textOf(self.value); })
      .def("__repr__", [](PyAttribute &self) { return textOf(self.value); })
      .def("__hash__", [](PyAttribute &self) { return hashOf(self.value); })
      .def("__eq__", [](PyAttribute &self, PyAttribute &other) {
        return self.value == other.value;
      });
}

static void bindStructure(nb::module_ &m) {
  nb::class_<PyValue>(m, "Value")
      .def("__str__", [](PyValue &self) { return textOf(self.value); })
      .def("__hash__", [](PyValue &self) { return hashOf(self.value); })
      .def("__eq__", [](PyValue &self,
                        PyValue &other) { return self.value == other.value; })
      .def_prop_ro("type",
                   [](PyValue &self) {
                     return PyType{self.value.getType(), self.context};
                   })
      .def_prop_ro("id",
                   [](PyValue &self) {
                     return reinterpret_cast<uintptr_t>(
                         self.value.getAsOpaquePointer());
                   })
      .def_prop_ro("owner",
                   [](PyValue &self) -> std::optional<PyOperation> {
                     Operation *op = self.value.getDefiningOp();
                     if (!op)
                       return std::nullopt;
                     return PyOperation{op, self.context};
                   })
      .def("replace_all_uses_with",
           [](PyValue &self, PyValue &other) {
             self.value.replaceAllUsesWith(other.value);
           })
      // The name is part of the location: the printer makes it the value's.
      .def("set_name",
           [](PyValue &self, const std::string &name) {
             // The results of one operation have one location.
             auto result = dyn_cast<OpResult>(self.value);
             bool isShared = result && result.getOwner()->getNumResults() != 1;
             Location loc = self.value.getLoc();
             if (!isShared && !isa<NameLoc>(loc))
               self.value.setLoc(
                   NameLoc::get(StringAttr::get(loc.getContext(), name), loc));
           })
      .def("has_uses", [](PyValue &self) { return !self.value.use_empty(); });

  nb::class_<PyOperation>(m, "Operation")
      .def("__str__", [](PyOperation &self) { return textOf(*self.value); })
      .def("__hash__",
           [](PyOperation &self) { return hashOf((void *)self.value); })
      .def("__eq__",
           [](PyOperation &self, PyOperation &other) {
             return self.value == other.value;
           })
      .def_prop_ro("name",
                   [](PyOperation &self) {
                     return self.value->getName().getStringRef().str();
                   })
      .def_prop_ro("results",
                   [](PyOperation &self) {
                     std::vector<PyValue> values;
                     for (Value value : self.value->getResults())
                       values.push_back({value, self.context});
                     return values;
                   })
      .def_prop_ro("operands",
                   [](PyOperation &self) {
                     std::vector<PyValue> values;
                     for (Value value : self.value->getOperands())
                       values.push_back({value, self.context});
                     return values;
                   })
      .def_prop_ro("regions",
                   [](PyOperation &self) {
                     std::vector<PyRegion> regions;
                     for (Region &region : self.value->getRegions())
                       regions.push_back({&region, self.context});
                     return regions;
                   })
      .def_prop_ro("attributes",
                   [](PyOperation &self) {
                     nb::dict dict;
                     for (NamedAttribute attr : self.value->getAttrs())
                       dict[attr.getName().str().c_str()] =
                           PyAttribute{attr.getValue(), self.context};
                     return dict;
                   })
      .def("set_attr",
           [](PyOperation &self, const std::string &name, PyAttribute &attr) {
             self.value->setAttr(name, attr.value);
           })
      .def("get_attr",
           [](PyOperation &self,
              const std::string &name) -> std::optional<PyAttribute> {
             if (Attribute attr = self.value->getAttr(name))
               return PyAttribute{attr, self.context};
             return std::nullopt;
           })
      .def("set_operand",
           [](PyOperation &self, unsigned i, PyValue &value) {
             if (i >= self.value->getNumOperands())
               throw nb::index_error("operand index out of range");
             self.value->setOperand(i, value.value);
           })
      .def("erase",
           [](PyOperation &self) {
             if (!self.value->use_empty())
               throw nb::value_error(
                   "cannot erase an operation whose results are used");
             self.value->erase();
           })
      .def("move_before",
           [](PyOperation &self, PyOperation &other) {
             self.value->moveBefore(other.value);
           })
      .def_prop_ro("parent",
                   [](PyOperation &self) -> std::optional<PyOperation> {
                     if (Operation *parent = self.value->getParentOp())
                       return PyOperation{parent, self.context};
                     return std::nullopt;
                   })
      .def_prop_ro("block",
                   [](PyOperation &self) -> std::optional<PyBlock> {
                     if (Block *block = self.value->getBlock())
                       return PyBlock{block, self.context};
                     return std::nullopt;
                   })
      .def_prop_ro("loc",
                   [](PyOperation &self) {
                     return PyLocation{self.value->getLoc(), self.context};
                   })
      .def("verify",
           [](PyOperation &self) { verifyOrThrow(self.value, self.context); });

  nb::class_<PyRegion>(m, "Region")
      .def_prop_ro("blocks",
                   [](PyRegion &self) {
                     std::vector<PyBlock> blocks;
                     for (Block &block : *self.value)
                       blocks.push_back({&block, self.context});
                     return blocks;
                   })
      .def(
          "add_block",
          [](PyRegion &self, const std::vector<PyType> &types,
             const std::vector<PyLocation> &locs) {
            auto *block = new Block();
            for (size_t i = 0; i < types.size(); ++i)
              block->addArgument(types[i].value,
                                 i < locs.size()
                                     ? locs[i].value
                                     : UnknownLoc::get(&self.context->mlir));
            self.value->push_back(block);
            return PyBlock{block, self.context};
          },
          nb::arg("arg_types") = std::vector<PyType>(),
          nb::arg("locs") = std::vector<PyLocation>());

  nb::class_<PyBlock>(m, "Block")
      .def("__eq__", [](PyBlock &self,
                        PyBlock &other) { return self.value == other.value; })
      .def("__hash__", [](PyBlock &self) { return hashOf((void *)self.value); })
      .def_prop_ro("args",
                   [](PyBlock &self) {
                     std::vector<PyValue> values;
                     for (Value value : self.value->getArguments())
                       values.push_back({value, self.context});
                     return values;
                   })
      .def("add_arg",
           [](PyBlock &self, PyType &type, PyLocation &loc) {
             return PyValue{self.value->addArgument(type.value, loc.value),
                            self.context};
           })
      .def("erase_arg",
           [](PyBlock &self, unsigned i) {
             if (i >= self.value->getNumArguments() ||
                 !self.value->getArgument(i).use_empty())
               throw nb::value_error("no such argument, or it is still used");
             self.value->eraseArgument(i);
           })
      .def_prop_ro("ops",
                   [](PyBlock &self) {
                     std::vector<PyOperation> ops;
                     for (Operation &op : *self.value)
                       ops.push_back({&op, self.context});
                     return ops;
                   })
      .def_prop_ro("parent_op",
                   [](PyBlock &self) -> std::optional<PyOperation> {
                     if (Operation *op = self.value->getParentOp())
                       return PyOperation{op, self.context};
                     return std::nullopt;
                   })
      .def_prop_ro("terminator",
                   [](PyBlock &self) -> std::optional<PyOperation> {
                     if (self.value->empty() ||
                         !self.value->back().hasTrait<OpTrait::IsTerminator>())
                       return std::nullopt;
                     return PyOperation{&self.value->back(), self.context};
                   })
      .def("erase",
           [](PyBlock &self) {
             self.value->dropAllDefinedValueUses();
             self.value->erase();
           })
      .def("move_ops_to_end_of", [](PyBlock &self, PyBlock &other) {
        other.value->getOperations().splice(other.value->end(),
                                            self.value->getOperations());
      });
}

void bindings::bindIr(nb::module_ &m) {
  bindHandles(m);
  bindStructure(m);
  nb::class_<PyModule>(m, "Module")
      .def("__str__", [](PyModule &self) { return moduleText(self, false); })
      .def(
          "text",
          [](PyModule &self, bool debug) { return moduleText(self, debug); },
          nb::arg("debug_info") = false)
      .def("verify",
           [](PyModule &self) { verifyOrThrow(*self.op, self.context); })
      .def("clone",
           [](PyModule &self) {
             return PyModule{self.context,
                             OwningOpRef<ModuleOp>(self.op->clone())};
           })
      .def_prop_ro("body",
                   [](PyModule &self) {
                     return PyBlock{self.op->getBody(), self.context};
                   })
      .def_prop_ro("op", [](PyModule &self) {
        return PyOperation{self.op->getOperation(), self.context};
      });
}
