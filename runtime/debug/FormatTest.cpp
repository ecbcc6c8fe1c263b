//===- FormatTest.cpp -----------------------------------------------------===//
#include "runtime/debug/Format.h"
#include "runtime/debug/Number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

using namespace trireme::debug;

namespace {

const uint32_t program[3] = {1, 2, 3};

template <typename T>
std::string print(const char *type, std::vector<T> values,
                  std::vector<int64_t> shape, bool hex = false,
                  const char *prefix = " x: ") {
  Block block{type, values.data(), shape.data(), uint32_t(shape.size())};
  return formatPrint(program, prefix, &block, hex);
}

TEST(FormatTest, Scalars) {
  EXPECT_EQ(print<int32_t>("i32", {-7}, {}), "(1, 2, 3) x: -7\n");
  EXPECT_EQ(print<uint8_t>("u8", {200}, {}), "(1, 2, 3) x: 200\n");
  EXPECT_EQ(print<uint8_t>("u1", {1}, {}), "(1, 2, 3) x: 1\n");
  EXPECT_EQ(print<float>("fp32", {3.14f}, {}), "(1, 2, 3) x: 3.140000\n");
  EXPECT_EQ(print<uint64_t>("u64", {~0ull}, {}),
            "(1, 2, 3) x: 18446744073709551615\n");
  EXPECT_EQ(print<int16_t>("i16", {-2}, {}, true), "(1, 2, 3) x: 0xfffe\n");
  EXPECT_EQ(print<uint64_t>("*fp32", {0x1234}, {}),
            "(1, 2, 3) x: 0x0000000000001234\n");
  EXPECT_EQ(formatPrint(program, " no arg", nullptr, false),
            "(1, 2, 3) no arg\n");
}

TEST(FormatTest, IntegerBlocks) {
  EXPECT_EQ(print<int32_t>("i32", {1, 20, 300}, {3}),
            "(1, 2, 3) x: [  1,  20, 300]\n");
  EXPECT_EQ(print<int32_t>("i32", {-1, 20}, {2}), "(1, 2, 3) x: [ -1,  20]\n");
  std::vector<int32_t> ten(10);
  std::iota(ten.begin(), ten.end(), 0);
  EXPECT_EQ(print<int32_t>("i32", ten, {10}),
            "(1, 2, 3) x: [0, 1, 2, 3, 4, 5, 6, 7,\n"
            "              8, 9]\n");
  EXPECT_EQ(print<int32_t>("i32", {0, 100}, {2, 1}), "(1, 2, 3) x: [[  0],\n"
                                                     "              [100]]\n");
  EXPECT_EQ(print<uint8_t>("u8", {1, 255}, {2}, true),
            "(1, 2, 3) x: [0x01, 0xff]\n");
  EXPECT_EQ(print<int32_t>("i32", {1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}),
            "(1, 2, 3) x: [[[1, 2],\n"
            "               [3, 4]],\n"
            "              [[5, 6],\n"
            "               [7, 8]]]\n");
}

TEST(FormatTest, FloatBlocks) {
  EXPECT_EQ(print<float>("fp32", {1.5f, 10.25f}, {2}),
            "(1, 2, 3) x: [ 1.5000, 10.2500]\n");
  EXPECT_EQ(print<float>("fp32", {-1.5f, 1.5f}, {2}),
            "(1, 2, 3) x: [-1.5000,  1.5000]\n");
  EXPECT_EQ(print<double>("fp64", {1, 1e7}, {2}),
            "(1, 2, 3) x: [1.0000e+00, 1.0000e+07]\n");
}

double decoded(const char *type, uint64_t bits) {
  return toDouble(ElementType::of(type), &bits);
}

TEST(NumberTest, NarrowFloats) {
  EXPECT_EQ(decoded("fp16", 0x3c00), 1);
  EXPECT_EQ(decoded("fp16", 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(decoded("fp16", 0xfc00), -INFINITY);
  EXPECT_TRUE(std::isnan(decoded("fp16", 0x7e00)));
  EXPECT_EQ(decoded("bf16", 0xbf80), -1);
  EXPECT_EQ(decoded("fp8e4nv", 0x7e), 448);
  EXPECT_TRUE(std::isnan(decoded("fp8e4nv", 0x7f)));
  EXPECT_EQ(decoded("fp8e5", 0x7b), 57344);
  EXPECT_EQ(decoded("fp8e5", 0x7c), INFINITY);
  EXPECT_EQ(decoded("fp8e4b8", 0x7f), 240);
  EXPECT_TRUE(std::isnan(decoded("fp8e4b8", 0x80)));
  EXPECT_EQ(decoded("fp8e5b16", 0x7f), 57344);
}

TEST(FormatTest, FailuresNameElementAndSides) {
  float left[] = {1, 5, 2, 3}, right[] = {1, 4, 2, 3};
  int64_t shape[] = {2, 2};
  Block condition{"fp32", nullptr, shape, 2};
  EXPECT_EQ(formatFailure(condition, 1, left, right),
            "element [0, 1]: 5.000000 and 4.000000 were compared");
  EXPECT_EQ(formatFailure(condition, 2, nullptr, nullptr), "element [1, 0]");
  Block scalar{"i32", nullptr, nullptr, 0};
  EXPECT_EQ(formatFailure(scalar, 0, nullptr, nullptr), "");
}

} // namespace
