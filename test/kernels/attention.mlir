// Causal attention in two stages, head size no power of two, shared heads.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_two_stage_kernel:
// CHECK-DAG: vfwmacc.vf
// CHECK-DAG: vfmax.vv
// CHECK-DAG: vfmadd.vv

module {
  tt.func public @two_stage_kernel(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f16>, %arg4: !tt.ptr<f32>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: f32) {
    %0 = tt.get_program_id y : i32
    %1 = tt.get_num_programs y : i32
    %2 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %3 = arith.muli %2, %c16_i32 : i32
    %4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %5 = tt.splat %3 : i32 -> tensor<16xi32>
    %6 = arith.addi %5, %4 : tensor<16xi32>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %6 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %9 = tt.splat %arg5 : i32 -> tensor<16x1xi32>
    %10 = arith.cmpi slt, %8, %9 : tensor<16x1xi32>
    %11 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.splat %arg6 : i32 -> tensor<1x64xi32>
    %13 = arith.cmpi slt, %11, %12 : tensor<1x64xi32>
    %14 = tt.broadcast %10 : tensor<16x1xi1> -> tensor<16x64xi1>
    %15 = tt.broadcast %13 : tensor<1x64xi1> -> tensor<16x64xi1>
    %16 = arith.andi %14, %15 : tensor<16x64xi1>
    %17 = tt.expand_dims %6 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %18 = tt.splat %1 : i32 -> tensor<16x1xi32>
    %19 = arith.muli %17, %18 : tensor<16x1xi32>
    %20 = tt.splat %arg6 : i32 -> tensor<16x1xi32>
    %21 = arith.muli %19, %20 : tensor<16x1xi32>
    %22 = arith.muli %0, %arg6 : i32
    %23 = tt.splat %22 : i32 -> tensor<16x1xi32>
    %24 = arith.addi %21, %23 : tensor<16x1xi32>
    %25 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %26 = tt.broadcast %24 : tensor<16x1xi32> -> tensor<16x64xi32>
    %27 = tt.broadcast %25 : tensor<1x64xi32> -> tensor<16x64xi32>
    %28 = arith.addi %26, %27 : tensor<16x64xi32>
    %29 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
    %30 = tt.addptr %29, %28 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %31 = arith.truncf %cst : f32 to f16
    %32 = tt.splat %31 : f16 -> tensor<16x64xf16>
    %33 = tt.load %30, %16, %32 : tensor<16x64x!tt.ptr<f16>>
    %cst_0 = arith.constant 1.44269502 : f32
    %34 = arith.mulf %arg8, %cst_0 : f32
    %35 = arith.extf %33 : tensor<16x64xf16> to tensor<16x64xf32>
    %36 = tt.splat %34 : f32 -> tensor<16x64xf32>
    %37 = arith.mulf %35, %36 : tensor<16x64xf32>
    %38 = arith.truncf %37 : tensor<16x64xf32> to tensor<16x64xf16>
    %39 = tt.call @triton.language.standard.zeros__Tc16_c64T_cfp32() : () -> tensor<16x64xf32>
    %40 = tt.call @triton.language.standard.zeros__Tc16T_cfp32() : () -> tensor<16xf32>
    %cst_1 = arith.constant -1.000000e+30 : f32
    %41 = tt.splat %cst_1 : f32 -> tensor<16xf32>
    %42 = arith.divsi %0, %arg7 : i32
    %43 = arith.muli %42, %arg6 : i32
    %44 = arith.divsi %1, %arg7 : i32
    %45 = arith.muli %44, %arg6 : i32
    %46 = tt.get_program_id x : i32
    %c16_i32_2 = arith.constant 16 : i32
    %47 = arith.muli %46, %c16_i32_2 : i32
    %c16_i32_3 = arith.constant 16 : i32
    %48 = arith.divsi %47, %c16_i32_3 : i32
    %c16_i32_4 = arith.constant 16 : i32
    %49 = arith.muli %48, %c16_i32_4 : i32
    %50:3 = tt.call @e2e.test_attention.stages__fp32S16_64S_fp32S16S_fp32S16S_fp16S16_64S_Pfp16_Pfp16_i32_i32S16S_c0_i32_i32_i32_i32_c64_c16_cFalse(%39, %40, %41, %38, %arg1, %arg2, %43, %6, %49, %arg5, %arg6, %45) : (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, tensor<16xi32>, i32, i32, i32, i32) -> (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
    %51 = tt.get_program_id x : i32
    %c1_i32 = arith.constant 1 : i32
    %52 = arith.addi %51, %c1_i32 : i32
    %c16_i32_5 = arith.constant 16 : i32
    %53 = arith.muli %52, %c16_i32_5 : i32
    %54 = arith.minsi %arg5, %53 : i32
    %55:3 = tt.call @e2e.test_attention.stages__fp32S16_64S_fp32S16S_fp32S16S_fp16S16_64S_Pfp16_Pfp16_i32_i32S16S_i32_i32_i32_i32_i32_c64_c16_cTrue(%50#0, %50#1, %50#2, %38, %arg1, %arg2, %43, %6, %49, %54, %arg5, %arg6, %45) : (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, tensor<16xi32>, i32, i32, i32, i32, i32) -> (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
    %56 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
    %57 = tt.addptr %56, %28 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    %58 = tt.expand_dims %55#1 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %59 = tt.broadcast %58 : tensor<16x1xf32> -> tensor<16x64xf32>
    %60 = arith.divf %55#0, %59 : tensor<16x64xf32>
    %61 = arith.truncf %60 : tensor<16x64xf32> to tensor<16x64xf16>
    tt.store %57, %61, %16 : tensor<16x64x!tt.ptr<f16>>
    %62 = tt.splat %1 : i32 -> tensor<16xi32>
    %63 = arith.muli %6, %62 : tensor<16xi32>
    %64 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %65 = tt.addptr %64, %63 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %66 = tt.splat %0 : i32 -> tensor<16xi32>
    %67 = tt.addptr %65, %66 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %68 = math.log2 %55#1 : tensor<16xf32>
    %69 = arith.addf %55#2, %68 : tensor<16xf32>
    %cst_6 = arith.constant 0.693147182 : f32
    %70 = tt.splat %cst_6 : f32 -> tensor<16xf32>
    %71 = arith.mulf %69, %70 : tensor<16xf32>
    %72 = tt.splat %arg5 : i32 -> tensor<16xi32>
    %73 = arith.cmpi slt, %6, %72 : tensor<16xi32>
    tt.store %67, %71, %73 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16_c64T_cfp32() -> tensor<16x64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<16x64xf32>
    tt.return %0 : tensor<16x64xf32>
  }
  tt.func private @triton.language.standard.zeros__Tc16T_cfp32() -> tensor<16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<16xf32>
    tt.return %0 : tensor<16xf32>
  }
  tt.func private @e2e.test_attention.stages__fp32S16_64S_fp32S16S_fp32S16S_fp16S16_64S_Pfp16_Pfp16_i32_i32S16S_c0_i32_i32_i32_i32_c64_c16_cFalse(%arg0: tensor<16x64xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x64xf16>, %arg4: !tt.ptr<f16>, %arg5: !tt.ptr<f16>, %arg6: i32, %arg7: tensor<16xi32>, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32) -> (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %1:3 = scf.for %arg12 = %c0_i32 to %arg8 step %c16_i32 iter_args(%arg13 = %arg1, %arg14 = %arg0, %arg15 = %arg2) -> (tensor<16xf32>, tensor<16x64xf32>, tensor<16xf32>)  : i32 {
      %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %3 = tt.splat %arg12 : i32 -> tensor<16xi32>
      %4 = arith.addi %3, %2 : tensor<16xi32>
      %5 = tt.addptr %arg4, %arg6 : !tt.ptr<f16>, i32
      %6 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %7 = tt.splat %arg11 : i32 -> tensor<1x16xi32>
      %8 = arith.muli %6, %7 : tensor<1x16xi32>
      %9 = tt.splat %5 : !tt.ptr<f16> -> tensor<1x16x!tt.ptr<f16>>
      %10 = tt.addptr %9, %8 : tensor<1x16x!tt.ptr<f16>>, tensor<1x16xi32>
      %11 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %12 = tt.broadcast %10 : tensor<1x16x!tt.ptr<f16>> -> tensor<64x16x!tt.ptr<f16>>
      %13 = tt.broadcast %11 : tensor<64x1xi32> -> tensor<64x16xi32>
      %14 = tt.addptr %12, %13 : tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>
      %15 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %16 = tt.splat %arg9 : i32 -> tensor<1x16xi32>
      %17 = arith.cmpi slt, %15, %16 : tensor<1x16xi32>
      %18 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %19 = tt.splat %arg10 : i32 -> tensor<64x1xi32>
      %20 = arith.cmpi slt, %18, %19 : tensor<64x1xi32>
      %21 = tt.broadcast %17 : tensor<1x16xi1> -> tensor<64x16xi1>
      %22 = tt.broadcast %20 : tensor<64x1xi1> -> tensor<64x16xi1>
      %23 = arith.andi %21, %22 : tensor<64x16xi1>
      %cst = arith.constant 0.000000e+00 : f32
      %24 = arith.truncf %cst : f32 to f16
      %25 = tt.splat %24 : f16 -> tensor<64x16xf16>
      %26 = tt.load %14, %23, %25 : tensor<64x16x!tt.ptr<f16>>
      %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %27 = tt.dot %arg3, %26, %cst_0 : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
      %28 = tt.call @triton.language.standard.max__fp32S16_16S_c1_cFalse_cTrue_cFalse(%27) : (tensor<16x16xf32>) -> tensor<16xf32>
      %29 = arith.maxnumf %arg15, %28 : tensor<16xf32>
      %30 = tt.expand_dims %29 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %31 = tt.broadcast %30 : tensor<16x1xf32> -> tensor<16x16xf32>
      %32 = arith.subf %27, %31 : tensor<16x16xf32>
      %33 = math.exp2 %32 : tensor<16x16xf32>
      %34 = arith.subf %arg15, %29 : tensor<16xf32>
      %35 = math.exp2 %34 : tensor<16xf32>
      %36 = arith.mulf %arg13, %35 : tensor<16xf32>
      %37 = tt.call @triton.language.standard.sum__fp32S16_16S_c1_cFalse_cNone(%33) : (tensor<16x16xf32>) -> tensor<16xf32>
      %38 = arith.addf %36, %37 : tensor<16xf32>
      %39 = tt.addptr %arg5, %arg6 : !tt.ptr<f16>, i32
      %40 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %41 = tt.splat %arg11 : i32 -> tensor<16x1xi32>
      %42 = arith.muli %40, %41 : tensor<16x1xi32>
      %43 = tt.splat %39 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
      %44 = tt.addptr %43, %42 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
      %45 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %46 = tt.broadcast %44 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x64x!tt.ptr<f16>>
      %47 = tt.broadcast %45 : tensor<1x64xi32> -> tensor<16x64xi32>
      %48 = tt.addptr %46, %47 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
      %49 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %50 = tt.splat %arg9 : i32 -> tensor<16x1xi32>
      %51 = arith.cmpi slt, %49, %50 : tensor<16x1xi32>
      %52 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %53 = tt.splat %arg10 : i32 -> tensor<1x64xi32>
      %54 = arith.cmpi slt, %52, %53 : tensor<1x64xi32>
      %55 = tt.broadcast %51 : tensor<16x1xi1> -> tensor<16x64xi1>
      %56 = tt.broadcast %54 : tensor<1x64xi1> -> tensor<16x64xi1>
      %57 = arith.andi %55, %56 : tensor<16x64xi1>
      %cst_1 = arith.constant 0.000000e+00 : f32
      %58 = arith.truncf %cst_1 : f32 to f16
      %59 = tt.splat %58 : f16 -> tensor<16x64xf16>
      %60 = tt.load %48, %57, %59 : tensor<16x64x!tt.ptr<f16>>
      %61 = arith.truncf %33 : tensor<16x16xf32> to tensor<16x16xf16>
      %62 = tt.expand_dims %35 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %63 = tt.broadcast %62 : tensor<16x1xf32> -> tensor<16x64xf32>
      %64 = arith.mulf %arg14, %63 : tensor<16x64xf32>
      %65 = tt.dot %61, %60, %64 : tensor<16x16xf16> * tensor<16x64xf16> -> tensor<16x64xf32>
      scf.yield %38, %65, %29 : tensor<16xf32>, tensor<16x64xf32>, tensor<16xf32>
    }
    tt.return %1#1, %1#0, %1#2 : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>
  }
  tt.func private @triton.language.standard.max__fp32S16_16S_c1_cFalse_cTrue_cFalse(%arg0: tensor<16x16xf32>) -> tensor<16xf32> {
    %0 = tt.call @triton.language.standard._extremum__fp32S16_16S_c1_cFalse_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0) : (tensor<16x16xf32>) -> tensor<16xf32>
    tt.return %0 : tensor<16xf32>
  }
  tt.func private @triton.language.standard._extremum__fp32S16_16S_c1_cFalse_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0: tensor<16x16xf32>) -> tensor<16xf32> {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<16x16xf32>) -> tensor<16xf32>
    tt.return %0 : tensor<16xf32>
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard.sum__fp32S16_16S_c1_cFalse_cNone(%arg0: tensor<16x16xf32>) -> tensor<16xf32> {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<16x16xf32>) -> tensor<16xf32>
    tt.return %0 : tensor<16xf32>
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
  tt.func private @e2e.test_attention.stages__fp32S16_64S_fp32S16S_fp32S16S_fp16S16_64S_Pfp16_Pfp16_i32_i32S16S_i32_i32_i32_i32_i32_c64_c16_cTrue(%arg0: tensor<16x64xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x64xf16>, %arg4: !tt.ptr<f16>, %arg5: !tt.ptr<f16>, %arg6: i32, %arg7: tensor<16xi32>, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32, %arg12: i32) -> (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %c16_i32 = arith.constant 16 : i32
    %1:3 = scf.for %arg13 = %arg8 to %arg9 step %c16_i32 iter_args(%arg14 = %arg1, %arg15 = %arg0, %arg16 = %arg2) -> (tensor<16xf32>, tensor<16x64xf32>, tensor<16xf32>)  : i32 {
      %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %3 = tt.splat %arg13 : i32 -> tensor<16xi32>
      %4 = arith.addi %3, %2 : tensor<16xi32>
      %5 = tt.addptr %arg4, %arg6 : !tt.ptr<f16>, i32
      %6 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %7 = tt.splat %arg12 : i32 -> tensor<1x16xi32>
      %8 = arith.muli %6, %7 : tensor<1x16xi32>
      %9 = tt.splat %5 : !tt.ptr<f16> -> tensor<1x16x!tt.ptr<f16>>
      %10 = tt.addptr %9, %8 : tensor<1x16x!tt.ptr<f16>>, tensor<1x16xi32>
      %11 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %12 = tt.broadcast %10 : tensor<1x16x!tt.ptr<f16>> -> tensor<64x16x!tt.ptr<f16>>
      %13 = tt.broadcast %11 : tensor<64x1xi32> -> tensor<64x16xi32>
      %14 = tt.addptr %12, %13 : tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>
      %15 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %16 = tt.splat %arg10 : i32 -> tensor<1x16xi32>
      %17 = arith.cmpi slt, %15, %16 : tensor<1x16xi32>
      %18 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %19 = tt.splat %arg11 : i32 -> tensor<64x1xi32>
      %20 = arith.cmpi slt, %18, %19 : tensor<64x1xi32>
      %21 = tt.broadcast %17 : tensor<1x16xi1> -> tensor<64x16xi1>
      %22 = tt.broadcast %20 : tensor<64x1xi1> -> tensor<64x16xi1>
      %23 = arith.andi %21, %22 : tensor<64x16xi1>
      %cst = arith.constant 0.000000e+00 : f32
      %24 = arith.truncf %cst : f32 to f16
      %25 = tt.splat %24 : f16 -> tensor<64x16xf16>
      %26 = tt.load %14, %23, %25 : tensor<64x16x!tt.ptr<f16>>
      %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %27 = tt.dot %arg3, %26, %cst_0 : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
      %28 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %29 = tt.splat %arg10 : i32 -> tensor<1x16xi32>
      %30 = arith.cmpi slt, %28, %29 : tensor<1x16xi32>
      %31 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %32 = tt.expand_dims %arg7 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %33 = tt.broadcast %31 : tensor<1x16xi32> -> tensor<16x16xi32>
      %34 = tt.broadcast %32 : tensor<16x1xi32> -> tensor<16x16xi32>
      %35 = arith.cmpi sle, %33, %34 : tensor<16x16xi32>
      %36 = tt.broadcast %30 : tensor<1x16xi1> -> tensor<16x16xi1>
      %37 = arith.andi %36, %35 : tensor<16x16xi1>
      %cst_1 = arith.constant -1.000000e+30 : f32
      %38 = tt.splat %cst_1 : f32 -> tensor<16x16xf32>
      %39 = arith.select %37, %27, %38 : tensor<16x16xi1>, tensor<16x16xf32>
      %40 = tt.call @triton.language.standard.max__fp32S16_16S_c1_cFalse_cTrue_cFalse(%39) : (tensor<16x16xf32>) -> tensor<16xf32>
      %41 = arith.maxnumf %arg16, %40 : tensor<16xf32>
      %42 = tt.expand_dims %41 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %43 = tt.broadcast %42 : tensor<16x1xf32> -> tensor<16x16xf32>
      %44 = arith.subf %39, %43 : tensor<16x16xf32>
      %45 = math.exp2 %44 : tensor<16x16xf32>
      %46 = arith.subf %arg16, %41 : tensor<16xf32>
      %47 = math.exp2 %46 : tensor<16xf32>
      %48 = arith.mulf %arg14, %47 : tensor<16xf32>
      %49 = tt.call @triton.language.standard.sum__fp32S16_16S_c1_cFalse_cNone(%45) : (tensor<16x16xf32>) -> tensor<16xf32>
      %50 = arith.addf %48, %49 : tensor<16xf32>
      %51 = tt.addptr %arg5, %arg6 : !tt.ptr<f16>, i32
      %52 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %53 = tt.splat %arg12 : i32 -> tensor<16x1xi32>
      %54 = arith.muli %52, %53 : tensor<16x1xi32>
      %55 = tt.splat %51 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
      %56 = tt.addptr %55, %54 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
      %57 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %58 = tt.broadcast %56 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x64x!tt.ptr<f16>>
      %59 = tt.broadcast %57 : tensor<1x64xi32> -> tensor<16x64xi32>
      %60 = tt.addptr %58, %59 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
      %61 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %62 = tt.splat %arg10 : i32 -> tensor<16x1xi32>
      %63 = arith.cmpi slt, %61, %62 : tensor<16x1xi32>
      %64 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %65 = tt.splat %arg11 : i32 -> tensor<1x64xi32>
      %66 = arith.cmpi slt, %64, %65 : tensor<1x64xi32>
      %67 = tt.broadcast %63 : tensor<16x1xi1> -> tensor<16x64xi1>
      %68 = tt.broadcast %66 : tensor<1x64xi1> -> tensor<16x64xi1>
      %69 = arith.andi %67, %68 : tensor<16x64xi1>
      %cst_2 = arith.constant 0.000000e+00 : f32
      %70 = arith.truncf %cst_2 : f32 to f16
      %71 = tt.splat %70 : f16 -> tensor<16x64xf16>
      %72 = tt.load %60, %69, %71 : tensor<16x64x!tt.ptr<f16>>
      %73 = arith.truncf %45 : tensor<16x16xf32> to tensor<16x16xf16>
      %74 = tt.expand_dims %47 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %75 = tt.broadcast %74 : tensor<16x1xf32> -> tensor<16x64xf32>
      %76 = arith.mulf %arg15, %75 : tensor<16x64xf32>
      %77 = tt.dot %73, %72, %76 : tensor<16x16xf16> * tensor<16x64xf16> -> tensor<16x64xf32>
      scf.yield %50, %77, %41 : tensor<16xf32>, tensor<16x64xf32>, tensor<16xf32>
    }
    tt.return %1#1, %1#0, %1#2 : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>
  }
}
