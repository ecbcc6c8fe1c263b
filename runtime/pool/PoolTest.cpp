//===- PoolTest.cpp -------------------------------------------------------===//
#include "runtime/pool/Pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace trireme;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRIREME_TSAN 1
#endif
#endif

namespace {

struct Counts {
  explicit Counts(uint64_t total)
      : hits(new std::atomic<uint32_t>[total]()), total(total) {}
  std::unique_ptr<std::atomic<uint32_t>[]> hits;
  uint64_t total;
  std::mutex mutex;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;

  static int32_t run(void *self, uint64_t begin, uint64_t end,
                     const volatile int32_t *) {
    auto &counts = *static_cast<Counts *>(self);
    for (uint64_t i = begin; i < end; ++i)
      counts.hits[i].fetch_add(1, std::memory_order_relaxed);
    std::lock_guard<std::mutex> lock(counts.mutex);
    counts.ranges.emplace_back(begin, end);
    return 0;
  }
  bool eachOnce() const {
    for (uint64_t i = 0; i < total; ++i)
      if (hits[i] != 1)
        return false;
    return true;
  }
};

pool::Job job(Counts &counts) {
  pool::Job job;
  job.total = counts.total;
  job.range = Counts::run;
  job.context = &counts;
  return job;
}

class PoolTest : public ::testing::TestWithParam<unsigned> {
protected:
  void SetUp() override { pool::setNumThreads(GetParam()); }
  void TearDown() override { pool::setNumThreads(1); }
};

TEST_P(PoolTest, RunsEveryNumberOnce) {
  for (uint64_t total : {0, 1, 2, 3, 7, 8, 9, 63, 1000, 100'003, 1'200'000}) {
    Counts counts(total);
    EXPECT_EQ(pool::run(job(counts)), pool::Outcome::Done);
    EXPECT_TRUE(counts.eachOnce()) << total;
  }
}

TEST_P(PoolTest, RangesAreFewAndCoverTheGrid) {
  Counts counts(1'000'000);
  pool::run(job(counts));
  EXPECT_LE(counts.ranges.size(), 2000u); // nanoseconds a number
  std::sort(counts.ranges.begin(), counts.ranges.end());
  uint64_t at = 0;
  for (auto [begin, end] : counts.ranges) {
    EXPECT_EQ(begin, at);
    at = end;
  }
  EXPECT_EQ(at, counts.total);
}

TEST_P(PoolTest, SpreadsUnevenWork) {
  // The last number costs as much as all others; nobody may sit on a large last
  // range.
  struct Work {
    std::atomic<uint64_t> longest{0};
    static int32_t run(void *self, uint64_t begin, uint64_t end,
                       const volatile int32_t *) {
      auto &longest = static_cast<Work *>(self)->longest;
      for (uint64_t seen = longest; end > 900 && end - begin > seen;)
        if (longest.compare_exchange_weak(seen, end - begin))
          break;
      return 0;
    }
  } work;
  pool::Job job;
  job.total = 1000;
  job.range = Work::run;
  job.context = &work;
  pool::run(job);
  if (GetParam() > 1) {
    EXPECT_LE(work.longest, 1000u / (4 * GetParam()));
  }
}

TEST_P(PoolTest, LaterNumbersMayWaitForEarlierOnes) {
  struct Chain {
    std::atomic<uint64_t> done{0};
    static int32_t run(void *self, uint64_t begin, uint64_t end,
                       const volatile int32_t *) {
      auto &done = static_cast<Chain *>(self)->done;
      for (uint64_t i = begin; i < end; ++i) {
        while (done.load() != i)
          std::this_thread::yield();
        done.store(i + 1);
      }
      return 0;
    }
  } chain;
  pool::Job job;
  job.total = 5000;
  job.range = Chain::run;
  job.context = &chain;
  job.eager = true;
  EXPECT_EQ(pool::run(job), pool::Outcome::Done);
  EXPECT_EQ(chain.done, 5000u);
}

TEST_P(PoolTest, NonzeroStopsTheJob) {
  struct Stopper {
    std::atomic<uint64_t> ran{0};
    static int32_t run(void *self, uint64_t begin, uint64_t end,
                       const volatile int32_t *stop) {
      auto &ran = static_cast<Stopper *>(self)->ran;
      for (uint64_t i = begin; i < end; ++i) {
        if (__atomic_load_n(const_cast<const int32_t *>(stop),
                            __ATOMIC_RELAXED))
          return 0;
        ++ran;
        if (i == 100)
          return 1;
      }
      return 0;
    }
  } stopper;
  pool::Job job;
  job.total = 100'000'000;
  job.range = Stopper::run;
  job.context = &stopper;
  EXPECT_EQ(pool::run(job), pool::Outcome::Stopped);
  EXPECT_LT(stopper.ran, job.total / 2);
  Counts counts(1000); // the pool goes on
  pool::run(::job(counts));
  EXPECT_TRUE(counts.eachOnce());
}

TEST_P(PoolTest, PollStopsTheJob) {
  std::atomic<int> asked{0};
  pool::Job job;
  job.total = 1'000'000;
  job.range = [](void *, uint64_t begin, uint64_t end,
                 const volatile int32_t *) {
    usleep(100 * (end - begin));
    return 0;
  };
  job.poll = [](void *asked) {
    return ++*static_cast<std::atomic<int> *>(asked) == 3;
  };
  job.pollContext = &asked;
  EXPECT_EQ(pool::run(job), pool::Outcome::Polled);
  EXPECT_EQ(asked, 3);
}

TEST_P(PoolTest, CallersShareThePool) {
  std::vector<std::thread> callers;
  std::atomic<int> good{0};
  for (int i = 0; i < 6; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        Counts counts(500 + round);
        pool::run(job(counts));
        good += counts.eachOnce();
      }
    });
  for (auto &caller : callers)
    caller.join();
  EXPECT_EQ(good, 300);
}

TEST_P(PoolTest, BriefJobsWakeNobody) {
  struct Where {
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> elsewhere{false};
    static int32_t run(void *self, uint64_t, uint64_t,
                       const volatile int32_t *) {
      auto &where = *static_cast<Where *>(self);
      if (std::this_thread::get_id() != where.caller)
        where.elsewhere = true;
      return 0;
    }
  } where;
  std::atomic<uint64_t> cost{256}; // 1 ns
  pool::Job job;
  job.total = 100;
  job.range = Where::run;
  job.context = &where;
  job.costNs = &cost;
  EXPECT_EQ(pool::run(job), pool::Outcome::Done);
  EXPECT_FALSE(where.elsewhere);
  EXPECT_GT(cost, 0u);
}

TEST_P(PoolTest, WorkersBlockAsynchronousSignals) {
  pool::Job job;
  std::atomic<bool> open{false};
  pthread_t caller = pthread_self();
  struct Seen {
    std::atomic<bool> &open;
    pthread_t caller;
  } seen{open, caller};
  job.total = 200;
  job.context = &seen;
  job.range = [](void *context, uint64_t, uint64_t, const volatile int32_t *) {
    auto &seen = *static_cast<Seen *>(context);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    if (!pthread_equal(pthread_self(), seen.caller) &&
        (!sigismember(&mask, SIGINT) || !sigismember(&mask, SIGALRM) ||
         sigismember(&mask, SIGSEGV)))
      seen.open = true;
    usleep(50);
    return 0;
  };
  pool::run(job);
  EXPECT_FALSE(open);
}

TEST_P(PoolTest, TheChildOfAForkHasItsOwnPool) {
#ifdef TRIREME_TSAN
  GTEST_SKIP() << "TSan allows no threads in the child of a threaded fork";
#endif
  Counts before(1000);
  pool::run(job(before));
  pid_t child = fork();
  if (child == 0) {
    bool good = pool::liveWorkers() == 0;
    for (int i = 0; i < 3; ++i) {
      Counts counts(100'000);
      pool::run(job(counts));
      good &= counts.eachOnce();
    }
    pid_t grandchild = fork();
    if (grandchild == 0) {
      Counts counts(100'000);
      pool::run(job(counts));
      _exit(counts.eachOnce() ? 0 : 1);
    }
    int status = 1;
    waitpid(grandchild, &status, 0);
    _exit(good && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  Counts after(1000);
  pool::run(job(after));
  EXPECT_TRUE(after.eachOnce());
}

INSTANTIATE_TEST_SUITE_P(Threads, PoolTest, ::testing::Values(1u, 2u, 3u, 8u));

TEST(PoolSize, FollowsTheSetting) {
  EXPECT_GE(pool::defaultThreads(), 1u);
  pool::setNumThreads(5);
  EXPECT_EQ(pool::numThreads(), 5u);
  Counts counts(100'000);
  pool::run(job(counts));
  EXPECT_EQ(pool::liveWorkers(), 4u);
  pool::setNumThreads(2);
  for (int i = 0; i < 1000 && pool::liveWorkers() != 1; ++i)
    usleep(1000);
  EXPECT_EQ(pool::liveWorkers(), 1u);
  pool::setNumThreads(0);
  EXPECT_EQ(pool::numThreads(), pool::defaultThreads());
}

} // namespace
