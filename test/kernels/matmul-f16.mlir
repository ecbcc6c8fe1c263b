// Matrix product of f16, accumulated in f32.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_matmul_kernel:
// CHECK: vfwmacc.vf

module {
  tt.func public @matmul_kernel(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32) {
    %0 = tt.get_program_id x : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %4 = arith.addi %3, %2 : tensor<32xi32>
    %5 = tt.get_program_id y : i32
    %c32_i32_0 = arith.constant 32 : i32
    %6 = arith.muli %5, %c32_i32_0 : i32
    %7 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %8 = tt.splat %6 : i32 -> tensor<32xi32>
    %9 = arith.addi %8, %7 : tensor<32xi32>
    %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %12 = tt.splat %arg6 : i32 -> tensor<32x1xi32>
    %13 = arith.muli %11, %12 : tensor<32x1xi32>
    %14 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %15 = tt.addptr %14, %13 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %16 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %17 = tt.splat %arg7 : i32 -> tensor<1x32xi32>
    %18 = arith.muli %16, %17 : tensor<1x32xi32>
    %19 = tt.broadcast %15 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x32x!tt.ptr<f16>>
    %20 = tt.broadcast %18 : tensor<1x32xi32> -> tensor<32x32xi32>
    %21 = tt.addptr %19, %20 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %22 = tt.expand_dims %10 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %23 = tt.splat %arg8 : i32 -> tensor<32x1xi32>
    %24 = arith.muli %22, %23 : tensor<32x1xi32>
    %25 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %26 = tt.addptr %25, %24 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %27 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %28 = tt.splat %arg9 : i32 -> tensor<1x32xi32>
    %29 = arith.muli %27, %28 : tensor<1x32xi32>
    %30 = tt.broadcast %26 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x32x!tt.ptr<f16>>
    %31 = tt.broadcast %29 : tensor<1x32xi32> -> tensor<32x32xi32>
    %32 = tt.addptr %30, %31 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %33 = tt.call @triton.language.standard.zeros__Tc32_c32T_cfp32() : () -> tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32_1 = arith.constant 32 : i32
    %34:3 = scf.for %arg12 = %c0_i32 to %arg5 step %c32_i32_1 iter_args(%arg13 = %33, %arg14 = %21, %arg15 = %32) -> (tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>)  : i32 {
      %55 = arith.subi %arg5, %arg12 : i32
      %56 = tt.splat %55 : i32 -> tensor<32xi32>
      %57 = arith.cmpi slt, %10, %56 : tensor<32xi32>
      %58 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %59 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
      %60 = arith.cmpi slt, %58, %59 : tensor<32x1xi32>
      %61 = tt.expand_dims %57 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %62 = tt.broadcast %60 : tensor<32x1xi1> -> tensor<32x32xi1>
      %63 = tt.broadcast %61 : tensor<1x32xi1> -> tensor<32x32xi1>
      %64 = arith.andi %62, %63 : tensor<32x32xi1>
      %cst = arith.constant 0.000000e+00 : f32
      %65 = arith.truncf %cst : f32 to f16
      %66 = tt.splat %65 : f16 -> tensor<32x32xf16>
      %67 = tt.load %arg14, %64, %66 : tensor<32x32x!tt.ptr<f16>>
      %68 = tt.expand_dims %57 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %69 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %70 = tt.splat %arg4 : i32 -> tensor<1x32xi32>
      %71 = arith.cmpi slt, %69, %70 : tensor<1x32xi32>
      %72 = tt.broadcast %68 : tensor<32x1xi1> -> tensor<32x32xi1>
      %73 = tt.broadcast %71 : tensor<1x32xi1> -> tensor<32x32xi1>
      %74 = arith.andi %72, %73 : tensor<32x32xi1>
      %cst_2 = arith.constant 0.000000e+00 : f32
      %75 = arith.truncf %cst_2 : f32 to f16
      %76 = tt.splat %75 : f16 -> tensor<32x32xf16>
      %77 = tt.load %arg15, %74, %76 : tensor<32x32x!tt.ptr<f16>>
      %78 = tt.dot %67, %77, %arg13 : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
      %c32_i32_3 = arith.constant 32 : i32
      %79 = arith.muli %c32_i32_3, %arg7 : i32
      %80 = tt.splat %79 : i32 -> tensor<32x32xi32>
      %81 = tt.addptr %arg14, %80 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      %c32_i32_4 = arith.constant 32 : i32
      %82 = arith.muli %c32_i32_4, %arg8 : i32
      %83 = tt.splat %82 : i32 -> tensor<32x32xi32>
      %84 = tt.addptr %arg15, %83 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      scf.yield %78, %81, %84 : tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>
    }
    %35 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %36 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
    %37 = arith.cmpi slt, %35, %36 : tensor<32x1xi32>
    %38 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %39 = tt.splat %arg4 : i32 -> tensor<1x32xi32>
    %40 = arith.cmpi slt, %38, %39 : tensor<1x32xi32>
    %41 = tt.broadcast %37 : tensor<32x1xi1> -> tensor<32x32xi1>
    %42 = tt.broadcast %40 : tensor<1x32xi1> -> tensor<32x32xi1>
    %43 = arith.andi %41, %42 : tensor<32x32xi1>
    %44 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %45 = tt.splat %arg10 : i32 -> tensor<32x1xi32>
    %46 = arith.muli %44, %45 : tensor<32x1xi32>
    %47 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %48 = tt.addptr %47, %46 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %49 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %50 = tt.splat %arg11 : i32 -> tensor<1x32xi32>
    %51 = arith.muli %49, %50 : tensor<1x32xi32>
    %52 = tt.broadcast %48 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %53 = tt.broadcast %51 : tensor<1x32xi32> -> tensor<32x32xi32>
    %54 = tt.addptr %52, %53 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    tt.store %54, %34#0, %43 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc32_c32T_cfp32() -> tensor<32x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<32x32xf32>
    tt.return %0 : tensor<32x32xf32>
  }
}
