//===- Diagnostics.cpp - diagnostics as data ------------------------------===//

#include "compiler/Support/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trireme::support;

static Note noteOf(FileLineColLoc place) {
  Note note;
  note.file = place.getFilename().str();
  note.line = place.getLine();
  note.column = place.getColumn();
  return note;
}

/// The places in the source, innermost first: of a call, where the callee
/// stands, then the caller.
static void collectPlaces(Location loc, std::vector<Note> &places) {
  llvm::TypeSwitch<LocationAttr>(loc)
      .Case([&](FileLineColLoc place) { places.push_back(noteOf(place)); })
      .Case([&](CallSiteLoc call) {
        collectPlaces(call.getCallee(), places);
        collectPlaces(call.getCaller(), places);
      })
      .Case([&](NameLoc named) { collectPlaces(named.getChildLoc(), places); })
      .Case([&](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (places.empty())
            collectPlaces(part, places);
      });
}

static Note noteOf(mlir::Diagnostic &diagnostic, std::vector<Note> &frames) {
  collectPlaces(diagnostic.getLocation(), frames);
  Note note = frames.empty() ? Note() : frames.front();
  note.message = diagnostic.str();
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

void trireme::support::remarkPerformance(Location loc,
                                         const llvm::Twine &message) {
  emitRemark(loc) << "perf: " << message;
}

void trireme::support::remarkSchedule(Location loc,
                                      const llvm::Twine &message) {
  emitRemark(loc) << "sched: " << message;
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &reported) {
        trireme::support::Diagnostic diagnostic;
        static_cast<Note &>(diagnostic) = noteOf(reported, diagnostic.frames);
        diagnostic.kind = kindOf(reported.getSeverity());
        for (mlir::Diagnostic &note : reported.getNotes()) {
          std::vector<Note> frames;
          diagnostic.notes.push_back(noteOf(note, frames));
        }
        // Code that is emitted in several versions says the same again.
        auto isSame = [&](const trireme::support::Diagnostic &other) {
          auto isSamePlace = [](const Note &a, const Note &b) {
            return a.line == b.line && a.column == b.column && a.file == b.file;
          };
          return other.kind == diagnostic.kind &&
                 other.message == diagnostic.message &&
                 std::equal(other.frames.begin(), other.frames.end(),
                            diagnostic.frames.begin(), diagnostic.frames.end(),
                            isSamePlace);
        };
        if (diagnostic.kind != "remark" || llvm::none_of(diagnostics, isSame))
          diagnostics.push_back(std::move(diagnostic));
      }) {}
