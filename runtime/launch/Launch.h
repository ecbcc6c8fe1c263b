//===- Launch.h - run a grid of a kernel ---------------------- -*- C++ -*-===//
#pragma once

#include "runtime/launch/Image.h"
#include "runtime/pool/Pool.h"

#include <string>

namespace trireme::launch {

struct Failure {
  enum class Kind {
    None,
    Refused,     ///< bad grid, wrong core, no memory: nothing or not all ran
    Fault,       ///< a program raised a signal
    Assertion,   ///< an assertion of the kernel did not hold
    Interrupted, ///< the poll function said stop
  };
  Kind kind = Kind::None;
  std::string message;
  int signal = 0;
  uintptr_t address = 0;
  uint32_t program[3] = {0, 0, 0};
};

/// Asked on the calling thread every 20 ms or so of a long launch; true stops
/// it.
struct Poll {
  pool::PollFn function = nullptr;
  void *context = nullptr;
};

/// Runs all programs of the grid and returns. `args` is a block of
/// image.blockBytes(). True when every program ran; else `failure` says what
/// happened.
bool run(Image &image, const void *args, const uint64_t dims[3], Poll poll,
         Failure &failure);

/// Fills scratch with all-ones (NaN in every float type) before each range, so
/// that a kernel that reads what it has not written shows. For tests.
void setPoisonScratch(bool on);

} // namespace trireme::launch
