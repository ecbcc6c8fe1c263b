// Integer arithmetic that cannot trap.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_integer_kernel:
// CHECK: vdiv
// CHECK: vse32.v

module {
  tt.func public @integer_kernel(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<i32>, %arg3: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32>
    %3 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %4 = tt.addptr %3, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %5 = tt.load %4, %2 : tensor<128x!tt.ptr<i32>>
    %6 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %7 = tt.addptr %6, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %8 = tt.load %7, %2 : tensor<128x!tt.ptr<i32>>
    %9 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %10 = tt.addptr %9, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %11 = arith.divsi %5, %8 : tensor<128xi32>
    tt.store %10, %11, %2 : tensor<128x!tt.ptr<i32>>
    %12 = tt.addptr %arg2, %arg3 : !tt.ptr<i32>, i32
    %13 = tt.splat %12 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %14 = tt.addptr %13, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %15 = arith.remsi %5, %8 : tensor<128xi32>
    tt.store %14, %15, %2 : tensor<128x!tt.ptr<i32>>
    %c2_i32 = arith.constant 2 : i32
    %16 = arith.muli %c2_i32, %arg3 : i32
    %17 = tt.addptr %arg2, %16 : !tt.ptr<i32>, i32
    %18 = tt.splat %17 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %19 = tt.addptr %18, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %20 = arith.shli %5, %8 : tensor<128xi32>
    tt.store %19, %20, %2 : tensor<128x!tt.ptr<i32>>
    %c3_i32 = arith.constant 3 : i32
    %21 = arith.muli %c3_i32, %arg3 : i32
    %22 = tt.addptr %arg2, %21 : !tt.ptr<i32>, i32
    %23 = tt.splat %22 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %24 = tt.addptr %23, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %25 = arith.shrsi %5, %8 : tensor<128xi32>
    tt.store %24, %25, %2 : tensor<128x!tt.ptr<i32>>
    %c4_i32 = arith.constant 4 : i32
    %26 = arith.muli %c4_i32, %arg3 : i32
    %27 = tt.addptr %arg2, %26 : !tt.ptr<i32>, i32
    %28 = tt.splat %27 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %29 = tt.addptr %28, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %30 = arith.addi %5, %8 : tensor<128xi32>
    tt.store %29, %30, %2 : tensor<128x!tt.ptr<i32>>
    %c5_i32 = arith.constant 5 : i32
    %31 = arith.muli %c5_i32, %arg3 : i32
    %32 = tt.addptr %arg2, %31 : !tt.ptr<i32>, i32
    %33 = tt.splat %32 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %34 = tt.addptr %33, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %35 = arith.muli %5, %8 : tensor<128xi32>
    tt.store %34, %35, %2 : tensor<128x!tt.ptr<i32>>
    %c6_i32 = arith.constant 6 : i32
    %36 = arith.muli %c6_i32, %arg3 : i32
    %37 = tt.addptr %arg2, %36 : !tt.ptr<i32>, i32
    %38 = tt.splat %37 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %39 = tt.addptr %38, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %40 = arith.subi %5, %8 : tensor<128xi32>
    tt.store %39, %40, %2 : tensor<128x!tt.ptr<i32>>
    tt.return
  }
}
