// RUN: %trireme-opt %s -split-input-file -verify-diagnostics --convert-tt-to-linalg

tt.func public @histogram(%p: !tt.ptr<i32>) {
  %x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-error @+1 {{not supported yet: tt.histogram}}
  %h = tt.histogram %x : tensor<64xi32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func public @atomic(%p: !tt.ptr<i32>, %v: i32, %m: i1) {
  // expected-error @+1 {{not supported yet: tt.atomic_rmw}}
  %old = tt.atomic_rmw add, acq_rel, gpu, %p, %v, %m : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
