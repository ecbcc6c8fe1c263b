// RUN: %trireme-opt %s --tt-lift-control-flow | FileCheck %s

// Branches between blocks, as upstream writes an early return, become structured.
// CHECK-LABEL: tt.func public @early
// CHECK-NOT: cf.cond_br
// CHECK: scf.if
// CHECK: tt.return
tt.func public @early(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
  cf.cond_br %c, ^leave, ^go
^leave:
  tt.return
^go:
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}

// What follows a return, as upstream prints it, is dropped.
// CHECK-LABEL: tt.func private @after_return
// CHECK-NOT: ub.poison
// CHECK: tt.return %{{.*}} : f32
// CHECK-NEXT: }
tt.func private @after_return(%x: f32) -> f32 {
  tt.return %x : f32
^bb1:  // no predecessors
  %0 = ub.poison : f32
  tt.return %0 : f32
}
