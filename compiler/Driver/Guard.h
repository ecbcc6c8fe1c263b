//===- Guard.h - faults of the compiler become errors --------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_DRIVER_GUARD_H
#define TRIREME_COMPILER_DRIVER_GUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace trireme::driver {

/// Runs `work` on a fresh thread with a 64 MiB stack. Returns an empty string,
/// or what went wrong when it faulted (signal, abort, LLVM fatal error, stack
/// overflow): then nothing it was using may be used again.
std::string runGuarded(llvm::function_ref<void()> work);

/// Makes the fault that a test asks for: segv, abort, fatal or stack.
void forceFault(const std::string &kind);

} // namespace trireme::driver

#endif // TRIREME_COMPILER_DRIVER_GUARD_H
