// RUN: %trireme-opt %s -split-input-file -verify-diagnostics
//
// Ranges, splats and changes of shape, and limits on every block.

tt.func @range_order() {
  // expected-error @+1 {{start 8 must be less than end 8}}
  %r = tt.make_range {end = 8 : i32, start = 8 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_length() {
  // expected-error @+1 {{result must be 'tensor<16xi32>', one element a number; got 'tensor<8xi32>'}}
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_rank() {
  // expected-error @+1 {{result must be 'tensor<8xi32>', one element a number; got 'tensor<4x2xi32>'}}
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<4x2xi32>
  tt.return
}

// -----

tt.func @range_element() {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 32-bit signless integer values, but got 'tensor<8xi64>'}}
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi64>
  tt.return
}

// -----

tt.func @range_power() {
  // expected-error @+1 {{extents of a block must be powers of two, got 12}}
  %r = tt.make_range {end = 12 : i32, start = 0 : i32} : tensor<12xi32>
  tt.return
}

// -----

tt.func @range_limit() {
  // expected-error @+1 {{a block has at most 1048576 elements, got 2097152}}
  %r = tt.make_range {end = 2097152 : i32, start = 0 : i32} : tensor<2097152xi32>
  tt.return
}

// -----

tt.func @range_dynamic() {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 32-bit signless integer values, but got 'tensor<?xi32>'}}
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<?xi32>
  tt.return
}

// -----

tt.func @range_attribute() {
  // expected-error @+1 {{attribute 'end' failed to satisfy constraint: 32-bit signless integer attribute}}
  %r = tt.make_range {end = 8 : i64, start = 0 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_missing() {
  // expected-error @+1 {{requires attribute 'start'}}
  %r = tt.make_range {end = 8 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @splat_block(%x: tensor<8xf32>) {
  // expected-error @+1 {{operand #0 must be float, integer or pointer, but got 'tensor<8xf32>'}}
  %s = tt.splat %x : tensor<8xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @splat_element(%x: f32) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %s = tt.splat %x : f32 -> tensor<8xi32>
  tt.return
}

// -----

tt.func @splat_scalar(%x: f32) {
  // expected-error @+1 {{expected builtin.tensor, but found 'f32'}}
  %s = tt.splat %x : f32 -> f32
  tt.return
}

// -----

tt.func @splat_giant(%x: f32) {
  // expected-error @+1 {{a block has at most 1048576 elements, got 4611686018427387904x4}}
  %s = tt.splat %x : f32 -> tensor<4611686018427387904x4xf32>
  tt.return
}

// -----

tt.func @splat_many_axes(%x: f32) {
  // expected-error @+1 {{a block has at most 1048576 elements, got 1024x1024x2}}
  %s = tt.splat %x : f32 -> tensor<1024x1024x2xf32>
  tt.return
}

// -----

tt.func @splat_zero(%x: f32) {
  // expected-error @+1 {{extents of a block must be powers of two, got 0}}
  %s = tt.splat %x : f32 -> tensor<0xf32>
  tt.return
}

// -----

tt.func @splat_no_axis(%x: f32) {
  // expected-error @+1 {{a block has one axis or more, got none}}
  %s = tt.splat %x : f32 -> tensor<f32>
  tt.return
}

// -----

tt.func @splat_unranked(%x: f32) {
  // expected-error @+1 {{expected builtin.tensor, but found 'tensor<*xf32>'}}
  %s = tt.splat %x : f32 -> tensor<*xf32>
  tt.return
}

// -----

tt.func @splat_float(%x: f80) {
  // expected-error @+1 {{operand #0 must be float, integer or pointer, but got 'f80'}}
  %s = tt.splat %x : f80 -> tensor<8xf80>
  tt.return
}

// -----

tt.func @splat_signed(%x: si32) {
  // expected-error @+1 {{operand #0 must be float, integer or pointer, but got 'si32'}}
  %s = tt.splat %x : si32 -> tensor<8xsi32>
  tt.return
}

// -----

tt.func @unsplat(%x: tensor<2xf32>) {
  // expected-error @+1 {{operand must have exactly one element, got 'tensor<2xf32>'}}
  %u = tt.unsplat %x : tensor<2xf32>
  tt.return
}

// -----

tt.func @unsplat_scalar(%x: f32) {
  // expected-error @+1 {{expected builtin.tensor, but found 'f32'}}
  %u = tt.unsplat %x : f32
  tt.return
}

// -----

tt.func @unsplat_result(%x: tensor<1xf32>) {
  // expected-error @+1 {{result must be the operand's element}}
  %u = "tt.unsplat"(%x) : (tensor<1xf32>) -> i32
  tt.return
}

// -----

tt.func @expand_axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis 2 must be 0 or more and at most the rank 1}}
  %e = tt.expand_dims %x {axis = 2 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @expand_negative(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis -1 must be 0 or more and at most the rank 1}}
  %e = tt.expand_dims %x {axis = -1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @expand_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{result must be 'tensor<1x8xf32>', the operand with a new axis of extent 1; got 'tensor<8x1xf32>'}}
  %e = tt.expand_dims %x {axis = 0 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @expand_element(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %e = tt.expand_dims %x {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf16>
  tt.return
}

// -----

tt.func @broadcast_extent(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{axis 0 has extent 4 and cannot become 8}}
  %b = tt.broadcast %x : tensor<4x8xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @broadcast_rank(%x: tensor<8xf32>) {
  // expected-error @+1 {{operand and result must have the same rank, got 1 and 2}}
  %b = tt.broadcast %x : tensor<8xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @broadcast_power(%x: tensor<1x8xf32>) {
  // expected-error @+1 {{extents of a block must be powers of two, got 3x8}}
  %b = tt.broadcast %x : tensor<1x8xf32> -> tensor<3x8xf32>
  tt.return
}

// -----

tt.func @broadcast_element(%x: tensor<1x8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %b = tt.broadcast %x : tensor<1x8xf32> -> tensor<4x8xi32>
  tt.return
}

// -----

tt.func @reshape(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{operand and result must have the same number of elements, got 32 and 16}}
  %r = tt.reshape %x : tensor<4x8xf32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @reshape_element(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %r = tt.reshape %x : tensor<4x8xf32> -> tensor<32xf64>
  tt.return
}

// -----

tt.func @trans_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{order must be a permutation of the 2 axes, got [1, 1]}}
  %t = tt.trans %x {order = array<i32: 1, 1>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{order must be a permutation of the 2 axes, got [-1, 0]}}
  %t = tt.trans %x {order = array<i32: -1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_length(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{order must be a permutation of the 2 axes, got [0]}}
  %t = tt.trans %x {order = array<i32: 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_missing(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{requires attribute 'order'}}
  %t = tt.trans %x : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_shape(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{result must be 'tensor<8x4xf32>', the operand's axes in that order; got 'tensor<4x8xf32>'}}
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @trans_element(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf16>
  tt.return
}

// -----

tt.func @join_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{result must be 'tensor<8x2xf32>', the operands along a new last axis; got 'tensor<2x8xf32>'}}
  %j = tt.join %x, %x : tensor<8xf32> -> tensor<2x8xf32>
  tt.return
}

// -----

tt.func @join_operands(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{requires all operands to have the same type}}
  %j = "tt.join"(%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8x2xf32>
  tt.return
}

// -----

tt.func @join_element(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %j = tt.join %x, %x : tensor<8xf32> -> tensor<8x2xi32>
  tt.return
}

// -----

tt.func @join_limit(%x: tensor<1048576xf32>) {
  // expected-error @+1 {{a block has at most 1048576 elements, got 1048576x2}}
  %j = tt.join %x, %x : tensor<1048576xf32> -> tensor<1048576x2xf32>
  tt.return
}

// -----

tt.func @cat_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{result must be 'tensor<16xf32>', the elements of both operands; got 'tensor<8xf32>'}}
  %c = tt.cat %x, %x : tensor<8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @cat_rank(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{operands must have one axis, got 'tensor<8x2xf32>'}}
  %c = tt.cat %x, %x : tensor<8x2xf32> -> tensor<16x2xf32>
  tt.return
}

// -----

tt.func @cat_operands(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{requires all operands to have the same type}}
  %c = "tt.cat"(%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @cat_element(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %c = tt.cat %x, %x : tensor<8xf32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @split_extent(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{operand must have a last axis of extent 2, got 'tensor<8x4xf32>'}}
  %l, %r = tt.split %x : tensor<8x4xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @split_result(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{result must be 'tensor<8xf32>', the operand without that axis; got 'tensor<4xf32>'}}
  %l, %r = tt.split %x : tensor<8x2xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @split_scalars(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected builtin.tensor, but found 'f32'}}
  %l, %r = tt.split %x : tensor<2xf32> -> f32
  tt.return
}

// -----

tt.func @split_halves(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{failed to verify that all of {outLHS, outRHS} have same type}}
  %l, %r = "tt.split"(%x) : (tensor<8x2xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  tt.return
}

// -----

tt.func @split_element(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %l, %r = tt.split %x : tensor<8x2xf32> -> tensor<8xi32>
  tt.return
}
