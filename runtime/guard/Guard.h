//===- Guard.h - leave a kernel that faults ------------------- -*- C++ -*-===//
//
// `call` runs a function whose frames own nothing. If it raises SIGSEGV,
// SIGBUS, SIGFPE or SIGILL, the handler jumps back here and the fault is a
// value; the thread goes on. No allocation, no lock and no system call on the
// way in once a thread has been here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace trireme::guard {

struct Fault {
  int signal = 0; ///< 0: none
  int code = 0;   ///< si_code
  uintptr_t address = 0;
};

using Function = int32_t (*)(void *context);

/// Runs function(context). True and `result` when it returned; false and
/// `fault` when it was left by a fault or by leave().
bool call(Function function, void *context, int32_t &result, Fault &fault);

/// Leaves the guarded call that runs on this thread (an assert in a kernel).
/// Its fault carries signal 0. Returns if there is none.
void leave();

/// Puts our handlers in place, first; those found there get what is not ours.
/// Safe to call again: does something only if someone else has come before us
/// since.
void install();

/// False where a sanitizer owns the faults.
bool supported();

/// "SIGSEGV" and the like.
const char *signalName(int signal);

} // namespace trireme::guard
