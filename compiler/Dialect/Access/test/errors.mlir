// RUN: %trireme-opt %s -split-input-file -verify-diagnostics

func.func @nowhere() {
  // expected-error @+1 {{needs a base or addresses}}
  %v = access.load -> tensor<8xf32>
  return
}

// -----

func.func @strides(%p: !llvm.ptr, %s: i64) {
  // expected-error @+1 {{has 1 strides for a block of rank 2}}
  %v = access.load base %p : !llvm.ptr strides [%s] -> tensor<8x8xf32>
  return
}

// -----

func.func @valid(%p: !llvm.ptr, %s: i64, %ok: i1) {
  // expected-error @+1 {{may be invalid at run time but has no addresses}}
  %v = access.load base %p : !llvm.ptr strides [%s] valid %ok -> tensor<8xf32>
  return
}

// -----

func.func @term_length(%p: !llvm.ptr, %s: i64, %t: tensor<4xi64>) {
  // expected-error @+1 {{term of axis 0 is not as long as the axis}}
  %v = access.load base %p : !llvm.ptr strides [%s] terms [%t : tensor<4xi64>] [0] -> tensor<8xf32>
  return
}

// -----

func.func @bound_axis(%p: !llvm.ptr, %s: i64) {
  // expected-error @+1 {{bound axis 3 is outside the block}}
  %v = access.load base %p : !llvm.ptr strides [%s] bounds [%s to %s] [3] -> tensor<8xf32>
  return
}

// -----

func.func @mask_shape(%p: !llvm.ptr, %s: i64, %m: tensor<4xi1>, %x: tensor<8xf32>) {
  // expected-error @+1 {{mask and addresses must have the block's shape}}
  access.store %x base %p : !llvm.ptr strides [%s] mask %m : tensor<4xi1> : tensor<8xf32>
  return
}

// -----

func.func @other(%p: !llvm.ptr, %s: i64, %o: i32) {
  // expected-error @+1 {{other must be a scalar or a block of the result's type}}
  %v = access.load base %p : !llvm.ptr strides [%s] other %o : i32 -> tensor<8xf32>
  return
}

// -----

func.func @shape(%v: tensor<8xi32>, %a: tensor<4xi64>) {
  // expected-error @+1 {{address and mask must have the value's shape}}
  %0 = access.atomic_rmw add acq_rel %v at %a : tensor<8xi32>, tensor<4xi64>
  return
}

// -----

func.func @kind(%v: f32, %p: !llvm.ptr) {
  // expected-error @+1 {{needs integers, or floats for fadd}}
  %0 = access.atomic_rmw add acq_rel %v at %p : f32, !llvm.ptr
  return
}

// -----

func.func @compared(%v: f32, %p: !llvm.ptr) {
  // expected-error @+1 {{needs integers}}
  %0 = access.atomic_cas acq_rel %v to %v at %p : f32, !llvm.ptr
  return
}
