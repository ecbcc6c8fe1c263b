//===- Pack.h - scalars of an argument block ------------------ -*- C++ -*-===//
//
// abi/kernel.h: arguments in parameter order, each at the next multiple of its
// size.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cstring>

namespace trireme::launch {

enum class Scalar : uint8_t {
  Unknown,
  Pointer,
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
};

/// From Triton's spelling: "*fp32" is a pointer, "i1" and "u1" are Bool.
inline Scalar scalarOf(const char *type) {
  if (type[0] == '*')
    return Scalar::Pointer;
  static const struct {
    const char *name;
    Scalar scalar;
  } table[] = {
      {"i1", Scalar::Bool},  {"u1", Scalar::Bool},  {"i8", Scalar::I8},
      {"i16", Scalar::I16},  {"i32", Scalar::I32},  {"i64", Scalar::I64},
      {"u8", Scalar::U8},    {"u16", Scalar::U16},  {"u32", Scalar::U32},
      {"u64", Scalar::U64},  {"fp16", Scalar::F16}, {"bf16", Scalar::BF16},
      {"fp32", Scalar::F32}, {"fp64", Scalar::F64}, {"f32", Scalar::F32},
      {"f64", Scalar::F64},  {"f16", Scalar::F16},
  };
  for (const auto &row : table)
    if (std::strcmp(row.name, type) == 0)
      return row.scalar;
  return Scalar::Unknown;
}

inline unsigned sizeOf(Scalar scalar) {
  switch (scalar) {
  case Scalar::Unknown:
    return 0;
  case Scalar::Bool:
  case Scalar::I8:
  case Scalar::U8:
    return 1;
  case Scalar::I16:
  case Scalar::U16:
  case Scalar::F16:
  case Scalar::BF16:
    return 2;
  case Scalar::I32:
  case Scalar::U32:
  case Scalar::F32:
    return 4;
  case Scalar::Pointer:
  case Scalar::I64:
  case Scalar::U64:
  case Scalar::F64:
    return 8;
  }
  return 0;
}

inline uint32_t offsetAfter(uint32_t end, Scalar scalar) {
  uint32_t size = sizeOf(scalar);
  return size ? (end + size - 1) / size * size : end;
}

/// Rounds a double once, to nearest even, to a binary format of `Mantissa`
/// stored bits and `Exponent` exponent bits (16 bits in all).
template <int Exponent, int Mantissa> uint16_t roundTo16(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  uint16_t sign = uint16_t(bits >> 63) << 15;
  int exponent = int(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & 0xfffffffffffffull;
  constexpr int bias = (1 << (Exponent - 1)) - 1, top = (1 << Exponent) - 1;
  if (exponent == 0x7ff) {
    uint16_t quiet = fraction ? uint16_t(1 << (Mantissa - 1)) : 0;
    return uint16_t(sign | top << Mantissa | quiet);
  }
  int target = exponent - 1023 + bias; // biased exponent of the result
  int drop = 52 - Mantissa;
  uint64_t significand = exponent ? fraction | 1ull << 52 : fraction;
  if (target <= 0) { // subnormal or zero
    drop += 1 - target;
    target = 0;
    if (drop > 53)
      return sign;
  } else {
    significand = fraction;
  }
  uint64_t kept = significand >> drop, half = 1ull << (drop - 1);
  uint64_t rest = significand & ((half << 1) - 1);
  uint64_t word = (uint64_t(target) << Mantissa) + kept;
  if (rest > half || (rest == half && (word & 1)))
    ++word; // may carry into the exponent, up to infinity
  if (word >= uint64_t(top) << Mantissa)
    word = uint64_t(top) << Mantissa;
  return uint16_t(sign | word);
}

inline uint16_t toHalf(double value) { return roundTo16<5, 10>(value); }
inline uint16_t toBFloat(double value) { return roundTo16<8, 7>(value); }

} // namespace trireme::launch
