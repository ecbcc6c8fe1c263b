// RUN: %trireme-opt %s | %trireme-opt | FileCheck %s
// RUN: %trireme-opt %s --mlir-print-op-generic | %trireme-opt | FileCheck %s

// CHECK-LABEL: tt.func public @k(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false}
tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
  // CHECK: tt.get_program_id x : i32
  %i = tt.get_program_id x : i32
  // CHECK: tt.get_num_programs y : i32
  %np = tt.get_num_programs y : i32
  // CHECK: tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  // CHECK: tt.splat %{{.*}} : i32 -> tensor<8xi32>
  %s = tt.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %r, %s : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %q = tt.addptr %ps, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %q1 = tt.addptr %p, %n : !tt.ptr<f32>, i32
  // CHECK: tt.load %{{.*}}, %{{.*}} evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
  %v = tt.load %q, %m evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = ca : tensor<8x!tt.ptr<f32>>
  %w = tt.load %q, %m, %v cacheModifier = ca : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}} {isVolatile = true} : !tt.ptr<f32>
  %x = tt.load %q1 {isVolatile = true} : !tt.ptr<f32>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cs : tensor<8x!tt.ptr<f32>>
  tt.store %q, %w, %m cacheModifier = cs : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
  %e = tt.expand_dims %v {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
  // CHECK: tt.broadcast %{{.*}} : tensor<1x8xf32> -> tensor<4x8xf32>
  %b = tt.broadcast %e : tensor<1x8xf32> -> tensor<4x8xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<4x8xf32> -> tensor<32xf32>
  %h = tt.reshape %b allow_reorder : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<8xf32> -> tensor<8x2xf32>
  %j = tt.join %v, %w : tensor<8xf32> -> tensor<8x2xf32>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<8xf32> -> tensor<16xf32>
  %cat = tt.cat %v, %w : tensor<8xf32> -> tensor<16xf32>
  // CHECK: tt.split %{{.*}} : tensor<8x2xf32> -> tensor<8xf32>
  %l, %rr = tt.split %j : tensor<8x2xf32> -> tensor<8xf32>
  // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<f32>
  %addr = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  %pp = tt.int_to_ptr %addr : i64 -> !tt.ptr<f32>
  // CHECK: tt.bitcast %{{.*}} : tensor<8xf32> -> tensor<8xi32>
  %bits = tt.bitcast %v : tensor<8xf32> -> tensor<8xi32>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : tensor<8xf32> -> tensor<8xf16>
  %f16 = tt.fp_to_fp %v, rounding = rtz : tensor<8xf32> -> tensor<8xf16>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : tensor<8xf32>
  %cl = tt.clampf %v, %w, %w, propagateNan = none : tensor<8xf32>
  // CHECK: tt.precise_sqrt %{{.*}} : tensor<8xf32>
  %sq = tt.precise_sqrt %v : tensor<8xf32>
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<8xf32>
  %dv = tt.precise_divf %v, %w : tensor<8xf32>
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<8xi32>
  %hi = tt.mulhiui %r, %r : tensor<8xi32>
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  %old = tt.atomic_rmw fadd, acq_rel, gpu, %q, %v, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: tt.atomic_cas relaxed, sys, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<f32>, f32, f32) -> f32
  %cas = tt.atomic_cas relaxed, sys, %p, %x, %x : (!tt.ptr<f32>, f32, f32) -> f32
  // CHECK: tt.histogram %{{.*}}, %{{.*}} : tensor<8xi32> -> tensor<16xi32>
  %hist = tt.histogram %r, %m : tensor<8xi32> -> tensor<16xi32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
  %g = tt.gather %v[%r] {axis = 0 : i32} : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
  // CHECK: tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %{{.*}} : tensor<8xi32>
  tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %r : tensor<8xi32>
  // CHECK: tt.assert %{{.*}}, "bad" : tensor<8xi1>
  tt.assert %m, "bad" : tensor<8xi1>
  // CHECK: tt.extern_elementwise %{{.*}} {libname = "", libpath = "", pure = true, symbol = "f"} : (f32) -> f32
  %ext = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "f"} : (f32) -> f32
  // CHECK: tt.elementwise_inline_asm "nop" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %{{.*}} : tensor<8xi32> -> tensor<8xi32>
  %asm = tt.elementwise_inline_asm "nop" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %r : tensor<8xi32> -> tensor<8xi32>
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}> ({
  %sum = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %c: f32):
    %add = arith.addf %a, %c : f32
    // CHECK: tt.reduce.return %{{.*}} : f32
    tt.reduce.return %add : f32
  }) : (tensor<8xf32>) -> f32
  // CHECK: "tt.scan"(%{{.*}}) <{axis = 0 : i32, reverse = false}> ({
  %scan = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %c: f32):
    %add = arith.addf %a, %c : f32
    tt.scan.return %add : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tt.call @g(%{{.*}}) : (f32) -> f32
  %called = tt.call @g(%sum) : (f32) -> f32
  tt.return
}

tt.func private @g(%x: f32) -> f32 attributes {noinline = true} {
  // CHECK: tt.return %{{.*}} : f32
  tt.return %x : f32
}

// CHECK-LABEL: @dots
tt.func @dots(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>,
              %e: tensor<16x16xi8>, %s: tensor<16x1xi8>, %f: tensor<32x16xbf16>) {
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}}, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x16xf32>
  %d2 = tt.dot %a, %b, %c : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  %d3 = tt.dot_scaled %e scale %s, %f, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// CHECK-LABEL: @descriptors
tt.func @descriptors(%p: !tt.ptr<f16>, %m: i32, %s: i64, %x: tensor<8xi32>) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <16x16xf16>
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %s] : <f16>, <16x16xf16>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  %v = tt.descriptor_load %d[%m, %m] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
  tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
  // CHECK: tt.descriptor_reduce add, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
  tt.descriptor_reduce add, %d[%m, %m], %v : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
  tt.return
}

// CHECK-LABEL: @old_spelling
// CHECK-SAME: !tt.tensordesc<1x64xf16>
tt.func @old_spelling(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<8xi32>, %y: i32) {
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x64xf16>, tensor<8xi32>, i32) -> tensor<8x64xf16>
  %v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<1x64xf16>, tensor<8xi32>, i32) -> tensor<8x64xf16>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x64xf16>, tensor<8xi32>, i32, tensor<8x64xf16>
  tt.descriptor_scatter %d[%x, %y], %v : !tt.tensordesc<1x64xf16>, tensor<8xi32>, i32, tensor<8x64xf16>
  tt.return
}
