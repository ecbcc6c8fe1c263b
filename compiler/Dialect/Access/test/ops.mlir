// RUN: %trireme-opt %s | %trireme-opt | FileCheck %s

// CHECK-LABEL: func.func @summary
func.func @summary(%p: !llvm.ptr, %o: i64, %lo: i64, %hi: i64, %z: f32, %m: tensor<8x16xi1>) {
  %c1 = arith.constant 1 : i64
  // CHECK: access.load base %{{.*}} : !llvm.ptr offset %{{.*}} strides[%{{.*}}, %{{.*}}] bounds[%{{.*}} to %{{.*}}] [1] mask %{{.*}} : tensor<8x16xi1> other %{{.*}} : f32 -> tensor<8x16xf32>
  %v = access.load base %p : !llvm.ptr offset %o strides [%o, %c1] bounds [%lo to %hi] [1]
       mask %m : tensor<8x16xi1> other %z : f32 -> tensor<8x16xf32>
  // CHECK: access.store %{{.*}} base %{{.*}} : !llvm.ptr strides[%{{.*}}, %{{.*}}] : tensor<8x16xf32>
  access.store %v base %p : !llvm.ptr strides [%o, %c1] : tensor<8x16xf32>
  return
}

// CHECK-LABEL: func.func @exact
func.func @exact(%a: tensor<8xi64>, %m: tensor<8xi1>) -> tensor<8xi8> {
  // CHECK: access.load addresses %{{.*}} : tensor<8xi64> exactmask %{{.*}} : tensor<8xi1> -> tensor<8xi8>
  %v = access.load addresses %a : tensor<8xi64> exactmask %m : tensor<8xi1> -> tensor<8xi8>
  return %v : tensor<8xi8>
}

// CHECK-LABEL: func.func @terms
func.func @terms(%p: !llvm.ptr, %t: tensor<8xi64>, %s: i64) -> tensor<8x4xf16> {
  // CHECK: terms[%{{.*}} : tensor<8xi64>] [0]
  %v = access.load base %p : !llvm.ptr strides [%s, %s] terms [%t : tensor<8xi64>] [0]
       -> tensor<8x4xf16>
  return %v : tensor<8x4xf16>
}

// CHECK-LABEL: func.func @scalar
func.func @scalar(%p: !llvm.ptr, %c: i1) {
  // CHECK: access.load base %{{.*}} : !llvm.ptr pred %{{.*}} -> i32
  %v = access.load base %p : !llvm.ptr pred %c -> i32
  // CHECK: access.store %{{.*}} base %{{.*}} : !llvm.ptr {isVolatile} : i32
  access.store %v base %p : !llvm.ptr {isVolatile} : i32
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%p: !llvm.ptr, %c: i1, %v: i32, %a: tensor<8xi64>, %f: tensor<8xf32>,
                   %m: tensor<8xi1>, %n: tensor<8xi32>) {
  // CHECK: access.atomic_rmw add acq_rel %{{.*}} at %{{.*}} mask %{{.*}} : i32, !llvm.ptr, i1
  %0 = access.atomic_rmw add acq_rel %v at %p mask %c : i32, !llvm.ptr, i1
  // CHECK: access.atomic_rmw fadd monotonic %{{.*}} at %{{.*}} mask %{{.*}} : tensor<8xf32>, tensor<8xi64>, tensor<8xi1>
  %1 = access.atomic_rmw fadd monotonic %f at %a mask %m : tensor<8xf32>, tensor<8xi64>, tensor<8xi1>
  // CHECK: access.atomic_cas release %{{.*}} to %{{.*}} at %{{.*}} : tensor<8xi32>, tensor<8xi64>
  %2 = access.atomic_cas release %n to %n at %a : tensor<8xi32>, tensor<8xi64>
  return
}
