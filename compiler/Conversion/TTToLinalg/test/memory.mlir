// RUN: %trireme-opt %s --stop-after=linalg --target=x86-64-v3 | FileCheck %s

// A masked block of pid * 1024 + 0..1023: one stride, one bound, and the condition that
// 32-bit arithmetic did not wrap.
// CHECK-LABEL: func.func @contiguous
// CHECK: kernel.program_id 0
// CHECK: access.load base %{{.*}} : !llvm.ptr offset %{{.*}} strides[%c1_i64] bounds[%{{.*}} to %{{.*}}] [0] valid
// CHECK: access.store
tt.func public @contiguous(%x: !tt.ptr<f32>, %n: i32) {
  %pid = tt.get_program_id x : i32
  %c = arith.constant 1024 : i32
  %start = arith.muli %pid, %c : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %s = tt.splat %start : i32 -> tensor<1024xi32>
  %o = arith.addi %s, %r : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %o, %ns : tensor<1024xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %q = tt.addptr %p, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %q, %m : tensor<1024x!tt.ptr<f32>>
  tt.store %q, %v, %m : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// Rows through a vector of indices: columns stay a stride, rows become a term.
// CHECK-LABEL: func.func @row_gather
// CHECK: access.load base %{{.*}} strides[%c0_i64, %c1_i64] terms[%{{.*}} : tensor<16xi64>] [0]
tt.func public @row_gather(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i64>, %arg2: !tt.ptr<f32>, %arg3: i32) {
  %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %1 = tt.splat %arg1 : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
  %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
  %3 = tt.load %2 : tensor<16x!tt.ptr<i64>>
  %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %5 = tt.expand_dims %3 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
  %6 = arith.extsi %arg3 : i32 to i64
  %7 = tt.splat %6 : i64 -> tensor<16x1xi64>
  %8 = arith.muli %5, %7 : tensor<16x1xi64>
  %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %10 = tt.addptr %9, %8 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi64>
  %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %12 = tt.broadcast %10 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x64x!tt.ptr<f32>>
  %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<16x64xi32>
  %14 = tt.addptr %12, %13 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
  %15 = tt.load %14 : tensor<16x64x!tt.ptr<f32>>
  %16 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %17 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
  %18 = arith.muli %16, %17 : tensor<16x1xi32>
  %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %20 = tt.addptr %19, %18 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %21 = tt.expand_dims %4 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %22 = tt.broadcast %20 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x64x!tt.ptr<f32>>
  %23 = tt.broadcast %21 : tensor<1x64xi32> -> tensor<16x64xi32>
  %24 = tt.addptr %22, %23 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
  tt.store %24, %15 : tensor<16x64x!tt.ptr<f32>>
  tt.return
}
