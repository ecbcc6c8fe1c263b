// A scan over programs: volatile reads of flags others set, waiting loops.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_look_back_kernel:
// CHECK-DAG: amoswap.d.rl
// CHECK-DAG: vse64.v

module {
  tt.func public @look_back_kernel(%arg0: !tt.ptr<i64>, %arg1: !tt.ptr<i64>, %arg2: !tt.ptr<i64>, %arg3: i32) {
    %0 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.splat %1 : i32 -> tensor<16xi32>
    %4 = arith.addi %3, %2 : tensor<16xi32>
    %5 = tt.splat %arg0 : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
    %6 = tt.addptr %5, %4 : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
    %7 = tt.splat %arg3 : i32 -> tensor<16xi32>
    %8 = arith.cmpi slt, %4, %7 : tensor<16xi32>
    %c0_i32 = arith.constant 0 : i32
    %9 = arith.extsi %c0_i32 : i32 to i64
    %10 = tt.splat %9 : i64 -> tensor<16xi64>
    %11 = tt.load %6, %8, %10 : tensor<16x!tt.ptr<i64>>
    %12 = tt.call @triton.language.standard.sum__i64S16S_c0_cFalse_cNone(%11) : (tensor<16xi64>) -> i64
    %13 = tt.addptr %arg2, %0 : !tt.ptr<i64>, i32
    %c4_i64 = arith.constant 4 : i64
    %14 = arith.muli %12, %c4_i64 : i64
    %c1_i64 = arith.constant 1 : i64
    %15 = arith.addi %14, %c1_i64 : i64
    %true = arith.constant true
    %16 = tt.atomic_rmw exch, release, gpu, %13, %15, %true : (!tt.ptr<i64>, i64, i1) -> i64
    %c0_i64 = arith.constant 0 : i64
    %17 = arith.muli %12, %c0_i64 : i64
    %c1_i32 = arith.constant 1 : i32
    %18 = arith.subi %0, %c1_i32 : i32
    %19:2 = scf.while (%arg4 = %17, %arg5 = %18) : (i64, i32) -> (i64, i32) {
      %c0_i32_2 = arith.constant 0 : i32
      %32 = arith.cmpi sge, %arg5, %c0_i32_2 : i32
      scf.condition(%32) %arg4, %arg5 : i64, i32
    } do {
    ^bb0(%arg4: i64, %arg5: i32):
      %32 = tt.addptr %arg2, %arg5 : !tt.ptr<i64>, i32
      %33 = tt.load %32 {isVolatile = true} : !tt.ptr<i64>
      %34 = scf.while (%arg6 = %33) : (i64) -> i64 {
        %c0_i64_4 = arith.constant 0 : i64
        %40 = arith.cmpi eq, %arg6, %c0_i64_4 : i64
        scf.condition(%40) %arg6 : i64
      } do {
      ^bb0(%arg6: i64):
        %40 = tt.addptr %arg2, %arg5 : !tt.ptr<i64>, i32
        %41 = tt.load %40 {isVolatile = true} : !tt.ptr<i64>
        scf.yield %41 : i64
      }
      %c2_i64_2 = arith.constant 2 : i64
      %35 = arith.shrsi %34, %c2_i64_2 : i64
      %36 = arith.addi %arg4, %35 : i64
      %c3_i64 = arith.constant 3 : i64
      %37 = arith.andi %34, %c3_i64 : i64
      %c2_i64_3 = arith.constant 2 : i64
      %38 = arith.cmpi eq, %37, %c2_i64_3 : i64
      %39 = scf.if %38 -> (i32) {
        %c-1_i32 = arith.constant -1 : i32
        scf.yield %c-1_i32 : i32
      } else {
        %c1_i32_4 = arith.constant 1 : i32
        %40 = arith.subi %arg5, %c1_i32_4 : i32
        scf.yield %40 : i32
      }
      scf.yield %36, %39 : i64, i32
    }
    %20 = tt.addptr %arg2, %0 : !tt.ptr<i64>, i32
    %21 = arith.addi %19#0, %12 : i64
    %c4_i64_0 = arith.constant 4 : i64
    %22 = arith.muli %21, %c4_i64_0 : i64
    %c2_i64 = arith.constant 2 : i64
    %23 = arith.addi %22, %c2_i64 : i64
    %true_1 = arith.constant true
    %24 = tt.atomic_rmw exch, release, gpu, %20, %23, %true_1 : (!tt.ptr<i64>, i64, i1) -> i64
    %25 = tt.splat %arg1 : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
    %26 = tt.addptr %25, %4 : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
    %27 = tt.call @triton.language.standard.cumsum__i64S16S_c0_cFalse_cNone(%11) : (tensor<16xi64>) -> tensor<16xi64>
    %28 = tt.splat %19#0 : i64 -> tensor<16xi64>
    %29 = arith.addi %28, %27 : tensor<16xi64>
    %30 = tt.splat %arg3 : i32 -> tensor<16xi32>
    %31 = arith.cmpi slt, %4, %30 : tensor<16xi32>
    tt.store %26, %29, %31 : tensor<16x!tt.ptr<i64>>
    tt.return
  }
  tt.func private @triton.language.standard.sum__i64S16S_c0_cFalse_cNone(%arg0: tensor<16xi64>) -> i64 {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      %1 = tt.call @triton.language.standard._sum_combine__i64_i64(%arg1, %arg2) : (i64, i64) -> i64
      tt.reduce.return %1 : i64
    }) : (tensor<16xi64>) -> i64
    tt.return %0 : i64
  }
  tt.func private @triton.language.standard._sum_combine__i64_i64(%arg0: i64, %arg1: i64) -> i64 {
    %0 = arith.addi %arg0, %arg1 : i64
    tt.return %0 : i64
  }
  tt.func private @triton.language.standard.cumsum__i64S16S_c0_cFalse_cNone(%arg0: tensor<16xi64>) -> tensor<16xi64> {
    %0 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      %1 = tt.call @triton.language.standard._sum_combine__i64_i64(%arg1, %arg2) : (i64, i64) -> i64
      tt.scan.return %1 : i64
    }) : (tensor<16xi64>) -> tensor<16xi64>
    tt.return %0 : tensor<16xi64>
  }
}
