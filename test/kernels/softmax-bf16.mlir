// Fused softmax of a bf16 row: conversions are inline.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_softmax_kernel:
// CHECK: vle16.v
// CHECK: vfm
// CHECK: vse16.v

module {
  tt.func public @softmax_kernel(%arg0: !tt.ptr<bf16>, %arg1: !tt.ptr<bf16>, %arg2: i32, %arg3: i32, %arg4: i32) {
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %2 = tt.splat %arg4 : i32 -> tensor<1024xi32>
    %3 = arith.cmpi slt, %1, %2 : tensor<1024xi32>
    %4 = arith.muli %0, %arg3 : i32
    %5 = tt.addptr %arg1, %4 : !tt.ptr<bf16>, i32
    %6 = tt.splat %5 : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
    %7 = tt.addptr %6, %1 : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
    %cst = arith.constant 0xFF800000 : f32
    %8 = arith.truncf %cst : f32 to bf16
    %9 = tt.splat %8 : bf16 -> tensor<1024xbf16>
    %10 = tt.load %7, %3, %9 : tensor<1024x!tt.ptr<bf16>>
    %11 = arith.extf %10 : tensor<1024xbf16> to tensor<1024xf32>
    %12 = tt.call @triton.language.standard.max__fp32S1024S_c0_cFalse_cTrue_cFalse(%11) : (tensor<1024xf32>) -> f32
    %13 = tt.splat %12 : f32 -> tensor<1024xf32>
    %14 = arith.subf %11, %13 : tensor<1024xf32>
    %15 = math.exp %14 : tensor<1024xf32>
    %16 = arith.muli %0, %arg2 : i32
    %17 = tt.addptr %arg0, %16 : !tt.ptr<bf16>, i32
    %18 = tt.splat %17 : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
    %19 = tt.addptr %18, %1 : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
    %20 = tt.call @triton.language.standard.sum__fp32S1024S_c0_cFalse_cNone(%15) : (tensor<1024xf32>) -> f32
    %21 = tt.splat %20 : f32 -> tensor<1024xf32>
    %22 = arith.divf %15, %21 : tensor<1024xf32>
    %23 = arith.truncf %22 : tensor<1024xf32> to tensor<1024xbf16>
    tt.store %19, %23, %3 : tensor<1024x!tt.ptr<bf16>>
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
