// tl.gather along the middle axis of a block that is computed first.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_gather_kernel:
// CHECK-DAG: {{vfadd.vv|fadd.s}}
// CHECK-DAG: vluxei64.v

module {
  tt.func public @gather_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<f32>) {
    %0 = tt.call @language.test_scans.offsets__c2_c4_c16() : () -> tensor<2x4x16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2x4x16x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<2x4x16x!tt.ptr<f32>>, tensor<2x4x16xi32>
    %3 = tt.load %2 : tensor<2x4x16x!tt.ptr<f32>>
    %4 = tt.call @language.test_scans.offsets__c2_c32_c16() : () -> tensor<2x32x16xi32>
    %5 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<2x32x16x!tt.ptr<i32>>
    %6 = tt.addptr %5, %4 : tensor<2x32x16x!tt.ptr<i32>>, tensor<2x32x16xi32>
    %7 = tt.load %6 : tensor<2x32x16x!tt.ptr<i32>>
    %8 = tt.call @language.test_scans.offsets__c2_c32_c16() : () -> tensor<2x32x16xi32>
    %9 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2x32x16x!tt.ptr<f32>>
    %10 = tt.addptr %9, %8 : tensor<2x32x16x!tt.ptr<f32>>, tensor<2x32x16xi32>
    %cst = arith.constant 2.000000e+00 : f32
    %11 = tt.splat %cst : f32 -> tensor<2x4x16xf32>
    %12 = arith.mulf %3, %11 : tensor<2x4x16xf32>
    %13 = tt.gather %12[%7] {axis = 1 : i32} : (tensor<2x4x16xf32>, tensor<2x32x16xi32>) -> tensor<2x32x16xf32>
    tt.store %10, %13 : tensor<2x32x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @language.test_scans.offsets__c2_c4_c16() -> tensor<2x4x16xi32> {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.expand_dims %0 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %4 = tt.expand_dims %3 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %c4_i32 = arith.constant 4 : i32
    %5 = tt.splat %c4_i32 : i32 -> tensor<2x1x1xi32>
    %6 = arith.muli %4, %5 : tensor<2x1x1xi32>
    %c16_i32 = arith.constant 16 : i32
    %7 = tt.splat %c16_i32 : i32 -> tensor<2x1x1xi32>
    %8 = arith.muli %6, %7 : tensor<2x1x1xi32>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %10 = tt.expand_dims %9 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %c16_i32_0 = arith.constant 16 : i32
    %11 = tt.splat %c16_i32_0 : i32 -> tensor<1x4x1xi32>
    %12 = arith.muli %10, %11 : tensor<1x4x1xi32>
    %13 = tt.broadcast %8 : tensor<2x1x1xi32> -> tensor<2x4x1xi32>
    %14 = tt.broadcast %12 : tensor<1x4x1xi32> -> tensor<2x4x1xi32>
    %15 = arith.addi %13, %14 : tensor<2x4x1xi32>
    %16 = tt.expand_dims %2 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %17 = tt.expand_dims %16 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %18 = tt.broadcast %15 : tensor<2x4x1xi32> -> tensor<2x4x16xi32>
    %19 = tt.broadcast %17 : tensor<1x1x16xi32> -> tensor<2x4x16xi32>
    %20 = arith.addi %18, %19 : tensor<2x4x16xi32>
    tt.return %20 : tensor<2x4x16xi32>
  }
  tt.func private @language.test_scans.offsets__c2_c32_c16() -> tensor<2x32x16xi32> {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.expand_dims %0 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %4 = tt.expand_dims %3 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %c32_i32 = arith.constant 32 : i32
    %5 = tt.splat %c32_i32 : i32 -> tensor<2x1x1xi32>
    %6 = arith.muli %4, %5 : tensor<2x1x1xi32>
    %c16_i32 = arith.constant 16 : i32
    %7 = tt.splat %c16_i32 : i32 -> tensor<2x1x1xi32>
    %8 = arith.muli %6, %7 : tensor<2x1x1xi32>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %10 = tt.expand_dims %9 {axis = 2 : i32} : tensor<1x32xi32> -> tensor<1x32x1xi32>
    %c16_i32_0 = arith.constant 16 : i32
    %11 = tt.splat %c16_i32_0 : i32 -> tensor<1x32x1xi32>
    %12 = arith.muli %10, %11 : tensor<1x32x1xi32>
    %13 = tt.broadcast %8 : tensor<2x1x1xi32> -> tensor<2x32x1xi32>
    %14 = tt.broadcast %12 : tensor<1x32x1xi32> -> tensor<2x32x1xi32>
    %15 = arith.addi %13, %14 : tensor<2x32x1xi32>
    %16 = tt.expand_dims %2 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %17 = tt.expand_dims %16 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %18 = tt.broadcast %15 : tensor<2x32x1xi32> -> tensor<2x32x16xi32>
    %19 = tt.broadcast %17 : tensor<1x1x16xi32> -> tensor<2x32x16xi32>
    %20 = arith.addi %18, %19 : tensor<2x32x16xi32>
    tt.return %20 : tensor<2x32x16xi32>
  }
}
