// RUN: %trireme-opt %s -split-input-file -verify-diagnostics
//
// Functions, calls, the grid, prints and assertions.

tt.func @program_axis() {
  // expected-error @+1 {{x, y, z}}
  %i = tt.get_program_id w : i32
  tt.return
}

// -----

tt.func @program_axis_number() {
  // expected-error @+1 {{Invalid attribute `axis` in property conversion: 3 : i32}}
  %i = "tt.get_program_id"() <{axis = 3 : i32}> : () -> i32
  tt.return
}

// -----

tt.func @program_type() {
  // expected-error @+1 {{result #0 must be 32-bit signless integer, but got 'i64'}}
  %i = tt.get_program_id x : i64
  tt.return
}

// -----

tt.func @programs_axis() {
  // expected-error @+1 {{x, y, z}}
  %i = tt.get_num_programs 0 : i32
  tt.return
}

// -----

tt.func @programs_type() {
  // expected-error @+1 {{expected builtin.integer, but found 'tensor<8xi32>'}}
  %i = tt.get_num_programs x : tensor<8xi32>
  tt.return
}

// -----

tt.func @print_signs(%x: i32, %y: f32) {
  // expected-error @+1 {{isSigned must have one entry a value: expected 2, got 1}}
  tt.print "x: " {hex = false, isSigned = array<i32: 1>} : %x, %y : i32, f32
  tt.return
}

// -----

tt.func @print_signs_missing(%x: i32) {
  // expected-error @+1 {{requires attribute 'isSigned'}}
  tt.print "x: " {hex = false} : %x : i32
  tt.return
}

// -----

tt.func @print_descriptor(%d: !tt.tensordesc<8xf32>) {
  // expected-error @+1 {{but got '!tt.tensordesc<8xf32>'}}
  tt.print "d: " {hex = false, isSigned = array<i32: 0>} : %d : !tt.tensordesc<8xf32>
  tt.return
}

// -----

tt.func @print_prefix() {
  // expected-error @+1 {{expected attribute value}}
  tt.print x {hex = false, isSigned = array<i32>}
  tt.return
}

// -----

tt.func @assert_condition(%x: tensor<8xi32>) {
  // expected-error @+1 {{operand #0 must be i1 or a block of such, but got 'tensor<8xi32>'}}
  tt.assert %x, "bad" : tensor<8xi32>
  tt.return
}

// -----

tt.func @assert_message(%c: i1) {
  // expected-error @+1 {{expected ','}}
  tt.assert %c : i1
  tt.return
}

// -----

tt.func @return_count(%x: f32) -> f32 {
  // expected-error @+1 {{returned types must be the function's result types ('f32'), got ()}}
  tt.return
}

// -----

tt.func @return_type(%x: f32) -> f64 {
  // expected-error @+1 {{returned types must be the function's result types ('f64'), got ('f32')}}
  tt.return %x : f32
}

// -----

tt.func @return_nested(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{expects parent op 'tt.func'}}
    tt.return
  }
  tt.return
}

// -----

// expected-error @+1 {{extents of a block must be powers of two, got 12}}
tt.func private @argument_block(%x: tensor<12xf32>)

// -----

// expected-error @+1 {{a block has at most 1048576 elements, got 2097152}}
tt.func private @result_block() -> tensor<2097152xf32>

// -----

// expected-error @+1 {{symbol declaration cannot have public visibility}}
tt.func @declaration(%x: f32)

// -----

// expected-error @+1 {{expected non-empty function body}}
tt.func @empty() {}

// -----

tt.func @no_terminator(%x: f32) {
  // expected-error @+1 {{block with no terminator}}
  %y = arith.addf %x, %x : f32
}

// -----

// expected-error @+1 {{expected SSA identifier}}
tt.func private @variadic(%x: f32, ...)

// -----

// expected-error @+1 {{attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
tt.func private @argument_attributes(%x: f32) attributes {arg_attrs = 5 : i32}

// -----

// expected-note @+1 {{see existing symbol definition here}}
tt.func private @twice()
// expected-error @+1 {{redefinition of symbol named 'twice'}}
tt.func private @twice()

// -----

// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
tt.func (%x: f32) {
  tt.return
}

// -----

tt.func @call_nowhere() {
  // expected-error @+1 {{calls 'nowhere', which the module does not define as a tt.func}}
  tt.call @nowhere() : () -> ()
  tt.return
}

// -----

func.func private @foreign()

tt.func @call_foreign() {
  // expected-error @+1 {{calls 'foreign', which the module does not define as a tt.func}}
  tt.call @foreign() : () -> ()
  tt.return
}

// -----

tt.func private @callee(%x: f32) -> f32

tt.func @call_operands(%x: i32) {
  // expected-error @+1 {{does not match the type of 'callee': expected '(f32) -> f32', got '(i32) -> f32'}}
  %y = tt.call @callee(%x) : (i32) -> f32
  tt.return
}

// -----

tt.func private @callee(%x: f32) -> f32

tt.func @call_results(%x: f32) {
  // expected-error @+1 {{does not match the type of 'callee': expected '(f32) -> f32', got '(f32) -> ()'}}
  tt.call @callee(%x) : (f32) -> ()
  tt.return
}

// -----

tt.func @call_no_symbol() {
  // expected-error @+1 {{expected}}
  tt.call nowhere() : () -> ()
  tt.return
}

// -----

tt.func @undefined_value() {
  // expected-error @+1 {{use of undeclared SSA value name}}
  %y = tt.splat %x : f32 -> tensor<8xf32>
  tt.return
}

// -----

tt.func @unknown_op() {
  // expected-error @+1 {{custom op 'tt.frobnicate' is unknown}}
  tt.frobnicate
  tt.return
}

// -----

tt.func @unknown_generic_op() {
  // expected-error @+1 {{unregistered operation 'tt.frobnicate' found in dialect ('tt')}}
  "tt.frobnicate"() : () -> ()
  tt.return
}

// -----

// expected-error @+1 {{unknown  type `tile` in dialect `tt`}}
tt.func private @unknown_type(%x: !tt.tile<8xf32>)

// -----

tt.func @barrier_operand(%x: f32) {
  // expected-error @+1 {{requires zero operands}}
  "tt.debug_barrier"(%x) : (f32) -> ()
  tt.return
}
