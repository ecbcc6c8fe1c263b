// Sums into bins, a lock, exchanges: atomics on blocks and scalars of every width.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// CHECK-LABEL: trireme_kernel_atomics_kernel:
// CHECK-DAG: amoadd.w.aqrl
// CHECK-DAG: amomax.d
// CHECK-DAG: amoswap.w
// CHECK-DAG: lr.w

module {
  tt.func public @atomics_kernel(%bins: !tt.ptr<i32>, %sums: !tt.ptr<f32>, %halves: !tt.ptr<f16>, %most: !tt.ptr<i64>, %lock: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %limit = tt.splat %n : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %i, %limit : tensor<64xi32>
    %ones = arith.constant dense<1> : tensor<64xi32>
    %three = arith.constant dense<3> : tensor<64xi32>
    %bin = arith.andi %i, %three : tensor<64xi32>
    %p = tt.splat %bins : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %q = tt.addptr %p, %bin : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %old = tt.atomic_rmw add, acq_rel, gpu, %q, %ones, %m : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
    tt.store %q, %old, %m : tensor<64x!tt.ptr<i32>>
    %f = arith.constant 1.5 : f32
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %sums, %f, %true : (!tt.ptr<f32>, f32, i1) -> f32
    %h = arith.constant 1.5 : f16
    %1 = tt.atomic_rmw fadd, acq_rel, gpu, %halves, %h, %true : (!tt.ptr<f16>, f16, i1) -> f16
    %w = arith.extsi %n : i32 to i64
    %2 = tt.atomic_rmw max, relaxed, gpu, %most, %w, %true : (!tt.ptr<i64>, i64, i1) -> i64
    %3 = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %4 = tt.atomic_rmw exch, release, gpu, %lock, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
}
