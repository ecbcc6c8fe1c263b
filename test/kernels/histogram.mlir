// Counts of values, masked, and their running sums.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_histogram_kernel:
// CHECK-DAG: vle32.v

module {
  tt.func public @histogram_kernel(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: i32) {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %3 = tt.splat %arg2 : i32 -> tensor<256xi32>
    %4 = arith.cmpi slt, %0, %3 : tensor<256xi32>
    %c0_i32 = arith.constant 0 : i32
    %5 = tt.splat %c0_i32 : i32 -> tensor<256xi32>
    %6 = tt.load %2, %4, %5 : tensor<256x!tt.ptr<i32>>
    %7 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %8 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %9 = tt.addptr %8, %7 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %10 = tt.splat %arg2 : i32 -> tensor<256xi32>
    %11 = arith.cmpi slt, %0, %10 : tensor<256xi32>
    %12 = tt.histogram %6, %11 : tensor<256xi32> -> tensor<16xi32>
    tt.store %9, %12 : tensor<16x!tt.ptr<i32>>
    %c16_i32 = arith.constant 16 : i32
    %13 = tt.addptr %arg1, %c16_i32 : !tt.ptr<i32>, i32
    %14 = tt.splat %13 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %15 = tt.addptr %14, %7 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %c16_i32_0 = arith.constant 16 : i32
    %16 = tt.splat %c16_i32_0 : i32 -> tensor<256xi32>
    %17 = arith.remsi %6, %16 : tensor<256xi32>
    %18 = tt.splat %arg2 : i32 -> tensor<256xi32>
    %19 = arith.cmpi slt, %0, %18 : tensor<256xi32>
    %20 = tt.histogram %17, %19 : tensor<256xi32> -> tensor<16xi32>
    %21 = tt.call @triton.language.standard.cumsum__i32S16S_c0_cFalse_cNone(%20) : (tensor<16xi32>) -> tensor<16xi32>
    tt.store %15, %21 : tensor<16x!tt.ptr<i32>>
    tt.return
  }
  tt.func private @triton.language.standard.cumsum__i32S16S_c0_cFalse_cNone(%arg0: tensor<16xi32>) -> tensor<16xi32> {
    %0 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %1 = tt.call @triton.language.standard._sum_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.scan.return %1 : i32
    }) : (tensor<16xi32>) -> tensor<16xi32>
    tt.return %0 : tensor<16xi32>
  }
  tt.func private @triton.language.standard._sum_combine__i32_i32(%arg0: i32, %arg1: i32) -> i32 {
    %0 = arith.addi %arg0, %arg1 : i32
    tt.return %0 : i32
  }
}
