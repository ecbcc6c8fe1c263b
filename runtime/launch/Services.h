//===- Services.h - what kernels may call --------------------- -*- C++ -*-===//
#pragma once

#include "runtime/launch/Launch.h"

#include <mutex>

namespace trireme::launch {

/// One launch, as its threads share it.
struct Call {
  Image &image;
  const void *args;
  trireme_grid grid;
  std::mutex mutex; // guards failure
  Failure &failure;

  /// Where a program lies in the grid.
  void locate(uint64_t program, uint32_t (&at)[3]) const;
};

/// For trireme_thread::services; `runtime` of the thread is its Call.
const trireme_services &services();

} // namespace trireme::launch
