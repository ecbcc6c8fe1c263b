//===- Module.cpp - the extension module triton._C._compiler --------------===//

#include "python/bindings/compiler/Bindings.h"

using namespace trireme;
using namespace trireme::bindings;

static nb::object &compileErrorType() {
  static nb::object *type = new nb::object();
  return *type;
}

void trireme::bindings::throwError(
    const std::vector<support::Diagnostic> &diagnostics,
    const std::string &fallback) {
  CompileError error;
  error.diagnostic.kind = "error";
  error.diagnostic.message = fallback;
  for (const support::Diagnostic &diagnostic : diagnostics)
    if (diagnostic.kind != "remark" && diagnostic.kind != "warning") {
      error.diagnostic = diagnostic;
      break;
    }
  throw error;
}

nb::list trireme::bindings::framesOf(const support::Diagnostic &diagnostic) {
  nb::list frames;
  for (const support::Note &frame : diagnostic.frames)
    frames.append(nb::make_tuple(frame.file, frame.line, frame.column));
  return frames;
}

/// CompileError(message) with the place and the notes as attributes.
static void raise(const support::Diagnostic &diagnostic) {
  nb::object type = compileErrorType();
  nb::object instance = type(diagnostic.message);
  instance.attr("message") = diagnostic.message;
  instance.attr("file") = diagnostic.file;
  instance.attr("line") = diagnostic.line;
  instance.attr("col") = diagnostic.column;
  instance.attr("kind") = diagnostic.kind;
  nb::list notes;
  for (const support::Note &note : diagnostic.notes)
    notes.append(
        nb::make_tuple(note.file, note.line, note.column, note.message));
  instance.attr("notes") = notes;
  instance.attr("frames") = framesOf(diagnostic);
  PyErr_SetObject(type.ptr(), instance.ptr());
}

NB_MODULE(_compiler, module) {
  module.doc() = "The compiler: building IR and turning it into kernel images.";
  // Handles may be alive when the interpreter ends; that is no leak.
  nb::set_leak_warnings(false);
  compileErrorType() = nb::steal(PyErr_NewExceptionWithDoc(
      "triton._C._compiler.CompileError",
      "An error of the compiler, with the place it is about: "
      "message, file, line, col, kind ('error' or 'internal'), "
      "notes, and frames: (file, line, col) from the place outwards.",
      PyExc_Exception, nullptr));
  module.attr("CompileError") = compileErrorType();
  nb::register_exception_translator(
      [](const std::exception_ptr &pointer, void *) {
        try {
          std::rethrow_exception(pointer);
        } catch (const CompileError &error) {
          raise(error.diagnostic);
        }
      });
  bindIr(module);
  bindBuilder(module);
  bindCompile(module);
}
