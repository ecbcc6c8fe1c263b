// RUN: %trireme-opt %s --pass-pipeline='builtin.module(func.func(schedule-kernel{vector-bits=256}))' | FileCheck %s

// A reduction computes and keeps what it reads, where nothing stands between the two.
// CHECK-LABEL: func.func @next
// CHECK: %[[HELD:.*]] = sched.hold {{.*}} {in_reader, loop
// CHECK: kernel.reduce %[[HELD]] axis 0 {sched.fills
func.func @next(%p: !llvm.ptr, %q: !llvm.ptr) attributes {kernel.entry} {
  %one = arith.constant 1 : i64
  %x = access.load base %p : !llvm.ptr strides[%one] -> tensor<64xf32>
  %e = math.exp %x : tensor<64xf32>
  %s = kernel.reduce %e axis 0 : (tensor<64xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  %t = tensor.splat %s : tensor<64xf32>
  %r = arith.divf %e, %t : tensor<64xf32>
  access.store %r base %q : !llvm.ptr strides[%one] : tensor<64xf32>
  return
}

// Not so where a store between them may change what is read.
// CHECK-LABEL: func.func @store_between
// CHECK: sched.hold {{.*}} {loop
// CHECK: access.store
// CHECK: kernel.reduce
func.func @store_between(%p: !llvm.ptr, %q: !llvm.ptr) attributes {kernel.entry} {
  %one = arith.constant 1 : i64
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %x = access.load base %p : !llvm.ptr strides[%one] -> tensor<64xf32>
  %e = math.exp %x : tensor<64xf32>
  access.store %zeros base %q : !llvm.ptr strides[%one] : tensor<64xf32>
  %s = kernel.reduce %e axis 0 : (tensor<64xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  %t = tensor.splat %s : tensor<64xf32>
  %r = arith.divf %e, %t : tensor<64xf32>
  access.store %r base %q : !llvm.ptr strides[%one] : tensor<64xf32>
  return
}
