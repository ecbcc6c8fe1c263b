// A product through block pointers of any strides, padded with zeros.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_block_pointer_kernel:
// CHECK-DAG: vfwmacc.vf

module {
  tt.func public @block_pointer_kernel(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32) {
    %0 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = tt.get_program_id y : i32
    %c16_i32_0 = arith.constant 16 : i32
    %3 = arith.muli %2, %c16_i32_0 : i32
    %4 = arith.extsi %arg3 : i32 to i64
    %5 = arith.extsi %arg5 : i32 to i64
    %6 = arith.extsi %arg6 : i32 to i64
    %7 = arith.extsi %arg7 : i32 to i64
    %8 = arith.extsi %1 : i32 to i64
    %c0_i32 = arith.constant 0 : i32
    %9 = arith.extsi %c0_i32 : i32 to i64
    %10 = arith.extsi %arg5 : i32 to i64
    %11 = arith.extsi %arg4 : i32 to i64
    %12 = arith.extsi %arg8 : i32 to i64
    %13 = arith.extsi %arg9 : i32 to i64
    %c0_i32_1 = arith.constant 0 : i32
    %14 = arith.extsi %c0_i32_1 : i32 to i64
    %15 = arith.extsi %3 : i32 to i64
    %16 = tt.call @triton.language.standard.zeros__Tc16_c16T_cfp32() : () -> tensor<16x16xf32>
    %c0_i32_2 = arith.constant 0 : i32
    %c16_i32_3 = arith.constant 16 : i32
    %17:15 = scf.for %arg10 = %c0_i32_2 to %arg5 step %c16_i32_3 iter_args(%arg11 = %16, %arg12 = %arg0, %arg13 = %4, %arg14 = %5, %arg15 = %6, %arg16 = %7, %arg17 = %8, %arg18 = %9, %arg19 = %arg1, %arg20 = %10, %arg21 = %11, %arg22 = %12, %arg23 = %13, %arg24 = %14, %arg25 = %15) -> (tensor<16x16xf32>, !tt.ptr<f16>, i64, i64, i64, i64, i64, i64, !tt.ptr<f16>, i64, i64, i64, i64, i64, i64)  : i32 {
      %57 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %58 = arith.extsi %57 : tensor<16xi32> to tensor<16xi64>
      %59 = tt.splat %arg17 : i64 -> tensor<16xi64>
      %60 = arith.addi %58, %59 : tensor<16xi64>
      %61 = tt.expand_dims %60 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
      %62 = tt.splat %arg15 : i64 -> tensor<16x1xi64>
      %63 = arith.muli %61, %62 : tensor<16x1xi64>
      %c0_i64_5 = arith.constant 0 : i64
      %64 = tt.splat %c0_i64_5 : i64 -> tensor<16x1xi64>
      %65 = arith.cmpi sge, %61, %64 : tensor<16x1xi64>
      %66 = tt.splat %arg13 : i64 -> tensor<16x1xi64>
      %67 = arith.cmpi slt, %61, %66 : tensor<16x1xi64>
      %68 = arith.andi %65, %67 : tensor<16x1xi1>
      %69 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %70 = arith.extsi %69 : tensor<16xi32> to tensor<16xi64>
      %71 = tt.splat %arg18 : i64 -> tensor<16xi64>
      %72 = arith.addi %70, %71 : tensor<16xi64>
      %73 = tt.expand_dims %72 {axis = 0 : i32} : tensor<16xi64> -> tensor<1x16xi64>
      %74 = tt.splat %arg16 : i64 -> tensor<1x16xi64>
      %75 = arith.muli %73, %74 : tensor<1x16xi64>
      %76 = tt.broadcast %63 : tensor<16x1xi64> -> tensor<16x16xi64>
      %77 = tt.broadcast %75 : tensor<1x16xi64> -> tensor<16x16xi64>
      %78 = arith.addi %76, %77 : tensor<16x16xi64>
      %c0_i64_6 = arith.constant 0 : i64
      %79 = tt.splat %c0_i64_6 : i64 -> tensor<1x16xi64>
      %80 = arith.cmpi sge, %73, %79 : tensor<1x16xi64>
      %81 = tt.splat %arg14 : i64 -> tensor<1x16xi64>
      %82 = arith.cmpi slt, %73, %81 : tensor<1x16xi64>
      %83 = arith.andi %80, %82 : tensor<1x16xi1>
      %84 = tt.broadcast %68 : tensor<16x1xi1> -> tensor<16x16xi1>
      %85 = tt.broadcast %83 : tensor<1x16xi1> -> tensor<16x16xi1>
      %86 = arith.andi %84, %85 : tensor<16x16xi1>
      %87 = tt.splat %arg12 : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
      %88 = tt.addptr %87, %78 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi64>
      %c0_i32_7 = arith.constant 0 : i32
      %89 = arith.sitofp %c0_i32_7 : i32 to f16
      %90 = tt.splat %89 : f16 -> tensor<16x16xf16>
      %91 = tt.load %88, %86, %90 : tensor<16x16x!tt.ptr<f16>>
      %92 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %93 = arith.extsi %92 : tensor<16xi32> to tensor<16xi64>
      %94 = tt.splat %arg24 : i64 -> tensor<16xi64>
      %95 = arith.addi %93, %94 : tensor<16xi64>
      %96 = tt.expand_dims %95 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
      %97 = tt.splat %arg22 : i64 -> tensor<16x1xi64>
      %98 = arith.muli %96, %97 : tensor<16x1xi64>
      %c0_i64_8 = arith.constant 0 : i64
      %99 = tt.splat %c0_i64_8 : i64 -> tensor<16x1xi64>
      %100 = arith.cmpi sge, %96, %99 : tensor<16x1xi64>
      %101 = tt.splat %arg20 : i64 -> tensor<16x1xi64>
      %102 = arith.cmpi slt, %96, %101 : tensor<16x1xi64>
      %103 = arith.andi %100, %102 : tensor<16x1xi1>
      %104 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %105 = arith.extsi %104 : tensor<16xi32> to tensor<16xi64>
      %106 = tt.splat %arg25 : i64 -> tensor<16xi64>
      %107 = arith.addi %105, %106 : tensor<16xi64>
      %108 = tt.expand_dims %107 {axis = 0 : i32} : tensor<16xi64> -> tensor<1x16xi64>
      %109 = tt.splat %arg23 : i64 -> tensor<1x16xi64>
      %110 = arith.muli %108, %109 : tensor<1x16xi64>
      %111 = tt.broadcast %98 : tensor<16x1xi64> -> tensor<16x16xi64>
      %112 = tt.broadcast %110 : tensor<1x16xi64> -> tensor<16x16xi64>
      %113 = arith.addi %111, %112 : tensor<16x16xi64>
      %c0_i64_9 = arith.constant 0 : i64
      %114 = tt.splat %c0_i64_9 : i64 -> tensor<1x16xi64>
      %115 = arith.cmpi sge, %108, %114 : tensor<1x16xi64>
      %116 = tt.splat %arg21 : i64 -> tensor<1x16xi64>
      %117 = arith.cmpi slt, %108, %116 : tensor<1x16xi64>
      %118 = arith.andi %115, %117 : tensor<1x16xi1>
      %119 = tt.broadcast %103 : tensor<16x1xi1> -> tensor<16x16xi1>
      %120 = tt.broadcast %118 : tensor<1x16xi1> -> tensor<16x16xi1>
      %121 = arith.andi %119, %120 : tensor<16x16xi1>
      %122 = tt.splat %arg19 : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
      %123 = tt.addptr %122, %113 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi64>
      %c0_i32_10 = arith.constant 0 : i32
      %124 = arith.sitofp %c0_i32_10 : i32 to f16
      %125 = tt.splat %124 : f16 -> tensor<16x16xf16>
      %126 = tt.load %123, %121, %125 : tensor<16x16x!tt.ptr<f16>>
      %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %127 = tt.dot %91, %126, %cst : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      %128 = arith.addf %arg11, %127 : tensor<16x16xf32>
      %c0_i32_11 = arith.constant 0 : i32
      %129 = arith.extsi %c0_i32_11 : i32 to i64
      %130 = arith.addi %arg17, %129 : i64
      %c16_i32_12 = arith.constant 16 : i32
      %131 = arith.extsi %c16_i32_12 : i32 to i64
      %132 = arith.addi %arg18, %131 : i64
      %c16_i32_13 = arith.constant 16 : i32
      %133 = arith.extsi %c16_i32_13 : i32 to i64
      %134 = arith.addi %arg24, %133 : i64
      %c0_i32_14 = arith.constant 0 : i32
      %135 = arith.extsi %c0_i32_14 : i32 to i64
      %136 = arith.addi %arg25, %135 : i64
      scf.yield %128, %arg12, %arg13, %arg14, %arg15, %arg16, %130, %132, %arg19, %arg20, %arg21, %arg22, %arg23, %134, %136 : tensor<16x16xf32>, !tt.ptr<f16>, i64, i64, i64, i64, i64, i64, !tt.ptr<f16>, i64, i64, i64, i64, i64, i64
    }
    %18 = arith.extsi %arg3 : i32 to i64
    %19 = arith.extsi %arg4 : i32 to i64
    %20 = arith.extsi %arg4 : i32 to i64
    %c1_i32 = arith.constant 1 : i32
    %21 = arith.extsi %c1_i32 : i32 to i64
    %22 = arith.extsi %1 : i32 to i64
    %23 = arith.extsi %3 : i32 to i64
    %24 = arith.truncf %17#0 : tensor<16x16xf32> to tensor<16x16xf16>
    %25 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %26 = arith.extsi %25 : tensor<16xi32> to tensor<16xi64>
    %27 = tt.splat %22 : i64 -> tensor<16xi64>
    %28 = arith.addi %26, %27 : tensor<16xi64>
    %29 = tt.expand_dims %28 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %30 = tt.splat %20 : i64 -> tensor<16x1xi64>
    %31 = arith.muli %29, %30 : tensor<16x1xi64>
    %c0_i64 = arith.constant 0 : i64
    %32 = tt.splat %c0_i64 : i64 -> tensor<16x1xi64>
    %33 = arith.cmpi sge, %29, %32 : tensor<16x1xi64>
    %34 = tt.splat %18 : i64 -> tensor<16x1xi64>
    %35 = arith.cmpi slt, %29, %34 : tensor<16x1xi64>
    %36 = arith.andi %33, %35 : tensor<16x1xi1>
    %37 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %38 = arith.extsi %37 : tensor<16xi32> to tensor<16xi64>
    %39 = tt.splat %23 : i64 -> tensor<16xi64>
    %40 = arith.addi %38, %39 : tensor<16xi64>
    %41 = tt.expand_dims %40 {axis = 0 : i32} : tensor<16xi64> -> tensor<1x16xi64>
    %42 = tt.splat %21 : i64 -> tensor<1x16xi64>
    %43 = arith.muli %41, %42 : tensor<1x16xi64>
    %44 = tt.broadcast %31 : tensor<16x1xi64> -> tensor<16x16xi64>
    %45 = tt.broadcast %43 : tensor<1x16xi64> -> tensor<16x16xi64>
    %46 = arith.addi %44, %45 : tensor<16x16xi64>
    %c0_i64_4 = arith.constant 0 : i64
    %47 = tt.splat %c0_i64_4 : i64 -> tensor<1x16xi64>
    %48 = arith.cmpi sge, %41, %47 : tensor<1x16xi64>
    %49 = tt.splat %19 : i64 -> tensor<1x16xi64>
    %50 = arith.cmpi slt, %41, %49 : tensor<1x16xi64>
    %51 = arith.andi %48, %50 : tensor<1x16xi1>
    %52 = tt.broadcast %36 : tensor<16x1xi1> -> tensor<16x16xi1>
    %53 = tt.broadcast %51 : tensor<1x16xi1> -> tensor<16x16xi1>
    %54 = arith.andi %52, %53 : tensor<16x16xi1>
    %55 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
    %56 = tt.addptr %55, %46 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi64>
    tt.store %56, %24, %54 : tensor<16x16x!tt.ptr<f16>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16_c16T_cfp32() -> tensor<16x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<16x16xf32>
    tt.return %0 : tensor<16x16xf32>
  }
}
