// RUN: %trireme-opt %s | %trireme-opt | FileCheck %s

// CHECK-LABEL: func.func @all
func.func @all(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>) {
  // CHECK: kernel.program_id 0 : i32
  %p = kernel.program_id 0 : i32
  // CHECK: kernel.num_programs 2 : i32
  %n = kernel.num_programs 2 : i32
  // CHECK: kernel.iota 5 : tensor<8xi32>
  %r = kernel.iota 5 : tensor<8xi32>
  // CHECK: kernel.reduce %{{.*}}, %{{.*}} axis 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  %m:2 = kernel.reduce %x, %i axis 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %j: i32, %b: f32, %k: i32):
    %c = arith.maxnumf %a, %b : f32
    // CHECK: kernel.yield %{{.*}}, %{{.*}} : f32, i32
    kernel.yield %c, %k : f32, i32
  }
  // CHECK: kernel.scan %{{.*}} axis 0 reverse : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = kernel.scan %x axis 0 reverse : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  return
}
