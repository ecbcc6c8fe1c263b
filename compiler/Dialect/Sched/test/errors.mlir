// RUN: %trireme-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{order must be a permutation of the axes, got [0, 0]}}
func.func private @order() attributes {loop = #sched.loop<order = [0, 0], lane = 0, width = 8, unroll = 1>}

// -----

// expected-error @+1 {{lane axis 2 is outside the iteration space of 2 axes}}
func.func private @lane() attributes {loop = #sched.loop<order = [0, 1], lane = 2, width = 8, unroll = 1>}

// -----

// expected-error @+1 {{width and unroll must be positive, got 0 and 1}}
func.func private @width() attributes {loop = #sched.loop<order = [0], lane = 0, width = 0, unroll = 1>}

// -----

// expected-error @+1 {{order must be a permutation of the axes, got [1, 2]}}
func.func private @order_range() attributes {loop = #sched.loop<order = [1, 2], lane = 0, width = 8, unroll = 1>}

// -----

// expected-error @+1 {{lane axis -1 is outside the iteration space of 1 axes}}
func.func private @lane_negative() attributes {loop = #sched.loop<order = [0], lane = -1, width = 8, unroll = 1>}

// -----

// expected-error @+1 {{width and unroll must be positive, got 8 and -1}}
func.func private @unroll() attributes {loop = #sched.loop<order = [0], lane = 0, width = 8, unroll = -1>}

// -----

// expected-error @+1 {{rows, vectors, width and depth must be positive, got 4, 0, 8 and 1}}
func.func private @tile() attributes {tile = #sched.tile<rows = 4, vectors = 0, width = 8, depth = 1>}

// -----

func.func @hold_rank(%x: tensor<8x16xf32>) {
  // expected-error @+1 {{loop nest must have the 2 axes of the tensor, got 1}}
  %h = sched.hold %x {loop = #sched.loop<order = [0], lane = 0, width = 8, unroll = 2>} : tensor<8x16xf32>
  return
}

// -----

func.func @hold_scalar(%x: f32) {
  // expected-error @+1 {{expected builtin.tensor, but found 'f32'}}
  %h = sched.hold %x : f32
  return
}

// -----

func.func @hold_loop(%x: tensor<8xf32>) {
  // expected-error @+1 {{attribute 'loop' failed to satisfy constraint: loop nest of a root}}
  %h = sched.hold %x {loop = 1 : i32} : tensor<8xf32>
  return
}
