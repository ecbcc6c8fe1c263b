// Three values a lane carried over tiles and reduced along the first axis.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_variance_kernel:
// CHECK-DAG: {{vle32.v|vl1re32.v}}
// CHECK-DAG: vfdiv.vv
// CHECK-DAG: vse32.v

module {
  tt.func public @variance_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32) {
    %0 = tt.get_program_id x : i32
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.muli %0, %c8_i32 : i32
    %2 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %3 = tt.splat %1 : i32 -> tensor<8xi32>
    %4 = arith.addi %3, %2 : tensor<8xi32>
    %5 = tt.call @triton.language.standard.zeros__Tc16_c8T_cfp32() : () -> tensor<16x8xf32>
    %6 = tt.call @triton.language.standard.zeros__Tc16_c8T_cfp32() : () -> tensor<16x8xf32>
    %7 = tt.call @triton.language.standard.zeros__Tc16_c8T_cfp32() : () -> tensor<16x8xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %8:3 = scf.for %arg5 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg6 = %5, %arg7 = %6, %arg8 = %7) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)  : i32 {
      %19 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %20 = tt.splat %arg5 : i32 -> tensor<16xi32>
      %21 = arith.addi %20, %19 : tensor<16xi32>
      %22 = tt.expand_dims %21 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %23 = tt.expand_dims %4 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %24 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
      %25 = arith.cmpi slt, %22, %24 : tensor<16x1xi32>
      %26 = tt.splat %arg4 : i32 -> tensor<1x8xi32>
      %27 = arith.cmpi slt, %23, %26 : tensor<1x8xi32>
      %28 = tt.broadcast %25 : tensor<16x1xi1> -> tensor<16x8xi1>
      %29 = tt.broadcast %27 : tensor<1x8xi1> -> tensor<16x8xi1>
      %30 = arith.andi %28, %29 : tensor<16x8xi1>
      %31 = tt.splat %arg4 : i32 -> tensor<16x1xi32>
      %32 = arith.muli %22, %31 : tensor<16x1xi32>
      %33 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
      %34 = tt.addptr %33, %32 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
      %35 = tt.broadcast %34 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %36 = tt.broadcast %23 : tensor<1x8xi32> -> tensor<16x8xi32>
      %37 = tt.addptr %35, %36 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %cst = arith.constant 0.000000e+00 : f32
      %38 = tt.splat %cst : f32 -> tensor<16x8xf32>
      %39 = tt.load %37, %30, %38 : tensor<16x8x!tt.ptr<f32>>
      %cst_0 = arith.constant 1.000000e+00 : f32
      %cst_1 = arith.constant 0.000000e+00 : f32
      %40 = tt.splat %cst_0 : f32 -> tensor<16x8xf32>
      %41 = tt.splat %cst_1 : f32 -> tensor<16x8xf32>
      %42 = arith.select %30, %40, %41 : tensor<16x8xi1>, tensor<16x8xf32>
      %43:3 = tt.call @e2e.test_norms.welford_step__fp32S16_8S_fp32S16_8S_fp32S16_8S_fp32S16_8S_c0.0_fp32S16_8S(%arg6, %arg7, %arg8, %39, %42) : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      scf.yield %43#0, %43#1, %43#2 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
    }
    %9:3 = "tt.reduce"(%8#0, %8#1, %8#2) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32, %arg7: f32, %arg8: f32, %arg9: f32, %arg10: f32):
      %19:3 = tt.call @e2e.test_norms.welford_step__fp32_fp32_fp32_fp32_fp32_fp32(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10) : (f32, f32, f32, f32, f32, f32) -> (f32, f32, f32)
      tt.reduce.return %19#0, %19#1, %19#2 : f32, f32, f32
    }) : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    %10 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %11 = tt.addptr %10, %4 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %12 = tt.splat %arg4 : i32 -> tensor<8xi32>
    %13 = arith.cmpi slt, %4, %12 : tensor<8xi32>
    tt.store %11, %9#0, %13 : tensor<8x!tt.ptr<f32>>
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %15 = tt.addptr %14, %4 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %16 = arith.divf %9#1, %9#2 : tensor<8xf32>
    %17 = tt.splat %arg4 : i32 -> tensor<8xi32>
    %18 = arith.cmpi slt, %4, %17 : tensor<8xi32>
    tt.store %15, %16, %18 : tensor<8x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16_c8T_cfp32() -> tensor<16x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<16x8xf32>
    tt.return %0 : tensor<16x8xf32>
  }
  tt.func private @e2e.test_norms.welford_step__fp32S16_8S_fp32S16_8S_fp32S16_8S_fp32S16_8S_c0.0_fp32S16_8S(%arg0: tensor<16x8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
    %0 = arith.addf %arg2, %arg4 : tensor<16x8xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tt.splat %cst : f32 -> tensor<16x8xf32>
    %2 = arith.cmpf oeq, %0, %1 : tensor<16x8xf32>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %3 = tt.splat %cst_0 : f32 -> tensor<16x8xf32>
    %4 = arith.maxnumf %0, %3 : tensor<16x8xf32>
    %5 = arith.divf %arg4, %4 : tensor<16x8xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %6 = tt.splat %cst_1 : f32 -> tensor<16x8xf32>
    %7 = arith.select %2, %6, %5 : tensor<16x8xi1>, tensor<16x8xf32>
    %8 = arith.subf %arg3, %arg0 : tensor<16x8xf32>
    %9 = arith.mulf %8, %7 : tensor<16x8xf32>
    %10 = arith.addf %arg0, %9 : tensor<16x8xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %11 = tt.splat %cst_2 : f32 -> tensor<16x8xf32>
    %12 = arith.addf %arg1, %11 : tensor<16x8xf32>
    %13 = arith.mulf %8, %8 : tensor<16x8xf32>
    %14 = arith.mulf %13, %arg2 : tensor<16x8xf32>
    %15 = arith.mulf %14, %7 : tensor<16x8xf32>
    %16 = arith.addf %12, %15 : tensor<16x8xf32>
    tt.return %10, %16, %0 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  }
  tt.func private @e2e.test_norms.welford_step__fp32_fp32_fp32_fp32_fp32_fp32(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32, %arg5: f32) -> (f32, f32, f32) {
    %0 = arith.addf %arg2, %arg5 : f32
    %cst = arith.constant 0.000000e+00 : f32
    %1 = arith.cmpf oeq, %0, %cst : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %2 = arith.maxnumf %0, %cst_0 : f32
    %3 = arith.divf %arg5, %2 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %4 = arith.select %1, %cst_1, %3 : f32
    %5 = arith.subf %arg3, %arg0 : f32
    %6 = arith.mulf %5, %4 : f32
    %7 = arith.addf %arg0, %6 : f32
    %8 = arith.addf %arg1, %arg4 : f32
    %9 = arith.mulf %5, %5 : f32
    %10 = arith.mulf %9, %arg2 : f32
    %11 = arith.mulf %10, %4 : f32
    %12 = arith.addf %8, %11 : f32
    tt.return %7, %12, %0 : f32, f32, f32
  }
}
