// A product with a transposed operand, bias, activation and residual.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_linear_kernel:
// CHECK-DAG: vfmacc.vf
// CHECK-DAG: {{vfdiv.vv|vfrdiv.vf}}
// CHECK-DAG: vse32.v

module {
  tt.func public @linear_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>, %arg4: !tt.ptr<f32>, %arg5: i32, %arg6: i32, %arg7: i32) {
    %0 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.splat %1 : i32 -> tensor<16xi32>
    %4 = arith.addi %3, %2 : tensor<16xi32>
    %5 = tt.get_program_id y : i32
    %c16_i32_0 = arith.constant 16 : i32
    %6 = arith.muli %5, %c16_i32_0 : i32
    %7 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %8 = tt.splat %6 : i32 -> tensor<16xi32>
    %9 = arith.addi %8, %7 : tensor<16xi32>
    %10 = tt.call @triton.language.standard.zeros__Tc16_c16T_cfp32() : () -> tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32_1 = arith.constant 16 : i32
    %11 = scf.for %arg8 = %c0_i32 to %arg7 step %c16_i32_1 iter_args(%arg9 = %10) -> (tensor<16x16xf32>)  : i32 {
      %45 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %46 = tt.splat %arg8 : i32 -> tensor<16xi32>
      %47 = arith.addi %46, %45 : tensor<16xi32>
      %48 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %49 = tt.splat %arg7 : i32 -> tensor<16x1xi32>
      %50 = arith.muli %48, %49 : tensor<16x1xi32>
      %51 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
      %52 = tt.addptr %51, %50 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
      %53 = tt.expand_dims %47 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %54 = tt.broadcast %52 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
      %55 = tt.broadcast %53 : tensor<1x16xi32> -> tensor<16x16xi32>
      %56 = tt.addptr %54, %55 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %57 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %58 = tt.splat %arg5 : i32 -> tensor<16x1xi32>
      %59 = arith.cmpi slt, %57, %58 : tensor<16x1xi32>
      %60 = tt.expand_dims %47 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %61 = tt.splat %arg7 : i32 -> tensor<1x16xi32>
      %62 = arith.cmpi slt, %60, %61 : tensor<1x16xi32>
      %63 = tt.broadcast %59 : tensor<16x1xi1> -> tensor<16x16xi1>
      %64 = tt.broadcast %62 : tensor<1x16xi1> -> tensor<16x16xi1>
      %65 = arith.andi %63, %64 : tensor<16x16xi1>
      %cst_3 = arith.constant 0.000000e+00 : f32
      %66 = tt.splat %cst_3 : f32 -> tensor<16x16xf32>
      %67 = tt.load %56, %65, %66 : tensor<16x16x!tt.ptr<f32>>
      %68 = tt.expand_dims %9 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %69 = tt.splat %arg7 : i32 -> tensor<16x1xi32>
      %70 = arith.muli %68, %69 : tensor<16x1xi32>
      %71 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
      %72 = tt.addptr %71, %70 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
      %73 = tt.expand_dims %47 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %74 = tt.broadcast %72 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
      %75 = tt.broadcast %73 : tensor<1x16xi32> -> tensor<16x16xi32>
      %76 = tt.addptr %74, %75 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %77 = tt.expand_dims %9 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %78 = tt.splat %arg6 : i32 -> tensor<16x1xi32>
      %79 = arith.cmpi slt, %77, %78 : tensor<16x1xi32>
      %80 = tt.expand_dims %47 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %81 = tt.splat %arg7 : i32 -> tensor<1x16xi32>
      %82 = arith.cmpi slt, %80, %81 : tensor<1x16xi32>
      %83 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x16xi1>
      %84 = tt.broadcast %82 : tensor<1x16xi1> -> tensor<16x16xi1>
      %85 = arith.andi %83, %84 : tensor<16x16xi1>
      %cst_4 = arith.constant 0.000000e+00 : f32
      %86 = tt.splat %cst_4 : f32 -> tensor<16x16xf32>
      %87 = tt.load %76, %85, %86 : tensor<16x16x!tt.ptr<f32>>
      %88 = tt.trans %87 {order = array<i32: 1, 0>} : tensor<16x16xf32> -> tensor<16x16xf32>
      %89 = tt.dot %67, %88, %arg9 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %89 : tensor<16x16xf32>
    }
    %12 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %13 = tt.addptr %12, %9 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %14 = tt.splat %arg6 : i32 -> tensor<16xi32>
    %15 = arith.cmpi slt, %9, %14 : tensor<16xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %16 = tt.splat %cst : f32 -> tensor<16xf32>
    %17 = tt.load %13, %15, %16 : tensor<16x!tt.ptr<f32>>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %19 = tt.broadcast %18 : tensor<1x16xf32> -> tensor<16x16xf32>
    %20 = arith.addf %11, %19 : tensor<16x16xf32>
    %21 = tt.call @e2e.test_products.activation__fp32S16_16S_c_sq_silu_sq_(%20) : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %22 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %23 = tt.splat %arg5 : i32 -> tensor<16x1xi32>
    %24 = arith.cmpi slt, %22, %23 : tensor<16x1xi32>
    %25 = tt.expand_dims %9 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %26 = tt.splat %arg6 : i32 -> tensor<1x16xi32>
    %27 = arith.cmpi slt, %25, %26 : tensor<1x16xi32>
    %28 = tt.broadcast %24 : tensor<16x1xi1> -> tensor<16x16xi1>
    %29 = tt.broadcast %27 : tensor<1x16xi1> -> tensor<16x16xi1>
    %30 = arith.andi %28, %29 : tensor<16x16xi1>
    %31 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %32 = tt.splat %arg6 : i32 -> tensor<16x1xi32>
    %33 = arith.muli %31, %32 : tensor<16x1xi32>
    %34 = tt.expand_dims %9 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %35 = tt.broadcast %33 : tensor<16x1xi32> -> tensor<16x16xi32>
    %36 = tt.broadcast %34 : tensor<1x16xi32> -> tensor<16x16xi32>
    %37 = arith.addi %35, %36 : tensor<16x16xi32>
    %38 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %39 = tt.addptr %38, %37 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %40 = tt.splat %cst_2 : f32 -> tensor<16x16xf32>
    %41 = tt.load %39, %30, %40 : tensor<16x16x!tt.ptr<f32>>
    %42 = arith.addf %21, %41 : tensor<16x16xf32>
    %43 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %44 = tt.addptr %43, %37 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %44, %42, %30 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16_c16T_cfp32() -> tensor<16x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %cst : f32 -> tensor<16x16xf32>
    tt.return %0 : tensor<16x16xf32>
  }
  tt.func private @e2e.test_products.activation__fp32S16_16S_c_sq_silu_sq_(%arg0: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %0 = tt.call @triton.language.standard.sigmoid__fp32S16_16S(%arg0) : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %1 = arith.mulf %arg0, %0 : tensor<16x16xf32>
    tt.return %1 : tensor<16x16xf32>
  }
  tt.func private @triton.language.standard.sigmoid__fp32S16_16S(%arg0: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %0 = arith.negf %arg0 : tensor<16x16xf32>
    %1 = math.exp %0 : tensor<16x16xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %2 = tt.splat %cst : f32 -> tensor<16x16xf32>
    %3 = arith.addf %2, %1 : tensor<16x16xf32>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %4 = tt.splat %cst_0 : f32 -> tensor<16x16xf32>
    %5 = arith.divf %4, %3 : tensor<16x16xf32>
    tt.return %5 : tensor<16x16xf32>
  }
}
