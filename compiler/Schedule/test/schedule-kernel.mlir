// RUN: %trireme-opt %S/../../../test/kernels/softmax.mlir --stop-after=sched --target=x86-64-v3 | FileCheck %s --check-prefix=SOFTMAX
// RUN: %trireme-opt %S/../../../test/kernels/matmul.mlir --stop-after=sched --target=spacemit-x60 | FileCheck %s --check-prefix=MATMUL
// RUN: %trireme-opt %S/../../../test/kernels/vector-add.mlir --stop-after=sched --target=x86-64-v4 | FileCheck %s --check-prefix=ADD

// The row is loaded once and kept; its exponentials are used by the sum and the store.
// Only the maximum has been taken before: the sum's loops compute the exponentials.
// SOFTMAX: kernel.reduce
// SOFTMAX: %[[HELD:.*]] = sched.hold {{.*}} {in_reader, loop = #sched.loop
// SOFTMAX: kernel.reduce %[[HELD]]
// SOFTMAX: access.store

// A register tile for the product.
// MATMUL: linalg.matmul {{.*}}#sched.tile<rows = {{[0-9]+}}, vectors = {{[0-9]+}}, width = {{[0-9]+}}, depth = 4>

// Nothing is kept: loads are computed in the store's loop, in vectors of half a cache line,
// as it waits for memory.
// ADD-NOT: sched.hold
// ADD: access.store {{.*}}#sched.loop<order = [0], lane = 0, width = 8
