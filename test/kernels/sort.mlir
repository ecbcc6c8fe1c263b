// A sorting network over rows.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_sort_kernel:
// CHECK-DAG: vmflt.vv
// CHECK-DAG: vmerge.vvm

module {
  tt.func public @sort_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %c8_i32 = arith.constant 8 : i32
    %2 = tt.splat %c8_i32 : i32 -> tensor<4x1xi32>
    %3 = arith.muli %1, %2 : tensor<4x1xi32>
    %4 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %6 = tt.broadcast %3 : tensor<4x1xi32> -> tensor<4x8xi32>
    %7 = tt.broadcast %5 : tensor<1x8xi32> -> tensor<4x8xi32>
    %8 = arith.addi %6, %7 : tensor<4x8xi32>
    %9 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
    %10 = tt.addptr %9, %8 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
    %11 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
    %12 = tt.addptr %11, %8 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
    %13 = tt.load %12 : tensor<4x8x!tt.ptr<f32>>
    %14 = tt.call @triton.language.sorting.sort__fp32S4_8S_cNone_cTrue(%13) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    tt.store %10, %14 : tensor<4x8x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.sorting.sort__fp32S4_8S_cNone_cTrue(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = tt.reshape %arg0 : tensor<4x8xf32> -> tensor<32xf32>
    %1 = tt.call @triton.language.sorting._merge__fp32S32S_c1_c2(%0) : (tensor<32xf32>) -> tensor<32xf32>
    %2 = tt.call @triton.language.sorting._merge__fp32S32S_c2_c2(%1) : (tensor<32xf32>) -> tensor<32xf32>
    %3 = tt.call @triton.language.sorting._merge__fp32S32S_c3_cTrue(%2) : (tensor<32xf32>) -> tensor<32xf32>
    %4 = tt.reshape %3 : tensor<32xf32> -> tensor<4x8xf32>
    tt.return %4 : tensor<4x8xf32>
  }
  tt.func private @triton.language.sorting._merge__fp32S32S_c1_c2(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.call @triton.language.sorting._swap_step__fp32S32S_c0_c1_c2(%arg0) : (tensor<32xf32>) -> tensor<32xf32>
    tt.return %0 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._swap_step__fp32S32S_c0_c1_c2(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.reshape %arg0 : tensor<32xf32> -> tensor<16x2x1xf32>
    %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %2 = tt.reshape %1 : tensor<2xi32> -> tensor<1x2x1xi32>
    %c1_i32 = arith.constant 1 : i32
    %3 = tt.splat %c1_i32 : i32 -> tensor<1x2x1xi32>
    %4 = arith.cmpi eq, %2, %3 : tensor<1x2x1xi32>
    %5 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %6 = tt.reshape %5 : tensor<16xi32> -> tensor<16x1x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %7 = tt.splat %c0_i32 : i32 -> tensor<16x1x1xi32>
    %8 = arith.shrsi %6, %7 : tensor<16x1x1xi32>
    %c1_i32_0 = arith.constant 1 : i32
    %9 = tt.splat %c1_i32_0 : i32 -> tensor<16x1x1xi32>
    %10 = arith.andi %8, %9 : tensor<16x1x1xi32>
    %c1_i32_1 = arith.constant 1 : i32
    %11 = tt.splat %c1_i32_1 : i32 -> tensor<16x1x1xi32>
    %12 = arith.cmpi eq, %10, %11 : tensor<16x1x1xi32>
    %13 = tt.broadcast %4 : tensor<1x2x1xi1> -> tensor<16x2x1xi1>
    %14 = tt.broadcast %12 : tensor<16x1x1xi1> -> tensor<16x2x1xi1>
    %15 = arith.cmpi ne, %13, %14 : tensor<16x2x1xi1>
    %16:2 = "tt.reduce"(%0, %0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32):
      %23:2 = tt.call @triton.language.sorting._in_order__fp32_fp32_fp32_fp32(%arg1, %arg2, %arg3, %arg4) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %23#0, %23#1 : f32, f32
    }) : (tensor<16x2x1xf32>, tensor<16x2x1xf32>) -> (tensor<16x1xf32>, tensor<16x1xf32>)
    %17 = tt.expand_dims %16#0 {axis = 1 : i32} : tensor<16x1xf32> -> tensor<16x1x1xf32>
    %18 = tt.expand_dims %16#1 {axis = 1 : i32} : tensor<16x1xf32> -> tensor<16x1x1xf32>
    %19 = tt.broadcast %18 : tensor<16x1x1xf32> -> tensor<16x2x1xf32>
    %20 = tt.broadcast %17 : tensor<16x1x1xf32> -> tensor<16x2x1xf32>
    %21 = arith.select %15, %19, %20 : tensor<16x2x1xi1>, tensor<16x2x1xf32>
    %22 = tt.reshape %21 : tensor<16x2x1xf32> -> tensor<32xf32>
    tt.return %22 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._in_order__fp32_fp32_fp32_fp32(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> (f32, f32) {
    %0 = arith.cmpf ogt, %arg0, %arg2 : f32
    %1 = arith.select %0, %arg2, %arg0 : f32
    %2 = arith.select %0, %arg0, %arg2 : f32
    tt.return %1, %2 : f32, f32
  }
  tt.func private @triton.language.sorting._merge__fp32S32S_c2_c2(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.call @triton.language.sorting._swap_step__fp32S32S_c1_c2_c2(%arg0) : (tensor<32xf32>) -> tensor<32xf32>
    %1 = tt.call @triton.language.sorting._swap_step__fp32S32S_c0_c2_c2(%0) : (tensor<32xf32>) -> tensor<32xf32>
    tt.return %1 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._swap_step__fp32S32S_c1_c2_c2(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.reshape %arg0 : tensor<32xf32> -> tensor<8x2x2xf32>
    %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %2 = tt.reshape %1 : tensor<2xi32> -> tensor<1x2x1xi32>
    %c1_i32 = arith.constant 1 : i32
    %3 = tt.splat %c1_i32 : i32 -> tensor<1x2x1xi32>
    %4 = arith.cmpi eq, %2, %3 : tensor<1x2x1xi32>
    %5 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %6 = tt.reshape %5 : tensor<8xi32> -> tensor<8x1x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %7 = tt.splat %c0_i32 : i32 -> tensor<8x1x1xi32>
    %8 = arith.shrsi %6, %7 : tensor<8x1x1xi32>
    %c1_i32_0 = arith.constant 1 : i32
    %9 = tt.splat %c1_i32_0 : i32 -> tensor<8x1x1xi32>
    %10 = arith.andi %8, %9 : tensor<8x1x1xi32>
    %c1_i32_1 = arith.constant 1 : i32
    %11 = tt.splat %c1_i32_1 : i32 -> tensor<8x1x1xi32>
    %12 = arith.cmpi eq, %10, %11 : tensor<8x1x1xi32>
    %13 = tt.broadcast %4 : tensor<1x2x1xi1> -> tensor<8x2x1xi1>
    %14 = tt.broadcast %12 : tensor<8x1x1xi1> -> tensor<8x2x1xi1>
    %15 = arith.cmpi ne, %13, %14 : tensor<8x2x1xi1>
    %16:2 = "tt.reduce"(%0, %0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32):
      %24:2 = tt.call @triton.language.sorting._in_order__fp32_fp32_fp32_fp32(%arg1, %arg2, %arg3, %arg4) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %24#0, %24#1 : f32, f32
    }) : (tensor<8x2x2xf32>, tensor<8x2x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>)
    %17 = tt.expand_dims %16#0 {axis = 1 : i32} : tensor<8x2xf32> -> tensor<8x1x2xf32>
    %18 = tt.expand_dims %16#1 {axis = 1 : i32} : tensor<8x2xf32> -> tensor<8x1x2xf32>
    %19 = tt.broadcast %15 : tensor<8x2x1xi1> -> tensor<8x2x2xi1>
    %20 = tt.broadcast %18 : tensor<8x1x2xf32> -> tensor<8x2x2xf32>
    %21 = tt.broadcast %17 : tensor<8x1x2xf32> -> tensor<8x2x2xf32>
    %22 = arith.select %19, %20, %21 : tensor<8x2x2xi1>, tensor<8x2x2xf32>
    %23 = tt.reshape %22 : tensor<8x2x2xf32> -> tensor<32xf32>
    tt.return %23 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._swap_step__fp32S32S_c0_c2_c2(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.reshape %arg0 : tensor<32xf32> -> tensor<16x2x1xf32>
    %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %2 = tt.reshape %1 : tensor<2xi32> -> tensor<1x2x1xi32>
    %c1_i32 = arith.constant 1 : i32
    %3 = tt.splat %c1_i32 : i32 -> tensor<1x2x1xi32>
    %4 = arith.cmpi eq, %2, %3 : tensor<1x2x1xi32>
    %5 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %6 = tt.reshape %5 : tensor<16xi32> -> tensor<16x1x1xi32>
    %c1_i32_0 = arith.constant 1 : i32
    %7 = tt.splat %c1_i32_0 : i32 -> tensor<16x1x1xi32>
    %8 = arith.shrsi %6, %7 : tensor<16x1x1xi32>
    %c1_i32_1 = arith.constant 1 : i32
    %9 = tt.splat %c1_i32_1 : i32 -> tensor<16x1x1xi32>
    %10 = arith.andi %8, %9 : tensor<16x1x1xi32>
    %c1_i32_2 = arith.constant 1 : i32
    %11 = tt.splat %c1_i32_2 : i32 -> tensor<16x1x1xi32>
    %12 = arith.cmpi eq, %10, %11 : tensor<16x1x1xi32>
    %13 = tt.broadcast %4 : tensor<1x2x1xi1> -> tensor<16x2x1xi1>
    %14 = tt.broadcast %12 : tensor<16x1x1xi1> -> tensor<16x2x1xi1>
    %15 = arith.cmpi ne, %13, %14 : tensor<16x2x1xi1>
    %16:2 = "tt.reduce"(%0, %0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32):
      %23:2 = tt.call @triton.language.sorting._in_order__fp32_fp32_fp32_fp32(%arg1, %arg2, %arg3, %arg4) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %23#0, %23#1 : f32, f32
    }) : (tensor<16x2x1xf32>, tensor<16x2x1xf32>) -> (tensor<16x1xf32>, tensor<16x1xf32>)
    %17 = tt.expand_dims %16#0 {axis = 1 : i32} : tensor<16x1xf32> -> tensor<16x1x1xf32>
    %18 = tt.expand_dims %16#1 {axis = 1 : i32} : tensor<16x1xf32> -> tensor<16x1x1xf32>
    %19 = tt.broadcast %18 : tensor<16x1x1xf32> -> tensor<16x2x1xf32>
    %20 = tt.broadcast %17 : tensor<16x1x1xf32> -> tensor<16x2x1xf32>
    %21 = arith.select %15, %19, %20 : tensor<16x2x1xi1>, tensor<16x2x1xf32>
    %22 = tt.reshape %21 : tensor<16x2x1xf32> -> tensor<32xf32>
    tt.return %22 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._merge__fp32S32S_c3_cTrue(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.call @triton.language.sorting._swap_step__fp32S32S_c2_c3_cTrue(%arg0) : (tensor<32xf32>) -> tensor<32xf32>
    %1 = tt.call @triton.language.sorting._swap_step__fp32S32S_c1_c3_cTrue(%0) : (tensor<32xf32>) -> tensor<32xf32>
    %2 = tt.call @triton.language.sorting._swap_step__fp32S32S_c0_c3_cTrue(%1) : (tensor<32xf32>) -> tensor<32xf32>
    tt.return %2 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._swap_step__fp32S32S_c2_c3_cTrue(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.reshape %arg0 : tensor<32xf32> -> tensor<4x2x4xf32>
    %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %2 = tt.reshape %1 : tensor<2xi32> -> tensor<1x2x1xi32>
    %c1_i32 = arith.constant 1 : i32
    %3 = tt.splat %c1_i32 : i32 -> tensor<1x2x1xi32>
    %4 = arith.cmpi eq, %2, %3 : tensor<1x2x1xi32>
    %5 = arith.extui %4 : tensor<1x2x1xi1> to tensor<1x2x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %6 = tt.splat %c0_i32 : i32 -> tensor<1x2x1xi32>
    %7 = arith.cmpi eq, %5, %6 : tensor<1x2x1xi32>
    %8:2 = "tt.reduce"(%0, %0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32):
      %16:2 = tt.call @triton.language.sorting._in_order__fp32_fp32_fp32_fp32(%arg1, %arg2, %arg3, %arg4) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %16#0, %16#1 : f32, f32
    }) : (tensor<4x2x4xf32>, tensor<4x2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    %9 = tt.expand_dims %8#0 {axis = 1 : i32} : tensor<4x4xf32> -> tensor<4x1x4xf32>
    %10 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<4x4xf32> -> tensor<4x1x4xf32>
    %11 = tt.broadcast %7 : tensor<1x2x1xi1> -> tensor<4x2x4xi1>
    %12 = tt.broadcast %10 : tensor<4x1x4xf32> -> tensor<4x2x4xf32>
    %13 = tt.broadcast %9 : tensor<4x1x4xf32> -> tensor<4x2x4xf32>
    %14 = arith.select %11, %12, %13 : tensor<4x2x4xi1>, tensor<4x2x4xf32>
    %15 = tt.reshape %14 : tensor<4x2x4xf32> -> tensor<32xf32>
    tt.return %15 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._swap_step__fp32S32S_c1_c3_cTrue(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.reshape %arg0 : tensor<32xf32> -> tensor<8x2x2xf32>
    %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %2 = tt.reshape %1 : tensor<2xi32> -> tensor<1x2x1xi32>
    %c1_i32 = arith.constant 1 : i32
    %3 = tt.splat %c1_i32 : i32 -> tensor<1x2x1xi32>
    %4 = arith.cmpi eq, %2, %3 : tensor<1x2x1xi32>
    %5 = arith.extui %4 : tensor<1x2x1xi1> to tensor<1x2x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %6 = tt.splat %c0_i32 : i32 -> tensor<1x2x1xi32>
    %7 = arith.cmpi eq, %5, %6 : tensor<1x2x1xi32>
    %8:2 = "tt.reduce"(%0, %0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32):
      %16:2 = tt.call @triton.language.sorting._in_order__fp32_fp32_fp32_fp32(%arg1, %arg2, %arg3, %arg4) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %16#0, %16#1 : f32, f32
    }) : (tensor<8x2x2xf32>, tensor<8x2x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>)
    %9 = tt.expand_dims %8#0 {axis = 1 : i32} : tensor<8x2xf32> -> tensor<8x1x2xf32>
    %10 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<8x2xf32> -> tensor<8x1x2xf32>
    %11 = tt.broadcast %7 : tensor<1x2x1xi1> -> tensor<8x2x2xi1>
    %12 = tt.broadcast %10 : tensor<8x1x2xf32> -> tensor<8x2x2xf32>
    %13 = tt.broadcast %9 : tensor<8x1x2xf32> -> tensor<8x2x2xf32>
    %14 = arith.select %11, %12, %13 : tensor<8x2x2xi1>, tensor<8x2x2xf32>
    %15 = tt.reshape %14 : tensor<8x2x2xf32> -> tensor<32xf32>
    tt.return %15 : tensor<32xf32>
  }
  tt.func private @triton.language.sorting._swap_step__fp32S32S_c0_c3_cTrue(%arg0: tensor<32xf32>) -> tensor<32xf32> {
    %0 = tt.reshape %arg0 : tensor<32xf32> -> tensor<16x2x1xf32>
    %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %2 = tt.reshape %1 : tensor<2xi32> -> tensor<1x2x1xi32>
    %c1_i32 = arith.constant 1 : i32
    %3 = tt.splat %c1_i32 : i32 -> tensor<1x2x1xi32>
    %4 = arith.cmpi eq, %2, %3 : tensor<1x2x1xi32>
    %5 = arith.extui %4 : tensor<1x2x1xi1> to tensor<1x2x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %6 = tt.splat %c0_i32 : i32 -> tensor<1x2x1xi32>
    %7 = arith.cmpi eq, %5, %6 : tensor<1x2x1xi32>
    %8:2 = "tt.reduce"(%0, %0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32):
      %16:2 = tt.call @triton.language.sorting._in_order__fp32_fp32_fp32_fp32(%arg1, %arg2, %arg3, %arg4) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %16#0, %16#1 : f32, f32
    }) : (tensor<16x2x1xf32>, tensor<16x2x1xf32>) -> (tensor<16x1xf32>, tensor<16x1xf32>)
    %9 = tt.expand_dims %8#0 {axis = 1 : i32} : tensor<16x1xf32> -> tensor<16x1x1xf32>
    %10 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<16x1xf32> -> tensor<16x1x1xf32>
    %11 = tt.broadcast %7 : tensor<1x2x1xi1> -> tensor<16x2x1xi1>
    %12 = tt.broadcast %10 : tensor<16x1x1xf32> -> tensor<16x2x1xf32>
    %13 = tt.broadcast %9 : tensor<16x1x1xf32> -> tensor<16x2x1xf32>
    %14 = arith.select %11, %12, %13 : tensor<16x2x1xi1>, tensor<16x2x1xf32>
    %15 = tt.reshape %14 : tensor<16x2x1xf32> -> tensor<32xf32>
    tt.return %15 : tensor<32xf32>
  }
}
