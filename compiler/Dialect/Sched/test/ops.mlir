// RUN: %trireme-opt %s | %trireme-opt | FileCheck %s

// CHECK-LABEL: func.func @hold
func.func @hold(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {tile = #sched.tile<rows = 4, vectors = 3, width = 8, depth = 1>} {
  // CHECK: sched.hold %{{.*}} {loop = #sched.loop<order = [1, 0], lane = 0, width = 8, unroll = 2>} : tensor<8x16xf32>
  %h = sched.hold %x {loop = #sched.loop<order = [1, 0], lane = 0, width = 8, unroll = 2>}
      : tensor<8x16xf32>
  return %h : tensor<8x16xf32>
}
