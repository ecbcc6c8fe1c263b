// No blocks at all.
// RUN: %trireme-opt --stop-after=obj --target=spacemit-x60 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=rv64gcv+zvl1024b %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v2 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v3 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=x86-64-v4 %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=obj --target=armv8.2-a %s > %t.o && llvm-nm -u %t.o | not grep -vE %provided
// RUN: %trireme-opt --stop-after=asm --target=spacemit-x60 %s | FileCheck %s

// What is left undefined is provided by the runtime: abi/runtime_symbols.inc.
// CHECK-LABEL: trireme_kernel_scalar_kernel:
// CHECK: mul
// CHECK: sw

module {
  tt.func public @scalar_kernel(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32, %arg3: i1) {
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %arg1, %0 : i32
    %2 = arith.addi %1, %arg2 : i32
    %3 = scf.if %arg3 -> (i32) {
      %c1_i32 = arith.constant 1 : i32
      %5 = arith.subi %2, %c1_i32 : i32
      scf.yield %5 : i32
    } else {
      scf.yield %2 : i32
    }
    %4 = tt.addptr %arg0, %0 : !tt.ptr<i32>, i32
    tt.store %4, %3 : !tt.ptr<i32>
    tt.return
  }
}
