// A product of three-dimensional blocks of bf16.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_batched_kernel:
// CHECK-DAG: vle16.v
// CHECK-DAG: vfm{{(acc|add)}}.v

module {
  tt.func public @batched_kernel(%arg0: !tt.ptr<bf16>, %arg1: !tt.ptr<bf16>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32) {
    %0 = tt.get_program_id x : i32
    %c2_i32 = arith.constant 2 : i32
    %1 = arith.muli %0, %c2_i32 : i32
    %2 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %4 = tt.expand_dims %3 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %5 = tt.splat %1 : i32 -> tensor<2x1x1xi32>
    %6 = arith.addi %5, %4 : tensor<2x1x1xi32>
    %7 = tt.get_program_id y : i32
    %c16_i32 = arith.constant 16 : i32
    %8 = arith.muli %7, %c16_i32 : i32
    %9 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %10 = tt.splat %8 : i32 -> tensor<16xi32>
    %11 = arith.addi %10, %9 : tensor<16xi32>
    %12 = tt.get_program_id z : i32
    %c16_i32_0 = arith.constant 16 : i32
    %13 = arith.muli %12, %c16_i32_0 : i32
    %14 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %15 = tt.splat %13 : i32 -> tensor<16xi32>
    %16 = arith.addi %15, %14 : tensor<16xi32>
    %17 = tt.call @triton.language.standard.zeros__Tc2_c16_c16T_cfp32() : () -> tensor<2x16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32_1 = arith.constant 16 : i32
    %18 = scf.for %arg6 = %c0_i32 to %arg5 step %c16_i32_1 iter_args(%arg7 = %17) -> (tensor<2x16x16xf32>)  : i32 {
      %53 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %54 = tt.splat %arg6 : i32 -> tensor<16xi32>
      %55 = arith.addi %54, %53 : tensor<16xi32>
      %56 = tt.splat %arg3 : i32 -> tensor<2x1x1xi32>
      %57 = arith.muli %6, %56 : tensor<2x1x1xi32>
      %58 = tt.splat %arg5 : i32 -> tensor<2x1x1xi32>
      %59 = arith.muli %57, %58 : tensor<2x1x1xi32>
      %60 = tt.splat %arg0 : !tt.ptr<bf16> -> tensor<2x1x1x!tt.ptr<bf16>>
      %61 = tt.addptr %60, %59 : tensor<2x1x1x!tt.ptr<bf16>>, tensor<2x1x1xi32>
      %62 = tt.expand_dims %11 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %63 = tt.expand_dims %62 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
      %64 = tt.splat %arg5 : i32 -> tensor<1x16x1xi32>
      %65 = arith.muli %63, %64 : tensor<1x16x1xi32>
      %66 = tt.broadcast %61 : tensor<2x1x1x!tt.ptr<bf16>> -> tensor<2x16x1x!tt.ptr<bf16>>
      %67 = tt.broadcast %65 : tensor<1x16x1xi32> -> tensor<2x16x1xi32>
      %68 = tt.addptr %66, %67 : tensor<2x16x1x!tt.ptr<bf16>>, tensor<2x16x1xi32>
      %69 = tt.expand_dims %55 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %70 = tt.expand_dims %69 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
      %71 = tt.broadcast %68 : tensor<2x16x1x!tt.ptr<bf16>> -> tensor<2x16x16x!tt.ptr<bf16>>
      %72 = tt.broadcast %70 : tensor<1x1x16xi32> -> tensor<2x16x16xi32>
      %73 = tt.addptr %71, %72 : tensor<2x16x16x!tt.ptr<bf16>>, tensor<2x16x16xi32>
      %c3_i32_2 = arith.constant 3 : i32
      %74 = tt.splat %c3_i32_2 : i32 -> tensor<2x1x1xi32>
      %75 = arith.cmpi slt, %6, %74 : tensor<2x1x1xi32>
      %76 = tt.expand_dims %11 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %77 = tt.expand_dims %76 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
      %78 = tt.splat %arg3 : i32 -> tensor<1x16x1xi32>
      %79 = arith.cmpi slt, %77, %78 : tensor<1x16x1xi32>
      %80 = tt.broadcast %75 : tensor<2x1x1xi1> -> tensor<2x16x1xi1>
      %81 = tt.broadcast %79 : tensor<1x16x1xi1> -> tensor<2x16x1xi1>
      %82 = arith.andi %80, %81 : tensor<2x16x1xi1>
      %83 = tt.expand_dims %55 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %84 = tt.expand_dims %83 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
      %85 = tt.splat %arg5 : i32 -> tensor<1x1x16xi32>
      %86 = arith.cmpi slt, %84, %85 : tensor<1x1x16xi32>
      %87 = tt.broadcast %82 : tensor<2x16x1xi1> -> tensor<2x16x16xi1>
      %88 = tt.broadcast %86 : tensor<1x1x16xi1> -> tensor<2x16x16xi1>
      %89 = arith.andi %87, %88 : tensor<2x16x16xi1>
      %cst = arith.constant 0.000000e+00 : f32
      %90 = arith.truncf %cst : f32 to bf16
      %91 = tt.splat %90 : bf16 -> tensor<2x16x16xbf16>
      %92 = tt.load %73, %89, %91 : tensor<2x16x16x!tt.ptr<bf16>>
      %93 = tt.splat %arg5 : i32 -> tensor<2x1x1xi32>
      %94 = arith.muli %6, %93 : tensor<2x1x1xi32>
      %95 = tt.splat %arg4 : i32 -> tensor<2x1x1xi32>
      %96 = arith.muli %94, %95 : tensor<2x1x1xi32>
      %97 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<2x1x1x!tt.ptr<bf16>>
      %98 = tt.addptr %97, %96 : tensor<2x1x1x!tt.ptr<bf16>>, tensor<2x1x1xi32>
      %99 = tt.expand_dims %55 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %100 = tt.expand_dims %99 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
      %101 = tt.splat %arg4 : i32 -> tensor<1x16x1xi32>
      %102 = arith.muli %100, %101 : tensor<1x16x1xi32>
      %103 = tt.broadcast %98 : tensor<2x1x1x!tt.ptr<bf16>> -> tensor<2x16x1x!tt.ptr<bf16>>
      %104 = tt.broadcast %102 : tensor<1x16x1xi32> -> tensor<2x16x1xi32>
      %105 = tt.addptr %103, %104 : tensor<2x16x1x!tt.ptr<bf16>>, tensor<2x16x1xi32>
      %106 = tt.expand_dims %16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %107 = tt.expand_dims %106 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
      %108 = tt.broadcast %105 : tensor<2x16x1x!tt.ptr<bf16>> -> tensor<2x16x16x!tt.ptr<bf16>>
      %109 = tt.broadcast %107 : tensor<1x1x16xi32> -> tensor<2x16x16xi32>
      %110 = tt.addptr %108, %109 : tensor<2x16x16x!tt.ptr<bf16>>, tensor<2x16x16xi32>
      %c3_i32_3 = arith.constant 3 : i32
      %111 = tt.splat %c3_i32_3 : i32 -> tensor<2x1x1xi32>
      %112 = arith.cmpi slt, %6, %111 : tensor<2x1x1xi32>
      %113 = tt.expand_dims %55 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %114 = tt.expand_dims %113 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
      %115 = tt.splat %arg5 : i32 -> tensor<1x16x1xi32>
      %116 = arith.cmpi slt, %114, %115 : tensor<1x16x1xi32>
      %117 = tt.broadcast %112 : tensor<2x1x1xi1> -> tensor<2x16x1xi1>
      %118 = tt.broadcast %116 : tensor<1x16x1xi1> -> tensor<2x16x1xi1>
      %119 = arith.andi %117, %118 : tensor<2x16x1xi1>
      %120 = tt.expand_dims %16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %121 = tt.expand_dims %120 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
      %122 = tt.splat %arg4 : i32 -> tensor<1x1x16xi32>
      %123 = arith.cmpi slt, %121, %122 : tensor<1x1x16xi32>
      %124 = tt.broadcast %119 : tensor<2x16x1xi1> -> tensor<2x16x16xi1>
      %125 = tt.broadcast %123 : tensor<1x1x16xi1> -> tensor<2x16x16xi1>
      %126 = arith.andi %124, %125 : tensor<2x16x16xi1>
      %cst_4 = arith.constant 0.000000e+00 : f32
      %127 = arith.truncf %cst_4 : f32 to bf16
      %128 = tt.splat %127 : bf16 -> tensor<2x16x16xbf16>
      %129 = tt.load %110, %126, %128 : tensor<2x16x16x!tt.ptr<bf16>>
      %130 = tt.dot %92, %129, %arg7 : tensor<2x16x16xbf16> * tensor<2x16x16xbf16> -> tensor<2x16x16xf32>
      scf.yield %130 : tensor<2x16x16xf32>
    }
    %19 = tt.splat %arg3 : i32 -> tensor<2x1x1xi32>
    %20 = arith.muli %6, %19 : tensor<2x1x1xi32>
    %21 = tt.splat %arg4 : i32 -> tensor<2x1x1xi32>
    %22 = arith.muli %20, %21 : tensor<2x1x1xi32>
    %23 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2x1x1x!tt.ptr<f32>>
    %24 = tt.addptr %23, %22 : tensor<2x1x1x!tt.ptr<f32>>, tensor<2x1x1xi32>
    %25 = tt.expand_dims %11 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %26 = tt.expand_dims %25 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %27 = tt.splat %arg4 : i32 -> tensor<1x16x1xi32>
    %28 = arith.muli %26, %27 : tensor<1x16x1xi32>
    %29 = tt.broadcast %24 : tensor<2x1x1x!tt.ptr<f32>> -> tensor<2x16x1x!tt.ptr<f32>>
    %30 = tt.broadcast %28 : tensor<1x16x1xi32> -> tensor<2x16x1xi32>
    %31 = tt.addptr %29, %30 : tensor<2x16x1x!tt.ptr<f32>>, tensor<2x16x1xi32>
    %32 = tt.expand_dims %16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %33 = tt.expand_dims %32 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %34 = tt.broadcast %31 : tensor<2x16x1x!tt.ptr<f32>> -> tensor<2x16x16x!tt.ptr<f32>>
    %35 = tt.broadcast %33 : tensor<1x1x16xi32> -> tensor<2x16x16xi32>
    %36 = tt.addptr %34, %35 : tensor<2x16x16x!tt.ptr<f32>>, tensor<2x16x16xi32>
    %c3_i32 = arith.constant 3 : i32
    %37 = tt.splat %c3_i32 : i32 -> tensor<2x1x1xi32>
    %38 = arith.cmpi slt, %6, %37 : tensor<2x1x1xi32>
    %39 = tt.expand_dims %11 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %40 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %41 = tt.splat %arg3 : i32 -> tensor<1x16x1xi32>
    %42 = arith.cmpi slt, %40, %41 : tensor<1x16x1xi32>
    %43 = tt.broadcast %38 : tensor<2x1x1xi1> -> tensor<2x16x1xi1>
    %44 = tt.broadcast %42 : tensor<1x16x1xi1> -> tensor<2x16x1xi1>
    %45 = arith.andi %43, %44 : tensor<2x16x1xi1>
    %46 = tt.expand_dims %16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %47 = tt.expand_dims %46 {axis = 1 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %48 = tt.splat %arg4 : i32 -> tensor<1x1x16xi32>
    %49 = arith.cmpi slt, %47, %48 : tensor<1x1x16xi32>
    %50 = tt.broadcast %45 : tensor<2x16x1xi1> -> tensor<2x16x16xi1>
    %51 = tt.broadcast %49 : tensor<1x1x16xi1> -> tensor<2x16x16xi1>
    %52 = arith.andi %50, %51 : tensor<2x16x16xi1>
    tt.store %36, %18, %52 : tensor<2x16x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc2_c16_c16T_cfp32() -> tensor<2x16x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<2x16x16xf32>
    tt.return %0 : tensor<2x16x16xf32>
  }
}
