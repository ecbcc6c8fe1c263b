//===- Launch.cpp - run a grid of a kernel --------------------------------===//
#include "runtime/launch/Launch.h"
#include "runtime/guard/Guard.h"
#include "runtime/launch/FpState.h"
#include "runtime/launch/Services.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace trireme;
using namespace trireme::launch;

namespace {

std::atomic<bool> poisonScratch{false};

/// This thread's scratch; grows, never shrinks, freed with the thread.
class Arena {
public:
  void *reserve(uint64_t bytes) {
    if (bytes > size_) {
      std::free(memory_);
      size_ = 0;
      uint64_t rounded = (bytes + 4095) & ~uint64_t(4095);
      memory_ = std::aligned_alloc(64, rounded);
      if (memory_)
        size_ = rounded;
    }
    return memory_;
  }
  ~Arena() { std::free(memory_); }

private:
  void *memory_ = nullptr;
  uint64_t size_ = 0;
};
thread_local Arena arena;

struct Entry {
  trireme_kernel_fn function;
  const void *args;
  const trireme_grid *grid;
  uint64_t begin, end;
  trireme_thread thread;
};

int32_t enter(void *context) {
  auto *entry = static_cast<Entry *>(context);
  return entry->function(entry->args, entry->grid, entry->begin, entry->end,
                         &entry->thread);
}

/// "; 12 bytes past the start of argument 'x_ptr' (0x...)": the pointer
/// argument whose start is nearest, if one is within a GiB.
std::string nearestArgument(const Call &call, uintptr_t address) {
  const trireme_param *best = nullptr;
  uint64_t bestDistance = 1ull << 30;
  uintptr_t bestBase = 0;
  for (const trireme_param &param : call.image) {
    if (param.type[0] != '*')
      continue;
    uint64_t base;
    std::memcpy(&base, static_cast<const char *>(call.args) + param.offset,
                sizeof base);
    uint64_t distance = address > base ? address - base : base - address;
    if (distance < bestDistance) {
      best = &param;
      bestDistance = distance;
      bestBase = base;
    }
  }
  if (!best)
    return "";
  char text[256];
  std::snprintf(text, sizeof text,
                "; that is %" PRIu64
                " bytes %s the start of argument '%s' (0x%" PRIxPTR ")",
                bestDistance, address < bestBase ? "before" : "past",
                best->name, bestBase);
  return text;
}

void refuse(Call &call, const std::string &why) {
  std::lock_guard<std::mutex> lock(call.mutex);
  if (call.failure.kind == Failure::Kind::None) {
    call.failure.kind = Failure::Kind::Refused;
    call.failure.message =
        std::string("kernel '") + call.image.info().name + "': " + why;
  }
}

void recordFault(Call &call, const guard::Fault &fault, uint64_t program) {
  std::lock_guard<std::mutex> lock(call.mutex);
  Failure &failure = call.failure;
  if (failure.kind != Failure::Kind::None)
    return;
  failure.kind = Failure::Kind::Fault;
  failure.signal = fault.signal;
  failure.address = fault.address;
  call.locate(program, failure.program);
  char text[512];
  std::snprintf(
      text, sizeof text,
      "kernel '%s' faulted in program (%u, %u, %u): %s at address 0x%" PRIxPTR,
      call.image.info().name, failure.program[0], failure.program[1],
      failure.program[2], guard::signalName(fault.signal), fault.address);
  failure.message = text + nearestArgument(call, fault.address);
}

int32_t runRange(void *context, uint64_t begin, uint64_t end,
                 const volatile int32_t *stop) {
  auto &call = *static_cast<Call *>(context);
  const trireme_image &info = call.image.info();
#if defined(__riscv)
  if (info.vlen_bits > threadVlenBits()) {
    refuse(call,
           "was compiled for longer vectors than a core of this pool has");
    return 1;
  }
#endif
  Entry entry{info.entry, call.args, &call.grid, begin, end, {}};
  entry.thread.size = sizeof(trireme_thread);
  entry.thread.version = TRIREME_ABI_VERSION;
  entry.thread.stop = stop;
  entry.thread.program = begin;
  entry.thread.runtime = &call;
  entry.thread.services = &services();
  if (info.scratch_bytes) {
    entry.thread.scratch = arena.reserve(info.scratch_bytes);
    if (!entry.thread.scratch) {
      refuse(call, "no memory for " + std::to_string(info.scratch_bytes) +
                       " bytes of scratch");
      return 1;
    }
    if (poisonScratch.load(std::memory_order_relaxed))
      std::memset(entry.thread.scratch, 0xff, info.scratch_bytes);
  }
  FpState nearest;
  int32_t result = 0;
  guard::Fault fault;
  if (guard::call(enter, &entry, result, fault))
    return result;
  if (fault.signal == 0) // left by an assertion, which is recorded
    return 1;
  recordFault(call, fault,
              *const_cast<volatile uint64_t *>(&entry.thread.program));
  return 1;
}

} // namespace

void launch::setPoisonScratch(bool on) { poisonScratch = on; }

bool launch::run(Image &image, const void *args, const uint64_t dims[3],
                 Poll poll, Failure &failure) {
  Call call{image,
            args,
            {sizeof(trireme_grid), TRIREME_ABI_VERSION, {}, 0},
            {},
            failure};
  uint64_t total = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (dims[axis] > INT32_MAX) {
      refuse(call, "the grid has " + std::to_string(dims[axis]) +
                       " programs along axis " + std::to_string(axis) +
                       "; the limit is " + std::to_string(INT32_MAX));
      return false;
    }
    call.grid.dim[axis] = uint32_t(dims[axis]);
    if (__builtin_mul_overflow(total, dims[axis], &total) ||
        total > INT64_MAX) {
      refuse(call, "the grid has more than 2^63 programs");
      return false;
    }
  }
  pool::Job job;
  job.total = total;
  job.range = runRange;
  job.context = &call;
  job.poll = poll.function;
  job.pollContext = poll.context;
  job.costNs = &image.cost();
  job.eager = image.info().flags & TRIREME_IMAGE_ORDERED;
  switch (pool::run(job)) {
  case pool::Outcome::Done:
    return true;
  case pool::Outcome::Polled:
    if (failure.kind == Failure::Kind::None)
      failure.kind = Failure::Kind::Interrupted;
    return false;
  case pool::Outcome::Stopped:
    break;
  }
  if (failure.kind == Failure::Kind::None)
    refuse(call, "stopped before the end of its grid");
  return false;
}
