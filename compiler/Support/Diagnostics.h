//===- Diagnostics.h - diagnostics as data -------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_SUPPORT_DIAGNOSTICS_H
#define TRIREME_COMPILER_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

#include <string>
#include <vector>

namespace trireme::support {

/// A place in the user's source and what is said about it. Line 0: no place.
struct Note {
  std::string file;
  unsigned line = 0, column = 0;
  std::string message;
};

/// `kind` is "error", "internal" (a fault of the compiler), "warning" or
/// "remark".
struct Diagnostic : Note {
  std::string kind = "error";
  std::vector<Note> notes;
  /// From the place outwards, the calls that led to it; messages are empty.
  std::vector<Note> frames;
};

/// Says on the user's line what makes the code slower than it could be
/// (TRIREME_REMARKS=perf). For programmers of kernels: what happens and what
/// would avoid it.
void remarkPerformance(mlir::Location loc, const llvm::Twine &message);
/// Says on the user's line what was decided and why (TRIREME_REMARKS=sched).
void remarkSchedule(mlir::Location loc, const llvm::Twine &message);

/// Collects what is reported on a context while it lives, instead of printing
/// it.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);
  /// What was collected so far; empties the collector.
  std::vector<Diagnostic> take() { return std::exchange(diagnostics, {}); }

private:
  std::vector<Diagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace trireme::support

#endif // TRIREME_COMPILER_SUPPORT_DIAGNOSTICS_H
