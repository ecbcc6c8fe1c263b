//===- Format.cpp - blocks as text ----------------------------------------===//
#include "runtime/debug/Format.h"
#include "runtime/debug/Number.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>

using namespace trireme::debug;

namespace {

constexpr int64_t kElementsPerLine = 8;
constexpr int kDecimals = 4;

/// How all numbers of one block are written.
struct Style {
  ElementType type;
  bool hex = false;
  bool scientific = false;
  /// Columns of a number, right-aligned; 0: as many as it needs.
  int width = 0;
};

std::string format(const char *pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

int digitsBeforePoint(double magnitude) {
  return std::isfinite(magnitude) && magnitude >= 10
             ? int(std::floor(std::log10(magnitude))) + 1
             : 1;
}

std::string number(const Style &style, const void *data) {
  const ElementType &type = style.type;
  if (type.kind == ElementType::Float) {
    double value = toDouble(type, data);
    return format(style.scientific ? "%*.*e" : "%*.*f", style.width, kDecimals,
                  value);
  }
  uint64_t bits = toInteger(type, data);
  if (style.hex || type.kind == ElementType::Address) {
    uint64_t shown =
        type.bytes == 8 ? bits : bits & ((1ull << 8 * type.bytes) - 1);
    return format("0x%0*" PRIx64, int(2 * type.bytes), shown);
  }
  return type.kind == ElementType::Signed
             ? format("%*" PRId64, style.width, int64_t(bits))
             : format("%*" PRIu64, style.width, bits);
}

const char *elementAt(const Block &block, const ElementType &type,
                      int64_t element) {
  return static_cast<const char *>(block.data) + element * type.bytes;
}

Style styleOf(const Block &block, int64_t count, bool hex) {
  Style style;
  style.type = ElementType::of(block.type);
  style.hex = hex;
  int most = 1, least = INT32_MAX;
  bool negative = false;
  for (int64_t i = 0; i < count; ++i) {
    double value = toDouble(style.type, elementAt(block, style.type, i));
    int digits = digitsBeforePoint(std::fabs(value));
    most = std::max(most, digits);
    least = std::min(least, digits);
    negative |= std::signbit(value);
  }
  style.width = most + negative;
  if (style.type.kind == ElementType::Float) {
    // Too wide for a column, or too unlike each other.
    style.scientific = most + 2 + negative > 8 || most - least > 3;
    style.width = style.scientific ? 1 + 1 + kDecimals + 4 + negative
                                   : most + 1 + kDecimals + negative;
  }
  return style;
}

void appendList(std::string &out, const Block &block, const Style &style,
                uint32_t axis, int64_t first, int64_t stride, size_t indent) {
  int64_t extent = block.shape[axis];
  out += '[';
  bool innermost = axis + 1 == block.rank;
  int64_t step = innermost ? 1 : stride / block.shape[axis + 1];
  for (int64_t i = 0; i < extent; ++i) {
    bool newLine = i && (!innermost || i % kElementsPerLine == 0);
    if (newLine)
      out += ",\n" + std::string(indent + axis + 1, ' ');
    else if (i)
      out += ", ";
    if (innermost)
      out += number(style, elementAt(block, style.type, first + i));
    else
      appendList(out, block, style, axis + 1, first + i * stride, step, indent);
  }
  out += ']';
}

int64_t countOf(const Block &block) {
  int64_t count = 1;
  for (uint32_t axis = 0; axis < block.rank; ++axis)
    count *= block.shape[axis];
  return count;
}

} // namespace

std::string trireme::debug::formatScalar(const Block &block, int64_t element,
                                         bool hex) {
  Style style;
  style.type = ElementType::of(block.type);
  style.hex = hex;
  const char *data = elementAt(block, style.type, element);
  if (style.type.kind == ElementType::Float)
    return format("%f", toDouble(style.type, data));
  return number(style, data);
}

std::string trireme::debug::formatPrint(const uint32_t program[3],
                                        const char *prefix, const Block *block,
                                        bool hex) {
  std::string out =
      format("(%u, %u, %u)", program[0], program[1], program[2]) + prefix;
  if (block && block->rank == 0) {
    out += formatScalar(*block, 0, hex);
  } else if (block) {
    int64_t count = countOf(*block);
    size_t indent = out.size();
    appendList(out, *block, styleOf(*block, count, hex), 0, 0,
               block->rank > 1 ? count / block->shape[0] : 1, indent);
  }
  out += '\n';
  return out;
}

std::string trireme::debug::formatFailure(const Block &condition,
                                          int64_t element, const void *left,
                                          const void *right) {
  std::string out;
  if (condition.rank) {
    std::string at;
    int64_t rest = element;
    for (uint32_t axis = condition.rank; axis-- > 0;) {
      at = std::to_string(rest % condition.shape[axis]) +
           (at.empty() ? "" : ", ") + at;
      rest /= condition.shape[axis];
    }
    out = "element [" + at + "]";
  }
  if (left && right) {
    Block block = condition;
    block.data = left;
    std::string sides = formatScalar(block, element, false);
    block.data = right;
    sides += " and " + formatScalar(block, element, false) + " were compared";
    out += (out.empty() ? "" : ": ") + sides;
  }
  return out;
}
