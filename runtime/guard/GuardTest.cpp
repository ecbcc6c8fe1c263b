//===- GuardTest.cpp ------------------------------------------------------===//
#include "runtime/guard/Guard.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace trireme;

namespace {

int32_t readFrom(void *address) {
  return *static_cast<volatile int32_t *>(address);
}

int32_t illegal(void *) {
#if defined(__x86_64__)
  __asm__ volatile("ud2");
#else
  raise(SIGILL);
#endif
  return 0;
}

class GuardTest : public ::testing::Test {
protected:
  void SetUp() override {
    if (!guard::supported())
      GTEST_SKIP() << "a sanitizer owns the faults";
    guard::install();
  }
  int32_t result = 0;
  guard::Fault fault;
};

TEST(Guard, PassesTheResultOn) {
  int32_t value = 42, result = 0;
  guard::Fault fault;
  EXPECT_TRUE(guard::call(readFrom, &value, result, fault));
  EXPECT_EQ(result, 42);
  EXPECT_EQ(fault.signal, 0);
}

TEST_F(GuardTest, CatchesAWildRead) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(
        guard::call(readFrom, reinterpret_cast<void *>(0x1230), result, fault));
    EXPECT_EQ(fault.signal, SIGSEGV);
    EXPECT_EQ(fault.address, 0x1230u);
  }
  int32_t value = 7;
  EXPECT_TRUE(guard::call(readFrom, &value, result, fault));
  EXPECT_EQ(result, 7);
}

TEST_F(GuardTest, CatchesAProtectedPage) {
  void *page =
      mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  EXPECT_FALSE(guard::call(readFrom, page, result, fault));
  EXPECT_EQ(fault.address, reinterpret_cast<uintptr_t>(page));
  munmap(page, 4096);
}

#if defined(__x86_64__)
TEST_F(GuardTest, CatchesAnIllegalInstruction) {
  EXPECT_FALSE(guard::call(illegal, nullptr, result, fault));
  EXPECT_EQ(fault.signal, SIGILL);
  EXPECT_STREQ(guard::signalName(fault.signal), "SIGILL");
}
#endif

TEST_F(GuardTest, CatchesOnManyThreads) {
  std::atomic<int> caught{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        int32_t result;
        guard::Fault fault;
        caught += !guard::call(readFrom, reinterpret_cast<void *>(0x40), result,
                               fault);
      }
    });
  for (auto &thread : threads)
    thread.join();
  EXPECT_EQ(caught, 800);
}

/// Enough frames to leave the stack; volatile so that no loop is made of it.
int32_t overflow(void *context) {
  volatile char page[4096];
  page[0] = 1;
  return overflow(context) + page[0];
}

TEST_F(GuardTest, CatchesAStackOverflow) {
  std::thread([&] {
    int32_t result;
    guard::Fault fault;
    EXPECT_FALSE(guard::call(overflow, nullptr, result, fault));
    EXPECT_EQ(fault.signal, SIGSEGV);
  }).join();
}

TEST_F(GuardTest, LeaveEndsTheCallWithoutASignal) {
  auto assertion = [](void *) -> int32_t {
    guard::leave();
    return 1;
  };
  fault.signal = 99;
  EXPECT_FALSE(guard::call(assertion, nullptr, result, fault));
  EXPECT_EQ(fault.signal, 0);
  guard::leave(); // outside a call it does nothing
}

TEST_F(GuardTest, LeavesForeignFaultsToTheOneBefore) {
  pid_t child = fork();
  if (child == 0) {
    struct sigaction mine = {};
    mine.sa_handler = [](int) { _exit(17); };
    sigaction(SIGSEGV, &mine, nullptr);
    guard::install(); // comes first again, keeps mine behind it
    int32_t result;
    guard::Fault fault;
    if (guard::call(readFrom, reinterpret_cast<void *>(0x40), result, fault))
      _exit(1);
    readFrom(reinterpret_cast<void *>(0x48));
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 17);
}

TEST_F(GuardTest, WithoutAnotherHandlerTheProcessDiesOfTheSignal) {
  for (bool sent : {false, true}) {
    pid_t child = fork();
    if (child == 0) {
      if (sent)
        raise(SIGSEGV);
      readFrom(reinterpret_cast<void *>(0x48));
      _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGSEGV);
  }
}

} // namespace
