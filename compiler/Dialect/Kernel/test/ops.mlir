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

// CHECK-LABEL: func.func @lookups
func.func @lookups(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>, %n: tensor<64xi32>, %m: tensor<64xi1>) {
  // CHECK: kernel.gather %{{.*}}[%{{.*}}] axis 1 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  // CHECK: kernel.histogram %{{.*}} mask %{{.*}} : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>
  %h = kernel.histogram %n mask %m : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>
  // CHECK: kernel.fence
  kernel.fence
  // CHECK: kernel.print " x: " %{{.*}} : tensor<4x8xf32> "fp32"
  kernel.print " x: " %x : tensor<4x8xf32> "fp32"
  // CHECK: kernel.assert %{{.*}} "m" : tensor<64xi1>
  kernel.assert %m "m" : tensor<64xi1>
  return
}

// CHECK-LABEL: func.func @map
func.func @map(%x: tensor<8xi32>) -> tensor<8xi32> {
  // CHECK: kernel.map %{{.*}} : (tensor<8xi32>) -> tensor<8xi32>
  %y = kernel.map %x : (tensor<8xi32>) -> tensor<8xi32> {
  ^bb0(%e: i32):
    %d = arith.addi %e, %e : i32
    kernel.yield %d : i32
  }
  return %y : tensor<8xi32>
}
