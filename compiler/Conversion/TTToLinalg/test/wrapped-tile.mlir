// RUN: %trireme-opt %s --stop-after=linalg --target=x86-64-v3 | FileCheck %s

// The columns of a factor wrap around the edge: consecutive ones, if the tile does not
// reach it. The rows, which are no vectors, stay a term.
// CHECK-LABEL: func.func @factor
// CHECK: arith.remsi %{{.*}} : i32
// CHECK: access.load base %arg0 : !llvm.ptr strides[%c0_i64, %c1_i64] terms[%{{.*}} : tensor<16xi64>] [0] -> tensor<16x16xf32>
// CHECK: access.load base %arg1 : !llvm.ptr offset %{{.*}} strides[%{{.*}}, %c1_i64] valid %{{.*}} addresses
tt.func public @factor(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %N: i32, %stride: i32) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %0 = tt.get_program_id x : i32
  %c16_i32 = arith.constant 16 : i32
  %1 = arith.muli %0, %c16_i32 : i32
  %2 = tt.splat %1 : i32 -> tensor<16xi32>
  %3 = arith.addi %2, %i : tensor<16xi32>
  %4 = tt.splat %N : i32 -> tensor<16xi32>
  %r = arith.remsi %3, %4 : tensor<16xi32>
  %5 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %6 = tt.splat %stride : i32 -> tensor<16x1xi32>
  %7 = arith.muli %5, %6 : tensor<16x1xi32>
  %8 = tt.splat %a : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %9 = tt.addptr %8, %7 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %10 = tt.expand_dims %i {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %11 = tt.broadcast %9 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %12 = tt.broadcast %10 : tensor<1x16xi32> -> tensor<16x16xi32>
  %13 = tt.addptr %11, %12 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x = tt.load %13 : tensor<16x16x!tt.ptr<f32>>
  %14 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %15 = tt.splat %stride : i32 -> tensor<16x1xi32>
  %16 = arith.muli %14, %15 : tensor<16x1xi32>
  %17 = tt.splat %b : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %18 = tt.addptr %17, %16 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %19 = tt.expand_dims %r {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %20 = tt.broadcast %18 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %21 = tt.broadcast %19 : tensor<1x16xi32> -> tensor<16x16xi32>
  %22 = tt.addptr %20, %21 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %y = tt.load %22 : tensor<16x16x!tt.ptr<f32>>
  %23 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c16_i32_0 = arith.constant 16 : i32
  %24 = tt.splat %c16_i32_0 : i32 -> tensor<16x1xi32>
  %25 = arith.muli %23, %24 : tensor<16x1xi32>
  %26 = tt.splat %c : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %27 = tt.addptr %26, %25 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %28 = tt.expand_dims %i {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %29 = tt.broadcast %27 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %30 = tt.broadcast %28 : tensor<1x16xi32> -> tensor<16x16xi32>
  %31 = tt.addptr %29, %30 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %32 = tt.dot %x, %y, %cst : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.store %31, %32 : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// A block that is no factor keeps the term: its exact form would be slow.
// CHECK-LABEL: func.func @copied
// CHECK: access.load base %arg0 : !llvm.ptr strides[%c0_i64] terms[%{{.*}} : tensor<16xi64>] [0] -> tensor<16xf32>
tt.func public @copied(%a: !tt.ptr<f32>, %c: !tt.ptr<f32>, %N: i32) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %0 = tt.get_program_id x : i32
  %c16_i32 = arith.constant 16 : i32
  %1 = arith.muli %0, %c16_i32 : i32
  %2 = tt.splat %1 : i32 -> tensor<16xi32>
  %3 = arith.addi %2, %i : tensor<16xi32>
  %4 = tt.splat %N : i32 -> tensor<16xi32>
  %r = arith.remsi %3, %4 : tensor<16xi32>
  %5 = tt.splat %c : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %6 = tt.addptr %5, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %7 = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %8 = tt.addptr %7, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %9 = tt.load %8 : tensor<16x!tt.ptr<f32>>
  tt.store %6, %9 : tensor<16x!tt.ptr<f32>>
  tt.return
}
