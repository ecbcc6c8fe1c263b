// RUN: %trireme-opt %s -split-input-file -verify-diagnostics

func.func @axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis 1 is outside a tensor of rank 1}}
  %m = kernel.reduce %x axis 1 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must take the scalars of both sides}}
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
  // expected-error @+1 {{operands must have one shape}}
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
  // expected-error @+1 {{axis 2 is outside a tensor of rank 2}}
  %g = kernel.gather %x[%i] axis 2 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @gather_result(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{result must have the indices' shape and the source's element type}}
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_shape(%x: tensor<4x8xf32>, %i: tensor<2x2xi32>) {
  // expected-error @+1 {{indices must have the source's shape but for axis 1}}
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x8xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @gather_extent(%x: tensor<4x6xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{the axis must have a power of two of elements}}
  %g = kernel.gather %x[%i] axis 1 : (tensor<4x6xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @histogram(%x: tensor<64xi32>, %m: tensor<32xi1>) {
  // expected-error @+1 {{mask must have the source's shape}}
  %h = kernel.histogram %x mask %m : tensor<64xi32>, tensor<32xi1> -> tensor<16xi32>
  return
}
