//===- Format.h - blocks as text ------------------------------ -*- C++ -*-===//
#pragma once

#include <cstdint>
#include <string>

namespace trireme::debug {

/// A block as a kernel hands it over: abi/kernel.h, trireme_services.
struct Block {
  const char *type; ///< spelling of the element type
  const void *data;
  const int64_t *shape;
  uint32_t rank; ///< 0: a scalar
};

/// One number: floats with six decimals, or in hexadecimal digits.
std::string formatScalar(const Block &block, int64_t element, bool hex);

/// A print record: "(0, 1, 0) x: 3", or nested lists of eight elements a line,
/// aligned below each other; ends in one newline. `block` may be null.
std::string formatPrint(const uint32_t program[3], const char *prefix,
                        const Block *block, bool hex);

/// Which element failed and what was compared: "element [3, 1]: 5.000000 and
/// 4.000000 were compared". `left` and `right` may have null data; empty for a
/// scalar without them.
std::string formatFailure(const Block &condition, int64_t element,
                          const void *left, const void *right);

} // namespace trireme::debug
