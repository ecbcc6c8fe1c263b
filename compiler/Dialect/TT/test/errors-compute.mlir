// RUN: %trireme-opt %s -split-input-file -verify-diagnostics
//
// Products, reductions, scans, histograms and gathers.

tt.func @dot_k(%a: tensor<16x32xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{K differs: 32 columns of a, 16 rows of b}}
  %d = tt.dot %a, %b, %c : tensor<16x32xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_rank(%a: tensor<16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{operands must all have rank 2 or all rank 3, got 1, 2 and 2}}
  %d = tt.dot %a, %b, %c : tensor<16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_rank_4(%a: tensor<1x1x16x16xf32>, %b: tensor<1x1x16x16xf32>, %c: tensor<1x1x16x16xf32>) {
  // expected-error @+1 {{operands must all have rank 2 or all rank 3, got 4, 4 and 4}}
  %d = tt.dot %a, %b, %c : tensor<1x1x16x16xf32> * tensor<1x1x16x16xf32> -> tensor<1x1x16x16xf32>
  tt.return
}

// -----

tt.func @dot_accumulator(%a: tensor<16x16xf32>, %b: tensor<16x32xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{accumulator must have the rows of a and the columns of b, 16x32; got 16x16}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf32> * tensor<16x32xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_batch(%a: tensor<2x16x16xf32>, %b: tensor<4x16x16xf32>, %c: tensor<4x16x16xf32>) {
  // expected-error @+1 {{operands must have one batch extent, got 2, 4 and 4}}
  %d = tt.dot %a, %b, %c : tensor<2x16x16xf32> * tensor<4x16x16xf32> -> tensor<4x16x16xf32>
  tt.return
}

// -----

tt.func @dot_i8_sum(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{accumulator of i8 products must be of i32, got 'f32'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_i16(%a: tensor<16x16xi16>, %b: tensor<16x16xi16>, %c: tensor<16x16xi32>) {
  // expected-error @+1 {{operands must both be of i8, both of one float type or both of 8-bit floats, got 'i16' and 'i16'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xi16> * tensor<16x16xi16> -> tensor<16x16xi32>
  tt.return
}

// -----

tt.func @dot_mixed(%a: tensor<16x16xf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{operands must both be of i8, both of one float type or both of 8-bit floats, got 'f16' and 'bf16'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_fp8_f16(%a: tensor<16x16xf8E5M2>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{operands must both be of i8, both of one float type or both of 8-bit floats, got 'f8E5M2' and 'f16'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf8E5M2> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_narrow_sum(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf16>) {
  // expected-error @+1 {{accumulator must be of a float of 32 bits or more, got 'f16'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @dot_fp8_sum(%a: tensor<16x16xf8E5M2>, %b: tensor<16x16xf8E4M3FN>, %c: tensor<16x16xf8E5M2>) {
  // expected-error @+1 {{accumulator must be of a float of 16 bits or more, got 'f8E5M2'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf8E5M2> * tensor<16x16xf8E4M3FN> -> tensor<16x16xf8E5M2>
  tt.return
}

// -----

tt.func @dot_integer_sum(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xi32>) {
  // expected-error @+1 {{accumulator must be of a float of 32 bits or more, got 'i32'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xi32>
  tt.return
}

// -----

tt.func @dot_precision(%a: tensor<16x16xf32>) {
  // expected-error @+1 {{tf32, tf32x3, ieee, bf16x3, bf16x6}}
  %d = tt.dot %a, %a, %a, inputPrecision = exact : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_result(%a: tensor<16x16xf32>) {
  // expected-error @+1 {{result must have the accumulator's type}}
  %d = "tt.dot"(%a, %a, %a) : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf64>
  tt.return
}

// -----

tt.func @scaled_rank(%a: tensor<32xf8E4M3FN>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{operands must all have rank 2 or all rank 3, got 1, 2 and 2}}
  %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<32xf8E4M3FN> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_sum(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf16>) {
  // expected-error @+1 {{accumulator must be of f32, got 'f16'}}
  %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x32xf8E4M3FN> * tensor<32x16xbf16> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @scaled_e2m1(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{a holds e2m1 and must be of i8, got 'f8E4M3FN'}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<16x32xf8E4M3FN> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_e4m3(%a: tensor<16x32xf8E5M2>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{a holds e4m3 and must be of f8E4M3FN or i8, got 'f8E5M2'}}
  %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x32xf8E5M2> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_e5m2(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{a holds e5m2 and must be of f8E5M2 or i8, got 'bf16'}}
  %d = tt.dot_scaled %a, %b, %c lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_bf16(%a: tensor<16x32xbf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{b holds bf16 and must be of bf16, got 'f16'}}
  %d = tt.dot_scaled %a, %b, %c lhs = bf16 rhs = bf16 {fastMath = false} : tensor<16x32xbf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_fp16(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{b holds fp16 and must be of f16, got 'bf16'}}
  %d = tt.dot_scaled %a, %b, %c lhs = bf16 rhs = fp16 {fastMath = false} : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_k(%a: tensor<16x32xi8>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{K differs: 64 columns of a, 32 rows of b}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<16x32xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_n(%a: tensor<16x32xbf16>, %b: tensor<32x16xi8>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{accumulator must have the rows of a and the columns of b, 16x32; got 16x16}}
  %d = tt.dot_scaled %a, %b, %c lhs = bf16 rhs = e2m1 {fastMath = false, rhs_k_pack = false} : tensor<16x32xbf16> * tensor<32x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_pack(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{only e2m1 is packed along another axis than K, a holds e4m3}}
  %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false, lhs_k_pack = false} : tensor<16x32xf8E4M3FN> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_scale_shape(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>, %s: tensor<16x1xi8>) {
  // expected-error @+1 {{scale of a must be 16x64/f with f 16 or 32, got 'tensor<16x1xi8>'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x1xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_scale_long(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>, %s: tensor<16x128xi8>) {
  // expected-error @+1 {{scale of a must be 16x64/f with f 16 or 32, got 'tensor<16x128xi8>'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x128xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_scale_rank(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>, %s: tensor<2xi8>) {
  // expected-error @+1 {{scale of a must be 16x64/f with f 16 or 32, got 'tensor<2xi8>'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<2xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_scale_transposed(%a: tensor<16x64xbf16>, %b: tensor<64x32xf8E4M3FN>, %c: tensor<16x32xf32>, %t: tensor<2x32xi8>) {
  // expected-error @+1 {{scale of b must be 32x64/f with f 16 or 32, got 'tensor<2x32xi8>'}}
  %d = tt.dot_scaled %a, %b scale %t, %c lhs = bf16 rhs = e4m3 {fastMath = false} : tensor<16x64xbf16> * tensor<64x32xf8E4M3FN>, tensor<2x32xi8> -> tensor<16x32xf32>
  tt.return
}

// -----

tt.func @scaled_scale_element(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>, %s: tensor<16x2xi32>) {
  // expected-error @+1 {{scale of a must be of i8 (e8m0) or f8E4M3FN, got 'i32'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x2xi32> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_factors(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x4xi8>, %t: tensor<16x2xi8>) {
  // expected-error @+1 {{a and b must have one scale factor, got 16 and 32}}
  %d = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x4xi8> * tensor<64x16xf8E4M3FN>, tensor<16x2xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_format(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{e4m3, e5m2, e2m3, e3m2, e2m1, bf16, fp16}}
  %d = tt.dot_scaled %a, %b, %c lhs = e8m0 rhs = bf16 {fastMath = false} : tensor<16x32xf8E4M3FN> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @reduce_operands() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  "tt.reduce"() <{axis = 0 : i32}> ({
  ^bb0(%a: f32):
    tt.reduce.return %a : f32
  }) : () -> ()
  tt.return
}

// -----

tt.func @reduce_axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis 1 must be 0 or more and less than the rank 1}}
  %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_negative(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis -1 must be 0 or more and less than the rank 1}}
  %s = "tt.reduce"(%x) <{axis = -1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_shapes(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{requires the same shape for all operands}}
  %s:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<8xf32>, tensor<4xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @reduce_results(%x: tensor<8xf32>) {
  // expected-error @+1 {{needs one result an operand: expected 1, got 2}}
  %s:2 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @reduce_result(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{result must be 'tensor<4xf32>', got 'tensor<8xf32>'}}
  %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4x8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @reduce_scalar(%x: tensor<8xf32>) {
  // expected-error @+1 {{result must be 'f32', got 'f64'}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f64
  tt.return
}

// -----

tt.func @reduce_arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must take the elements of both sides, ('f32', 'f32'); it takes ('f32')}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_argument_order(%x: tensor<8xf32>, %y: tensor<8xi32>) {
  // expected-error @+1 {{combine region must take the elements of both sides, ('f32', 'i32', 'f32', 'i32'); it takes ('f32', 'f32', 'i32', 'i32')}}
  %s:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    tt.reduce.return %a, %c : f32, i32
  }) : (tensor<8xf32>, tensor<8xi32>) -> (f32, i32)
  tt.return
}

// -----

tt.func @reduce_return(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must return one element an operand, ('f32'); it returns ('f32', 'f32')}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_terminator(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must end with tt.reduce.return, got llvm.unreachable}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    llvm.unreachable
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_empty_block(%x: tensor<8xf32>) {
  // expected-error @+1 {{expects a non-empty block}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_no_terminator(%x: tensor<8xf32>) {
  // expected-error @+3 {{block with no terminator}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_no_region(%x: tensor<8xf32>) {
  // expected-error @+1 {{region #0 ('combineOp') failed to verify constraint: region with 1 blocks}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_no_regions(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires one region}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_return_elsewhere(%x: f32) {
  // expected-error @+1 {{expects parent op 'tt.reduce'}}
  tt.reduce.return %x : f32
  tt.return
}

// -----

tt.func @reduce_scan_return(%x: tensor<8xf32>) {
  // expected-error @+3 {{expects parent op 'tt.scan'}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @scan_axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis 1 must be 0 or more and less than the rank 1}}
  %s = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @scan_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @scan_element(%x: tensor<8xf32>) {
  // expected-error @+1 {{results must have the operands' types ('tensor<8xf32>'), got ('tensor<8xf64>')}}
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf64>
  tt.return
}

// -----

tt.func @scan_results(%x: tensor<8xf32>) {
  // expected-error @+1 {{needs one result an operand: expected 1, got 2}}
  %s:2 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  tt.return
}

// -----

tt.func @scan_arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must take the elements of both sides, ('f32', 'f32'); it takes ('f32', 'i32')}}
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: i32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @scan_return(%x: tensor<8xf32>, %y: tensor<8xi32>) {
  // expected-error @+1 {{combine region must return one element an operand, ('f32', 'i32'); it returns ('i32', 'f32')}}
  %s:2 = "tt.scan"(%x, %y) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    tt.scan.return %b, %a : i32, f32
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  tt.return
}

// -----

tt.func @scan_terminator(%x: tensor<8xf32>) {
  // expected-error @+1 {{combine region must end with tt.scan.return, got llvm.unreachable}}
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    llvm.unreachable
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @scan_reverse(%x: tensor<8xf32>) {
  // expected-error @+1 {{Invalid attribute `reverse` in property conversion: 1 : i32}}
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @histogram_rank(%x: tensor<4x2xi32>) {
  // expected-error @+1 {{values and counts must have one axis, got 'tensor<4x2xi32>' and 'tensor<16xi32>'}}
  %h = tt.histogram %x : tensor<4x2xi32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @histogram_result_rank(%x: tensor<8xi32>) {
  // expected-error @+1 {{values and counts must have one axis, got 'tensor<8xi32>' and 'tensor<4x4xi32>'}}
  %h = tt.histogram %x : tensor<8xi32> -> tensor<4x4xi32>
  tt.return
}

// -----

tt.func @histogram_float(%x: tensor<8xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of integer i1, i8, i16, i32 or i64 values, but got 'tensor<8xf32>'}}
  %h = tt.histogram %x : tensor<8xf32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @histogram_counts(%x: tensor<8xi32>) {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 32-bit signless integer values, but got 'tensor<16xf32>'}}
  %h = tt.histogram %x : tensor<8xi32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @histogram_mask(%x: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{mask must be 'tensor<8xi1>', got 'tensor<4xi1>'}}
  %h = "tt.histogram"(%x, %m) : (tensor<8xi32>, tensor<4xi1>) -> tensor<16xi32>
  tt.return
}

// -----

tt.func @histogram_operands(%x: tensor<8xi32>, %m: tensor<8xi1>) {
  // expected-error @+1 {{expected values and an optional mask, got 3 operands}}
  %h = tt.histogram %x, %m, %m : tensor<8xi32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @gather_axis(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{axis 2 must be 0 or more and less than the rank 2}}
  %g = tt.gather %x[%i] {axis = 2 : i32} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @gather_negative(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{axis -1 must be 0 or more and less than the rank 2}}
  %g = tt.gather %x[%i] {axis = -1 : i32} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @gather_rank(%x: tensor<4x8xf32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{indices must have the operand's rank 2, got 'tensor<4xi32>'}}
  %g = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @gather_extent(%x: tensor<4x8xf32>, %i: tensor<2x2xi32>) {
  // expected-error @+1 {{axis 0 of the indices must have the operand's extent 4, got 2}}
  %g = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4x8xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  tt.return
}

// -----

tt.func @gather_result(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{result must be 'tensor<4x2xf32>', got 'tensor<4x8xf32>'}}
  %g = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @gather_element(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{result must be 'tensor<4x2xf32>', got 'tensor<4x2xf16>'}}
  %g = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xf16>
  tt.return
}

// -----

tt.func @gather_indices(%x: tensor<4x8xf32>, %i: tensor<4x2xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped tensor of integer i1, i8, i16, i32 or i64 values, but got 'tensor<4x2xf32>'}}
  %g = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  tt.return
}
