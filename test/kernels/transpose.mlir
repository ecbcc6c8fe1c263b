// 2-D transpose.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_transpose_kernel:
// CHECK: vlse32.v
// CHECK: vse32.v

module {
  tt.func public @transpose_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) {
    %0 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.splat %1 : i32 -> tensor<16xi32>
    %4 = arith.addi %3, %2 : tensor<16xi32>
    %5 = tt.get_program_id y : i32
    %c32_i32 = arith.constant 32 : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %8 = tt.splat %6 : i32 -> tensor<32xi32>
    %9 = arith.addi %8, %7 : tensor<32xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %11 = tt.splat %arg2 : i32 -> tensor<16x1xi32>
    %12 = arith.cmpi slt, %10, %11 : tensor<16x1xi32>
    %13 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %14 = tt.splat %arg3 : i32 -> tensor<1x32xi32>
    %15 = arith.cmpi slt, %13, %14 : tensor<1x32xi32>
    %16 = tt.broadcast %12 : tensor<16x1xi1> -> tensor<16x32xi1>
    %17 = tt.broadcast %15 : tensor<1x32xi1> -> tensor<16x32xi1>
    %18 = arith.andi %16, %17 : tensor<16x32xi1>
    %19 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %20 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
    %21 = arith.muli %19, %20 : tensor<16x1xi32>
    %22 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %23 = tt.addptr %22, %21 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %24 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %25 = tt.broadcast %23 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x32x!tt.ptr<f32>>
    %26 = tt.broadcast %24 : tensor<1x32xi32> -> tensor<16x32xi32>
    %27 = tt.addptr %25, %26 : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
    %28 = tt.load %27, %18 : tensor<16x32x!tt.ptr<f32>>
    %29 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %30 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
    %31 = arith.cmpi slt, %29, %30 : tensor<32x1xi32>
    %32 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %33 = tt.splat %arg2 : i32 -> tensor<1x16xi32>
    %34 = arith.cmpi slt, %32, %33 : tensor<1x16xi32>
    %35 = tt.broadcast %31 : tensor<32x1xi1> -> tensor<32x16xi1>
    %36 = tt.broadcast %34 : tensor<1x16xi1> -> tensor<32x16xi1>
    %37 = arith.andi %35, %36 : tensor<32x16xi1>
    %38 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %39 = tt.splat %arg2 : i32 -> tensor<32x1xi32>
    %40 = arith.muli %38, %39 : tensor<32x1xi32>
    %41 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %42 = tt.addptr %41, %40 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %43 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %44 = tt.broadcast %42 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x16x!tt.ptr<f32>>
    %45 = tt.broadcast %43 : tensor<1x16xi32> -> tensor<32x16xi32>
    %46 = tt.addptr %44, %45 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
    %47 = tt.trans %28 {order = array<i32: 1, 0>} : tensor<16x32xf32> -> tensor<32x16xf32>
    tt.store %46, %47, %37 : tensor<32x16x!tt.ptr<f32>>
    tt.return
  }
}
