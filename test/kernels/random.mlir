// Philox words, uniform and normal numbers.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_numbers_kernel:
// CHECK-DAG: vmulhu.vx
// CHECK-DAG: vxor.vv
// CHECK-DAG: vfmadd.vv

module {
  tt.func public @numbers_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32) {
    %0 = tt.get_program_id x : i32
    %c512_i32 = arith.constant 512 : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %3 = tt.splat %1 : i32 -> tensor<512xi32>
    %4 = arith.addi %3, %2 : tensor<512xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %7 = tt.call @triton.language.random.rand__i32_i32S512S_c10(%arg3, %4) : (i32, tensor<512xi32>) -> tensor<512xf32>
    %8 = tt.splat %arg4 : i32 -> tensor<512xi32>
    %9 = arith.cmpi slt, %4, %8 : tensor<512xi32>
    tt.store %6, %7, %9 : tensor<512x!tt.ptr<f32>>
    %10 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %11 = tt.addptr %10, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %12 = tt.call @triton.language.random.randn__i32_i32S512S_c10(%arg3, %4) : (i32, tensor<512xi32>) -> tensor<512xf32>
    %13 = tt.splat %arg4 : i32 -> tensor<512xi32>
    %14 = arith.cmpi slt, %4, %13 : tensor<512xi32>
    tt.store %11, %12, %14 : tensor<512x!tt.ptr<f32>>
    %15:4 = tt.call @triton.language.random.randn4x__i32_i32S512S_c10(%arg3, %4) : (i32, tensor<512xi32>) -> (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>)
    %16 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %17 = tt.addptr %16, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %18 = tt.splat %arg4 : i32 -> tensor<512xi32>
    %19 = arith.cmpi slt, %4, %18 : tensor<512xi32>
    tt.store %17, %15#0, %19 : tensor<512x!tt.ptr<f32>>
    %20 = tt.addptr %arg2, %arg4 : !tt.ptr<f32>, i32
    %21 = tt.splat %20 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %22 = tt.addptr %21, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %23 = tt.splat %arg4 : i32 -> tensor<512xi32>
    %24 = arith.cmpi slt, %4, %23 : tensor<512xi32>
    tt.store %22, %15#1, %24 : tensor<512x!tt.ptr<f32>>
    %c2_i32 = arith.constant 2 : i32
    %25 = arith.muli %c2_i32, %arg4 : i32
    %26 = tt.addptr %arg2, %25 : !tt.ptr<f32>, i32
    %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %28 = tt.addptr %27, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %29 = tt.splat %arg4 : i32 -> tensor<512xi32>
    %30 = arith.cmpi slt, %4, %29 : tensor<512xi32>
    tt.store %28, %15#2, %30 : tensor<512x!tt.ptr<f32>>
    %c3_i32 = arith.constant 3 : i32
    %31 = arith.muli %c3_i32, %arg4 : i32
    %32 = tt.addptr %arg2, %31 : !tt.ptr<f32>, i32
    %33 = tt.splat %32 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %34 = tt.addptr %33, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %35 = tt.splat %arg4 : i32 -> tensor<512xi32>
    %36 = arith.cmpi slt, %4, %35 : tensor<512xi32>
    tt.store %34, %15#3, %36 : tensor<512x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.random.rand__i32_i32S512S_c10(%arg0: i32, %arg1: tensor<512xi32>) -> tensor<512xf32> {
    %0 = tt.call @triton.language.random.randint__i32_i32S512S_c10(%arg0, %arg1) : (i32, tensor<512xi32>) -> tensor<512xi32>
    %1 = tt.call @triton.language.random.uint_to_uniform_float__u32S512S(%0) : (tensor<512xi32>) -> tensor<512xf32>
    tt.return %1 : tensor<512xf32>
  }
  tt.func private @triton.language.random.randint__i32_i32S512S_c10(%arg0: i32, %arg1: tensor<512xi32>) -> tensor<512xi32> {
    %0:4 = tt.call @triton.language.random.randint4x__i32_i32S512S_c10(%arg0, %arg1) : (i32, tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>)
    tt.return %0#0 : tensor<512xi32>
  }
  tt.func private @triton.language.random.randint4x__i32_i32S512S_c10(%arg0: i32, %arg1: tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.splat %c0_i32 : i32 -> tensor<512xi32>
    %1 = arith.andi %arg1, %0 : tensor<512xi32>
    %2:4 = tt.call @triton.language.random.philox__i32_u32S512S_u32S512S_u32S512S_u32S512S_c10(%arg0, %arg1, %1, %1, %1) : (i32, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>)
    tt.return %2#0, %2#1, %2#2, %2#3 : tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>
  }
  tt.func private @triton.language.random.philox__i32_u32S512S_u32S512S_u32S512S_u32S512S_c10(%arg0: i32, %arg1: tensor<512xi32>, %arg2: tensor<512xi32>, %arg3: tensor<512xi32>, %arg4: tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>) {
    %0 = arith.extsi %arg0 : i32 to i64
    %c4294967295_i64 = arith.constant 4294967295 : i64
    %1 = arith.andi %0, %c4294967295_i64 : i64
    %2 = arith.trunci %1 : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %3 = arith.shrui %0, %c32_i64 : i64
    %c4294967295_i64_0 = arith.constant 4294967295 : i64
    %4 = arith.andi %3, %c4294967295_i64_0 : i64
    %5 = arith.trunci %4 : i64 to i32
    %6:4 = tt.call @triton.language.random.philox_impl__u32S512S_u32S512S_u32S512S_u32S512S_u32_u32_c10(%arg1, %arg2, %arg3, %arg4, %2, %5) : (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, i32, i32) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>)
    tt.return %6#0, %6#1, %6#2, %6#3 : tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>
  }
  tt.func private @triton.language.random.philox_impl__u32S512S_u32S512S_u32S512S_u32S512S_u32_u32_c10(%arg0: tensor<512xi32>, %arg1: tensor<512xi32>, %arg2: tensor<512xi32>, %arg3: tensor<512xi32>, %arg4: i32, %arg5: i32) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>) {
    %c-845247145_i32 = arith.constant -845247145 : i32
    %0 = tt.splat %c-845247145_i32 : i32 -> tensor<512xi32>
    %1 = tt.mulhiui %0, %arg2 : tensor<512xi32>
    %2 = arith.xori %1, %arg1 : tensor<512xi32>
    %3 = tt.splat %arg4 : i32 -> tensor<512xi32>
    %4 = arith.xori %2, %3 : tensor<512xi32>
    %c-766435501_i32 = arith.constant -766435501 : i32
    %5 = tt.splat %c-766435501_i32 : i32 -> tensor<512xi32>
    %6 = tt.mulhiui %5, %arg0 : tensor<512xi32>
    %7 = arith.xori %6, %arg3 : tensor<512xi32>
    %8 = tt.splat %arg5 : i32 -> tensor<512xi32>
    %9 = arith.xori %7, %8 : tensor<512xi32>
    %c-845247145_i32_0 = arith.constant -845247145 : i32
    %10 = tt.splat %c-845247145_i32_0 : i32 -> tensor<512xi32>
    %11 = arith.muli %10, %arg2 : tensor<512xi32>
    %c-766435501_i32_1 = arith.constant -766435501 : i32
    %12 = tt.splat %c-766435501_i32_1 : i32 -> tensor<512xi32>
    %13 = arith.muli %12, %arg0 : tensor<512xi32>
    %c-1640531527_i32 = arith.constant -1640531527 : i32
    %14 = arith.addi %arg4, %c-1640531527_i32 : i32
    %c-1150833019_i32 = arith.constant -1150833019 : i32
    %15 = arith.addi %arg5, %c-1150833019_i32 : i32
    %c-845247145_i32_2 = arith.constant -845247145 : i32
    %16 = tt.splat %c-845247145_i32_2 : i32 -> tensor<512xi32>
    %17 = tt.mulhiui %16, %9 : tensor<512xi32>
    %18 = arith.xori %17, %11 : tensor<512xi32>
    %19 = tt.splat %14 : i32 -> tensor<512xi32>
    %20 = arith.xori %18, %19 : tensor<512xi32>
    %c-766435501_i32_3 = arith.constant -766435501 : i32
    %21 = tt.splat %c-766435501_i32_3 : i32 -> tensor<512xi32>
    %22 = tt.mulhiui %21, %4 : tensor<512xi32>
    %23 = arith.xori %22, %13 : tensor<512xi32>
    %24 = tt.splat %15 : i32 -> tensor<512xi32>
    %25 = arith.xori %23, %24 : tensor<512xi32>
    %c-845247145_i32_4 = arith.constant -845247145 : i32
    %26 = tt.splat %c-845247145_i32_4 : i32 -> tensor<512xi32>
    %27 = arith.muli %26, %9 : tensor<512xi32>
    %c-766435501_i32_5 = arith.constant -766435501 : i32
    %28 = tt.splat %c-766435501_i32_5 : i32 -> tensor<512xi32>
    %29 = arith.muli %28, %4 : tensor<512xi32>
    %c-1640531527_i32_6 = arith.constant -1640531527 : i32
    %30 = arith.addi %14, %c-1640531527_i32_6 : i32
    %c-1150833019_i32_7 = arith.constant -1150833019 : i32
    %31 = arith.addi %15, %c-1150833019_i32_7 : i32
    %c-845247145_i32_8 = arith.constant -845247145 : i32
    %32 = tt.splat %c-845247145_i32_8 : i32 -> tensor<512xi32>
    %33 = tt.mulhiui %32, %25 : tensor<512xi32>
    %34 = arith.xori %33, %27 : tensor<512xi32>
    %35 = tt.splat %30 : i32 -> tensor<512xi32>
    %36 = arith.xori %34, %35 : tensor<512xi32>
    %c-766435501_i32_9 = arith.constant -766435501 : i32
    %37 = tt.splat %c-766435501_i32_9 : i32 -> tensor<512xi32>
    %38 = tt.mulhiui %37, %20 : tensor<512xi32>
    %39 = arith.xori %38, %29 : tensor<512xi32>
    %40 = tt.splat %31 : i32 -> tensor<512xi32>
    %41 = arith.xori %39, %40 : tensor<512xi32>
    %c-845247145_i32_10 = arith.constant -845247145 : i32
    %42 = tt.splat %c-845247145_i32_10 : i32 -> tensor<512xi32>
    %43 = arith.muli %42, %25 : tensor<512xi32>
    %c-766435501_i32_11 = arith.constant -766435501 : i32
    %44 = tt.splat %c-766435501_i32_11 : i32 -> tensor<512xi32>
    %45 = arith.muli %44, %20 : tensor<512xi32>
    %c-1640531527_i32_12 = arith.constant -1640531527 : i32
    %46 = arith.addi %30, %c-1640531527_i32_12 : i32
    %c-1150833019_i32_13 = arith.constant -1150833019 : i32
    %47 = arith.addi %31, %c-1150833019_i32_13 : i32
    %c-845247145_i32_14 = arith.constant -845247145 : i32
    %48 = tt.splat %c-845247145_i32_14 : i32 -> tensor<512xi32>
    %49 = tt.mulhiui %48, %41 : tensor<512xi32>
    %50 = arith.xori %49, %43 : tensor<512xi32>
    %51 = tt.splat %46 : i32 -> tensor<512xi32>
    %52 = arith.xori %50, %51 : tensor<512xi32>
    %c-766435501_i32_15 = arith.constant -766435501 : i32
    %53 = tt.splat %c-766435501_i32_15 : i32 -> tensor<512xi32>
    %54 = tt.mulhiui %53, %36 : tensor<512xi32>
    %55 = arith.xori %54, %45 : tensor<512xi32>
    %56 = tt.splat %47 : i32 -> tensor<512xi32>
    %57 = arith.xori %55, %56 : tensor<512xi32>
    %c-845247145_i32_16 = arith.constant -845247145 : i32
    %58 = tt.splat %c-845247145_i32_16 : i32 -> tensor<512xi32>
    %59 = arith.muli %58, %41 : tensor<512xi32>
    %c-766435501_i32_17 = arith.constant -766435501 : i32
    %60 = tt.splat %c-766435501_i32_17 : i32 -> tensor<512xi32>
    %61 = arith.muli %60, %36 : tensor<512xi32>
    %c-1640531527_i32_18 = arith.constant -1640531527 : i32
    %62 = arith.addi %46, %c-1640531527_i32_18 : i32
    %c-1150833019_i32_19 = arith.constant -1150833019 : i32
    %63 = arith.addi %47, %c-1150833019_i32_19 : i32
    %c-845247145_i32_20 = arith.constant -845247145 : i32
    %64 = tt.splat %c-845247145_i32_20 : i32 -> tensor<512xi32>
    %65 = tt.mulhiui %64, %57 : tensor<512xi32>
    %66 = arith.xori %65, %59 : tensor<512xi32>
    %67 = tt.splat %62 : i32 -> tensor<512xi32>
    %68 = arith.xori %66, %67 : tensor<512xi32>
    %c-766435501_i32_21 = arith.constant -766435501 : i32
    %69 = tt.splat %c-766435501_i32_21 : i32 -> tensor<512xi32>
    %70 = tt.mulhiui %69, %52 : tensor<512xi32>
    %71 = arith.xori %70, %61 : tensor<512xi32>
    %72 = tt.splat %63 : i32 -> tensor<512xi32>
    %73 = arith.xori %71, %72 : tensor<512xi32>
    %c-845247145_i32_22 = arith.constant -845247145 : i32
    %74 = tt.splat %c-845247145_i32_22 : i32 -> tensor<512xi32>
    %75 = arith.muli %74, %57 : tensor<512xi32>
    %c-766435501_i32_23 = arith.constant -766435501 : i32
    %76 = tt.splat %c-766435501_i32_23 : i32 -> tensor<512xi32>
    %77 = arith.muli %76, %52 : tensor<512xi32>
    %c-1640531527_i32_24 = arith.constant -1640531527 : i32
    %78 = arith.addi %62, %c-1640531527_i32_24 : i32
    %c-1150833019_i32_25 = arith.constant -1150833019 : i32
    %79 = arith.addi %63, %c-1150833019_i32_25 : i32
    %c-845247145_i32_26 = arith.constant -845247145 : i32
    %80 = tt.splat %c-845247145_i32_26 : i32 -> tensor<512xi32>
    %81 = tt.mulhiui %80, %73 : tensor<512xi32>
    %82 = arith.xori %81, %75 : tensor<512xi32>
    %83 = tt.splat %78 : i32 -> tensor<512xi32>
    %84 = arith.xori %82, %83 : tensor<512xi32>
    %c-766435501_i32_27 = arith.constant -766435501 : i32
    %85 = tt.splat %c-766435501_i32_27 : i32 -> tensor<512xi32>
    %86 = tt.mulhiui %85, %68 : tensor<512xi32>
    %87 = arith.xori %86, %77 : tensor<512xi32>
    %88 = tt.splat %79 : i32 -> tensor<512xi32>
    %89 = arith.xori %87, %88 : tensor<512xi32>
    %c-845247145_i32_28 = arith.constant -845247145 : i32
    %90 = tt.splat %c-845247145_i32_28 : i32 -> tensor<512xi32>
    %91 = arith.muli %90, %73 : tensor<512xi32>
    %c-766435501_i32_29 = arith.constant -766435501 : i32
    %92 = tt.splat %c-766435501_i32_29 : i32 -> tensor<512xi32>
    %93 = arith.muli %92, %68 : tensor<512xi32>
    %c-1640531527_i32_30 = arith.constant -1640531527 : i32
    %94 = arith.addi %78, %c-1640531527_i32_30 : i32
    %c-1150833019_i32_31 = arith.constant -1150833019 : i32
    %95 = arith.addi %79, %c-1150833019_i32_31 : i32
    %c-845247145_i32_32 = arith.constant -845247145 : i32
    %96 = tt.splat %c-845247145_i32_32 : i32 -> tensor<512xi32>
    %97 = tt.mulhiui %96, %89 : tensor<512xi32>
    %98 = arith.xori %97, %91 : tensor<512xi32>
    %99 = tt.splat %94 : i32 -> tensor<512xi32>
    %100 = arith.xori %98, %99 : tensor<512xi32>
    %c-766435501_i32_33 = arith.constant -766435501 : i32
    %101 = tt.splat %c-766435501_i32_33 : i32 -> tensor<512xi32>
    %102 = tt.mulhiui %101, %84 : tensor<512xi32>
    %103 = arith.xori %102, %93 : tensor<512xi32>
    %104 = tt.splat %95 : i32 -> tensor<512xi32>
    %105 = arith.xori %103, %104 : tensor<512xi32>
    %c-845247145_i32_34 = arith.constant -845247145 : i32
    %106 = tt.splat %c-845247145_i32_34 : i32 -> tensor<512xi32>
    %107 = arith.muli %106, %89 : tensor<512xi32>
    %c-766435501_i32_35 = arith.constant -766435501 : i32
    %108 = tt.splat %c-766435501_i32_35 : i32 -> tensor<512xi32>
    %109 = arith.muli %108, %84 : tensor<512xi32>
    %c-1640531527_i32_36 = arith.constant -1640531527 : i32
    %110 = arith.addi %94, %c-1640531527_i32_36 : i32
    %c-1150833019_i32_37 = arith.constant -1150833019 : i32
    %111 = arith.addi %95, %c-1150833019_i32_37 : i32
    %c-845247145_i32_38 = arith.constant -845247145 : i32
    %112 = tt.splat %c-845247145_i32_38 : i32 -> tensor<512xi32>
    %113 = tt.mulhiui %112, %105 : tensor<512xi32>
    %114 = arith.xori %113, %107 : tensor<512xi32>
    %115 = tt.splat %110 : i32 -> tensor<512xi32>
    %116 = arith.xori %114, %115 : tensor<512xi32>
    %c-766435501_i32_39 = arith.constant -766435501 : i32
    %117 = tt.splat %c-766435501_i32_39 : i32 -> tensor<512xi32>
    %118 = tt.mulhiui %117, %100 : tensor<512xi32>
    %119 = arith.xori %118, %109 : tensor<512xi32>
    %120 = tt.splat %111 : i32 -> tensor<512xi32>
    %121 = arith.xori %119, %120 : tensor<512xi32>
    %c-845247145_i32_40 = arith.constant -845247145 : i32
    %122 = tt.splat %c-845247145_i32_40 : i32 -> tensor<512xi32>
    %123 = arith.muli %122, %105 : tensor<512xi32>
    %c-766435501_i32_41 = arith.constant -766435501 : i32
    %124 = tt.splat %c-766435501_i32_41 : i32 -> tensor<512xi32>
    %125 = arith.muli %124, %100 : tensor<512xi32>
    %c-1640531527_i32_42 = arith.constant -1640531527 : i32
    %126 = arith.addi %110, %c-1640531527_i32_42 : i32
    %c-1150833019_i32_43 = arith.constant -1150833019 : i32
    %127 = arith.addi %111, %c-1150833019_i32_43 : i32
    %c-845247145_i32_44 = arith.constant -845247145 : i32
    %128 = tt.splat %c-845247145_i32_44 : i32 -> tensor<512xi32>
    %129 = tt.mulhiui %128, %121 : tensor<512xi32>
    %130 = arith.xori %129, %123 : tensor<512xi32>
    %131 = tt.splat %126 : i32 -> tensor<512xi32>
    %132 = arith.xori %130, %131 : tensor<512xi32>
    %c-766435501_i32_45 = arith.constant -766435501 : i32
    %133 = tt.splat %c-766435501_i32_45 : i32 -> tensor<512xi32>
    %134 = tt.mulhiui %133, %116 : tensor<512xi32>
    %135 = arith.xori %134, %125 : tensor<512xi32>
    %136 = tt.splat %127 : i32 -> tensor<512xi32>
    %137 = arith.xori %135, %136 : tensor<512xi32>
    %c-845247145_i32_46 = arith.constant -845247145 : i32
    %138 = tt.splat %c-845247145_i32_46 : i32 -> tensor<512xi32>
    %139 = arith.muli %138, %121 : tensor<512xi32>
    %c-766435501_i32_47 = arith.constant -766435501 : i32
    %140 = tt.splat %c-766435501_i32_47 : i32 -> tensor<512xi32>
    %141 = arith.muli %140, %116 : tensor<512xi32>
    %c-1640531527_i32_48 = arith.constant -1640531527 : i32
    %142 = arith.addi %126, %c-1640531527_i32_48 : i32
    %c-1150833019_i32_49 = arith.constant -1150833019 : i32
    %143 = arith.addi %127, %c-1150833019_i32_49 : i32
    %c-845247145_i32_50 = arith.constant -845247145 : i32
    %144 = tt.splat %c-845247145_i32_50 : i32 -> tensor<512xi32>
    %145 = tt.mulhiui %144, %137 : tensor<512xi32>
    %146 = arith.xori %145, %139 : tensor<512xi32>
    %147 = tt.splat %142 : i32 -> tensor<512xi32>
    %148 = arith.xori %146, %147 : tensor<512xi32>
    %c-766435501_i32_51 = arith.constant -766435501 : i32
    %149 = tt.splat %c-766435501_i32_51 : i32 -> tensor<512xi32>
    %150 = tt.mulhiui %149, %132 : tensor<512xi32>
    %151 = arith.xori %150, %141 : tensor<512xi32>
    %152 = tt.splat %143 : i32 -> tensor<512xi32>
    %153 = arith.xori %151, %152 : tensor<512xi32>
    %c-845247145_i32_52 = arith.constant -845247145 : i32
    %154 = tt.splat %c-845247145_i32_52 : i32 -> tensor<512xi32>
    %155 = arith.muli %154, %137 : tensor<512xi32>
    %c-766435501_i32_53 = arith.constant -766435501 : i32
    %156 = tt.splat %c-766435501_i32_53 : i32 -> tensor<512xi32>
    %157 = arith.muli %156, %132 : tensor<512xi32>
    %c-1640531527_i32_54 = arith.constant -1640531527 : i32
    %158 = arith.addi %142, %c-1640531527_i32_54 : i32
    %c-1150833019_i32_55 = arith.constant -1150833019 : i32
    %159 = arith.addi %143, %c-1150833019_i32_55 : i32
    tt.return %148, %155, %153, %157 : tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>
  }
  tt.func private @triton.language.random.uint_to_uniform_float__u32S512S(%arg0: tensor<512xi32>) -> tensor<512xf32> {
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.splat %c0_i32 : i32 -> tensor<512xi32>
    %1 = arith.cmpi slt, %arg0, %0 : tensor<512xi32>
    %cst = arith.constant dense<-1> : tensor<512xi32>
    %2 = arith.xori %arg0, %cst : tensor<512xi32>
    %3 = arith.select %1, %2, %arg0 : tensor<512xi1>, tensor<512xi32>
    %4 = arith.sitofp %3 : tensor<512xi32> to tensor<512xf32>
    %cst_0 = arith.constant 4.6566126E-10 : f32
    %5 = tt.splat %cst_0 : f32 -> tensor<512xf32>
    %6 = arith.mulf %4, %5 : tensor<512xf32>
    tt.return %6 : tensor<512xf32>
  }
  tt.func private @triton.language.random.randn__i32_i32S512S_c10(%arg0: i32, %arg1: tensor<512xi32>) -> tensor<512xf32> {
    %0:4 = tt.call @triton.language.random.randint4x__i32_i32S512S_c10(%arg0, %arg1) : (i32, tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>)
    %1 = tt.call @triton.language.random.uint_to_uniform_float__u32S512S(%0#0) : (tensor<512xi32>) -> tensor<512xf32>
    %2 = tt.call @triton.language.random.uint_to_uniform_float__u32S512S(%0#1) : (tensor<512xi32>) -> tensor<512xf32>
    %3:2 = tt.call @triton.language.random.pair_uniform_to_normal__fp32S512S_fp32S512S(%1, %2) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>)
    tt.return %3#0 : tensor<512xf32>
  }
  tt.func private @triton.language.random.pair_uniform_to_normal__fp32S512S_fp32S512S(%arg0: tensor<512xf32>, %arg1: tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) {
    %cst = arith.constant 1.000000e-07 : f32
    %0 = tt.splat %cst : f32 -> tensor<512xf32>
    %1 = arith.maxnumf %0, %arg0 : tensor<512xf32>
    %cst_0 = arith.constant 6.28318548 : f32
    %2 = tt.splat %cst_0 : f32 -> tensor<512xf32>
    %3 = arith.mulf %2, %arg1 : tensor<512xf32>
    %4 = math.log %1 : tensor<512xf32>
    %cst_1 = arith.constant -2.000000e+00 : f32
    %5 = tt.splat %cst_1 : f32 -> tensor<512xf32>
    %6 = arith.mulf %5, %4 : tensor<512xf32>
    %7 = math.sqrt %6 : tensor<512xf32>
    %8 = math.cos %3 : tensor<512xf32>
    %9 = arith.mulf %7, %8 : tensor<512xf32>
    %10 = math.sin %3 : tensor<512xf32>
    %11 = arith.mulf %7, %10 : tensor<512xf32>
    tt.return %9, %11 : tensor<512xf32>, tensor<512xf32>
  }
  tt.func private @triton.language.random.randn4x__i32_i32S512S_c10(%arg0: i32, %arg1: tensor<512xi32>) -> (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) {
    %0:4 = tt.call @triton.language.random.rand4x__i32_i32S512S_c10(%arg0, %arg1) : (i32, tensor<512xi32>) -> (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>)
    %1:2 = tt.call @triton.language.random.pair_uniform_to_normal__fp32S512S_fp32S512S(%0#0, %0#1) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>)
    %2:2 = tt.call @triton.language.random.pair_uniform_to_normal__fp32S512S_fp32S512S(%0#2, %0#3) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>)
    tt.return %1#0, %1#1, %2#0, %2#1 : tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>
  }
  tt.func private @triton.language.random.rand4x__i32_i32S512S_c10(%arg0: i32, %arg1: tensor<512xi32>) -> (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) {
    %0:4 = tt.call @triton.language.random.randint4x__i32_i32S512S_c10(%arg0, %arg1) : (i32, tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>, tensor<512xi32>)
    %1 = tt.call @triton.language.random.uint_to_uniform_float__u32S512S(%0#0) : (tensor<512xi32>) -> tensor<512xf32>
    %2 = tt.call @triton.language.random.uint_to_uniform_float__u32S512S(%0#1) : (tensor<512xi32>) -> tensor<512xf32>
    %3 = tt.call @triton.language.random.uint_to_uniform_float__u32S512S(%0#2) : (tensor<512xi32>) -> tensor<512xf32>
    %4 = tt.call @triton.language.random.uint_to_uniform_float__u32S512S(%0#3) : (tensor<512xi32>) -> tensor<512xf32>
    tt.return %1, %2, %3, %4 : tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>
  }
}
