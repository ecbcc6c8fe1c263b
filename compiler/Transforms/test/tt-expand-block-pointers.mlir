// RUN: %trireme-opt %s --tt-expand-block-pointers -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: tt.func public @copy
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[N:.*]]: i64, %[[I:.*]]: i32)
tt.func public @copy(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  // CHECK-NOT: make_tensor_ptr
  // CHECK: %[[O:.*]] = arith.extsi %[[I]] : i32 to i64
  %b = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  // CHECK: %[[STEP:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[MOVED:.*]] = arith.addi %[[O]], %[[STEP]] : i64
  %c = tt.advance %b, [%i] : <tensor<8xf32>>
  // CHECK: %[[LANE:.*]] = tt.make_range {end = 8 : i32, start = 0 : i32}
  // CHECK: %[[FROM:.*]] = tt.splat %[[MOVED]] : i64 -> tensor<8xi64>
  // CHECK: %[[INDEX:.*]] = arith.addi %{{.*}}, %[[FROM]] : tensor<8xi64>
  // CHECK: %[[STRIDE:.*]] = tt.splat %[[N]] : i64 -> tensor<8xi64>
  // CHECK: arith.muli %[[INDEX]], %[[STRIDE]] : tensor<8xi64>
  // CHECK-DAG: arith.cmpi sge, %[[INDEX]], %{{.*}} : tensor<8xi64>
  // CHECK-DAG: arith.cmpi slt, %[[INDEX]], %{{.*}} : tensor<8xi64>
  // CHECK: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<8xf32>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %[[NAN]] cacheModifier = ca {isVolatile = true, k} : tensor<8x!tt.ptr<f32>>
  %v = tt.load %c cacheModifier = ca {boundaryCheck = array<i32: 0>, padding = 2 : i32, isVolatile = true, k} : !tt.ptr<tensor<8xf32>>
  // CHECK: tt.store %{{[^,]*}}, %{{[^,]*}} evictionPolicy = evict_last {k} : tensor<8x!tt.ptr<f32>>
  tt.store %b, %v evictionPolicy = evict_last {k} : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

// CHECK-LABEL: tt.func public @control
tt.func public @control(%p: !tt.ptr<f16>, %n: i64, %i: i32, %c: i1) {
  %a = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<4x8xf16>>
  // CHECK: ub.poison : !tt.ptr<f16>
  // CHECK: ub.poison : i64
  %u = ub.poison : !tt.ptr<tensor<4x8xf16>>
  // CHECK: arith.select %{{.*}} : !tt.ptr<f16>
  %d = tt.advance %a, [%i, %i] : <tensor<4x8xf16>>
  %s = arith.select %c, %a, %d : !tt.ptr<tensor<4x8xf16>>
  // CHECK: %[[IF:.*]]:7 = scf.if %{{.*}} -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64)
  %t = scf.if %c -> !tt.ptr<tensor<4x8xf16>> {
    scf.yield %a : !tt.ptr<tensor<4x8xf16>>
  } else {
    %r = arith.select %c, %s, %u : !tt.ptr<tensor<4x8xf16>>
    scf.yield %r : !tt.ptr<tensor<4x8xf16>>
  }
  // CHECK: scf.while
  // CHECK-SAME: (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64) -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64)
  %w = scf.while (%x = %t) : (!tt.ptr<tensor<4x8xf16>>) -> !tt.ptr<tensor<4x8xf16>> {
    scf.condition(%c) %x : !tt.ptr<tensor<4x8xf16>>
  } do {
  ^bb0(%x: !tt.ptr<tensor<4x8xf16>>):
    %y = tt.advance %x, [%i, %i] : <tensor<4x8xf16>>
    scf.yield %y : !tt.ptr<tensor<4x8xf16>>
  }
  // No axis is checked: no mask.
  // CHECK: tt.load %{{[^,]*}} : tensor<4x8x!tt.ptr<f16>>
  %v = tt.load %w : !tt.ptr<tensor<4x8xf16>>
  tt.return
}

// -----

// expected-error @+1 {{a kernel takes no pointer to a block; make one with tt.make_tensor_ptr}}
tt.func public @parameter(%p: !tt.ptr<tensor<8xf32>>) {
  tt.return
}
