// Rows stored by 64-bit index, indices out of range masked off.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_scatter_rows_kernel:
// CHECK-DAG: vle16.v
// CHECK-DAG: vse16.v

module {
  tt.func public @scatter_rows_kernel(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<i64>, %arg2: !tt.ptr<f16>, %arg3: i32, %arg4: i32, %arg5: i32) {
    %0 = tt.get_program_id x : i32
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.muli %0, %c8_i32 : i32
    %2 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %3 = tt.splat %1 : i32 -> tensor<8xi32>
    %4 = arith.addi %3, %2 : tensor<8xi32>
    %5 = tt.get_program_id y : i32
    %c16_i32 = arith.constant 16 : i32
    %6 = arith.muli %5, %c16_i32 : i32
    %7 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %8 = tt.splat %6 : i32 -> tensor<16xi32>
    %9 = arith.addi %8, %7 : tensor<16xi32>
    %10 = tt.splat %arg1 : !tt.ptr<i64> -> tensor<8x!tt.ptr<i64>>
    %11 = tt.addptr %10, %4 : tensor<8x!tt.ptr<i64>>, tensor<8xi32>
    %12 = tt.splat %arg3 : i32 -> tensor<8xi32>
    %13 = arith.cmpi slt, %4, %12 : tensor<8xi32>
    %c-1_i32 = arith.constant -1 : i32
    %14 = arith.extsi %c-1_i32 : i32 to i64
    %15 = tt.splat %14 : i64 -> tensor<8xi64>
    %16 = tt.load %11, %13, %15 : tensor<8x!tt.ptr<i64>>
    %c0_i64 = arith.constant 0 : i64
    %17 = tt.splat %c0_i64 : i64 -> tensor<8xi64>
    %18 = arith.cmpi sge, %16, %17 : tensor<8xi64>
    %19 = arith.extsi %arg4 : i32 to i64
    %20 = tt.splat %19 : i64 -> tensor<8xi64>
    %21 = arith.cmpi slt, %16, %20 : tensor<8xi64>
    %22 = arith.andi %18, %21 : tensor<8xi1>
    %23 = tt.expand_dims %4 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %24 = tt.splat %arg3 : i32 -> tensor<8x1xi32>
    %25 = arith.cmpi slt, %23, %24 : tensor<8x1xi32>
    %26 = tt.expand_dims %9 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %27 = tt.splat %arg5 : i32 -> tensor<1x16xi32>
    %28 = arith.cmpi slt, %26, %27 : tensor<1x16xi32>
    %29 = tt.broadcast %25 : tensor<8x1xi1> -> tensor<8x16xi1>
    %30 = tt.broadcast %28 : tensor<1x16xi1> -> tensor<8x16xi1>
    %31 = arith.andi %29, %30 : tensor<8x16xi1>
    %32 = tt.expand_dims %4 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %33 = tt.splat %arg5 : i32 -> tensor<8x1xi32>
    %34 = arith.muli %32, %33 : tensor<8x1xi32>
    %35 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<8x1x!tt.ptr<f16>>
    %36 = tt.addptr %35, %34 : tensor<8x1x!tt.ptr<f16>>, tensor<8x1xi32>
    %37 = tt.expand_dims %9 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %38 = tt.broadcast %36 : tensor<8x1x!tt.ptr<f16>> -> tensor<8x16x!tt.ptr<f16>>
    %39 = tt.broadcast %37 : tensor<1x16xi32> -> tensor<8x16xi32>
    %40 = tt.addptr %38, %39 : tensor<8x16x!tt.ptr<f16>>, tensor<8x16xi32>
    %41 = tt.load %40, %31 : tensor<8x16x!tt.ptr<f16>>
    %42 = tt.expand_dims %16 {axis = 1 : i32} : tensor<8xi64> -> tensor<8x1xi64>
    %43 = arith.extsi %arg5 : i32 to i64
    %44 = tt.splat %43 : i64 -> tensor<8x1xi64>
    %45 = arith.muli %42, %44 : tensor<8x1xi64>
    %46 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<8x1x!tt.ptr<f16>>
    %47 = tt.addptr %46, %45 : tensor<8x1x!tt.ptr<f16>>, tensor<8x1xi64>
    %48 = tt.expand_dims %9 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %49 = tt.broadcast %47 : tensor<8x1x!tt.ptr<f16>> -> tensor<8x16x!tt.ptr<f16>>
    %50 = tt.broadcast %48 : tensor<1x16xi32> -> tensor<8x16xi32>
    %51 = tt.addptr %49, %50 : tensor<8x16x!tt.ptr<f16>>, tensor<8x16xi32>
    %52 = tt.expand_dims %22 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
    %53 = tt.broadcast %52 : tensor<8x1xi1> -> tensor<8x16xi1>
    %54 = arith.andi %31, %53 : tensor<8x16xi1>
    tt.store %51, %41, %54 : tensor<8x16x!tt.ptr<f16>>
    tt.return
  }
}
