// RUN: %trireme-opt %s --lower-llvm-interleave-chains=at-once=2 | FileCheck %s

// Two computations take turns; their stores keep their places.
// CHECK-LABEL: llvm.func @turns
// CHECK: %[[X:.*]] = llvm.load %arg0
// CHECK-NEXT: %[[Y:.*]] = llvm.load %arg1
// CHECK-NEXT: %[[X1:.*]] = llvm.fadd %[[X]], %[[X]]
// CHECK-NEXT: %[[Y1:.*]] = llvm.fmul %[[Y]], %[[Y]]
// CHECK-NEXT: llvm.fadd %[[X1]]
// CHECK-NEXT: llvm.fmul %[[Y1]]
// CHECK-COUNT-6: llvm.f
// CHECK-NEXT: llvm.store %{{.*}}, %arg0
// CHECK-NEXT: llvm.store %{{.*}}, %arg1
llvm.func @turns(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> f32
  %x1 = llvm.fadd %x, %x : f32
  %x2 = llvm.fadd %x1, %x1 : f32
  %x3 = llvm.fadd %x2, %x2 : f32
  %x4 = llvm.fadd %x3, %x3 : f32
  %x5 = llvm.fadd %x4, %x4 : f32
  %y = llvm.load %q : !llvm.ptr -> f32
  %y1 = llvm.fmul %y, %y : f32
  %y2 = llvm.fmul %y1, %y1 : f32
  %y3 = llvm.fmul %y2, %y2 : f32
  %y4 = llvm.fmul %y3, %y3 : f32
  %y5 = llvm.fmul %y4, %y4 : f32
  llvm.store %x5, %p : f32, !llvm.ptr
  llvm.store %y5, %q : f32, !llvm.ptr
  llvm.return
}

// A load does not pass a store, nor a volatile load anything.
// CHECK-LABEL: llvm.func @order
// CHECK-COUNT-6: llvm.fadd
// CHECK: llvm.store
// CHECK-NEXT: llvm.load
// CHECK-NEXT: llvm.fmul
// CHECK: llvm.load volatile
// CHECK-COUNT-6: llvm.fadd
llvm.func @order(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> f32
  %x1 = llvm.fadd %x, %x : f32
  %x2 = llvm.fadd %x1, %x1 : f32
  %x3 = llvm.fadd %x2, %x2 : f32
  %x4 = llvm.fadd %x3, %x3 : f32
  %x5 = llvm.fadd %x4, %x4 : f32
  %x6 = llvm.fadd %x5, %x5 : f32
  llvm.store %x6, %p : f32, !llvm.ptr
  %y = llvm.load %q : !llvm.ptr -> f32
  %y1 = llvm.fmul %y, %y : f32
  %y2 = llvm.fmul %y1, %y1 : f32
  %y3 = llvm.fmul %y2, %y2 : f32
  %y4 = llvm.fmul %y3, %y3 : f32
  %y5 = llvm.fmul %y4, %y4 : f32
  %y6 = llvm.fmul %y5, %y5 : f32
  %z = llvm.load volatile %q : !llvm.ptr -> f32
  %z1 = llvm.fadd %z, %z : f32
  %z2 = llvm.fadd %z1, %z1 : f32
  %z3 = llvm.fadd %z2, %z2 : f32
  %z4 = llvm.fadd %z3, %z3 : f32
  %z5 = llvm.fadd %z4, %z4 : f32
  %z6 = llvm.fadd %z5, %z5 : f32
  llvm.store %y6, %p : f32, !llvm.ptr
  llvm.store %z6, %q : f32, !llvm.ptr
  llvm.return
}
