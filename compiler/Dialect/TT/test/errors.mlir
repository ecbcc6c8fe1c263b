// RUN: %trireme-opt %s -split-input-file -verify-diagnostics

tt.func @range() {
  // expected-error @+1 {{start 8 must be less than end 8}}
  %r = tt.make_range {end = 8 : i32, start = 8 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_length() {
  // expected-error @+1 {{result must have 16 elements}}
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_power() {
  // expected-error @+1 {{extents of a block must be powers of two}}
  %r = tt.make_range {end = 12 : i32, start = 0 : i32} : tensor<12xi32>
  tt.return
}

// -----

tt.func @mask(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error @+1 {{mask must be 'tensor<8xi1>', got 'tensor<4xi1>'}}
  %v = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>, tensor<4xi1>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @dot(%a: tensor<16x32xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{K differs: 32 columns of a, 16 rows of b}}
  %d = tt.dot %a, %b, %c : tensor<16x32xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @trans(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{order must be a permutation of the axes}}
  %t = tt.trans %a {order = array<i32: 1, 1>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @broadcast(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{axis 0 has extent 4 and cannot become 8}}
  %t = tt.broadcast %a : tensor<4x8xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @reshape(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{same number of elements}}
  %t = tt.reshape %a : tensor<4x8xf32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @reduce(%a: tensor<8xf32>) {
  // expected-error @+1 {{axis 1 must be less than the rank 1}}
  %s = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_region(%a: tensor<8xf32>) {
  // expected-error @+1 {{combine region must take the elements of both sides}}
  %s = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32):
    tt.reduce.return %x : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @call() {
  // expected-error @+1 {{calls 'nowhere', which the module does not define}}
  tt.call @nowhere() : () -> ()
  tt.return
}

// -----

tt.func @atomic(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{'and' does not apply to 'f32'}}
  %o = tt.atomic_rmw and, relaxed, gpu, %p, %v : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @hint(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{unknown cache modifier 'xx'}}
  %v = tt.load %p cacheModifier = xx : !tt.ptr<f32>
  tt.return
}
