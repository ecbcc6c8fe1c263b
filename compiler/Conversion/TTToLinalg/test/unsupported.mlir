// RUN: %trireme-opt %s -split-input-file -verify-diagnostics --convert-tt-to-linalg

tt.func public @in_a_combine_function() {
  %x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    // expected-error @+1 {{not supported yet: tt.print (inside a combine function)}}
    tt.print " a: " {hex = false, isSigned = array<i32: 1>} : %a : i32
    %c = arith.addi %a, %b : i32
    tt.reduce.return %c : i32
  }) : (tensor<64xi32>) -> i32
  tt.return
}

// -----

tt.func public @asm() {
  %v = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  // expected-error @+1 {{not supported yet: tt.elementwise_inline_asm}}
  %a = tt.elementwise_inline_asm "nop" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : tensor<8xi32> -> tensor<8xi32>
  tt.return
}
