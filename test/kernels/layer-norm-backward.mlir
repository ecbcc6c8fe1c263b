// The gradients of a layer norm over rows a program takes in turn: carried sums.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_partial_backward_kernel:
// CHECK-DAG: vle16.v
// CHECK-DAG: vfsub.vf
// CHECK-DAG: vfmul.vf
// CHECK-DAG: vse32.v

module {
  tt.func public @partial_backward_kernel(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f32>, %arg4: !tt.ptr<f32>, %arg5: !tt.ptr<f16>, %arg6: !tt.ptr<f32>, %arg7: !tt.ptr<f32>, %arg8: i32, %arg9: i32) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %3 = tt.splat %arg9 : i32 -> tensor<64xi32>
    %4 = arith.cmpi slt, %0, %3 : tensor<64xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %5 = arith.truncf %cst : f32 to f16
    %6 = tt.splat %5 : f16 -> tensor<64xf16>
    %7 = tt.load %2, %4, %6 : tensor<64x!tt.ptr<f16>>
    %8 = arith.extf %7 : tensor<64xf16> to tensor<64xf32>
    %9 = tt.call @triton.language.standard.zeros__Tc64T_cfp32() : () -> tensor<64xf32>
    %10 = tt.call @triton.language.standard.zeros__Tc64T_cfp32() : () -> tensor<64xf32>
    %11 = tt.get_program_id x : i32
    %12 = tt.get_num_programs x : i32
    %13:2 = scf.for %arg10 = %11 to %arg8 step %12 iter_args(%arg11 = %9, %arg12 = %10) -> (tensor<64xf32>, tensor<64xf32>)  : i32 {
      %28:2 = tt.call @e2e.test_norms.row_gradient__Pfp16_Pfp16_Pfp16_fp32S64S_Pfp32_Pfp32_i32_i32_i32S64S(%arg0, %arg2, %arg5, %8, %arg3, %arg4, %arg10, %arg9, %0) : (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, tensor<64xf32>, !tt.ptr<f32>, !tt.ptr<f32>, i32, i32, tensor<64xi32>) -> (tensor<64xf32>, tensor<64xf32>)
      %29 = arith.addf %arg11, %28#0 : tensor<64xf32>
      %30 = arith.addf %arg12, %28#1 : tensor<64xf32>
      scf.yield %29, %30 : tensor<64xf32>, tensor<64xf32>
    }
    %14 = tt.get_program_id x : i32
    %15 = arith.muli %14, %arg9 : i32
    %16 = tt.addptr %arg6, %15 : !tt.ptr<f32>, i32
    %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %18 = tt.addptr %17, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %19 = tt.splat %arg9 : i32 -> tensor<64xi32>
    %20 = arith.cmpi slt, %0, %19 : tensor<64xi32>
    tt.store %18, %13#0, %20 : tensor<64x!tt.ptr<f32>>
    %21 = tt.get_program_id x : i32
    %22 = arith.muli %21, %arg9 : i32
    %23 = tt.addptr %arg7, %22 : !tt.ptr<f32>, i32
    %24 = tt.splat %23 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %25 = tt.addptr %24, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %26 = tt.splat %arg9 : i32 -> tensor<64xi32>
    %27 = arith.cmpi slt, %0, %26 : tensor<64xi32>
    tt.store %25, %13#1, %27 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc64T_cfp32() -> tensor<64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<64xf32>
    tt.return %0 : tensor<64xf32>
  }
  tt.func private @e2e.test_norms.row_gradient__Pfp16_Pfp16_Pfp16_fp32S64S_Pfp32_Pfp32_i32_i32_i32S64S(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: tensor<64xf32>, %arg4: !tt.ptr<f32>, %arg5: !tt.ptr<f32>, %arg6: i32, %arg7: i32, %arg8: tensor<64xi32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %0 = arith.muli %arg6, %arg7 : i32
    %1 = tt.addptr %arg0, %0 : !tt.ptr<f16>, i32
    %2 = tt.splat %1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %3 = tt.addptr %2, %arg8 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %4 = tt.splat %arg7 : i32 -> tensor<64xi32>
    %5 = arith.cmpi slt, %arg8, %4 : tensor<64xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %6 = arith.truncf %cst : f32 to f16
    %7 = tt.splat %6 : f16 -> tensor<64xf16>
    %8 = tt.load %3, %5, %7 : tensor<64x!tt.ptr<f16>>
    %9 = arith.extf %8 : tensor<64xf16> to tensor<64xf32>
    %10 = arith.muli %arg6, %arg7 : i32
    %11 = tt.addptr %arg1, %10 : !tt.ptr<f16>, i32
    %12 = tt.splat %11 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %13 = tt.addptr %12, %arg8 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %14 = tt.splat %arg7 : i32 -> tensor<64xi32>
    %15 = arith.cmpi slt, %arg8, %14 : tensor<64xi32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %16 = arith.truncf %cst_0 : f32 to f16
    %17 = tt.splat %16 : f16 -> tensor<64xf16>
    %18 = tt.load %13, %15, %17 : tensor<64x!tt.ptr<f16>>
    %19 = arith.extf %18 : tensor<64xf16> to tensor<64xf32>
    %20 = tt.addptr %arg5, %arg6 : !tt.ptr<f32>, i32
    %21 = tt.load %20 : !tt.ptr<f32>
    %22 = tt.splat %arg7 : i32 -> tensor<64xi32>
    %23 = arith.cmpi slt, %arg8, %22 : tensor<64xi32>
    %24 = tt.addptr %arg4, %arg6 : !tt.ptr<f32>, i32
    %25 = tt.load %24 : !tt.ptr<f32>
    %26 = tt.splat %25 : f32 -> tensor<64xf32>
    %27 = arith.subf %9, %26 : tensor<64xf32>
    %28 = tt.splat %21 : f32 -> tensor<64xf32>
    %29 = arith.mulf %27, %28 : tensor<64xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %30 = tt.splat %cst_1 : f32 -> tensor<64xf32>
    %31 = arith.select %23, %29, %30 : tensor<64xi1>, tensor<64xf32>
    %32 = arith.mulf %arg3, %19 : tensor<64xf32>
    %33 = arith.mulf %31, %32 : tensor<64xf32>
    %34 = tt.call @triton.language.standard.sum__fp32S64S_c0_cFalse_cNone(%33) : (tensor<64xf32>) -> f32
    %35 = arith.sitofp %arg7 : i32 to f32
    %36 = arith.divf %34, %35 : f32
    %37 = tt.call @triton.language.standard.sum__fp32S64S_c0_cFalse_cNone(%32) : (tensor<64xf32>) -> f32
    %38 = arith.sitofp %arg7 : i32 to f32
    %39 = arith.divf %37, %38 : f32
    %40 = arith.muli %arg6, %arg7 : i32
    %41 = tt.addptr %arg2, %40 : !tt.ptr<f16>, i32
    %42 = tt.splat %41 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %43 = tt.addptr %42, %arg8 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %44 = tt.splat %36 : f32 -> tensor<64xf32>
    %45 = arith.mulf %31, %44 : tensor<64xf32>
    %46 = arith.subf %32, %45 : tensor<64xf32>
    %47 = tt.splat %39 : f32 -> tensor<64xf32>
    %48 = arith.subf %46, %47 : tensor<64xf32>
    %49 = tt.splat %21 : f32 -> tensor<64xf32>
    %50 = arith.mulf %48, %49 : tensor<64xf32>
    %51 = tt.splat %arg7 : i32 -> tensor<64xi32>
    %52 = arith.cmpi slt, %arg8, %51 : tensor<64xi32>
    %53 = arith.truncf %50 : tensor<64xf32> to tensor<64xf16>
    tt.store %43, %53, %52 : tensor<64x!tt.ptr<f16>>
    %54 = arith.mulf %19, %31 : tensor<64xf32>
    tt.return %54, %19 : tensor<64xf32>, tensor<64xf32>
  }
  tt.func private @triton.language.standard.sum__fp32S64S_c0_cFalse_cNone(%arg0: tensor<64xf32>) -> f32 {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<64xf32>) -> f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
}
