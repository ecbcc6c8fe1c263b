// RUN: %trireme-opt %s --convert-tt-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @rmw
tt.func public @rmw(%p: !tt.ptr<f32>, %v: f32, %m: i1) {
  %true = arith.constant true
  // CHECK: access.atomic_rmw fadd acq_rel %{{.*}} at %{{.*}} mask %{{.*}} : f32, !llvm.ptr, i1
  %a = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (!tt.ptr<f32>, f32, i1) -> f32
  // Always: no mask. Exchanges move bits.
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK: access.atomic_rmw xchg monotonic %[[BITS]] at %{{.*}} : i32, !llvm.ptr
  %b = tt.atomic_rmw exch, relaxed, sys, %p, %v, %true : (!tt.ptr<f32>, f32, i1) -> f32
  tt.return
}

// CHECK-LABEL: func.func @cas
tt.func public @cas(%p: !tt.ptr<i64>, %c: i64, %v: i64) {
  // CHECK: access.atomic_cas acquire %{{.*}} to %{{.*}} at %{{.*}} : i64, !llvm.ptr
  %a = tt.atomic_cas acquire, gpu, %p, %c, %v : (!tt.ptr<i64>, i64, i64) -> i64
  tt.return
}

// CHECK-LABEL: func.func @debug
tt.func public @debug(%x: i32, %y: i32) {
  // CHECK: kernel.print " none"
  tt.print " none" {hex = false, isSigned = array<i32>}
  // CHECK: kernel.print " x: " %{{.*}} : i32 "u32" hex
  tt.print " x: " {hex = true, isSigned = array<i32: 0>} : %x : i32
  // CHECK: kernel.fence
  tt.debug_barrier
  %c = arith.cmpi ult, %x, %y : i32
  // CHECK: kernel.assert %{{.*}} "small" compares %{{.*}}, %{{.*}} : i32, i32 "u32" : i1
  tt.assert %c, "small" : i1
  tt.return
}
