// The largest element with its place: ties go to the left, NaN loses.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_extremum_kernel:
// CHECK-DAG: vmfeq.vv
// CHECK-DAG: vmflt.vv
// CHECK-DAG: vslidedown.vi

module {
  tt.func public @extremum_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>, %arg3: i32) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.get_program_id x : i32
    %cst = arith.constant 0xFF800000 : f32
    %2 = arith.muli %1, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %5 = tt.addptr %4, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %6 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %7 = arith.cmpi slt, %0, %6 : tensor<64xi32>
    %8 = tt.splat %cst : f32 -> tensor<64xf32>
    %9 = tt.load %5, %7, %8 : tensor<64x!tt.ptr<f32>>
    %10:2 = tt.call @triton.language.standard.max__fp32S64S_c0_cTrue_cTrue_cFalse(%9) : (tensor<64xf32>) -> (f32, i32)
    %11 = tt.addptr %arg1, %1 : !tt.ptr<f32>, i32
    tt.store %11, %10#0 : !tt.ptr<f32>
    %12 = tt.addptr %arg2, %1 : !tt.ptr<i32>, i32
    tt.store %12, %10#1 : !tt.ptr<i32>
    tt.return
  }
  tt.func private @triton.language.standard.max__fp32S64S_c0_cTrue_cTrue_cFalse(%arg0: tensor<64xf32>) -> (f32, i32) {
    %0:2 = tt.call @triton.language.standard._extremum__fp32S64S_c0_cTrue_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0) : (tensor<64xf32>) -> (f32, i32)
    tt.return %0#0, %0#1 : f32, i32
  }
  tt.func private @triton.language.standard._extremum__fp32S64S_c0_cTrue_cTrue_cFalse_ctriton.language.standard._elementwise_max.b23f8a148e98a01d_ctriton.language.standard._argmax_left.db1828e177d6b995_ctriton.language.standard._argmax_fast.9d0e469a21a912cf(%arg0: tensor<64xf32>) -> (f32, i32) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1:2 = "tt.reduce"(%arg0, %0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: i32, %arg3: f32, %arg4: i32):
      %2:2 = tt.call @triton.language.standard._argmax_left__fp32_i32_fp32_i32(%arg1, %arg2, %arg3, %arg4) : (f32, i32, f32, i32) -> (f32, i32)
      tt.reduce.return %2#0, %2#1 : f32, i32
    }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
    tt.return %1#0, %1#1 : f32, i32
  }
  tt.func private @triton.language.standard._argmax_left__fp32_i32_fp32_i32(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) {
    %0 = arith.cmpf oeq, %arg0, %arg2 : f32
    %1 = arith.cmpi slt, %arg1, %arg3 : i32
    %2 = arith.andi %0, %1 : i1
    %3 = arith.cmpf ogt, %arg0, %arg2 : f32
    %4 = arith.ori %3, %2 : i1
    %5 = arith.cmpf une, %arg2, %arg2 : f32
    %6 = arith.ori %4, %5 : i1
    %7 = arith.select %6, %arg0, %arg2 : f32
    %8 = arith.select %6, %arg1, %arg3 : i32
    tt.return %7, %8 : f32, i32
  }
}
