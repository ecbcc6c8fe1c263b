//===- Number.h - one element of any type --------------------- -*- C++ -*-===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace trireme::debug {

/// An element type, from its spelling in signatures: "u1" "i8" .. "u64" "fp8e5"
/// "fp8e4nv" "fp8e4b8" "fp8e5b16" "fp16" "bf16" "fp32" "fp64", "*.." for
/// addresses.
struct ElementType {
  enum Kind { Signed, Unsigned, Float, Address } kind = Unsigned;
  uint32_t bytes = 1;
  /// Of floats: explicit mantissa bits and bias; what the largest exponent
  /// means.
  int mantissa = 0, bias = 0;
  enum Special {
    Ieee,        ///< infinities and NaN
    NanAllOnes,  ///< no infinities; all ones is NaN (e4m3fn)
    NanMinusZero ///< no infinities; the pattern of -0 is NaN (fnuz)
  } special = Ieee;

  static ElementType of(const char *spelling);
};

/// The element at `data`; exact for every type but 64-bit integers.
double toDouble(const ElementType &type, const void *data);
/// The bits of an integer or address, sign-extended if signed.
uint64_t toInteger(const ElementType &type, const void *data);

} // namespace trireme::debug
