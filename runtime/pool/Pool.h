//===- Pool.h - the worker threads of this process ------------ -*- C++ -*-===//
//
// One pool a process. `run` spreads the integers [0, total) over the calling
// thread and the workers and returns when all are done. It knows nothing of
// kernels.
//
// Laws:
//  - Ranges are claimed in increasing order, so whoever waits inside a range
//  for a lower
//    number waits for something that has been claimed and is running.
//  - The caller always works on its own job; several callers share the workers.
//  - The pool belongs to a PID. After fork the child starts with an empty pool
//  (the
//    workers did not come along); the parent's is left alone.
//  - Workers block every asynchronous signal, so handlers run on the program's
//  threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstdint>

namespace trireme::pool {

/// Runs [begin, end) on the thread that calls it. `stop` turns nonzero when the
/// rest is not wanted. A nonzero result stops the whole job.
using RangeFn = int32_t (*)(void *context, uint64_t begin, uint64_t end,
                            const volatile int32_t *stop);

/// Asked by the calling thread now and then; true stops the job.
using PollFn = bool (*)(void *context);

struct Job {
  uint64_t total = 0;
  RangeFn range = nullptr;
  void *context = nullptr;
  PollFn poll = nullptr; ///< may be null
  void *pollContext = nullptr;
  /// What one number cost last time, in 1/256 ns, 0 = not known; kept up to
  /// date. Jobs known to be a few microseconds long run on the caller alone.
  /// May be null.
  std::atomic<uint64_t> *costNs = nullptr;
  /// The numbers may wait for each other: bring in the workers however short it
  /// is.
  bool eager = false;
};

enum class Outcome {
  Done,    ///< every number ran
  Stopped, ///< a range returned nonzero
  Polled,  ///< the poll function asked to stop
};

/// Runs the job on this process's pool.
Outcome run(const Job &job);

/// The number of threads a job may use, the caller included.
unsigned numThreads();

/// Sets it; 0 asks for the default of defaultThreads(). Jobs that run go on.
void setNumThreads(unsigned count);

/// CPUs this process may use: affinity mask cut by the cgroup's CPU quota; at
/// least 1.
unsigned defaultThreads();

/// Worker threads alive now (for tests).
unsigned liveWorkers();

} // namespace trireme::pool
