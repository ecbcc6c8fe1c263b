//===- Options.h - options of a compilation ------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_SUPPORT_OPTIONS_H
#define TRIREME_COMPILER_SUPPORT_OPTIONS_H

#include <string>
#include <vector>

namespace trireme::support {

struct Options {
#define TRIREME_OPTION(type, field, initial, help) type field = initial;
#include "compiler/Support/Options.inc"
#undef TRIREME_OPTION
  /// Stages whose text is kept.
  std::vector<std::string> dump;
};

} // namespace trireme::support

#endif // TRIREME_COMPILER_SUPPORT_OPTIONS_H
