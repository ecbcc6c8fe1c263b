// RUN: %trireme-opt %s -split-input-file -verify-diagnostics

func.func @axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis 1 is outside 'tensor<8xf32>'}}
  %m = kernel.reduce %x axis 1 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must take the scalars of both sides, ('f32', 'f32'); it takes ('f32')}}
  %m = kernel.reduce %x axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @result(%x: tensor<8xf32>) {
  // expected-error @+1 {{result must be 'f32' but is 'f64'}}
  %m = kernel.reduce %x axis 0 : (tensor<8xf32>) -> f64 {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @shapes(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{operands must have one shape, got 'tensor<8xf32>' and 'tensor<4xf32>'}}
  %m:2 = kernel.scan %x, %y axis 0 : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    kernel.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @grid_axis() {
  // expected-error @+1 {{attribute 'axis' failed to satisfy constraint}}
  %p = kernel.program_id 3 : i32
  return
}

// -----

func.func @gather_axis(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{axis 2 is outside 'tensor<4x8xf32>'}}
  %g = kernel.gather %x[%i] axis 2 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @gather_result(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{result must have the indices' shape and the source's element type, got 'tensor<4x8xf32>' of 'tensor<4x2xi32>' and 'tensor<4x8xf32>'}}
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_shape(%x: tensor<4x8xf32>, %i: tensor<2x2xi32>) {
  // expected-error @+1 {{indices must have the source's shape but for axis 1, got 'tensor<2x2xi32>' for 'tensor<4x8xf32>'}}
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x8xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @gather_extent(%x: tensor<4x6xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{the axis must have a power of two of elements, got 6}}
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x6xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @histogram(%x: tensor<64xi32>, %m: tensor<32xi1>) {
  // expected-error @+1 {{mask must have the source's shape, got 'tensor<32xi1>' for 'tensor<64xi32>'}}
  %h = kernel.histogram %x mask %m : tensor<64xi32>, tensor<32xi1> -> tensor<16xi32>
  return
}

// -----

func.func @grid_axis_negative() {
  // expected-error @+1 {{attribute 'axis' failed to satisfy constraint}}
  %p = kernel.num_programs -1 : i32
  return
}

// -----

func.func @iota_rank() {
  // expected-error @+1 {{result must have one axis, got 'tensor<4x2xi32>'}}
  %r = kernel.iota 0 : tensor<4x2xi32>
  return
}

// -----

func.func @iota_dynamic() {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 32-bit signless integer values, but got 'tensor<?xi32>'}}
  %r = kernel.iota 0 : tensor<?xi32>
  return
}

// -----

func.func @no_operands() {
  // expected-error @+1 {{needs at least one operand}}
  kernel.reduce axis 0 : () -> () {
    kernel.yield
  }
  return
}

// -----

func.func @negative_axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis -1 is outside 'tensor<8xf32>'}}
  %m = kernel.reduce %x axis -1 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @yielded(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must yield the scalars of one side, ('f32'); it yields ('f32', 'f32')}}
  %m = kernel.reduce %x axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @yielded_nothing(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must yield the scalars of one side, ('f32'); it yields ()}}
  %m = kernel.reduce %x axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
  }
  return
}

// -----

func.func @results(%x: tensor<8xf32>) {
  // expected-error @+1 {{needs one result an operand: expected 1, got 2}}
  %m:2 = kernel.reduce %x axis 0 : (tensor<8xf32>) -> (f32, f32) {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @scan_result(%x: tensor<8xf32>) {
  // expected-error @+1 {{results must have the operands' types ('tensor<8xf32>'), got ('tensor<8xf64>')}}
  %m = kernel.scan %x axis 0 : (tensor<8xf32>) -> tensor<8xf64> {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @scan_region(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must take the scalars of both sides, ('f32', 'f32'); it takes ('f32', 'f64')}}
  %m = kernel.scan %x axis 0 : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f64):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @dynamic(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be variadic of statically shaped tensor of any type values, but got 'tensor<?xf32>'}}
  %m = kernel.reduce %x axis 0 : (tensor<?xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @yield_elsewhere() {
  // expected-error @+1 {{expects parent op to be one of 'kernel.map, kernel.reduce, kernel.scan'}}
  kernel.yield
  return
}

// -----

func.func @gather_negative(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{axis -1 is outside 'tensor<4x8xf32>'}}
  %g = kernel.gather %x[%i] axis -1 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @gather_rank(%x: tensor<4x8xf32>, %i: tensor<8xi32>) {
  // expected-error @+1 {{indices must have the source's shape but for axis 1, got 'tensor<8xi32>' for 'tensor<4x8xf32>'}}
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x8xf32>, tensor<8xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @histogram_unranked(%x: tensor<*xi32>) {
  // expected-error @+1 {{expected builtin.tensor, but found 'tensor<*xi32>'}}
  %h = kernel.histogram %x : tensor<*xi32> -> tensor<16xi32>
  return
}

// -----

func.func @print_type(%x: f32) {
  // expected-error @+1 {{needs a value and the spelling of its type, or neither; got a value and ""}}
  kernel.print " x: " %x : f32 ""
  return
}

// -----

func.func @print_value() {
  // expected-error @+1 {{needs a value and the spelling of its type, or neither; got no value and "fp32"}}
  "kernel.print"() <{prefix = "x", type = "fp32"}> : () -> ()
  return
}

// -----

func.func @assert_sides(%c: i1, %x: f32) {
  // expected-error @+1 {{compares two values or none, got one}}
  "kernel.assert"(%c, %x) <{message = "m", operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> ()
  return
}

// -----

func.func @assert_shape(%c: tensor<8xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{what is compared must have the condition's shape, got 'tensor<4xf32>' for 'tensor<8xi1>'}}
  kernel.assert %c "m" compares %x, %x : tensor<4xf32>, tensor<4xf32> "fp32" : tensor<8xi1>
  return
}

// -----

func.func @map_shape(%x: tensor<4xi32>) {
  // expected-error @+1 {{operands must have the result's shape}}
  %y = kernel.map %x : (tensor<4xi32>) -> tensor<8xi32> {
  ^bb0(%e: i32):
    kernel.yield %e : i32
  }
  return
}

// -----

func.func @map_arguments(%x: tensor<8xi32>) {
  // expected-error @+1 {{region must take one element of each operand}}
  %y = kernel.map %x : (tensor<8xi32>) -> tensor<8xi32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  return
}

// -----

func.func @map_yield(%x: tensor<8xi32>) {
  // expected-error @+1 {{region must yield one element of the result}}
  %y = kernel.map %x : (tensor<8xi32>) -> tensor<8xi32> {
  ^bb0(%e: i32):
    %t = arith.trunci %e : i32 to i8
    kernel.yield %t : i8
  }
  return
}
