//===- TTOps.td - all operations of the Triton dialect -------------*- tablegen -*-===//

#ifndef TRIREME_TT_OPS
#define TRIREME_TT_OPS

include "compiler/Dialect/TT/TTFunctionOps.td"
include "compiler/Dialect/TT/TTShapeOps.td"
include "compiler/Dialect/TT/TTElementwiseOps.td"
include "compiler/Dialect/TT/TTMemoryOps.td"
include "compiler/Dialect/TT/TTComputeOps.td"

#endif // TRIREME_TT_OPS
