//===- Compile.cpp - compiling from Python --------------------------------===//

#include "python/bindings/compiler/Bindings.h"

using namespace mlir;
using namespace trireme;
using namespace trireme::bindings;

static support::Options readOptions(nb::dict dict) {
  support::Options options;
  for (auto [key, value] : dict) {
    std::string name = nb::cast<std::string>(key);
    bool known = false;
#define TRIREME_OPTION(type, field, initial, help)                             \
  if (name == #field) {                                                        \
    options.field = nb::cast<type>(value);                                     \
    known = true;                                                              \
  }
#include "compiler/Support/Options.inc"
#undef TRIREME_OPTION
    if (name == "dump") {
      options.dump = nb::cast<std::vector<std::string>>(value);
      known = true;
    }
    if (!known)
      throw nb::value_error(("unknown compile option '" + name + "'").c_str());
  }
  return options;
}

static nb::dict metadataOf(const emit::ImageInfo &info) {
  nb::dict result;
  result["name"] = info.name;
  result["target"] = info.target;
  result["scratch_bytes"] = info.scratchBytes;
  result["args_bytes"] = info.argsBytes;
  result["flags"] = info.flags;
  result["vlen_bits"] = info.vlenBits;
  nb::list params;
  for (const emit::Param &param : info.params) {
    nb::dict entry;
    entry["name"] = param.name;
    entry["type"] = param.type;
    entry["offset"] = param.offset;
    entry["flags"] = param.flags;
    params.append(entry);
  }
  result["params"] = params;
  return result;
}

namespace {
struct Compiled {
  driver::Result result;
};
} // namespace

void bindings::bindCompile(nb::module_ &m) {
  nb::class_<Compiled>(m, "Compiled", "What a compilation made.")
      .def_prop_ro("image",
                   [](Compiled &self) {
                     return nb::bytes(self.result.output.data(),
                                      self.result.output.size());
                   })
      .def_prop_ro("metadata",
                   [](Compiled &self) { return metadataOf(self.result.info); })
      .def_prop_ro("texts",
                   [](Compiled &self) {
                     nb::dict texts;
                     for (auto &[stage, text] : self.result.texts)
                       texts[stage.c_str()] = text;
                     return texts;
                   })
      .def_prop_ro("timings",
                   [](Compiled &self) { return self.result.timings; })
      .def_prop_ro("remarks", [](Compiled &self) {
        nb::list remarks;
        for (const support::Diagnostic &diagnostic : self.result.diagnostics) {
          nb::dict entry;
          entry["kind"] = diagnostic.kind;
          entry["frames"] = framesOf(diagnostic);
          entry["message"] = diagnostic.message;
          remarks.append(entry);
        }
        return remarks;
      });

  m.def(
      "compile",
      [](nb::object input, nb::dict dict) {
        support::Options options = readOptions(dict);
        auto compiled = std::make_unique<Compiled>();
        if (nb::isinstance<nb::str>(input)) {
          std::string text = nb::cast<std::string>(input);
          nb::gil_scoped_release release;
          compiled->result = driver::compile(text, "<ttir>", options);
        } else {
          PyModule &module = nb::cast<PyModule &>(input);
          // The caller keeps its module as it was.
          OwningOpRef<ModuleOp> copy(module.op->clone());
          {
            nb::gil_scoped_release release;
            compiled->result = driver::compile(*copy, options);
          }
          // After a fault nothing of the copy may be touched again.
          auto &diagnostics = compiled->result.diagnostics;
          if (!diagnostics.empty() && diagnostics[0].kind == "internal")
            (void)copy.release();
        }
        if (!compiled->result.succeeded)
          throwError(compiled->result.diagnostics, "compilation failed");
        return compiled.release();
      },
      nb::arg("module"), nb::arg("options") = nb::dict(),
      nb::rv_policy::take_ownership,
      "Compiles a Module or TTIR text; raises CompileError. Releases the GIL.");

  std::vector<std::string> names;
  for (const char *name : driver::stageNames())
    names.push_back(name);
  m.attr("STAGES") = nb::tuple(nb::cast(names));
  m.attr("VERSION") = driver::version();
}
