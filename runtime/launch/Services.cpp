//===- Services.cpp - what kernels may call -------------------------------===//
#include "runtime/launch/Services.h"
#include "runtime/debug/Format.h"
#include "runtime/guard/Guard.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace trireme;
using namespace trireme::launch;

void Call::locate(uint64_t program, uint32_t (&at)[3]) const {
  uint64_t x = grid.dim[0], y = grid.dim[1];
  at[0] = uint32_t(program % x);
  at[1] = uint32_t(program / x % y);
  at[2] = uint32_t(program / x / y);
}

namespace {

Call &callOf(trireme_thread *thread) {
  return *static_cast<Call *>(thread->runtime);
}

/// One system call a record, so that records of several threads do not mix.
void writeOut(const std::string &text) {
  const char *data = text.data();
  size_t left = text.size();
  while (left) {
    ssize_t written = write(STDOUT_FILENO, data, left);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    data += written;
    left -= size_t(written);
  }
}

void print(trireme_thread *thread, const char *prefix, const char *type,
           const void *data, const int64_t *shape, uint32_t rank,
           uint32_t hex) {
  uint32_t program[3];
  callOf(thread).locate(thread->program, program);
  debug::Block block{type, data, shape, rank};
  writeOut(
      debug::formatPrint(program, prefix, type ? &block : nullptr, hex != 0));
}

/// Only the first failure of a launch is kept.
void recordAssertion(Call &call, uint64_t program, const char *message,
                     const char *place, const std::string &what) {
  std::lock_guard<std::mutex> lock(call.mutex);
  Failure &failure = call.failure;
  if (failure.kind != Failure::Kind::None)
    return;
  failure.kind = Failure::Kind::Assertion;
  call.locate(program, failure.program);
  const uint32_t (&at)[3] = failure.program;
  failure.message = std::string("device-side assert failed: ") +
                    (*message ? message : "condition is false") + "\nkernel '" +
                    call.image.info().name + "', program (" +
                    std::to_string(at[0]) + ", " + std::to_string(at[1]) +
                    ", " + std::to_string(at[2]) + ")" +
                    (what.empty() ? "" : ", " + what);
  if (*place)
    failure.message += std::string("\n(") + place + ")";
}

void check(trireme_thread *thread, const char *message, const char *place,
           const char *type, const uint8_t *condition, const void *left,
           const void *right, const int64_t *shape, uint32_t rank) {
  uint64_t count = 1;
  for (uint32_t axis = 0; axis < rank; ++axis)
    count *= uint64_t(shape[axis]);
  const void *found = std::memchr(condition, 0, count);
  if (!found)
    return;
  {
    // Nothing that owns memory may be alive when the kernel is left.
    debug::Block block{type, nullptr, shape, rank};
    recordAssertion(callOf(thread), thread->program, message, place,
                    debug::formatFailure(
                        block, static_cast<const uint8_t *>(found) - condition,
                        left, right));
  }
  guard::leave();
}

} // namespace

const trireme_services &launch::services() {
  static const trireme_services table = {sizeof(trireme_services),
                                         TRIREME_ABI_VERSION, print, check};
  return table;
}
