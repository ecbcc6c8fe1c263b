//===- Bindings.h - what the parts of _compiler share --------- -*- C++ -*-===//
//
// Operations are created generically by name, so a new operation needs no line
// here. A handle (type, attribute, value, operation, ..) keeps the context
// alive; operations belong to their module.
//
//===----------------------------------------------------------------------===//
#ifndef TRIREME_PYTHON_BINDINGS_COMPILER_BINDINGS_H
#define TRIREME_PYTHON_BINDINGS_COMPILER_BINDINGS_H

#include "compiler/Driver/Driver.h"
#include "compiler/Support/Diagnostics.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

namespace trireme::bindings {
namespace nb = nanobind;

struct Context {
  mlir::MLIRContext mlir;
  Context();
};
using ContextRef = std::shared_ptr<Context>;

/// A handle of some IR object.
template <typename T> struct Handle {
  T value;
  ContextRef context;
};
using PyType = Handle<mlir::Type>;
using PyAttribute = Handle<mlir::Attribute>;
using PyLocation = Handle<mlir::Location>;
using PyValue = Handle<mlir::Value>;
using PyOperation = Handle<mlir::Operation *>;
using PyRegion = Handle<mlir::Region *>;
using PyBlock = Handle<mlir::Block *>;

struct PyModule {
  // Destroyed in reverse: the operations before what they live in.
  ContextRef context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

/// What Python sees as CompileError.
struct CompileError {
  support::Diagnostic diagnostic;
};
/// (file, line, col) of the frames of a diagnostic.
nb::list framesOf(const support::Diagnostic &diagnostic);

/// Throws the first error of `diagnostics`, or one with `fallback` when there
/// is none.
[[noreturn]] void
throwError(const std::vector<support::Diagnostic> &diagnostics,
           const std::string &fallback);

/// Collects diagnostics of a context while it lives.
using support::DiagnosticCollector;

template <typename T> std::string textOf(const T &printable) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << printable;
  return text;
}

void bindIr(nb::module_ &module);
void bindBuilder(nb::module_ &module);
void bindCompile(nb::module_ &module);

} // namespace trireme::bindings

#endif // TRIREME_PYTHON_BINDINGS_COMPILER_BINDINGS_H
