// RUN: %trireme-opt %s --tt-inline-calls -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: tt.func public @kernel
// CHECK-NOT: tt.call
// CHECK: arith.muli
// CHECK: arith.addi
// CHECK: tt.return
// CHECK-NOT: @twice
tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32) {
  %a = tt.call @twice(%n) : (i32) -> i32
  tt.store %p, %a : !tt.ptr<i32>
  tt.return
}
tt.func private @twice(%x: i32) -> i32 attributes {noinline = true} {
  %c2 = arith.constant 2 : i32
  %y = arith.muli %x, %c2 : i32
  %z = tt.call @plus(%y) : (i32) -> i32
  tt.return %z : i32
}
tt.func private @plus(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %y = arith.addi %x, %c1 : i32
  tt.return %y : i32
}
