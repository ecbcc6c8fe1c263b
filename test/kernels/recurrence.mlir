// Scans of several values whose order matters, from the end.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_recurrence_kernel:
// CHECK-DAG: {{vmaxu.vv|maxu}}
// CHECK-DAG: mul

module {
  tt.func public @recurrence_kernel(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<i32>) {
    %0 = tt.call @language.test_scans.offsets__c2_c4_c16() : () -> tensor<2x4x16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<2x4x16x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<2x4x16x!tt.ptr<i32>>, tensor<2x4x16xi32>
    %3 = tt.load %2 : tensor<2x4x16x!tt.ptr<i32>>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<2x4x16x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<2x4x16x!tt.ptr<i32>>, tensor<2x4x16xi32>
    %6 = tt.load %5 : tensor<2x4x16x!tt.ptr<i32>>
    %7:2 = "tt.scan"(%3, %6) <{axis = 1 : i32, reverse = true}> ({
    ^bb0(%arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32):
      %24:2 = tt.call @language.test_scans.affine__u32_u32_u32_u32(%arg3, %arg4, %arg5, %arg6) : (i32, i32, i32, i32) -> (i32, i32)
      tt.scan.return %24#0, %24#1 : i32, i32
    }) : (tensor<2x4x16xi32>, tensor<2x4x16xi32>) -> (tensor<2x4x16xi32>, tensor<2x4x16xi32>)
    %8 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<2x4x16x!tt.ptr<i32>>
    %9 = tt.addptr %8, %0 : tensor<2x4x16x!tt.ptr<i32>>, tensor<2x4x16xi32>
    tt.store %9, %7#0 : tensor<2x4x16x!tt.ptr<i32>>
    %c128_i32 = arith.constant 128 : i32
    %10 = tt.addptr %arg2, %c128_i32 : !tt.ptr<i32>, i32
    %11 = tt.splat %10 : !tt.ptr<i32> -> tensor<2x4x16x!tt.ptr<i32>>
    %12 = tt.addptr %11, %0 : tensor<2x4x16x!tt.ptr<i32>>, tensor<2x4x16xi32>
    tt.store %12, %7#1 : tensor<2x4x16x!tt.ptr<i32>>
    %c256_i32 = arith.constant 256 : i32
    %13 = tt.addptr %arg2, %c256_i32 : !tt.ptr<i32>, i32
    %14 = tt.splat %13 : !tt.ptr<i32> -> tensor<2x4x16x!tt.ptr<i32>>
    %15 = tt.addptr %14, %0 : tensor<2x4x16x!tt.ptr<i32>>, tensor<2x4x16xi32>
    %16 = "tt.scan"(%6) <{axis = 1 : i32, reverse = true}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %24 = tt.call @language.test_scans.left__u32_u32(%arg3, %arg4) : (i32, i32) -> i32
      tt.scan.return %24 : i32
    }) : (tensor<2x4x16xi32>) -> tensor<2x4x16xi32>
    tt.store %15, %16 : tensor<2x4x16x!tt.ptr<i32>>
    %17:2 = "tt.scan"(%6, %0) <{axis = 1 : i32, reverse = true}> ({
    ^bb0(%arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32):
      %24:2 = tt.call @language.test_scans.larger__u32_i32_u32_i32(%arg3, %arg4, %arg5, %arg6) : (i32, i32, i32, i32) -> (i32, i32)
      tt.scan.return %24#0, %24#1 : i32, i32
    }) : (tensor<2x4x16xi32>, tensor<2x4x16xi32>) -> (tensor<2x4x16xi32>, tensor<2x4x16xi32>)
    %c384_i32 = arith.constant 384 : i32
    %18 = tt.addptr %arg2, %c384_i32 : !tt.ptr<i32>, i32
    %19 = tt.splat %18 : !tt.ptr<i32> -> tensor<2x4x16x!tt.ptr<i32>>
    %20 = tt.addptr %19, %0 : tensor<2x4x16x!tt.ptr<i32>>, tensor<2x4x16xi32>
    tt.store %20, %17#0 : tensor<2x4x16x!tt.ptr<i32>>
    %c512_i32 = arith.constant 512 : i32
    %21 = tt.addptr %arg2, %c512_i32 : !tt.ptr<i32>, i32
    %22 = tt.splat %21 : !tt.ptr<i32> -> tensor<2x4x16x!tt.ptr<i32>>
    %23 = tt.addptr %22, %0 : tensor<2x4x16x!tt.ptr<i32>>, tensor<2x4x16xi32>
    tt.store %23, %17#1 : tensor<2x4x16x!tt.ptr<i32>>
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
  tt.func private @language.test_scans.affine__u32_u32_u32_u32(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) -> (i32, i32) {
    %0 = arith.muli %arg0, %arg2 : i32
    %1 = arith.muli %arg1, %arg2 : i32
    %2 = arith.addi %1, %arg3 : i32
    tt.return %0, %2 : i32, i32
  }
  tt.func private @language.test_scans.left__u32_u32(%arg0: i32, %arg1: i32) -> i32 {
    tt.return %arg0 : i32
  }
  tt.func private @language.test_scans.larger__u32_i32_u32_i32(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) -> (i32, i32) {
    %0 = arith.cmpi uge, %arg0, %arg2 : i32
    %1 = arith.select %0, %arg0, %arg2 : i32
    %2 = arith.select %0, %arg1, %arg3 : i32
    tt.return %1, %2 : i32, i32
  }
}
