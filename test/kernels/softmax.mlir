// Fused softmax of a row.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_softmax_kernel:
// CHECK: vle32.v
// CHECK: vfmax
// CHECK: vfmacc
// CHECK: vse32.v

// AVX-512 multiplies by the power of two in one instruction.
// RUN: %trireme-opt --stop-after=asm --target=x86-64-v4 %s | FileCheck %s --check-prefix=AVX512
// AVX512: vscalefps
// AVX512-NOT: vpslld

module {
  tt.func public @softmax_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32) {
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %2 = tt.splat %arg4 : i32 -> tensor<1024xi32>
    %3 = arith.cmpi slt, %1, %2 : tensor<1024xi32>
    %4 = arith.muli %0, %arg3 : i32
    %5 = tt.addptr %arg1, %4 : !tt.ptr<f32>, i32
    %6 = tt.splat %5 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %7 = tt.addptr %6, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %cst = arith.constant 0xFF800000 : f32
    %8 = tt.splat %cst : f32 -> tensor<1024xf32>
    %9 = tt.load %7, %3, %8 : tensor<1024x!tt.ptr<f32>>
    %10 = tt.call @triton.language.standard.max__fp32S1024S_c0_cFalse_cTrue_cFalse(%9) : (tensor<1024xf32>) -> f32
    %11 = tt.splat %10 : f32 -> tensor<1024xf32>
    %12 = arith.subf %9, %11 : tensor<1024xf32>
    %13 = math.exp %12 : tensor<1024xf32>
    %14 = arith.muli %0, %arg2 : i32
    %15 = tt.addptr %arg0, %14 : !tt.ptr<f32>, i32
    %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %17 = tt.addptr %16, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %18 = tt.call @triton.language.standard.sum__fp32S1024S_c0_cFalse_cNone(%13) : (tensor<1024xf32>) -> f32
    %19 = tt.splat %18 : f32 -> tensor<1024xf32>
    %20 = arith.divf %13, %19 : tensor<1024xf32>
    tt.store %17, %20, %3 : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.max__fp32S1024S_c0_cFalse_cTrue_cFalse(%arg0: tensor<1024xf32>) -> f32 {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<1024xf32>) -> f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard.sum__fp32S1024S_c0_cFalse_cNone(%arg0: tensor<1024xf32>) -> f32 {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %1 : f32
    }) : (tensor<1024xf32>) -> f32
    tt.return %0 : f32
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  }
}
