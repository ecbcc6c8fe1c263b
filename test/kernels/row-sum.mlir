// Row sums with a loop over columns.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_row_sum_kernel:
// CHECK: vle16.v
// CHECK: vfadd
// CHECK: vse32.v

module {
  tt.func public @row_sum_kernel(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) {
    %0 = tt.get_program_id x : i32
    %1 = tt.call @triton.language.standard.zeros__Tc128T_cfp32() : () -> tensor<128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %2 = scf.for %arg4 = %c0_i32 to %arg2 step %c128_i32 iter_args(%arg5 = %1) -> (tensor<128xf32>)  : i32 {
      %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %6 = tt.splat %arg4 : i32 -> tensor<128xi32>
      %7 = arith.addi %6, %5 : tensor<128xi32>
      %8 = arith.muli %0, %arg3 : i32
      %9 = tt.addptr %arg0, %8 : !tt.ptr<f16>, i32
      %10 = tt.splat %9 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>>
      %11 = tt.addptr %10, %7 : tensor<128x!tt.ptr<f16>>, tensor<128xi32>
      %12 = tt.splat %arg2 : i32 -> tensor<128xi32>
      %13 = arith.cmpi slt, %7, %12 : tensor<128xi32>
      %cst = arith.constant 0.000000e+00 : f32
      %14 = arith.truncf %cst : f32 to f16
      %15 = tt.splat %14 : f16 -> tensor<128xf16>
      %16 = tt.load %11, %13, %15 : tensor<128x!tt.ptr<f16>>
      %17 = arith.extf %16 : tensor<128xf16> to tensor<128xf32>
      %18 = arith.addf %arg5, %17 : tensor<128xf32>
      scf.yield %18 : tensor<128xf32>
    }
    %3 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %4 = tt.call @triton.language.standard.sum__fp32S128S_c0_cFalse_cNone(%2) : (tensor<128xf32>) -> f32
    tt.store %3, %4 : !tt.ptr<f32>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc128T_cfp32() -> tensor<128xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<128xf32>
    tt.return %0 : tensor<128xf32>
  }
  tt.func private @triton.language.standard.sum__fp32S128S_c0_cFalse_cNone(%arg0: tensor<128xf32>) -> f32 {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<128xf32>) -> f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
}
