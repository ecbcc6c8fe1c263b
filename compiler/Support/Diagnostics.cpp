//===- Diagnostics.cpp - diagnostics as data ------------------------------===//

#include "compiler/Support/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trireme::support;

/// The innermost place in the user's source: of a call, where the callee
/// stands.
static FileLineColLoc findPlace(Location loc) {
  return llvm::TypeSwitch<LocationAttr, FileLineColLoc>(loc)
      .Case([](FileLineColLoc place) { return place; })
      .Case([](CallSiteLoc call) { return findPlace(call.getCallee()); })
      .Case([](NameLoc named) { return findPlace(named.getChildLoc()); })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (FileLineColLoc place = findPlace(part))
            return place;
        return FileLineColLoc();
      })
      .Default(FileLineColLoc());
}

static Note noteOf(mlir::Diagnostic &diagnostic) {
  Note note;
  note.message = diagnostic.str();
  if (FileLineColLoc place = findPlace(diagnostic.getLocation())) {
    note.file = place.getFilename().str();
    note.line = place.getLine();
    note.column = place.getColumn();
  }
  return note;
}

static const char *kindOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
  case DiagnosticSeverity::Note:
    return "remark";
  }
  return "error";
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &reported) {
        trireme::support::Diagnostic diagnostic;
        static_cast<Note &>(diagnostic) = noteOf(reported);
        diagnostic.kind = kindOf(reported.getSeverity());
        for (mlir::Diagnostic &note : reported.getNotes())
          diagnostic.notes.push_back(noteOf(note));
        diagnostics.push_back(std::move(diagnostic));
      }) {}
