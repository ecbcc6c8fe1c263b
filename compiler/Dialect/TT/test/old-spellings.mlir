// RUN: %trireme-opt %s | %trireme-opt | FileCheck %s
// RUN: %trireme-opt %s --mlir-print-op-generic | %trireme-opt | FileCheck %s
//
// What files of earlier upstream versions are written with: descriptors are read and
// written as today, pointers to blocks stay what they are.

// CHECK-LABEL: @descriptors
// CHECK-SAME: (%{{.*}}: !tt.tensordesc<16x16xf16>, %{{.*}}: !tt.tensordesc<1x64xf16>,
tt.func @descriptors(%d: !tt.tensordesc<tensor<16x16xf16>>, %r: !tt.tensordesc<tensor<1x64xf16>>,
                     %i: i32, %x: tensor<8xi32>) {
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = cg {k} : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  %v = tt.experimental_descriptor_load %d[%i, %i] cacheModifier = cg {k} : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
  tt.experimental_descriptor_store %d[%i, %i], %v : !tt.tensordesc<tensor<16x16xf16>>, tensor<16x16xf16>
  // CHECK: tt.descriptor_reduce add, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
  tt.experimental_descriptor_reduce add, %d[%i, %i], %v : !tt.tensordesc<tensor<16x16xf16>>, tensor<16x16xf16>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x64xf16>, tensor<8xi32>, i32) -> tensor<8x64xf16>
  %w = tt.experimental_descriptor_gather %r[%x, %i] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<8xi32>, i32) -> tensor<8x64xf16>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x64xf16>, tensor<8xi32>, i32, tensor<8x64xf16>
  tt.experimental_descriptor_scatter %r[%x, %i], %w : !tt.tensordesc<tensor<1x64xf16>>, tensor<8xi32>, i32, tensor<8x64xf16>
  tt.return
}

// CHECK-LABEL: @block_pointers
// CHECK-SAME: !tt.ptr<tensor<8x8xf16>>
tt.func @block_pointers(%p: !tt.ptr<f16>, %n: i64, %i: i32, %q: !tt.ptr<tensor<8x8xf16>>) {
  // CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  %b = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  // CHECK: tt.advance %{{.*}}, [%{{.*}}, %{{.*}}] : <tensor<8x8xf16>>
  %c = tt.advance %b, [%i, %i] : <tensor<8x8xf16>>
  // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<8x8xf16>>
  %v = tt.load %c {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<8x8xf16>>
  // CHECK: tt.load %{{.*}} cacheModifier = ca : !tt.ptr<tensor<8x8xf16>>
  %w = tt.load %q cacheModifier = ca {boundaryCheck = array<i32>} : !tt.ptr<tensor<8x8xf16>>
  // CHECK: tt.store %{{.*}}, %{{.*}} evictionPolicy = evict_last {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8x8xf16>>
  tt.store %c, %v evictionPolicy = evict_last {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8x8xf16>>
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<tensor<8x8xf16>>
  tt.store %b, %w : !tt.ptr<tensor<8x8xf16>>
  tt.return
}
