// Decoding over keys in pages that a table names.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_paged_kernel:
// CHECK-DAG: vle32.v
// CHECK-DAG: vfmax.vv
// CHECK-DAG: vse32.v

module {
  tt.func public @paged_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<i64>, %arg4: !tt.ptr<i32>, %arg5: !tt.ptr<f32>, %arg6: i32, %arg7: f32) {
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %arg4, %0 : !tt.ptr<i32>, i32
    %2 = tt.load %1 : !tt.ptr<i32>
    %3 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %5 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %c4_i32 = arith.constant 4 : i32
    %6 = arith.muli %0, %c4_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %7 = arith.muli %6, %c32_i32 : i32
    %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
    %9 = tt.expand_dims %3 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %c32_i32_0 = arith.constant 32 : i32
    %10 = tt.splat %c32_i32_0 : i32 -> tensor<4x1xi32>
    %11 = arith.muli %9, %10 : tensor<4x1xi32>
    %12 = tt.splat %8 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %13 = tt.addptr %12, %11 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    %14 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %15 = tt.broadcast %13 : tensor<4x1x!tt.ptr<f32>> -> tensor<4x32x!tt.ptr<f32>>
    %16 = tt.broadcast %14 : tensor<1x32xi32> -> tensor<4x32xi32>
    %17 = tt.addptr %15, %16 : tensor<4x32x!tt.ptr<f32>>, tensor<4x32xi32>
    %18 = tt.load %17 : tensor<4x32x!tt.ptr<f32>>
    %19 = tt.call @triton.language.standard.zeros__Tc4_c32T_cfp32() : () -> tensor<4x32xf32>
    %20 = tt.call @triton.language.standard.zeros__Tc4T_cfp32() : () -> tensor<4xf32>
    %cst = arith.constant -1.000000e+30 : f32
    %21 = tt.splat %cst : f32 -> tensor<4xf32>
    %22 = tt.call @triton.language.standard.cdiv__i32_c8(%2) : (i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %23:3 = scf.for %arg8 = %c0_i32 to %22 step %c1_i32 iter_args(%arg9 = %20, %arg10 = %19, %arg11 = %21) -> (tensor<4xf32>, tensor<4x32xf32>, tensor<4xf32>)  : i32 {
      %46 = arith.muli %0, %arg6 : i32
      %47 = tt.addptr %arg3, %46 : !tt.ptr<i64>, i32
      %48 = tt.addptr %47, %arg8 : !tt.ptr<i64>, i32
      %49 = tt.load %48 : !tt.ptr<i64>
      %c8_i32 = arith.constant 8 : i32
      %50 = arith.muli %arg8, %c8_i32 : i32
      %51 = tt.splat %50 : i32 -> tensor<8xi32>
      %52 = arith.addi %51, %5 : tensor<8xi32>
      %53 = tt.splat %2 : i32 -> tensor<8xi32>
      %54 = arith.cmpi slt, %52, %53 : tensor<8xi32>
      %c8_i64 = arith.constant 8 : i64
      %55 = arith.muli %49, %c8_i64 : i64
      %c32_i64 = arith.constant 32 : i64
      %56 = arith.muli %55, %c32_i64 : i64
      %57 = tt.expand_dims %5 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %c32_i32_8 = arith.constant 32 : i32
      %58 = tt.splat %c32_i32_8 : i32 -> tensor<8x1xi32>
      %59 = arith.muli %57, %58 : tensor<8x1xi32>
      %60 = arith.extsi %59 : tensor<8x1xi32> to tensor<8x1xi64>
      %61 = tt.splat %56 : i64 -> tensor<8x1xi64>
      %62 = arith.addi %61, %60 : tensor<8x1xi64>
      %63 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %64 = arith.extsi %63 : tensor<1x32xi32> to tensor<1x32xi64>
      %65 = tt.broadcast %62 : tensor<8x1xi64> -> tensor<8x32xi64>
      %66 = tt.broadcast %64 : tensor<1x32xi64> -> tensor<8x32xi64>
      %67 = arith.addi %65, %66 : tensor<8x32xi64>
      %68 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
      %69 = tt.addptr %68, %67 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi64>
      %70 = tt.expand_dims %54 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %71 = tt.broadcast %70 : tensor<8x1xi1> -> tensor<8x32xi1>
      %cst_9 = arith.constant 0.000000e+00 : f32
      %72 = tt.splat %cst_9 : f32 -> tensor<8x32xf32>
      %73 = tt.load %69, %71, %72 : tensor<8x32x!tt.ptr<f32>>
      %74 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
      %75 = tt.addptr %74, %67 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi64>
      %76 = tt.expand_dims %54 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %77 = tt.broadcast %76 : tensor<8x1xi1> -> tensor<8x32xi1>
      %cst_10 = arith.constant 0.000000e+00 : f32
      %78 = tt.splat %cst_10 : f32 -> tensor<8x32xf32>
      %79 = tt.load %75, %77, %78 : tensor<8x32x!tt.ptr<f32>>
      %80 = tt.expand_dims %18 {axis = 1 : i32} : tensor<4x32xf32> -> tensor<4x1x32xf32>
      %81 = tt.expand_dims %73 {axis = 0 : i32} : tensor<8x32xf32> -> tensor<1x8x32xf32>
      %82 = tt.broadcast %80 : tensor<4x1x32xf32> -> tensor<4x8x32xf32>
      %83 = tt.broadcast %81 : tensor<1x8x32xf32> -> tensor<4x8x32xf32>
      %84 = arith.mulf %82, %83 : tensor<4x8x32xf32>
      %85 = tt.call @triton.language.standard.sum__fp32S4_8_32S_c2_cFalse_cNone(%84) : (tensor<4x8x32xf32>) -> tensor<4x8xf32>
      %86 = tt.splat %arg7 : f32 -> tensor<4x8xf32>
      %87 = arith.mulf %85, %86 : tensor<4x8xf32>
      %88 = tt.expand_dims %54 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %cst_11 = arith.constant -1.000000e+30 : f32
      %89 = tt.splat %cst_11 : f32 -> tensor<4x8xf32>
      %90 = tt.broadcast %88 : tensor<1x8xi1> -> tensor<4x8xi1>
      %91 = arith.select %90, %87, %89 : tensor<4x8xi1>, tensor<4x8xf32>
      %92 = tt.call @triton.language.standard.max__fp32S4_8S_c1_cFalse_cTrue_cFalse(%91) : (tensor<4x8xf32>) -> tensor<4xf32>
      %93 = arith.maxnumf %arg11, %92 : tensor<4xf32>
      %94 = tt.expand_dims %93 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
      %95 = tt.broadcast %94 : tensor<4x1xf32> -> tensor<4x8xf32>
      %96 = arith.subf %91, %95 : tensor<4x8xf32>
      %97 = math.exp %96 : tensor<4x8xf32>
      %98 = arith.subf %arg11, %93 : tensor<4xf32>
      %99 = math.exp %98 : tensor<4xf32>
      %100 = arith.mulf %arg9, %99 : tensor<4xf32>
      %101 = tt.call @triton.language.standard.sum__fp32S4_8S_c1_cFalse_cNone(%97) : (tensor<4x8xf32>) -> tensor<4xf32>
      %102 = arith.addf %100, %101 : tensor<4xf32>
      %103 = tt.expand_dims %99 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
      %104 = tt.broadcast %103 : tensor<4x1xf32> -> tensor<4x32xf32>
      %105 = arith.mulf %arg10, %104 : tensor<4x32xf32>
      %106 = tt.expand_dims %97 {axis = 2 : i32} : tensor<4x8xf32> -> tensor<4x8x1xf32>
      %107 = tt.expand_dims %79 {axis = 0 : i32} : tensor<8x32xf32> -> tensor<1x8x32xf32>
      %108 = tt.broadcast %106 : tensor<4x8x1xf32> -> tensor<4x8x32xf32>
      %109 = tt.broadcast %107 : tensor<1x8x32xf32> -> tensor<4x8x32xf32>
      %110 = arith.mulf %108, %109 : tensor<4x8x32xf32>
      %111 = tt.call @triton.language.standard.sum__fp32S4_8_32S_c1_cFalse_cNone(%110) : (tensor<4x8x32xf32>) -> tensor<4x32xf32>
      %112 = arith.addf %105, %111 : tensor<4x32xf32>
      scf.yield %102, %112, %93 : tensor<4xf32>, tensor<4x32xf32>, tensor<4xf32>
    }
    %c0_i32_1 = arith.constant 0 : i32
    %24 = arith.cmpi sgt, %2, %c0_i32_1 : i32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %25 = tt.splat %cst_2 : f32 -> tensor<4xf32>
    %26 = arith.cmpf ogt, %23#0, %25 : tensor<4xf32>
    %cst_3 = arith.constant 1.000000e+00 : f32
    %27 = tt.splat %cst_3 : f32 -> tensor<4xf32>
    %28 = arith.select %26, %23#0, %27 : tensor<4xi1>, tensor<4xf32>
    %29 = tt.expand_dims %28 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %30 = tt.broadcast %29 : tensor<4x1xf32> -> tensor<4x32xf32>
    %31 = arith.divf %23#1, %30 : tensor<4x32xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %32 = tt.splat %cst_4 : f32 -> tensor<4x32xf32>
    %33 = arith.select %24, %31, %32 : tensor<4x32xf32>
    %c4_i32_5 = arith.constant 4 : i32
    %34 = arith.muli %0, %c4_i32_5 : i32
    %c32_i32_6 = arith.constant 32 : i32
    %35 = arith.muli %34, %c32_i32_6 : i32
    %36 = tt.addptr %arg5, %35 : !tt.ptr<f32>, i32
    %37 = tt.expand_dims %3 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %c32_i32_7 = arith.constant 32 : i32
    %38 = tt.splat %c32_i32_7 : i32 -> tensor<4x1xi32>
    %39 = arith.muli %37, %38 : tensor<4x1xi32>
    %40 = tt.splat %36 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %41 = tt.addptr %40, %39 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    %42 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %43 = tt.broadcast %41 : tensor<4x1x!tt.ptr<f32>> -> tensor<4x32x!tt.ptr<f32>>
    %44 = tt.broadcast %42 : tensor<1x32xi32> -> tensor<4x32xi32>
    %45 = tt.addptr %43, %44 : tensor<4x32x!tt.ptr<f32>>, tensor<4x32xi32>
    tt.store %45, %33 : tensor<4x32x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc4_c32T_cfp32() -> tensor<4x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<4x32xf32>
    tt.return %0 : tensor<4x32xf32>
  }
  tt.func private @triton.language.standard.zeros__Tc4T_cfp32() -> tensor<4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<4xf32>
    tt.return %0 : tensor<4xf32>
  }
  tt.func private @triton.language.standard.cdiv__i32_c8(%arg0: i32) -> i32 {
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.addi %arg0, %c8_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %0, %c1_i32 : i32
    %c8_i32_0 = arith.constant 8 : i32
    %2 = arith.divsi %1, %c8_i32_0 : i32
    tt.return %2 : i32
  }
  tt.func private @triton.language.standard.sum__fp32S4_8_32S_c2_cFalse_cNone(%arg0: tensor<4x8x32xf32>) -> tensor<4x8xf32> {
    %0 = "tt.reduce"(%arg0) <{axis = 2 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<4x8x32xf32>) -> tensor<4x8xf32>
    tt.return %0 : tensor<4x8xf32>
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard.max__fp32S4_8S_c1_cFalse_cTrue_cFalse(%arg0: tensor<4x8xf32>) -> tensor<4xf32> {
    %0 = tt.call @triton.language.standard._extremum__fp32S4_8S_c1_cFalse_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0) : (tensor<4x8xf32>) -> tensor<4xf32>
    tt.return %0 : tensor<4xf32>
  }
  tt.func private @triton.language.standard._extremum__fp32S4_8S_c1_cFalse_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0: tensor<4x8xf32>) -> tensor<4xf32> {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<4x8xf32>) -> tensor<4xf32>
    tt.return %0 : tensor<4xf32>
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard.sum__fp32S4_8S_c1_cFalse_cNone(%arg0: tensor<4x8xf32>) -> tensor<4xf32> {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<4x8xf32>) -> tensor<4xf32>
    tt.return %0 : tensor<4xf32>
  }
  tt.func private @triton.language.standard.sum__fp32S4_8_32S_c1_cFalse_cNone(%arg0: tensor<4x8x32xf32>) -> tensor<4x32xf32> {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<4x8x32xf32>) -> tensor<4x32xf32>
    tt.return %0 : tensor<4x32xf32>
  }
}
