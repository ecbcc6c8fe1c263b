// A while loop and branches that carry blocks and a block of masks.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_newton_kernel:
// CHECK-DAG: vfmul.vf
// CHECK-DAG: vmax.vv

module {
  tt.func public @newton_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %3 = tt.splat %arg2 : i32 -> tensor<64xi32>
    %4 = arith.cmpi slt, %0, %3 : tensor<64xi32>
    %cst = arith.constant 1.000000e+00 : f32
    %5 = tt.splat %cst : f32 -> tensor<64xf32>
    %6 = tt.load %2, %4, %5 : tensor<64x!tt.ptr<f32>>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %7 = tt.splat %cst_0 : f32 -> tensor<64xf32>
    %8 = arith.mulf %6, %7 : tensor<64xf32>
    %cst_1 = arith.constant 1.000000e+00 : f32
    %9 = tt.splat %cst_1 : f32 -> tensor<64xf32>
    %10 = arith.addf %8, %9 : tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %11 = tt.splat %arg2 : i32 -> tensor<64xi32>
    %12 = arith.cmpi slt, %0, %11 : tensor<64xi32>
    %13:3 = scf.while (%arg3 = %10, %arg4 = %12, %arg5 = %c0_i32) : (tensor<64xf32>, tensor<64xi1>, i32) -> (tensor<64xf32>, tensor<64xi1>, i32) {
      %20 = arith.extui %arg4 : tensor<64xi1> to tensor<64xi32>
      %21 = tt.call @triton.language.standard.max__i32S64S_c0_cFalse_cTrue_cFalse(%20) : (tensor<64xi32>) -> i32
      %c0_i32_2 = arith.constant 0 : i32
      %22 = arith.cmpi sgt, %21, %c0_i32_2 : i32
      scf.condition(%22) %arg3, %arg4, %arg5 : tensor<64xf32>, tensor<64xi1>, i32
    } do {
    ^bb0(%arg3: tensor<64xf32>, %arg4: tensor<64xi1>, %arg5: i32):
      %c2_i32 = arith.constant 2 : i32
      %20 = arith.remsi %arg5, %c2_i32 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %21 = arith.cmpi eq, %20, %c0_i32_2 : i32
      %22:2 = scf.if %21 -> (tensor<64xf32>, f32) {
        %33 = arith.divf %6, %arg3 : tensor<64xf32>
        %34 = arith.addf %arg3, %33 : tensor<64xf32>
        %cst_4 = arith.constant 2.000000e+00 : f32
        %35 = tt.splat %cst_4 : f32 -> tensor<64xf32>
        %36 = arith.divf %34, %35 : tensor<64xf32>
        %cst_5 = arith.constant 1.000000e+00 : f32
        scf.yield %36, %cst_5 : tensor<64xf32>, f32
      } else {
        %33 = arith.mulf %arg3, %arg3 : tensor<64xf32>
        %34 = arith.subf %33, %6 : tensor<64xf32>
        %cst_4 = arith.constant 2.000000e+00 : f32
        %35 = tt.splat %cst_4 : f32 -> tensor<64xf32>
        %36 = arith.mulf %35, %arg3 : tensor<64xf32>
        %37 = arith.divf %34, %36 : tensor<64xf32>
        %38 = arith.subf %arg3, %37 : tensor<64xf32>
        %39 = arith.sitofp %arg5 : i32 to f32
        %cst_5 = arith.constant 0.000000e+00 : f32
        %40 = arith.mulf %39, %cst_5 : f32
        %cst_6 = arith.constant 1.000000e+00 : f32
        %41 = arith.addf %cst_6, %40 : f32
        scf.yield %38, %41 : tensor<64xf32>, f32
      }
      %23 = arith.subf %22#0, %arg3 : tensor<64xf32>
      %24 = math.absf %23 : tensor<64xf32>
      %cst_3 = arith.constant 9.99999974E-6 : f32
      %25 = tt.splat %cst_3 : f32 -> tensor<64xf32>
      %26 = arith.mulf %25, %arg3 : tensor<64xf32>
      %27 = arith.cmpf ogt, %24, %26 : tensor<64xf32>
      %28 = tt.splat %22#1 : f32 -> tensor<64xf32>
      %29 = arith.mulf %22#0, %28 : tensor<64xf32>
      %30 = arith.select %arg4, %29, %arg3 : tensor<64xi1>, tensor<64xf32>
      %31 = arith.andi %arg4, %27 : tensor<64xi1>
      %c1_i32 = arith.constant 1 : i32
      %32 = arith.addi %arg5, %c1_i32 : i32
      scf.yield %30, %31, %32 : tensor<64xf32>, tensor<64xi1>, i32
    }
    %14 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %15 = tt.addptr %14, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %16 = tt.splat %arg2 : i32 -> tensor<64xi32>
    %17 = arith.cmpi slt, %0, %16 : tensor<64xi32>
    tt.store %15, %13#0, %17 : tensor<64x!tt.ptr<f32>>
    %18 = tt.addptr %arg1, %arg2 : !tt.ptr<f32>, i32
    %19 = arith.sitofp %13#2 : i32 to f32
    tt.store %18, %19 : !tt.ptr<f32>
    tt.return
  }
  tt.func private @triton.language.standard.max__i32S64S_c0_cFalse_cTrue_cFalse(%arg0: tensor<64xi32>) -> i32 {
    %0 = tt.call @triton.language.standard._extremum__i32S64S_c0_cFalse_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0) : (tensor<64xi32>) -> i32
    tt.return %0 : i32
  }
  tt.func private @triton.language.standard._extremum__i32S64S_c0_cFalse_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0: tensor<64xi32>) -> i32 {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %1 = tt.call @triton.language.standard._elementwise_max__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %1 : i32
    }) : (tensor<64xi32>) -> i32
    tt.return %0 : i32
  }
  tt.func private @triton.language.standard._elementwise_max__i32_i32(%arg0: i32, %arg1: i32) -> i32 {
    %0 = arith.maxsi %arg0, %arg1 : i32
    tt.return %0 : i32
  }
}
