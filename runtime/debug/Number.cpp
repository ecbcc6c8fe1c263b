//===- Number.cpp - one element of any type -------------------------------===//
#include "runtime/debug/Number.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace trireme::debug;

ElementType ElementType::of(const char *spelling) {
  static const struct {
    const char *name;
    ElementType type;
  } floats[] = {
      {"fp8e4nv", {Float, 1, 3, 7, NanAllOnes}},
      {"fp8e5", {Float, 1, 2, 15, Ieee}},
      {"fp8e4b8", {Float, 1, 3, 8, NanMinusZero}},
      {"fp8e5b16", {Float, 1, 2, 16, NanMinusZero}},
      {"fp16", {Float, 2, 10, 15, Ieee}},
      {"bf16", {Float, 2, 7, 127, Ieee}},
      {"fp32", {Float, 4, 23, 127, Ieee}},
      {"fp64", {Float, 8, 52, 1023, Ieee}},
  };
  for (const auto &row : floats)
    if (std::strcmp(row.name, spelling) == 0)
      return row.type;
  ElementType type;
  if (spelling[0] == '*') {
    type.kind = Address;
    type.bytes = 8;
    return type;
  }
  type.kind = spelling[0] == 'i' ? Signed : Unsigned;
  int bits = std::atoi(spelling + 1);
  type.bytes = bits < 8 ? 1 : uint32_t(bits) / 8;
  return type;
}

static uint64_t bitsAt(const ElementType &type, const void *data) {
  // Little-endian, as all our targets are.
  uint64_t bits = 0;
  std::memcpy(&bits, data, type.bytes);
  return bits;
}

uint64_t trireme::debug::toInteger(const ElementType &type, const void *data) {
  uint64_t bits = bitsAt(type, data);
  unsigned unused = 64 - 8 * type.bytes;
  if (type.kind == ElementType::Signed && unused)
    bits = uint64_t(int64_t(bits << unused) >> unused);
  return bits;
}

double trireme::debug::toDouble(const ElementType &type, const void *data) {
  if (type.kind == ElementType::Signed)
    return double(int64_t(toInteger(type, data)));
  uint64_t bits = bitsAt(type, data);
  if (type.kind != ElementType::Float)
    return double(bits);
  if (type.bytes == 8) {
    double value;
    std::memcpy(&value, data, 8);
    return value;
  }
  unsigned width = 8 * type.bytes;
  uint64_t sign = bits >> (width - 1);
  uint64_t mantissa = bits & ((1ull << type.mantissa) - 1);
  uint64_t largest = (1ull << (width - 1 - type.mantissa)) - 1;
  uint64_t exponent = (bits >> type.mantissa) & largest;
  bool isNan = false, isInfinite = false;
  switch (type.special) {
  case ElementType::Ieee:
    isNan = exponent == largest && mantissa;
    isInfinite = exponent == largest && !mantissa;
    break;
  case ElementType::NanAllOnes:
    isNan = exponent == largest && mantissa == (1ull << type.mantissa) - 1;
    break;
  case ElementType::NanMinusZero:
    isNan = sign && !exponent && !mantissa;
    break;
  }
  if (isNan)
    return std::nan("");
  double value =
      isInfinite ? INFINITY
      : exponent ? std::ldexp(double(mantissa | (1ull << type.mantissa)),
                              int(exponent) - type.bias - type.mantissa)
                 : std::ldexp(double(mantissa), 1 - type.bias - type.mantissa);
  return sign ? -value : value;
}
