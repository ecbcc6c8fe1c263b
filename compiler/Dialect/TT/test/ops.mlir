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
  // CHECK: tt.store %{{.*}}, %{{.*}} evictionPolicy = evict_first {ignore_cta} : tensor<8x!tt.ptr<f32>>
  tt.store %q, %w evictionPolicy = evict_first {ignore_cta} : tensor<8x!tt.ptr<f32>>
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
  // Attributes behind the region, as files older than properties have them.
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}> ({
  %sum1d:2 = "tt.reduce"(%b, %b) ({
  ^bb0(%a: f32, %c: f32, %d: f32, %f: f32):
    tt.reduce.return %a, %f : f32, f32
  }) {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: "tt.scan"(%{{.*}}) <{axis = 0 : i32, reverse = false}> ({
  %scan = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %c: f32):
    %add = arith.addf %a, %c : f32
    tt.scan.return %add : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tt.unsplat %{{.*}} : tensor<1xf32>
  %sum1 = tt.splat %sum : f32 -> tensor<1x1xf32>
  %one = tt.reshape %sum1 efficient_layout : tensor<1x1xf32> -> tensor<1xf32>
  %u = tt.unsplat %one : tensor<1xf32>
  // CHECK: "tt.map_elementwise"(%{{.*}}, %{{.*}}) <{pack = 2 : i32}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32):
  // CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}} : f32, f32
  %map = "tt.map_elementwise"(%v, %r) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %a1: f32, %c: i32, %c1: i32):
    tt.map_elementwise.return %a1, %a : f32, f32
  }) : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
  // CHECK: tt.debug_barrier
  tt.debug_barrier
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

// CHECK-LABEL: @dot_types
tt.func @dot_types(%a: tensor<2x16x32xi8>, %b: tensor<2x32x16xi8>, %c: tensor<2x16x16xi32>,
                   %e: tensor<16x32xf8E4M3FN>, %f: tensor<32x16xf8E5M2>, %g: tensor<16x16xf16>,
                   %h: tensor<16x16xf64>) {
  // CHECK: tt.dot {{.*}} : tensor<2x16x32xi8> * tensor<2x32x16xi8> -> tensor<2x16x16xi32>
  %d = tt.dot %a, %b, %c : tensor<2x16x32xi8> * tensor<2x32x16xi8> -> tensor<2x16x16xi32>
  // CHECK: tt.dot {{.*}} {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf8E4M3FN> * tensor<32x16xf8E5M2> -> tensor<16x16xf16>
  %d1 = tt.dot %e, %f, %g {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf8E4M3FN> * tensor<32x16xf8E5M2> -> tensor<16x16xf16>
  // CHECK: tt.dot {{.*}} : tensor<16x16xf64> * tensor<16x16xf64> -> tensor<16x16xf64>
  %d2 = tt.dot %h, %h, %h : tensor<16x16xf64> * tensor<16x16xf64> -> tensor<16x16xf64>
  // CHECK: tt.dot {{.*}}, inputPrecision = bf16x6 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
  %d3 = tt.dot %g, %g, %g, inputPrecision = bf16x6 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
  tt.return
}

// CHECK-LABEL: @scaled
tt.func @scaled(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>,
                %s: tensor<16x4xf8E4M3FN>, %t: tensor<16x4xi8>, %u: tensor<8x64xi8>,
                %v: tensor<64x8xi8>, %w: tensor<2x16x64xi8>, %x: tensor<2x64x16xf16>,
                %y: tensor<2x16x2xi8>, %z: tensor<2x16x16xf32>) {
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e4m3 rhs = e5m2 {fastMath = true} : tensor<16x64xf8E4M3FN>, tensor<16x4xf8E4M3FN> * tensor<64x16xf8E5M2>, tensor<16x4xi8> -> tensor<16x16xf32>
  %d = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e4m3 rhs = e5m2 {fastMath = true} : tensor<16x64xf8E4M3FN>, tensor<16x4xf8E4M3FN> * tensor<64x16xf8E5M2>, tensor<16x4xi8> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %{{.*}}, %{{.*}}, %{{.*}} lhs = e2m1 rhs = e2m1 {fastMath = false, lhs_k_pack = false, rhs_k_pack = false} : tensor<8x64xi8> * tensor<64x8xi8> -> tensor<16x16xf32>
  %d1 = tt.dot_scaled %u, %v, %c lhs = e2m1 rhs = e2m1 {fastMath = false, lhs_k_pack = false, rhs_k_pack = false} : tensor<8x64xi8> * tensor<64x8xi8> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e3m2 rhs = fp16 {fastMath = false} : tensor<2x16x64xi8>, tensor<2x16x2xi8> * tensor<2x64x16xf16> -> tensor<2x16x16xf32>
  %d2 = tt.dot_scaled %w scale %y, %x, %z lhs = e3m2 rhs = fp16 {fastMath = false} : tensor<2x16x64xi8>, tensor<2x16x2xi8> * tensor<2x64x16xf16> -> tensor<2x16x16xf32>
  tt.return
}

// CHECK-LABEL: @atomics
tt.func @atomics(%p: !tt.ptr<i64>, %v: i64, %q: tensor<8x!tt.ptr<bf16>>, %w: tensor<8xbf16>,
                 %f: !tt.ptr<f64>, %g: f64, %i: !tt.ptr<i16>, %j: i16,
                 %k: !tt.ptr<!tt.ptr<i8>>, %l: !tt.ptr<i8>) {
  // CHECK: tt.atomic_rmw and, acquire, cta,
  %0 = tt.atomic_rmw and, acquire, cta, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw or, release, sys,
  %1 = tt.atomic_rmw or, release, sys, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw xor, relaxed, gpu,
  %2 = tt.atomic_rmw xor, relaxed, gpu, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw add,
  %3 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw max,
  %4 = tt.atomic_rmw max, relaxed, gpu, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw min,
  %5 = tt.atomic_rmw min, relaxed, gpu, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw umax,
  %6 = tt.atomic_rmw umax, relaxed, gpu, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw umin,
  %7 = tt.atomic_rmw umin, relaxed, gpu, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw exch, {{.*}} : (!tt.ptr<f64>, f64) -> f64
  %8 = tt.atomic_rmw exch, relaxed, gpu, %f, %g : (!tt.ptr<f64>, f64) -> f64
  // CHECK: tt.atomic_rmw fadd, {{.*}} : (tensor<8x!tt.ptr<bf16>>, tensor<8xbf16>) -> tensor<8xbf16>
  %9 = tt.atomic_rmw fadd, relaxed, gpu, %q, %w : (tensor<8x!tt.ptr<bf16>>, tensor<8xbf16>) -> tensor<8xbf16>
  // CHECK: tt.atomic_cas acq_rel, gpu, {{.*}} : (!tt.ptr<i16>, i16, i16) -> i16
  %10 = tt.atomic_cas acq_rel, gpu, %i, %j, %j : (!tt.ptr<i16>, i16, i16) -> i16
  // CHECK: tt.atomic_rmw exch, {{.*}} : (!tt.ptr<!tt.ptr<i8>>, !tt.ptr<i8>) -> !tt.ptr<i8>
  %11 = tt.atomic_rmw exch, relaxed, gpu, %k, %l : (!tt.ptr<!tt.ptr<i8>>, !tt.ptr<i8>) -> !tt.ptr<i8>
  tt.return
}

// CHECK-LABEL: @conversions
tt.func @conversions(%x: tensor<8xf8E4M3FN>, %y: tensor<8xf8E5M2FNUZ>, %z: f32,
                     %p: tensor<8x!tt.ptr<f32>>, %s: !tt.ptr<f16, 3>, %pp: !tt.ptr<!tt.ptr<i8>>) {
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<8xf8E4M3FN> -> tensor<8xf32>
  %0 = tt.fp_to_fp %x : tensor<8xf8E4M3FN> -> tensor<8xf32>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<8xf32> -> tensor<8xf8E4M3FNUZ>
  %1 = tt.fp_to_fp %0, rounding = rtne : tensor<8xf32> -> tensor<8xf8E4M3FNUZ>
  // CHECK: tt.fp_to_fp %{{.*}} {k}, rounding = rtne : tensor<8xf8E5M2FNUZ> -> tensor<8xf8E5M2>
  %2 = tt.fp_to_fp %y {k}, rounding = rtne : tensor<8xf8E5M2FNUZ> -> tensor<8xf8E5M2>
  // CHECK: tt.bitcast %{{.*}} : tensor<8xf8E4M3FN> -> tensor<8xi8>
  %3 = tt.bitcast %x : tensor<8xf8E4M3FN> -> tensor<8xi8>
  // CHECK: tt.bitcast %{{.*}} : tensor<8x!tt.ptr<f32>> -> tensor<8x!tt.ptr<i8>>
  %4 = tt.bitcast %p : tensor<8x!tt.ptr<f32>> -> tensor<8x!tt.ptr<i8>>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all : f32
  %5 = tt.clampf %z, %z, %z, propagateNan = all : f32
  // CHECK: tt.ptr_to_int %{{.*}} : !tt.ptr<f16, 3> -> i64
  %6 = tt.ptr_to_int %s : !tt.ptr<f16, 3> -> i64
  // CHECK: tt.load %{{.*}} cacheModifier = cv evictionPolicy = evict_last : !tt.ptr<!tt.ptr<i8>>
  %7 = tt.load %pp evictionPolicy = evict_last cacheModifier = cv : !tt.ptr<!tt.ptr<i8>>
  tt.return
}

// What upstream says about values, and attributes of dialects that are not ours.
// CHECK-LABEL: @hints
// CHECK-SAME: tt.pointer_range = 32 : i32
tt.func @hints(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %x: i32) {
  // CHECK: tt.addptr %{{.*}}, %{{.*}} {tt.contiguity = dense<16> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>, ttg.partition = 1 : i32} : !tt.ptr<f32>, i32
  %0 = tt.addptr %p, %x {tt.contiguity = dense<16> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>, ttg.partition = 1 : i32} : !tt.ptr<f32>, i32
  // CHECK: tt.load %{{.*}} {loop.stage = 0 : i32} : !tt.ptr<f32>
  %1 = tt.load %0 {loop.stage = 0 : i32} : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: @foreign
tt.func @foreign(%x: tensor<8xi8>, %y: i32) {
  // CHECK: tt.elementwise_inline_asm "two" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = false} %{{.*}} : tensor<8xi8> -> tensor<8xi8>, tensor<8xi16>
  %0, %1 = tt.elementwise_inline_asm "two" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = false} %x : tensor<8xi8> -> tensor<8xi8>, tensor<8xi16>
  // CHECK: tt.elementwise_inline_asm "none" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
  %2 = tt.elementwise_inline_asm "none" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "m", libpath = "p", pure = false, symbol = "g"} : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  %3 = tt.extern_elementwise %x, %x {libname = "m", libpath = "p", pure = false, symbol = "g"} : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  // CHECK: tt.print "no values" {hex = true, isSigned = array<i32>}
  tt.print "no values" {hex = true, isSigned = array<i32>}
  // CHECK: tt.print "two: " {hex = false, isSigned = array<i32: 1, 0>} : %{{.*}}, %{{.*}} : tensor<8xi8>, i32
  tt.print "two: " {hex = false, isSigned = array<i32: 1, 0>} : %x, %y : tensor<8xi8>, i32
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32, efficient_layout} :
  %4 = tt.gather %x[%x] {axis = 0 : i32, efficient_layout} : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  // CHECK: tt.histogram %{{.*}} : tensor<8xi8> -> tensor<4xi32>
  %5 = tt.histogram %x : tensor<8xi8> -> tensor<4xi32>
  tt.return
}

// CHECK: tt.func private @declared(tensor<8xf32>, !tt.tensordesc<16xf16>) -> (i32, !tt.ptr<f32>)
tt.func private @declared(tensor<8xf32>, !tt.tensordesc<16xf16>) -> (i32, !tt.ptr<f32>)

// CHECK-LABEL: @branches
tt.func @branches(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // CHECK: tt.return %{{.*}} : i32
  tt.return %x : i32
^bb2:
  // CHECK: tt.get_num_programs z : i32
  %n = tt.get_num_programs z : i32
  tt.return %n : i32
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

// CHECK-LABEL: @descriptor_options
tt.func @descriptor_options(%p: !tt.ptr<i32>, %f: !tt.ptr<f8E5M2>, %m: i32, %s: i64,
                            %u: !tt.tensordesc<1x8xui32>, %x: tensor<8xi32>) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}], [%{{.*}}] : <i32>, <16xsi32>
  %0 = tt.make_tensor_descriptor %p, [%m], [%s] : <i32>, <16xsi32>
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}], [%{{.*}}] {padding = 2 : i32} : <f8E5M2>, <16xf8E5M2>
  %1 = tt.make_tensor_descriptor %f, [%m], [%s] {padding = 2 : i32} : <f8E5M2>, <16xf8E5M2>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}] cacheModifier = cg evictionPolicy = evict_first : !tt.tensordesc<16xsi32> -> tensor<16xi32>
  %2 = tt.descriptor_load %0[%m] cacheModifier = cg evictionPolicy = evict_first : !tt.tensordesc<16xsi32> -> tensor<16xi32>
  // Axes of extent 1 may be left out.
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<1x8xui32> -> tensor<8xi32>
  %3 = tt.descriptor_load %u[%m, %m] : !tt.tensordesc<1x8xui32> -> tensor<8xi32>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  tt.descriptor_store %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  // CHECK: tt.descriptor_reduce min,
  tt.descriptor_reduce min, %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  // CHECK: tt.descriptor_reduce max,
  tt.descriptor_reduce max, %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  // CHECK: tt.descriptor_reduce inc,
  tt.descriptor_reduce inc, %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  // CHECK: tt.descriptor_reduce dec,
  tt.descriptor_reduce dec, %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  // CHECK: tt.descriptor_reduce and,
  tt.descriptor_reduce and, %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  // CHECK: tt.descriptor_reduce or,
  tt.descriptor_reduce or, %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
  // CHECK: tt.descriptor_reduce xor,
  tt.descriptor_reduce xor, %u[%m, %m], %x : !tt.tensordesc<1x8xui32>, tensor<8xi32>
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
