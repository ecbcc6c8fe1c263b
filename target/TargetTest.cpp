//===- TargetTest.cpp - the target database -------------------------------===//

#include "target/target.h"

#include <gtest/gtest.h>
#include <string>

static trireme_target resolved(const char *text) {
  trireme_target target;
  char error[TRIREME_TARGET_ERROR] = "";
  EXPECT_EQ(trireme_target_resolve(text, &target, error), 0) << error;
  return target;
}

static std::string refused(const char *text) {
  trireme_target target;
  char error[TRIREME_TARGET_ERROR] = "";
  EXPECT_EQ(trireme_target_resolve(text, &target, error), -1);
  return error;
}

TEST(Target, CanonicalTextIsAFixedPoint) {
  for (const char *text :
       {"x86-64-v3", "x86-64-v4+avx512vnni+avx512bf16", "spacemit-x60",
        "riscv64:rv64gcv+zvl1024b", "host"}) {
    trireme_target once = resolved(text), twice = resolved(once.text);
    EXPECT_STREQ(once.text, twice.text);
    EXPECT_STREQ(once.llvm_features, twice.llvm_features);
  }
  // Features have one order whatever was typed.
  EXPECT_STREQ(resolved("x86-64-v4+avx512vnni+avx512bf16").text,
               "x86_64:x86-64-v4+avx512bf16+avx512vnni");
}

TEST(Target, VectorLengthFollowsTheFeature) {
  EXPECT_EQ(resolved("rv64gcv").vlen_bits, 128u);
  EXPECT_EQ(resolved("rv64gcv+zvl1024b").vlen_bits, 1024u);
  EXPECT_EQ(resolved("rv64gcv+zvl1024b").vector_bits, 1024u);
  EXPECT_EQ(resolved("spacemit-x60").vlen_bits, 256u);
}

TEST(Target, MistakesAreExplained) {
  EXPECT_NE(refused("spacemit-x6").find("did you mean 'spacemit-x60'"),
            std::string::npos);
  EXPECT_NE(refused("x86-64-v4+avx").find("known: f16c"), std::string::npos);
  EXPECT_NE(refused("riscv64:x86-64-v3").find("of architecture x86_64"),
            std::string::npos);
}

TEST(Target, EveryRowResolves) {
  for (size_t i = 0; i < trireme_target_count(); ++i) {
    trireme_target target = resolved(trireme_target_row(i)->id);
    EXPECT_GE(target.vector_bits, 128u);
    EXPECT_EQ(target.cpu, trireme_target_row(i));
  }
  EXPECT_EQ(trireme_target_row(trireme_target_count()), nullptr);
}
