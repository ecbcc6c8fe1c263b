// A convolution as a product of computed addresses.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_convolution_kernel:
// CHECK-DAG: vfmacc.vf

module {
  tt.func public @convolution_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32) {
    %0 = tt.get_program_id z : i32
    %1 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %2 = arith.muli %1, %c16_i32 : i32
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %4 = tt.splat %2 : i32 -> tensor<16xi32>
    %5 = arith.addi %4, %3 : tensor<16xi32>
    %6 = tt.get_program_id y : i32
    %c16_i32_0 = arith.constant 16 : i32
    %7 = arith.muli %6, %c16_i32_0 : i32
    %8 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %9 = tt.splat %7 : i32 -> tensor<16xi32>
    %10 = arith.addi %9, %8 : tensor<16xi32>
    %11 = tt.splat %arg8 : i32 -> tensor<16xi32>
    %12 = arith.divsi %5, %11 : tensor<16xi32>
    %13 = tt.splat %arg8 : i32 -> tensor<16xi32>
    %14 = arith.remsi %5, %13 : tensor<16xi32>
    %15 = tt.call @triton.language.standard.zeros__Tc16_c16T_cfp32() : () -> tensor<16x16xf32>
    %c3_i32 = arith.constant 3 : i32
    %16 = arith.muli %arg3, %c3_i32 : i32
    %c3_i32_1 = arith.constant 3 : i32
    %17 = arith.muli %16, %c3_i32_1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c16_i32_2 = arith.constant 16 : i32
    %18 = scf.for %arg9 = %c0_i32 to %17 step %c16_i32_2 iter_args(%arg10 = %15) -> (tensor<16x16xf32>)  : i32 {
      %44 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %45 = tt.splat %arg9 : i32 -> tensor<16xi32>
      %46 = arith.addi %45, %44 : tensor<16xi32>
      %c9_i32 = arith.constant 9 : i32
      %47 = tt.splat %c9_i32 : i32 -> tensor<16xi32>
      %48 = arith.divsi %46, %47 : tensor<16xi32>
      %c9_i32_3 = arith.constant 9 : i32
      %49 = tt.splat %c9_i32_3 : i32 -> tensor<16xi32>
      %50 = arith.remsi %46, %49 : tensor<16xi32>
      %51 = tt.expand_dims %12 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %c2_i32 = arith.constant 2 : i32
      %52 = tt.splat %c2_i32 : i32 -> tensor<16x1xi32>
      %53 = arith.muli %51, %52 : tensor<16x1xi32>
      %c1_i32 = arith.constant 1 : i32
      %54 = tt.splat %c1_i32 : i32 -> tensor<16x1xi32>
      %55 = arith.subi %53, %54 : tensor<16x1xi32>
      %c3_i32_4 = arith.constant 3 : i32
      %56 = tt.splat %c3_i32_4 : i32 -> tensor<16xi32>
      %57 = arith.divsi %50, %56 : tensor<16xi32>
      %58 = tt.expand_dims %57 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %59 = tt.broadcast %55 : tensor<16x1xi32> -> tensor<16x16xi32>
      %60 = tt.broadcast %58 : tensor<1x16xi32> -> tensor<16x16xi32>
      %61 = arith.addi %59, %60 : tensor<16x16xi32>
      %62 = tt.expand_dims %14 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %c2_i32_5 = arith.constant 2 : i32
      %63 = tt.splat %c2_i32_5 : i32 -> tensor<16x1xi32>
      %64 = arith.muli %62, %63 : tensor<16x1xi32>
      %c1_i32_6 = arith.constant 1 : i32
      %65 = tt.splat %c1_i32_6 : i32 -> tensor<16x1xi32>
      %66 = arith.subi %64, %65 : tensor<16x1xi32>
      %c3_i32_7 = arith.constant 3 : i32
      %67 = tt.splat %c3_i32_7 : i32 -> tensor<16xi32>
      %68 = arith.remsi %50, %67 : tensor<16xi32>
      %69 = tt.expand_dims %68 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %70 = tt.broadcast %66 : tensor<16x1xi32> -> tensor<16x16xi32>
      %71 = tt.broadcast %69 : tensor<1x16xi32> -> tensor<16x16xi32>
      %72 = arith.addi %70, %71 : tensor<16x16xi32>
      %c0_i32_8 = arith.constant 0 : i32
      %73 = tt.splat %c0_i32_8 : i32 -> tensor<16x16xi32>
      %74 = arith.cmpi sge, %61, %73 : tensor<16x16xi32>
      %75 = tt.splat %arg4 : i32 -> tensor<16x16xi32>
      %76 = arith.cmpi slt, %61, %75 : tensor<16x16xi32>
      %77 = arith.andi %74, %76 : tensor<16x16xi1>
      %c0_i32_9 = arith.constant 0 : i32
      %78 = tt.splat %c0_i32_9 : i32 -> tensor<16x16xi32>
      %79 = arith.cmpi sge, %72, %78 : tensor<16x16xi32>
      %80 = arith.andi %77, %79 : tensor<16x16xi1>
      %81 = tt.splat %arg5 : i32 -> tensor<16x16xi32>
      %82 = arith.cmpi slt, %72, %81 : tensor<16x16xi32>
      %83 = arith.andi %80, %82 : tensor<16x16xi1>
      %84 = tt.expand_dims %48 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %85 = tt.splat %arg3 : i32 -> tensor<1x16xi32>
      %86 = arith.cmpi slt, %84, %85 : tensor<1x16xi32>
      %87 = tt.broadcast %86 : tensor<1x16xi1> -> tensor<16x16xi1>
      %88 = arith.andi %83, %87 : tensor<16x16xi1>
      %89 = tt.expand_dims %12 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %90 = tt.splat %arg7 : i32 -> tensor<16x1xi32>
      %91 = arith.cmpi slt, %89, %90 : tensor<16x1xi32>
      %92 = tt.broadcast %91 : tensor<16x1xi1> -> tensor<16x16xi1>
      %93 = arith.andi %88, %92 : tensor<16x16xi1>
      %94 = arith.muli %0, %arg3 : i32
      %95 = arith.muli %94, %arg4 : i32
      %96 = arith.muli %95, %arg5 : i32
      %97 = tt.addptr %arg0, %96 : !tt.ptr<f32>, i32
      %98 = tt.expand_dims %48 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %99 = tt.splat %arg4 : i32 -> tensor<1x16xi32>
      %100 = arith.muli %98, %99 : tensor<1x16xi32>
      %101 = tt.splat %arg5 : i32 -> tensor<1x16xi32>
      %102 = arith.muli %100, %101 : tensor<1x16xi32>
      %103 = tt.splat %97 : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
      %104 = tt.addptr %103, %102 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
      %105 = tt.splat %arg5 : i32 -> tensor<16x16xi32>
      %106 = arith.muli %61, %105 : tensor<16x16xi32>
      %107 = tt.broadcast %104 : tensor<1x16x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
      %108 = tt.addptr %107, %106 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %109 = tt.addptr %108, %72 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %cst = arith.constant 0.000000e+00 : f32
      %110 = tt.splat %cst : f32 -> tensor<16x16xf32>
      %111 = tt.load %109, %93, %110 : tensor<16x16x!tt.ptr<f32>>
      %112 = tt.expand_dims %10 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %113 = tt.splat %arg3 : i32 -> tensor<1x16xi32>
      %114 = arith.muli %112, %113 : tensor<1x16xi32>
      %c3_i32_10 = arith.constant 3 : i32
      %115 = tt.splat %c3_i32_10 : i32 -> tensor<1x16xi32>
      %116 = arith.muli %114, %115 : tensor<1x16xi32>
      %c3_i32_11 = arith.constant 3 : i32
      %117 = tt.splat %c3_i32_11 : i32 -> tensor<1x16xi32>
      %118 = arith.muli %116, %117 : tensor<1x16xi32>
      %119 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
      %120 = tt.addptr %119, %118 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
      %121 = tt.expand_dims %46 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %122 = tt.broadcast %120 : tensor<1x16x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
      %123 = tt.broadcast %121 : tensor<16x1xi32> -> tensor<16x16xi32>
      %124 = tt.addptr %122, %123 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %125 = tt.expand_dims %10 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %126 = tt.splat %arg6 : i32 -> tensor<1x16xi32>
      %127 = arith.cmpi slt, %125, %126 : tensor<1x16xi32>
      %128 = tt.expand_dims %46 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %c3_i32_12 = arith.constant 3 : i32
      %129 = arith.muli %arg3, %c3_i32_12 : i32
      %c3_i32_13 = arith.constant 3 : i32
      %130 = arith.muli %129, %c3_i32_13 : i32
      %131 = tt.splat %130 : i32 -> tensor<16x1xi32>
      %132 = arith.cmpi slt, %128, %131 : tensor<16x1xi32>
      %133 = tt.broadcast %127 : tensor<1x16xi1> -> tensor<16x16xi1>
      %134 = tt.broadcast %132 : tensor<16x1xi1> -> tensor<16x16xi1>
      %135 = arith.andi %133, %134 : tensor<16x16xi1>
      %cst_14 = arith.constant 0.000000e+00 : f32
      %136 = tt.splat %cst_14 : f32 -> tensor<16x16xf32>
      %137 = tt.load %124, %135, %136 : tensor<16x16x!tt.ptr<f32>>
      %138 = tt.dot %111, %137, %arg10 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %138 : tensor<16x16xf32>
    }
    %19 = arith.muli %0, %arg6 : i32
    %20 = arith.muli %19, %arg7 : i32
    %21 = arith.muli %20, %arg8 : i32
    %22 = tt.addptr %arg2, %21 : !tt.ptr<f32>, i32
    %23 = tt.expand_dims %10 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %24 = tt.splat %arg7 : i32 -> tensor<1x16xi32>
    %25 = arith.muli %23, %24 : tensor<1x16xi32>
    %26 = tt.splat %arg8 : i32 -> tensor<1x16xi32>
    %27 = arith.muli %25, %26 : tensor<1x16xi32>
    %28 = tt.splat %22 : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
    %30 = tt.expand_dims %5 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %31 = tt.broadcast %29 : tensor<1x16x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
    %32 = tt.broadcast %30 : tensor<16x1xi32> -> tensor<16x16xi32>
    %33 = tt.addptr %31, %32 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %34 = tt.expand_dims %10 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %35 = tt.splat %arg6 : i32 -> tensor<1x16xi32>
    %36 = arith.cmpi slt, %34, %35 : tensor<1x16xi32>
    %37 = tt.expand_dims %5 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %38 = arith.muli %arg7, %arg8 : i32
    %39 = tt.splat %38 : i32 -> tensor<16x1xi32>
    %40 = arith.cmpi slt, %37, %39 : tensor<16x1xi32>
    %41 = tt.broadcast %36 : tensor<1x16xi1> -> tensor<16x16xi1>
    %42 = tt.broadcast %40 : tensor<16x1xi1> -> tensor<16x16xi1>
    %43 = arith.andi %41, %42 : tensor<16x16xi1>
    tt.store %33, %18, %43 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16_c16T_cfp32() -> tensor<16x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<16x16xf32>
    tt.return %0 : tensor<16x16xf32>
  }
}
