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
  // expected-error @+1 {{term of axis 0 is not as long as the axis: expected 8, got 4}}
  %v = access.load base %p : !llvm.ptr strides [%s] terms [%t : tensor<4xi64>] [0] -> tensor<8xf32>
  return
}

// -----

func.func @bound_axis(%p: !llvm.ptr, %s: i64) {
  // expected-error @+1 {{bound axis 3 is outside the block of rank 1}}
  %v = access.load base %p : !llvm.ptr strides [%s] bounds [%s to %s] [3] -> tensor<8xf32>
  return
}

// -----

func.func @mask_shape(%p: !llvm.ptr, %s: i64, %m: tensor<4xi1>, %x: tensor<8xf32>) {
  // expected-error @+1 {{mask and addresses must have the block's shape, got 'tensor<4xi1>' for 'tensor<8xf32>'}}
  access.store %x base %p : !llvm.ptr strides [%s] mask %m : tensor<4xi1> : tensor<8xf32>
  return
}

// -----

func.func @other(%p: !llvm.ptr, %s: i64, %o: i32) {
  // expected-error @+1 {{other must be a scalar or a block of the result's type 'tensor<8xf32>', got 'i32'}}
  %v = access.load base %p : !llvm.ptr strides [%s] other %o : i32 -> tensor<8xf32>
  return
}

// -----

func.func @shape(%v: tensor<8xi32>, %a: tensor<4xi64>) {
  // expected-error @+1 {{address and mask must have the value's shape, got 'tensor<4xi64>' for 'tensor<8xi32>'}}
  %0 = access.atomic_rmw add acq_rel %v at %a : tensor<8xi32>, tensor<4xi64>
  return
}

// -----

func.func @kind(%v: f32, %p: !llvm.ptr) {
  // expected-error @+1 {{needs integers, or floats for fadd; got 'f32'}}
  %0 = access.atomic_rmw add acq_rel %v at %p : f32, !llvm.ptr
  return
}

// -----

func.func @compared(%v: f32, %p: !llvm.ptr) {
  // expected-error @+1 {{needs integers, got 'f32'}}
  %0 = access.atomic_cas acq_rel %v to %v at %p : f32, !llvm.ptr
  return
}

// -----

func.func @summary(%o: i64, %a: tensor<8xi64>) {
  // expected-error @+1 {{has a summary without a base}}
  %v = access.load offset %o addresses %a : tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @summary_strides(%o: i64, %a: tensor<8xi64>) {
  // expected-error @+1 {{has a summary without a base}}
  %v = access.load strides [%o] addresses %a : tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @exact_mask(%p: !llvm.ptr, %s: i64, %m: tensor<8xi1>) {
  // expected-error @+1 {{has an exact mask but no addresses}}
  %v = access.load base %p : !llvm.ptr strides [%s] exactmask %m : tensor<8xi1> -> tensor<8xf32>
  return
}

// -----

func.func @terms(%p: !llvm.ptr, %s: i64, %t: tensor<8xi64>) {
  // expected-error @+1 {{has 1 terms and 2 axes for them}}
  %v = access.load base %p : !llvm.ptr strides [%s] terms [%t : tensor<8xi64>] [0, 0] -> tensor<8xf32>
  return
}

// -----

func.func @term_axis(%p: !llvm.ptr, %s: i64, %t: tensor<8xi64>) {
  // expected-error @+1 {{term axis -1 is outside the block of rank 1}}
  %v = access.load base %p : !llvm.ptr strides [%s] terms [%t : tensor<8xi64>] [-1] -> tensor<8xf32>
  return
}

// -----

func.func @bounds(%p: !llvm.ptr, %s: i64) {
  // expected-error @+1 {{needs one low, one high and one axis a bound, got 2, 1 and 1}}
  %v = access.load base %p : !llvm.ptr strides [%s] bounds [%s, %s to %s] [0] -> tensor<8xf32>
  return
}

// -----

func.func @addresses_shape(%a: tensor<4xi64>) {
  // expected-error @+1 {{mask and addresses must have the block's shape, got 'tensor<4xi64>' for 'tensor<8xf32>'}}
  %v = access.load addresses %a : tensor<4xi64> -> tensor<8xf32>
  return
}

// -----

func.func @unranked_mask(%p: !llvm.ptr, %s: i64, %m: tensor<*xi1>) {
  // expected-error @+1 {{operand #2 must be statically shaped tensor of 1-bit signless integer values, but got 'tensor<*xi1>'}}
  %v = access.load base %p : !llvm.ptr strides [%s] mask %m : tensor<*xi1> -> tensor<8xf32>
  return
}

// -----

func.func @unranked_result(%p: !llvm.ptr, %s: i64) {
  // expected-error @+1 {{result #0 must be signless integer or floating-point or statically shaped tensor of signless integer or floating-point values, but got 'tensor<*xf32>'}}
  %v = access.load base %p : !llvm.ptr strides [%s] -> tensor<*xf32>
  return
}

// -----

func.func @scalar_mask(%p: !llvm.ptr, %m: tensor<i1>) {
  // expected-error @+1 {{a scalar has no mask and no addresses; use 'pred'}}
  %v = access.load base %p : !llvm.ptr mask %m : tensor<i1> -> f32
  return
}

// -----

func.func @scalar_strides(%p: !llvm.ptr, %s: i64, %v: f32) {
  // expected-error @+1 {{has 1 strides for a block of rank 0}}
  access.store %v base %p : !llvm.ptr strides [%s] : f32
  return
}

// -----

func.func @store_pointer(%p: !llvm.ptr) {
  // expected-error @+1 {{operand #0 must be signless integer or floating-point or statically shaped tensor of signless integer or floating-point values, but got '!llvm.ptr'}}
  access.store %p base %p : !llvm.ptr : !llvm.ptr
  return
}

// -----

func.func @atomic_mask(%v: i32, %p: !llvm.ptr, %m: tensor<8xi1>) {
  // expected-error @+1 {{address and mask must have the value's shape, got 'tensor<8xi1>' for 'i32'}}
  %0 = access.atomic_rmw add acq_rel %v at %p mask %m : i32, !llvm.ptr, tensor<8xi1>
  return
}

// -----

func.func @atomic_result(%v: i32, %p: !llvm.ptr) {
  // expected-error @+1 {{failed to verify that all of {value, result} have same type}}
  %0 = "access.atomic_rmw"(%v, %p) <{kind = 1 : i64, ordering = 6 : i64}> : (i32, !llvm.ptr) -> i64
  return
}

// -----

func.func @atomic_kind(%v: i32, %p: !llvm.ptr) {
  // expected-error @+1 {{expected}}
  %0 = access.atomic_rmw plus acq_rel %v at %p : i32, !llvm.ptr
  return
}

// -----

func.func @compared_shape(%v: tensor<8xi32>, %p: !llvm.ptr) {
  // expected-error @+1 {{address and mask must have the value's shape, got '!llvm.ptr' for 'tensor<8xi32>'}}
  %0 = access.atomic_cas acq_rel %v to %v at %p : tensor<8xi32>, !llvm.ptr
  return
}
