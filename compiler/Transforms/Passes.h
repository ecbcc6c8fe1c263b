//===- Passes.h - tTIR to TTIR -------------------------------- -*- C++ -*-===//
#ifndef TRIREME_COMPILER_TRANSFORMS_PASSES_H
#define TRIREME_COMPILER_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace trireme::transforms {

#define GEN_PASS_DECL
#include "compiler/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/Passes.h.inc"

} // namespace trireme::transforms

#endif // TRIREME_COMPILER_TRANSFORMS_PASSES_H
