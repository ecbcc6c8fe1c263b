//===- Pool.cpp - the worker threads of this process ----------------------===//
#include "runtime/pool/Pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <time.h>

using namespace trireme;
using namespace trireme::pool;

namespace {

constexpr uint64_t kSpinNs = 20'000;      // wait this long before sleeping
constexpr uint64_t kRangeNs = 10'000'000; // aim of a range's length, from above
constexpr uint64_t kPollNs = 20'000'000;  // between two questions to the caller
constexpr uint64_t kInlineNs = 15'000; // a job shorter than this wakes nobody
constexpr uint64_t kGrowth = 8;        // of a range over the one before it
constexpr uint64_t kRangesPerThread =
    4; // a range is at most this share of the rest

uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1'000'000'000 + uint64_t(t.tv_nsec);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#elif defined(__riscv)
  __asm__ volatile(
      ".4byte 0x0100000f"); // pause, a hint on cores that lack Zihintpause
#endif
}

/// A job in flight; lies on its caller's stack until no worker is inside.
struct Active {
  Active(const Job &job, unsigned threads) : job(job), threads(threads) {}
  const Job &job;
  const unsigned threads;
  std::atomic<uint64_t> next{0};
  std::atomic<int32_t> stop{0};
  std::atomic<bool> failed{false};
  std::atomic<unsigned> inside{0}; // workers; changed under the pool's mutex
  std::condition_variable idle;    // inside became 0
  Active *link = nullptr;

  bool open() const {
    return next.load(std::memory_order_relaxed) < job.total &&
           !stop.load(std::memory_order_relaxed);
  }
};

/// How much one thread claims next of one job.
struct Pace {
  uint64_t limit = 1;
  uint64_t ran = 0, spent = 0;

  void account(uint64_t size, uint64_t ns) {
    ran += size;
    spent += ns;
    uint64_t byTime =
        ns ? uint64_t(double(size) * double(kRangeNs) / double(ns)) : ~0ull;
    limit = std::max<uint64_t>(1, std::min(limit * kGrowth, byTime));
  }
};

bool claim(Active &active, const Pace &pace, uint64_t &begin, uint64_t &end) {
  if (active.stop.load(std::memory_order_relaxed))
    return false;
  uint64_t total = active.job.total;
  uint64_t at = active.next.load(std::memory_order_relaxed), size;
  do {
    if (at >= total)
      return false;
    uint64_t left = total - at;
    uint64_t fair =
        active.threads == 1 ? left : left / (kRangesPerThread * active.threads);
    size = std::max<uint64_t>(1, std::min(fair, pace.limit));
  } while (!active.next.compare_exchange_weak(at, at + size,
                                              std::memory_order_relaxed));
  begin = at;
  end = at + size;
  return true;
}

/// Runs one claimed range; false when the job is to stop.
bool runRange(Active &active, Pace &pace, uint64_t begin, uint64_t end,
              uint64_t &time) {
  auto *stop = reinterpret_cast<const volatile int32_t *>(&active.stop);
  int32_t result = active.job.range(active.job.context, begin, end, stop);
  uint64_t after = now();
  pace.account(end - begin, after - time);
  time = after;
  if (!result)
    return true;
  active.failed.store(true, std::memory_order_relaxed);
  active.stop.store(1, std::memory_order_relaxed);
  return false;
}

class Pool {
public:
  Outcome run(const Job &job, unsigned threads);
  unsigned live() {
    std::lock_guard<std::mutex> lock(mutex_);
    return live_;
  }
  /// Workers whose index is not below count - 1 leave when idle.
  void trim(unsigned count) {
    std::lock_guard<std::mutex> lock(mutex_);
    wanted_ = count - 1;
    epoch_.fetch_add(1, std::memory_order_relaxed);
    wake_.notify_all();
  }

private:
  void publish(Active &active, unsigned threads);
  void spawn(unsigned count);
  void work(unsigned index);
  Active *pick() const;
  bool polled(const Job &job, uint64_t time, uint64_t &last);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<uint64_t> epoch_{0}; // grows with every published job
  Active *jobs_ = nullptr;
  unsigned live_ = 0, wanted_ = 0, sleeping_ = 0;

  struct Start {
    Pool *pool;
    unsigned index;
  };
};

std::atomic<Pool *> current{nullptr};
std::atomic<unsigned> wantedThreads{0}; // 0: the default

/// The pool is never destroyed: workers may outlive main, and a child of fork
/// leaves the parent's pool, whose mutex may be held by a thread that is no
/// more, where it is.
Pool &instance() {
  if (Pool *pool = current.load(std::memory_order_acquire))
    return *pool;
  static bool registered = [] {
    pthread_atfork(nullptr, nullptr, [] { current.store(nullptr); });
    return true;
  }();
  (void)registered;
  // No lock: one held by another thread at a fork would stay locked in the
  // child.
  Pool *fresh = new Pool, *none = nullptr;
  if (current.compare_exchange_strong(none, fresh, std::memory_order_acq_rel))
    return *fresh;
  delete fresh;
  return *none;
}

Active *Pool::pick() const {
  Active *best = nullptr;
  for (Active *job = jobs_; job; job = job->link)
    if (job->open() &&
        job->inside.load(std::memory_order_relaxed) + 1 < job->threads &&
        (!best || job->inside.load(std::memory_order_relaxed) <
                      best->inside.load(std::memory_order_relaxed)))
      best = job;
  return best;
}

void Pool::spawn(unsigned count) {
  // Under the mutex. A worker blocks what another thread should handle; the
  // faults that a kernel raises itself stay open for runtime/guard.
  sigset_t all, old;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  while (live_ < count) {
    pthread_t thread;
    auto *start = new Start{this, live_};
    auto body = [](void *arg) -> void * {
      Start start = *static_cast<Start *>(arg);
      delete static_cast<Start *>(arg);
      start.pool->work(start.index);
      return nullptr;
    };
    if (pthread_create(&thread, nullptr, body, start) != 0) {
      delete start; // no room for another thread: go on with fewer
      break;
    }
    char name[16];
    std::snprintf(name, sizeof name, "trireme/%u", live_);
    pthread_setname_np(thread, name);
    pthread_detach(thread);
    ++live_;
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void Pool::work(unsigned index) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (Active *active = pick()) {
      active->inside.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      Pace pace;
      uint64_t begin, end, time = now();
      while (claim(*active, pace, begin, end))
        if (!runRange(*active, pace, begin, end, time))
          break;
      lock.lock();
      if (active->inside.fetch_sub(1, std::memory_order_release) == 1)
        active->idle.notify_one();
      continue;
    }
    if (index + 1 == live_ &&
        index >= wanted_) { // the highest index leaves first
      --live_;
      wake_.notify_all();
      return;
    }
    uint64_t seen = epoch_.load(std::memory_order_relaxed);
    lock.unlock();
    for (uint64_t start = now(); now() - start < kSpinNs;) {
      if (epoch_.load(std::memory_order_relaxed) != seen)
        break;
      for (int i = 0; i < 16; ++i)
        pause();
    }
    lock.lock();
    ++sleeping_;
    wake_.wait(lock, [&] {
      return epoch_.load(std::memory_order_relaxed) != seen ||
             (index + 1 == live_ && index >= wanted_);
    });
    --sleeping_;
  }
}

void Pool::publish(Active &active, unsigned threads) {
  std::lock_guard<std::mutex> lock(mutex_);
  wanted_ = threads - 1;
  spawn(active.threads - 1);
  Active **tail = &jobs_; // oldest first
  while (*tail)
    tail = &(*tail)->link;
  *tail = &active;
  epoch_.fetch_add(1, std::memory_order_relaxed);
  uint64_t helpers =
      std::min<uint64_t>(active.job.total - 1, active.threads - 1);
  if (sleeping_ == 0)
    return;
  if (helpers >= sleeping_)
    wake_.notify_all();
  else
    for (uint64_t i = 0; i < helpers; ++i)
      wake_.notify_one();
}

bool Pool::polled(const Job &job, uint64_t time, uint64_t &last) {
  if (!job.poll || time - last < kPollNs)
    return false;
  bool stop = job.poll(job.pollContext);
  last = now();
  return stop;
}

Outcome Pool::run(const Job &job, unsigned threads) {
  Active active(job, unsigned(std::min<uint64_t>(threads, job.total)));
  std::atomic<uint64_t> *cost = job.costNs;
  uint64_t known = cost ? cost->load(std::memory_order_relaxed) : 0;
  // The cost is kept in 1/256 ns a number, at least 1; 0 says unknown.
  bool brief = known && !job.eager && job.total <= (kInlineNs * 256) / known;
  bool published = false, stopped = false;
  auto ensurePublished = [&] {
    if (!published && active.threads > 1) {
      publish(active, threads);
      published = true;
    }
  };
  if (!brief)
    ensurePublished();

  Pace pace;
  uint64_t begin, end, start = now(), time = start, last = start;
  while (claim(active, pace, begin, end)) {
    if (!runRange(active, pace, begin, end, time))
      break;
    if (time - start > 2 * kInlineNs)
      ensurePublished(); // it was not brief after all
    if (polled(job, time, last)) {
      if (current.load(std::memory_order_relaxed) != this)
        return Outcome::Polled; // the poll forked and this is the child
      stopped = true;
      active.stop.store(1, std::memory_order_relaxed);
    }
  }
  if (cost && pace.ran)
    cost->store(std::max<uint64_t>(1, pace.spent * 256 / pace.ran),
                std::memory_order_relaxed);
  if (published) {
    // Workers may still be inside; wait for them, spinning first.
    while (active.inside.load(std::memory_order_acquire) &&
           now() - time < kSpinNs)
      for (int i = 0; i < 16; ++i)
        pause();
    std::unique_lock<std::mutex> lock(mutex_);
    for (Active **at = &jobs_; *at; at = &(*at)->link)
      if (*at == &active) {
        *at = active.link;
        break;
      }
    while (active.inside.load(std::memory_order_acquire)) {
      if (!job.poll || stopped) { // it is not asked again once it said stop
        active.idle.wait(lock);
        continue;
      }
      active.idle.wait_for(lock, std::chrono::nanoseconds(kPollNs));
      lock.unlock();
      if (polled(job, now(), last)) {
        if (current.load(std::memory_order_relaxed) != this)
          return Outcome::Polled;
        stopped = true;
        active.stop.store(1, std::memory_order_relaxed);
      }
      lock.lock();
    }
  }
  if (stopped) // ranges may return nonzero because of it
    return Outcome::Polled;
  return active.failed.load(std::memory_order_relaxed) ? Outcome::Stopped
                                                       : Outcome::Done;
}

} // namespace

unsigned pool::numThreads() {
  unsigned count = wantedThreads.load(std::memory_order_relaxed);
  if (count == 0) {
    count = defaultThreads();
    wantedThreads.store(count, std::memory_order_relaxed);
  }
  return count;
}

void pool::setNumThreads(unsigned count) {
  count = count ? count : defaultThreads();
  wantedThreads.store(count, std::memory_order_relaxed);
  if (Pool *pool = current.load(std::memory_order_acquire))
    pool->trim(count);
}

unsigned pool::liveWorkers() {
  Pool *pool = current.load(std::memory_order_acquire);
  return pool ? pool->live() : 0;
}

Outcome pool::run(const Job &job) {
  if (job.total == 0)
    return Outcome::Done;
  if (job.total == 1) {
    // One range runs on the caller, without the clock or the mutex.
    const int32_t never = 0;
    return job.range(job.context, 0, 1, &never) ? Outcome::Stopped
                                                : Outcome::Done;
  }
  return instance().run(job, numThreads());
}
