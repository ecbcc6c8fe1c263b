// Tiles that change places in a loop, one transposed on the way.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_rotating_tiles_kernel:
// CHECK-DAG: vlse32.v
// CHECK-DAG: vfadd.vf

module {
  tt.func public @rotating_tiles_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %c16_i32 = arith.constant 16 : i32
    %2 = tt.splat %c16_i32 : i32 -> tensor<16x1xi32>
    %3 = arith.muli %1, %2 : tensor<16x1xi32>
    %4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %6 = tt.broadcast %3 : tensor<16x1xi32> -> tensor<16x16xi32>
    %7 = tt.broadcast %5 : tensor<1x16xi32> -> tensor<16x16xi32>
    %8 = arith.addi %6, %7 : tensor<16x16xi32>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %10 = tt.addptr %9, %8 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %11 = tt.load %10 : tensor<16x16x!tt.ptr<f32>>
    %c256_i32 = arith.constant 256 : i32
    %12 = tt.addptr %arg0, %c256_i32 : !tt.ptr<f32>, i32
    %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %14 = tt.addptr %13, %8 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %15 = tt.load %14 : tensor<16x16x!tt.ptr<f32>>
    %c512_i32 = arith.constant 512 : i32
    %16 = tt.addptr %arg0, %c512_i32 : !tt.ptr<f32>, i32
    %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %18 = tt.addptr %17, %8 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %19 = tt.load %18 : tensor<16x16x!tt.ptr<f32>>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %20:3 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %11, %arg5 = %15, %arg6 = %19) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)  : i32 {
      %29 = tt.trans %arg4 {order = array<i32: 1, 0>} : tensor<16x16xf32> -> tensor<16x16xf32>
      %30 = arith.sitofp %arg3 : i32 to f32
      %31 = tt.splat %30 : f32 -> tensor<16x16xf32>
      %32 = arith.addf %29, %31 : tensor<16x16xf32>
      scf.yield %arg5, %arg6, %32 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
    }
    %21 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %22 = tt.addptr %21, %8 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %22, %20#0 : tensor<16x16x!tt.ptr<f32>>
    %c256_i32_0 = arith.constant 256 : i32
    %23 = tt.addptr %arg1, %c256_i32_0 : !tt.ptr<f32>, i32
    %24 = tt.splat %23 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %25 = tt.addptr %24, %8 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %25, %20#1 : tensor<16x16x!tt.ptr<f32>>
    %c512_i32_1 = arith.constant 512 : i32
    %26 = tt.addptr %arg1, %c512_i32_1 : !tt.ptr<f32>, i32
    %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %28 = tt.addptr %27, %8 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %28, %20#2 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}
