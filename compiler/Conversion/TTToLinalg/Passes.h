//===- Passes.h - tt to linalg -------------------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_CONVERSION_TTTOLINALG_PASSES_H
#define TRIREME_COMPILER_CONVERSION_TTTOLINALG_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace trireme::conversion {

#define GEN_PASS_DECL
#include "compiler/Conversion/TTToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/TTToLinalg/Passes.h.inc"

} // namespace trireme::conversion

#endif // TRIREME_COMPILER_CONVERSION_TTTOLINALG_PASSES_H
