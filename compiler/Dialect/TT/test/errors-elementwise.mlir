// RUN: %trireme-opt %s -split-input-file -verify-diagnostics
//
// Operations element by element, foreign code included.

tt.func @addptr_shape(%p: !tt.ptr<f32>, %o: tensor<8xi32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %q = tt.addptr %p, %o : !tt.ptr<f32>, tensor<8xi32>
  tt.return
}

// -----

tt.func @addptr_offset(%p: !tt.ptr<f32>, %o: f32) {
  // expected-error @+1 {{operand #1 must be integer i1, i8, i16, i32 or i64 or a block of such, but got 'f32'}}
  %q = tt.addptr %p, %o : !tt.ptr<f32>, f32
  tt.return
}

// -----

tt.func @addptr_pointer(%x: i64) {
  // expected-error @+1 {{operand #0 must be pointer to an element or a block of such, but got 'i64'}}
  %q = tt.addptr %x, %x : i64, i64
  tt.return
}

// -----

tt.func @addptr_block(%p: !tt.ptr<tensor<8xf32>>, %o: i32) {
  // expected-error @+1 {{operand #0 must be pointer to an element or a block of such, but got '!tt.ptr<tensor<8xf32>>'}}
  %q = tt.addptr %p, %o : !tt.ptr<tensor<8xf32>>, i32
  tt.return
}

// -----

tt.func @addptr_result(%p: !tt.ptr<f32>, %o: i32) {
  // expected-error @+1 {{failed to verify that all of {ptr, result} have same type}}
  %q = "tt.addptr"(%p, %o) : (!tt.ptr<f32>, i32) -> !tt.ptr<f16>
  tt.return
}

// -----

tt.func @int_to_ptr(%x: i32) {
  // expected-error @+1 {{operand #0 must be i64 or a block of such, but got 'i32'}}
  %p = tt.int_to_ptr %x : i32 -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func @int_to_ptr_shape(%x: tensor<8xi64>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %p = tt.int_to_ptr %x : tensor<8xi64> -> tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @ptr_to_int(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{result #0 must be i64 or a block of such, but got 'i32'}}
  %x = tt.ptr_to_int %p : !tt.ptr<f32> -> i32
  tt.return
}

// -----

tt.func @ptr_to_int_shape(%p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %x = tt.ptr_to_int %p : tensor<8x!tt.ptr<f32>> -> i64
  tt.return
}

// -----

tt.func @bitcast_width(%x: tensor<8xf32>) {
  // expected-error @+1 {{elements must be of one width, got 'f32' and 'i64'}}
  %y = tt.bitcast %x : tensor<8xf32> -> tensor<8xi64>
  tt.return
}

// -----

tt.func @bitcast_pointer(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{pointers become pointers only, not '!tt.ptr<f32>' to 'i64'; use tt.ptr_to_int or tt.int_to_ptr for addresses}}
  %x = tt.bitcast %p : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func @bitcast_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %y = tt.bitcast %x : tensor<8xf32> -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @bitcast_descriptor(%d: !tt.tensordesc<8xf32>) {
  // expected-error @+1 {{operand #0 must be float, integer or pointer or a block of such, but got '!tt.tensordesc<8xf32>'}}
  %y = tt.bitcast %d : !tt.tensordesc<8xf32> -> !tt.tensordesc<8xi32>
  tt.return
}

// -----

tt.func @fp_to_fp_wider(%x: tensor<8xf16>) {
  // expected-error @+1 {{nothing is rounded from 'f16' to 'f32': leave out 'rounding'}}
  %y = tt.fp_to_fp %x, rounding = rtz : tensor<8xf16> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @fp_to_fp_integer(%x: tensor<8xf16>) {
  // expected-error @+1 {{result #0 must be float of 8, 16, 32 or 64 bits or a block of such, but got 'tensor<8xi16>'}}
  %y = tt.fp_to_fp %x : tensor<8xf16> -> tensor<8xi16>
  tt.return
}

// -----

tt.func @fp_to_fp_mode(%x: tensor<8xf32>) {
  // expected-error @+1 {{rtz, rtne}}
  %y = tt.fp_to_fp %x, rounding = up : tensor<8xf32> -> tensor<8xf16>
  tt.return
}

// -----

tt.func @fp_to_fp_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %y = tt.fp_to_fp %x : tensor<8xf32> -> f16
  tt.return
}

// -----

tt.func @clampf_nan(%x: f32) {
  // expected-error @+1 {{none, all}}
  %y = tt.clampf %x, %x, %x, propagateNan = some : f32
  tt.return
}

// -----

tt.func @clampf_nan_number(%x: f32) {
  // expected-error @+1 {{Invalid attribute `propagateNan` in property conversion: 7 : i32}}
  %y = "tt.clampf"(%x, %x, %x) <{propagateNan = 7 : i32}> : (f32, f32, f32) -> f32
  tt.return
}

// -----

tt.func @clampf_integer(%x: i32) {
  // expected-error @+1 {{operand #0 must be float of 8, 16, 32 or 64 bits or a block of such, but got 'i32'}}
  %y = tt.clampf %x, %x, %x, propagateNan = all : i32
  tt.return
}

// -----

tt.func @clampf_types(%x: f32, %y: f64) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %z = "tt.clampf"(%x, %y, %x) <{propagateNan = 0 : i32}> : (f32, f64, f32) -> f32
  tt.return
}

// -----

tt.func @sqrt_integer(%x: i32) {
  // expected-error @+1 {{operand #0 must be float of 8, 16, 32 or 64 bits or a block of such, but got 'i32'}}
  %y = tt.precise_sqrt %x : i32
  tt.return
}

// -----

tt.func @sqrt_types(%x: f32) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "tt.precise_sqrt"(%x) : (f32) -> f64
  tt.return
}

// -----

tt.func @divf_integer(%x: i32) {
  // expected-error @+1 {{operand #0 must be float of 8, 16, 32 or 64 bits or a block of such, but got 'i32'}}
  %y = tt.precise_divf %x, %x : i32
  tt.return
}

// -----

tt.func @divf_types(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %z = "tt.precise_divf"(%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @mulhiui_float(%x: f32) {
  // expected-error @+1 {{operand #0 must be integer i1, i8, i16, i32 or i64 or a block of such, but got 'f32'}}
  %y = tt.mulhiui %x, %x : f32
  tt.return
}

// -----

tt.func @mulhiui_types(%x: i32, %y: i64) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %z = "tt.mulhiui"(%x, %y) : (i32, i64) -> i32
  tt.return
}

// -----

tt.func @extern_symbol(%x: f32) {
  // expected-error @+1 {{symbol must name a function, got ""}}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = ""} : (f32) -> f32
  tt.return
}

// -----

tt.func @extern_missing(%x: f32) {
  // expected-error @+1 {{requires attribute 'symbol'}}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true} : (f32) -> f32
  tt.return
}

// -----

tt.func @extern_operands() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %y = tt.extern_elementwise {libname = "", libpath = "", pure = true, symbol = "f"} : () -> f32
  tt.return
}

// -----

tt.func @extern_shape(%x: tensor<8xf32>, %y: f32) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %z = tt.extern_elementwise %x, %y {libname = "", libpath = "", pure = true, symbol = "f"} : (tensor<8xf32>, f32) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @asm_result(%x: tensor<8xi32>) {
  // expected-error @+1 {{needs one result or more}}
  "tt.elementwise_inline_asm"(%x) <{asm_string = "nop", constraints = "r", packed_element = 1 : i32, pure = false}> : (tensor<8xi32>) -> ()
  tt.return
}

// -----

tt.func @asm_operand_shape(%x: tensor<8xi32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{operands and results must have one shape, got 'tensor<4xi32>' and 'tensor<8xi32>'}}
  %z = tt.elementwise_inline_asm "nop" {constraints = "=r,r,r", packed_element = 1 : i32, pure = true} %x, %y : tensor<8xi32>, tensor<4xi32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @asm_result_shape(%x: tensor<8xi32>) {
  // expected-error @+1 {{results must have one shape, got 'tensor<8xi32>' and 'i32'}}
  %y, %z = tt.elementwise_inline_asm "nop" {constraints = "=r,=r,r", packed_element = 1 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>, i32
  tt.return
}

// -----

tt.func @asm_pack(%x: tensor<8xi32>) {
  // expected-error @+1 {{'packed_element' must be a power of two, got 3}}
  %y = tt.elementwise_inline_asm "nop" {constraints = "=r,r", packed_element = 3 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @asm_pack_negative(%x: tensor<8xi32>) {
  // expected-error @+1 {{'packed_element' must be a power of two, got -4}}
  %y = tt.elementwise_inline_asm "nop" {constraints = "=r,r", packed_element = -4 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @asm_pack_size(%x: tensor<2xi8>) {
  // expected-error @+1 {{'packed_element' is 4, but 'tensor<2xi8>' has only 2 elements}}
  %y = tt.elementwise_inline_asm "nop" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %x : tensor<2xi8> -> tensor<2xi8>
  tt.return
}

// -----

tt.func @asm_operand(%x: !tt.tensordesc<8xi8>) {
  // expected-error @+1 {{but got '!tt.tensordesc<8xi8>'}}
  %y = tt.elementwise_inline_asm "nop" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : !tt.tensordesc<8xi8> -> i32
  tt.return
}

// -----

tt.func @map_operands() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %y = "tt.map_elementwise"() <{pack = 1 : i32}> ({
  }) : () -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_region(%x: tensor<8xf32>) {
  // expected-error @+1 {{needs a region with a block}}
  %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_pack(%x: tensor<8xf32>) {
  // expected-error @+1 {{'pack' must be a power of two, got 0}}
  %y = "tt.map_elementwise"(%x) <{pack = 0 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_pack_size(%x: tensor<2xf32>) {
  // expected-error @+1 {{'pack' is 4, but 'tensor<2xf32>' has only 2 elements}}
  %y = "tt.map_elementwise"(%x) <{pack = 4 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<2xf32>) -> tensor<2xf32>
  tt.return
}

// -----

tt.func @map_arguments(%x: tensor<8xf32>, %z: tensor<8xi32>) {
  // expected-error @+1 {{region must take ('f32', 'f32', 'i32', 'i32'): 'pack' elements of an operand, then of the next; it takes ('f32', 'i32', 'f32', 'i32')}}
  %y = "tt.map_elementwise"(%x, %z) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    tt.map_elementwise.return %a, %c : f32, f32
  }) : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_return(%x: tensor<8xf32>) {
  // expected-error @+1 {{region must return ('f32'), got ()}}
  %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @map_return_elsewhere(%x: f32) {
  // expected-error @+1 {{expects parent op 'tt.map_elementwise'}}
  tt.map_elementwise.return %x : f32
  tt.return
}
