//===- LaunchTest.cpp -----------------------------------------------------===//
#include "runtime/launch/Launch.h"
#include "runtime/guard/Guard.h"
#include "runtime/launch/FpState.h"
#include "runtime/launch/Pack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <csignal>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

using namespace trireme;
using namespace trireme::launch;

extern "C" {
extern const trireme_image add_image __asm__("trireme_image");
extern const trireme_image ids_image, wild_image, mode_image, peek_image,
    greedy_image, told_image;
}

namespace {

struct AddArgs {
  const float *x, *y;
  float *out;
  int32_t n;
};

class LaunchTest : public ::testing::TestWithParam<unsigned> {
protected:
  void SetUp() override { pool::setNumThreads(GetParam()); }
  void TearDown() override { pool::setNumThreads(1); }
  std::unique_ptr<Image> adopt(const trireme_image &info) {
    std::string error;
    auto image = Image::adopt(&info, error);
    EXPECT_TRUE(image) << error;
    return image;
  }
  bool run(Image &image, const void *args, uint64_t x, uint64_t y = 1,
           uint64_t z = 1) {
    failure = {};
    uint64_t dims[3] = {x, y, z};
    return launch::run(image, args, dims, {}, failure);
  }
  Failure failure;
};

TEST_P(LaunchTest, AddsVectorsOfEveryLength) {
  auto image = adopt(add_image);
  for (int n : {0, 1, 63, 64, 65, 1000, 100'000}) {
    std::vector<float> x(n + 1, 1.5f), y(n + 1, 2.25f), out(n + 1, -1);
    AddArgs args{x.data(), y.data(), out.data(), n};
    ASSERT_TRUE(run(*image, &args, (n + 63) / 64)) << failure.message;
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(out[i], 3.75f);
    EXPECT_EQ(out[n], -1);
  }
}

TEST_P(LaunchTest, RunsThreeAxesThroughScratch) {
  auto image = adopt(ids_image);
  std::vector<int64_t> out(7 * 5 * 3);
  int64_t *args = out.data();
  ASSERT_TRUE(run(*image, &args, 7, 5, 3)) << failure.message;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x)
        EXPECT_EQ(out[(z * 5 + y) * 7 + x], x + 1000 * y + 1000000 * z);
}

TEST_P(LaunchTest, RunsMoreThanAMillionPrograms) {
  auto image = adopt(ids_image);
  std::vector<int64_t> out(1'200'000, -1);
  int64_t *args = out.data();
  ASSERT_TRUE(run(*image, &args, out.size()));
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], int64_t(i));
}

TEST_P(LaunchTest, EmptyGridsRunNothing) {
  auto image = adopt(wild_image);
  struct {
    char *base = nullptr;
    int64_t offset = 0, program = 0;
  } args;
  EXPECT_TRUE(run(*image, &args, 0));
  EXPECT_TRUE(run(*image, &args, 5, 0, 7));
}

TEST_P(LaunchTest, RefusesGridsBeyondTheLimits) {
  auto image = adopt(ids_image);
  EXPECT_FALSE(run(*image, nullptr, 1ull << 31));
  EXPECT_EQ(failure.kind, Failure::Kind::Refused);
  EXPECT_NE(failure.message.find("2147483648 programs along axis 0"),
            std::string::npos);
  EXPECT_FALSE(run(*image, nullptr, INT32_MAX, INT32_MAX, INT32_MAX));
  EXPECT_NE(failure.message.find("2^63"), std::string::npos);
}

TEST_P(LaunchTest, NamesAFault) {
  if (!guard::supported())
    GTEST_SKIP() << "a sanitizer owns the faults";
  auto image = adopt(wild_image);
  char byte = 0;
  struct {
    char *base;
    int64_t offset, program;
  } args{&byte, 0, 4321};
  EXPECT_TRUE(run(*image, &args, 10'000));
  args.base = reinterpret_cast<char *>(0x1000);
  args.offset = 24;
  for (int round = 0; round < 20; ++round) {
    EXPECT_FALSE(run(*image, &args, 100, 100));
    EXPECT_EQ(failure.kind, Failure::Kind::Fault);
    EXPECT_EQ(failure.signal, SIGSEGV);
    EXPECT_EQ(failure.address, 0x1018u);
    EXPECT_EQ(failure.message,
              "kernel 'wild' faulted in program (21, 43, 0): SIGSEGV at "
              "address 0x1018; "
              "that is 24 bytes past the start of argument 'base' (0x1000)");
  }
  args.base = &byte;
  args.offset = 0;
  EXPECT_TRUE(run(*image, &args, 10'000)); // the pool goes on
}

TEST_P(LaunchTest, PrintsWholeRecords) {
  auto image = adopt(told_image);
  std::vector<int32_t> numbers(2 * 300);
  std::iota(numbers.begin(), numbers.end(), 0);
  struct {
    const int32_t *numbers;
    int32_t never = -1;
  } args{numbers.data()};
  testing::internal::CaptureStdout();
  bool ran = run(*image, &args, 100, 3);
  std::string text = testing::internal::GetCapturedStdout();
  ASSERT_TRUE(ran) << failure.message;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 300);
  for (int p = 0; p < 300; ++p) {
    std::string record = "(" + std::to_string(p % 100) + ", " +
                         std::to_string(p / 100) + ", 0) x: [";
    EXPECT_NE(text.find(record), std::string::npos) << record;
  }
}

TEST_P(LaunchTest, TellsWhichAssertionFailed) {
  auto image = adopt(told_image);
  std::vector<int32_t> numbers(2 * 500, 5);
  struct {
    const int32_t *numbers;
    int32_t never = 9;
  } args{numbers.data()};
  for (int round = 0; round < 5; ++round) {
    numbers[2 * 411 + 1] = 9;
    testing::internal::CaptureStdout();
    EXPECT_FALSE(run(*image, &args, 50, 10));
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(failure.kind, Failure::Kind::Assertion);
    EXPECT_EQ(failure.message,
              "device-side assert failed: unlucky\nkernel 'told', program (11, "
              "8, 0), element [1]: 9 and 9 were compared\n(told.py:7)");
    numbers[2 * 411 + 1] = 5;
    testing::internal::CaptureStdout();
    EXPECT_TRUE(run(*image, &args, 50, 10)); // the pool goes on
    testing::internal::GetCapturedStdout();
  }
}

TEST_P(LaunchTest, KernelsSeeOneFloatingPointMode) {
  auto image = adopt(mode_image);
  float out[2] = {};
  float *args = out;
  float third = 1.0f / 3.0f;
  std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040); // FTZ, DAZ
#endif
  FpState::Word before = FpState::read();
  bool ran = run(*image, &args, 1);
  FpState::Word after = FpState::read();
  FpState::write(FpState::kDefault);
  std::fesetround(FE_TONEAREST);
  EXPECT_TRUE(ran);
  EXPECT_EQ(before, after);
  EXPECT_EQ(out[0], third);
  EXPECT_GT(out[1], 0.0f);
}

TEST_P(LaunchTest, PoisonedScratchIsNaN) {
  auto image = adopt(peek_image);
  uint64_t word = 0, *args = &word;
  setPoisonScratch(true);
  EXPECT_TRUE(run(*image, &args, 1));
  setPoisonScratch(false);
  EXPECT_EQ(word, ~0ull);
}

TEST_P(LaunchTest, PollInterrupts) {
  auto image = adopt(ids_image);
  std::vector<int64_t> out(1 << 20);
  int64_t *args = out.data();
  uint64_t dims[3] = {out.size(), 1, 1};
  // Fast grids may end before the first question; what matters is that both
  // ends agree.
  Poll poll{[](void *) { return true; }, nullptr};
  failure = {};
  if (!launch::run(*image, &args, dims, poll, failure)) {
    EXPECT_EQ(failure.kind, Failure::Kind::Interrupted);
  }
}

TEST_P(LaunchTest, ManyThreadsLaunchAtOnce) {
  auto image = adopt(ids_image);
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 30; ++round) {
        std::vector<int64_t> out(2000 + round, -1);
        int64_t *args = out.data();
        uint64_t dims[3] = {out.size(), 1, 1};
        Failure failure;
        bool ok = launch::run(*image, &args, dims, {}, failure);
        for (size_t i = 0; i < out.size(); ++i)
          ok &= out[i] == int64_t(i % out.size());
        good += ok;
      }
    });
  for (auto &thread : threads)
    thread.join();
  EXPECT_EQ(good, 180);
}

INSTANTIATE_TEST_SUITE_P(Threads, LaunchTest, ::testing::Values(1u, 2u, 8u));

TEST(Image, LoadsASharedObject) {
  std::string error;
  auto image = Image::load(TEST_IMAGE, error);
  ASSERT_TRUE(image) << error;
  EXPECT_STREQ(image->info().name, "add");
  EXPECT_EQ(image->blockBytes(), 28u);
  float x = 1, y = 2, out = 0;
  AddArgs args{&x, &y, &out, 1};
  uint64_t dims[3] = {1, 1, 1};
  Failure failure;
  EXPECT_TRUE(launch::run(*image, &args, dims, {}, failure));
  EXPECT_EQ(out, 3);
}

TEST(Image, RefusesWhatIsNoImage) {
  std::string error;
  EXPECT_FALSE(Image::load("/nowhere/kernel.so", error));
  EXPECT_NE(error.find("/nowhere/kernel.so"), std::string::npos);
  EXPECT_FALSE(Image::load("libm.so.6", error));
  EXPECT_NE(error.find("no kernel image"), std::string::npos);
}

TEST(Image, RefusesAnotherVersionAndTooMuchScratch) {
  std::string error;
  trireme_image copy = add_image;
  copy.version = 7;
  EXPECT_FALSE(Image::adopt(&copy, error));
  EXPECT_NE(error.find("version 7"), std::string::npos);
  copy = add_image;
  copy.size = 8;
  EXPECT_FALSE(Image::adopt(&copy, error));
  EXPECT_FALSE(Image::adopt(&greedy_image, error));
  EXPECT_EQ(
      error,
      "kernel 'greedy' needs 67108865 bytes of scratch a thread; the limit is "
      "67108864");
#if !defined(__riscv)
  copy = add_image;
  copy.vlen_bits = 256;
  EXPECT_FALSE(Image::adopt(&copy, error));
  EXPECT_NE(error.find("vectors of 256 bits"), std::string::npos);
#endif
}

TEST(Pack, FollowsTheAbi) {
  uint32_t end = 0;
  auto place = [&](const char *type) {
    Scalar scalar = scalarOf(type);
    uint32_t at = offsetAfter(end, scalar);
    end = at + sizeOf(scalar);
    return at;
  };
  EXPECT_EQ(place("*fp32"), 0u);
  EXPECT_EQ(place("i1"), 8u);
  EXPECT_EQ(place("bf16"), 10u);
  EXPECT_EQ(place("i32"), 12u);
  EXPECT_EQ(place("u8"), 16u);
  EXPECT_EQ(place("fp64"), 24u);
  EXPECT_EQ(scalarOf("int"), Scalar::Unknown);
}

TEST(Pack, RoundsOnceToNearestEven) {
  EXPECT_EQ(toHalf(1.0), 0x3c00);
  EXPECT_EQ(toHalf(-2.0), 0xc000);
  EXPECT_EQ(toHalf(65504.0), 0x7bff);
  EXPECT_EQ(toHalf(65519.999), 0x7bff);
  EXPECT_EQ(toHalf(65520.0), 0x7c00);
  EXPECT_EQ(toHalf(1e300), 0x7c00);
  EXPECT_EQ(toHalf(5.9604644775390625e-8), 0x0001);
  EXPECT_EQ(toHalf(2.98023223876953125e-8),
            0x0000); // half of the least: to even
  EXPECT_EQ(toHalf(2.98023223876953126e-8 * 1.0000001), 0x0001);
  EXPECT_EQ(toHalf(6.103515625e-5), 0x0400);
  EXPECT_EQ(toHalf(1.00048828125), 0x3c00); // tie to even
  EXPECT_EQ(toHalf(1.00146484375), 0x3c02); // tie to even, up
  EXPECT_EQ(toHalf(-0.0), 0x8000);
  EXPECT_EQ(toHalf(std::numeric_limits<double>::quiet_NaN()) & 0x7e00, 0x7e00);
  EXPECT_EQ(toBFloat(1.0), 0x3f80);
  EXPECT_EQ(toBFloat(3.3895313892515355e38), 0x7f7f);
  EXPECT_EQ(toBFloat(INFINITY), 0x7f80);
  EXPECT_EQ(toBFloat(1.00390625), 0x3f80); // tie
  EXPECT_EQ(toBFloat(1.01171875), 0x3f82); // tie
#if defined(__FLT16_MANT_DIG__)
  for (int i = 0; i < 0x7c00; ++i) {
    uint16_t bits = uint16_t(i);
    _Float16 value;
    std::memcpy(&value, &bits, 2);
    ASSERT_EQ(toHalf(double(value)), bits);
  }
#endif
}

} // namespace
