// RUN: %trireme-opt %s -split-input-file -verify-diagnostics
//
// Pointers, loads, stores, atomics, pointers to blocks and descriptors.

// expected-error @+1 {{address space must not be negative, got -1}}
tt.func private @space(%p: !tt.ptr<f32, -1>)

// -----

// expected-error @+1 {{expected a pointer to a float of 8, 16, 32 or 64 bits, to i1, i8, i16, i32 or i64, to a pointer, or to a block of numbers; got 'i7'}}
tt.func private @pointee(%p: !tt.ptr<i7>)

// -----

// expected-error @+1 {{got 'si32'}}
tt.func private @signed_pointee(%p: !tt.ptr<si32>)

// -----

// expected-error @+1 {{got 'index'}}
tt.func private @index_pointee(%p: !tt.ptr<index>)

// -----

// expected-error @+1 {{got 'tensor<*xf32>'}}
tt.func private @unranked_pointee(%p: !tt.ptr<tensor<*xf32>>)

// -----

// expected-error @+1 {{got 'tensor<8x!tt.ptr<f32>>'}}
tt.func private @pointers_pointee(%p: !tt.ptr<tensor<8x!tt.ptr<f32>>>)

// -----

// expected-error @+1 {{extents of a block must be powers of two, got ?x8}}
tt.func private @dynamic_pointee(%p: !tt.ptr<tensor<?x8xf32>>)

// -----

// expected-error @+1 {{extents of a block must be powers of two, got 3x8}}
tt.func private @odd_pointee(%p: !tt.ptr<tensor<3x8xf32>>)

// -----

tt.func @load_pointer(%x: f32) {
  // expected-error @+1 {{expected a pointer or a tensor of pointers, got 'f32'}}
  %v = tt.load %x : f32
  tt.return
}

// -----

tt.func @load_pointers(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a pointer or a tensor of pointers, got 'tensor<8xf32>'}}
  %v = tt.load %x : tensor<8xf32>
  tt.return
}

// -----

tt.func @load_operands(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %v: tensor<8xf32>) {
  // expected-error @+1 {{expected a pointer, perhaps a mask and a value for masked elements; got 4 operands}}
  %w = tt.load %p, %m, %v, %v : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @load_mask(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error @+1 {{mask must be 'tensor<8xi1>', got 'tensor<4xi1>'}}
  %v = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>, tensor<4xi1>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_scalar_mask(%p: tensor<8x!tt.ptr<f32>>, %m: i1) {
  // expected-error @+1 {{mask must be 'tensor<8xi1>', got 'i1'}}
  %v = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>, i1) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_mask_element(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi8>) {
  // expected-error @+1 {{operand #1 must be i1 or a block of such, but got 'tensor<8xi8>'}}
  %v = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>, tensor<8xi8>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_other(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %o: tensor<8xf16>) {
  // expected-error @+1 {{value for masked elements must be 'tensor<8xf32>', got 'tensor<8xf16>'}}
  %v = "tt.load"(%p, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>, tensor<8xf16>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_other_alone(%p: tensor<8x!tt.ptr<f32>>, %o: tensor<8xf32>) {
  // expected-error @+1 {{has a value for masked elements but no mask}}
  %v = "tt.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_result(%p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{result must match what ptr points to}}
  %v = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x!tt.ptr<f32>>) -> tensor<8xf16>
  tt.return
}

// -----

tt.func @load_segments(%p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  %v = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_cache(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected a cache modifier, one of none, ca, cg, wb, cs, wt and cv; got 'xx'}}
  %v = tt.load %p cacheModifier = xx : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_cache_number(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{attribute 'cache' failed to satisfy constraint: cache hint}}
  %v = tt.load %p {cache = 99 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_evict(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected an eviction policy, one of evict_normal, evict_first and evict_last; got 'sometimes'}}
  %v = tt.load %p evictionPolicy = sometimes : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_hint_twice(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'cache' is given twice}}
  %v = tt.load %p cacheModifier = ca cacheModifier = cg : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_hint_and_attribute(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'evict' is given twice}}
  %v = tt.load %p evictionPolicy = evict_last {evict = 1 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_boundary(%p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{'boundaryCheck' needs a pointer to a block, got 'tensor<8x!tt.ptr<f32>>'; use a mask}}
  %v = tt.load %p {boundaryCheck = array<i32: 0>} : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @load_boundary_axis(%p: !tt.ptr<tensor<8x8xf32>>) {
  // expected-error @+1 {{axis 2 of 'boundaryCheck' must be 0 or more and less than the rank 2}}
  %v = tt.load %p {boundaryCheck = array<i32: 0, 2>} : !tt.ptr<tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @load_boundary_negative(%p: !tt.ptr<tensor<8x8xf32>>) {
  // expected-error @+1 {{axis -1 of 'boundaryCheck' must be 0 or more and less than the rank 2}}
  %v = tt.load %p {boundaryCheck = array<i32: -1>} : !tt.ptr<tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @load_boundary_twice(%p: !tt.ptr<tensor<8x8xf32>>) {
  // expected-error @+1 {{axis 0 is in 'boundaryCheck' twice}}
  %v = tt.load %p {boundaryCheck = array<i32: 0, 0>} : !tt.ptr<tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @load_block_mask(%p: !tt.ptr<tensor<8xf32>>, %m: i1) {
  // expected-error @+1 {{a pointer to a block takes no mask; use 'boundaryCheck'}}
  %v = tt.load %p, %m : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

tt.func @load_padding(%p: !tt.ptr<tensor<8xf32>>) {
  // expected-error @+1 {{has 'padding' but no axis in 'boundaryCheck'}}
  %v = tt.load %p {padding = 1 : i32} : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

tt.func @load_padding_nan(%p: !tt.ptr<tensor<8xi32>>) {
  // expected-error @+1 {{'padding' can be nan for floats only, got 'i32'}}
  %v = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8xi32>>
  tt.return
}

// -----

tt.func @store_operands(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected a pointer, a value and perhaps a mask; got 1 operands}}
  tt.store %p : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @store_pointer(%x: f32) {
  // expected-error @+1 {{expected a pointer or a tensor of pointers, got 'f32'}}
  tt.store %x, %x : f32
  tt.return
}

// -----

tt.func @store_value(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf16>) {
  // expected-error @+1 {{value must match what ptr points to}}
  "tt.store"(%p, %v) : (tensor<8x!tt.ptr<f32>>, tensor<8xf16>) -> ()
  tt.return
}

// -----

tt.func @store_mask(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{mask must be 'tensor<8xi1>', got 'tensor<4xi1>'}}
  "tt.store"(%p, %v, %m) : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<4xi1>) -> ()
  tt.return
}

// -----

tt.func @store_boundary(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{'boundaryCheck' needs a pointer to a block, got '!tt.ptr<f32>'; use a mask}}
  tt.store %p, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @store_block_mask(%p: !tt.ptr<tensor<8xf32>>, %v: tensor<8xf32>, %m: i1) {
  // expected-error @+1 {{a pointer to a block takes no mask; use 'boundaryCheck'}}
  tt.store %p, %v, %m : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

tt.func @atomic_word(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{and, or, xor, add, fadd, max, min, umax, umin, exch}}
  %o = tt.atomic_rmw nand, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_order(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{relaxed, acquire, release, acq_rel}}
  %o = tt.atomic_rmw add, seq_cst, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_scope(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{gpu, cta, sys}}
  %o = tt.atomic_rmw add, relaxed, world, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_and_float(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{'and' applies to i32 and i64, not to 'f32'}}
  %o = tt.atomic_rmw and, relaxed, gpu, %p, %v : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @atomic_max_narrow(%p: !tt.ptr<i16>, %v: i16) {
  // expected-error @+1 {{'max' applies to i32 and i64, not to 'i16'}}
  %o = tt.atomic_rmw max, relaxed, gpu, %p, %v : (!tt.ptr<i16>, i16) -> i16
  tt.return
}

// -----

tt.func @atomic_fadd_int(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{'fadd' applies to f16, bf16, f32 and f64, not to 'i32'}}
  %o = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_fadd_fp8(%p: !tt.ptr<f8E5M2>, %v: f8E5M2) {
  // expected-error @+1 {{'fadd' applies to f16, bf16, f32 and f64, not to 'f8E5M2'}}
  %o = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (!tt.ptr<f8E5M2>, f8E5M2) -> f8E5M2
  tt.return
}

// -----

tt.func @atomic_exch_narrow(%p: !tt.ptr<f16>, %v: f16) {
  // expected-error @+1 {{'exch' applies to i32, i64, f32, f64 and pointers, not to 'f16'}}
  %o = tt.atomic_rmw exch, relaxed, gpu, %p, %v : (!tt.ptr<f16>, f16) -> f16
  tt.return
}

// -----

tt.func @atomic_value(%p: !tt.ptr<i32>, %v: i64) {
  // expected-error @+1 {{value and result must be what the pointer points to, 'i32'; got 'i64' and 'i32'}}
  %o = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i64) -> i32
  tt.return
}

// -----

tt.func @atomic_result(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{value and result must be what the pointer points to, 'i32'; got 'i32' and 'i64'}}
  %o = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i64
  tt.return
}

// -----

tt.func @atomic_mask(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>, %m: i1) {
  // expected-error @+1 {{mask must be 'tensor<8xi1>', got 'i1'}}
  %o = tt.atomic_rmw fadd, relaxed, gpu, %p, %v, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, i1) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @atomic_block(%p: !tt.ptr<tensor<8xi32>>, %v: tensor<8xi32>) {
  // expected-error @+1 {{operand #0 must be pointer to an element or a block of such, but got '!tt.ptr<tensor<8xi32>>'}}
  %o = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<tensor<8xi32>>, tensor<8xi32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @cas_value(%p: !tt.ptr<i32>, %c: i32, %v: i64) {
  // expected-error @+1 {{operands and result must be what the pointer points to, 'i32'; got 'i32', 'i64' and 'i32'}}
  %o = tt.atomic_cas relaxed, gpu, %p, %c, %v : (!tt.ptr<i32>, i32, i64) -> i32
  tt.return
}

// -----

tt.func @cas_narrow(%p: !tt.ptr<i8>, %v: i8) {
  // expected-error @+1 {{applies to 16, 32 and 64 bits, not to 'i8'}}
  %o = tt.atomic_cas relaxed, gpu, %p, %v, %v : (!tt.ptr<i8>, i8, i8) -> i8
  tt.return
}

// -----

tt.func @cas_scope(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{gpu, cta, sys}}
  %o = tt.atomic_cas relaxed, warp, %p, %v, %v : (!tt.ptr<i32>, i32, i32) -> i32
  tt.return
}

// -----

tt.func @pointer_offsets(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{needs one extent, stride and offset an axis: expected 2, got 1}}
  %b = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @pointer_counts(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected lists of one length, got 2 and 1 operands}}
  %b = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @pointer_lists(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected lists of one length, got 3 and 1 operands}}
  %b = tt.make_tensor_ptr %p, [%n, %n, %n], [%n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @pointer_order(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{order must be a permutation of the 2 axes, got [1, 2]}}
  %b = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 2>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @pointer_base(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  // expected-error @+1 {{base must point to the elements of the block}}
  %b = "tt.make_tensor_ptr"(%p, %n, %n, %i) <{order = array<i32: 0>}> : (!tt.ptr<f32>, i64, i64, i32) -> !tt.ptr<tensor<8xf16>>
  tt.return
}

// -----

tt.func @pointer_result(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{'result' must be pointer to a block, but got '!tt.ptr<f16>'}}
  %b = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <f16>
  tt.return
}

// -----

tt.func @advance_offsets(%p: !tt.ptr<tensor<8x8xf16>>, %i: i32) {
  // expected-error @+1 {{needs one offset an axis: expected 2, got 1}}
  %b = tt.advance %p, [%i] : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @advance_element(%p: !tt.ptr<f16>, %i: i32) {
  // expected-error @+1 {{operand #0 must be pointer to a block, but got '!tt.ptr<f16>'}}
  %b = tt.advance %p, [%i] : <f16>
  tt.return
}

// -----

// expected-error @+1 {{a tensor descriptor has 1 to 5 axes, got 6}}
tt.func private @desc_rank(%d: !tt.tensordesc<1x1x1x1x1x8xf16>)

// -----

// expected-error @+1 {{a tensor descriptor has 1 to 5 axes, got 0}}
tt.func private @desc_no_rank(%d: !tt.tensordesc<tensor<f16>>)

// -----

// expected-error @+1 {{extents of a block must be powers of two, got 3x16}}
tt.func private @desc_power(%d: !tt.tensordesc<3x16xf16>)

// -----

// expected-error @+1 {{a block has at most 1048576 elements, got 2048x1024}}
tt.func private @desc_limit(%d: !tt.tensordesc<2048x1024xf16>)

// -----

// expected-error @+1 {{expected a tensor descriptor of floats of 8, 16, 32 or 64 bits or of integers of 1, 8, 16, 32 or 64, got 'index'}}
tt.func private @desc_element(%d: !tt.tensordesc<16xindex>)

// -----

// expected-error @+1 {{got '!tt.ptr<f16>'}}
tt.func private @desc_pointers(%d: !tt.tensordesc<16x!tt.ptr<f16>>)

// -----

// expected-error @+1 {{expected static shape}}
tt.func private @desc_dynamic(%d: !tt.tensordesc<?x16xf16>)

// -----

// expected-error @+1 {{extents of a block must be powers of two, got ?x16}}
tt.func private @desc_old_dynamic(%d: !tt.tensordesc<tensor<?x16xf16>>)

// -----

// expected-error @+1 {{expected a tensor descriptor such as !tt.tensordesc<16x16xf16>, got one of 'f16'}}
tt.func private @desc_no_shape(%d: !tt.tensordesc<f16>)

// -----

tt.func @desc_shape(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @+1 {{needs one extent and stride an axis: expected 2, got 1}}
  %d = tt.make_tensor_descriptor %p, [%n], [%s] : <f16>, <16x16xf16>
  tt.return
}

// -----

tt.func @desc_strides(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @+1 {{expected lists of one length, got 2 and 1 operands}}
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s] : <f16>, <16x16xf16>
  tt.return
}

// -----

tt.func @desc_base(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{base must point to 'f16', got 'f32'}}
  %d = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <16xf16>
  tt.return
}

// -----

tt.func @desc_padding(%p: !tt.ptr<i32>, %n: i32, %s: i64) {
  // expected-error @+1 {{'padding' can be nan for floats only, got 'i32'}}
  %d = tt.make_tensor_descriptor %p, [%n], [%s] {padding = 2 : i32} : <i32>, <16xui32>
  tt.return
}

// -----

tt.func @desc_stride_width(%p: !tt.ptr<f16>, %n: i32) {
  // expected-error @+1 {{operand #2 must be variadic of 64-bit signless integer, but got 'i32'}}
  %d = "tt.make_tensor_descriptor"(%p, %n, %n) : (!tt.ptr<f16>, i32, i32) -> !tt.tensordesc<16xf16>
  tt.return
}

// -----

tt.func @desc_load_index(%d: !tt.tensordesc<16x16xf16>, %i: i32) {
  // expected-error @+1 {{needs one index an axis: expected 2, got 1}}
  %v = tt.descriptor_load %d[%i] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @desc_load_shape(%d: !tt.tensordesc<16x16xf16>, %i: i32) {
  // expected-error @+1 {{block must have the shape of '!tt.tensordesc<16x16xf16>', axes of extent 1 aside; got 'tensor<16x8xf16>'}}
  %v = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<16x16xf16> -> tensor<16x8xf16>
  tt.return
}

// -----

tt.func @desc_load_element(%d: !tt.tensordesc<16xf16>, %i: i32) {
  // expected-error @+1 {{block must have elements of type 'f16', got 'tensor<16xf32>'}}
  %v = tt.descriptor_load %d[%i] : !tt.tensordesc<16xf16> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @desc_load_signed(%d: !tt.tensordesc<16xsi32>, %i: i32) {
  // expected-error @+1 {{got 'tensor<16xsi32>'}}
  %v = tt.descriptor_load %d[%i] : !tt.tensordesc<16xsi32> -> tensor<16xsi32>
  tt.return
}

// -----

tt.func @desc_load_hint_twice(%d: !tt.tensordesc<16xf16>, %i: i32) {
  // expected-error @+1 {{`cacheModifier` clause can appear at most once}}
  %v = tt.descriptor_load %d[%i] cacheModifier = ca cacheModifier = cg : !tt.tensordesc<16xf16> -> tensor<16xf16>
  tt.return
}

// -----

tt.func @desc_load_hint(%d: !tt.tensordesc<16xf16>, %i: i32) {
  // expected-error @+1 {{none, ca, cg, wb, cs, wt, cv}}
  %v = tt.descriptor_load %d[%i] cacheModifier = xx : !tt.tensordesc<16xf16> -> tensor<16xf16>
  tt.return
}

// -----

tt.func @desc_store_index(%d: !tt.tensordesc<16xf16>, %i: i32, %v: tensor<16xf16>) {
  // expected-error @+1 {{needs one index an axis: expected 1, got 2}}
  tt.descriptor_store %d[%i, %i], %v : !tt.tensordesc<16xf16>, tensor<16xf16>
  tt.return
}

// -----

tt.func @desc_store_shape(%d: !tt.tensordesc<16xf16>, %i: i32, %v: tensor<8xf16>) {
  // expected-error @+1 {{block must have the shape of '!tt.tensordesc<16xf16>', axes of extent 1 aside; got 'tensor<8xf16>'}}
  tt.descriptor_store %d[%i], %v : !tt.tensordesc<16xf16>, tensor<8xf16>
  tt.return
}

// -----

tt.func @desc_store_element(%d: !tt.tensordesc<16xui8>, %i: i32, %v: tensor<16xf16>) {
  // expected-error @+1 {{block must have elements of type 'i8', got 'tensor<16xf16>'}}
  tt.descriptor_store %d[%i], %v : !tt.tensordesc<16xui8>, tensor<16xf16>
  tt.return
}

// -----

tt.func @desc_reduce_kind(%d: !tt.tensordesc<16xf16>, %i: i32, %v: tensor<16xf16>) {
  // expected-error @+1 {{add, min, max, inc, dec, and, or, xor}}
  tt.descriptor_reduce mul, %d[%i], %v : !tt.tensordesc<16xf16>, tensor<16xf16>
  tt.return
}

// -----

tt.func @desc_reduce_and(%d: !tt.tensordesc<16xf16>, %i: i32, %v: tensor<16xf16>) {
  // expected-error @+1 {{'and' applies to integers of 32 and 64 bits, not to 'f16'}}
  tt.descriptor_reduce and, %d[%i], %v : !tt.tensordesc<16xf16>, tensor<16xf16>
  tt.return
}

// -----

tt.func @desc_reduce_add(%d: !tt.tensordesc<16xi8>, %i: i32, %v: tensor<16xi8>) {
  // expected-error @+1 {{'add' applies to integers of 32 and 64 bits and to floats of 16, 32 and 64, not to 'i8'}}
  tt.descriptor_reduce add, %d[%i], %v : !tt.tensordesc<16xi8>, tensor<16xi8>
  tt.return
}

// -----

tt.func @desc_reduce_index(%d: !tt.tensordesc<16xf16>, %i: i32, %v: tensor<16xf16>) {
  // expected-error @+1 {{needs one index an axis: expected 1, got 0}}
  tt.descriptor_reduce add, %d[], %v : !tt.tensordesc<16xf16>, tensor<16xf16>
  tt.return
}

// -----

tt.func @desc_reduce_shape(%d: !tt.tensordesc<16xf16>, %i: i32, %v: tensor<8xf16>) {
  // expected-error @+1 {{block must have the shape of '!tt.tensordesc<16xf16>', axes of extent 1 aside; got 'tensor<8xf16>'}}
  tt.descriptor_reduce add, %d[%i], %v : !tt.tensordesc<16xf16>, tensor<8xf16>
  tt.return
}

// -----

tt.func @desc_gather_row(%d: !tt.tensordesc<2x64xf16>, %x: tensor<8xi32>, %y: i32) {
  // expected-error @+1 {{descriptor must be of one row, 1xN; got '!tt.tensordesc<2x64xf16>'}}
  %v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<2x64xf16>, tensor<8xi32>, i32) -> tensor<8x64xf16>
  tt.return
}

// -----

tt.func @desc_gather_numbers(%d: !tt.tensordesc<1x64xf16>, %x: tensor<8x1xi32>, %y: i32) {
  // expected-error @+1 {{row numbers must have one axis, got 'tensor<8x1xi32>'}}
  %v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<1x64xf16>, tensor<8x1xi32>, i32) -> tensor<8x64xf16>
  tt.return
}

// -----

tt.func @desc_gather_width(%d: !tt.tensordesc<1x64xf16>, %x: tensor<8xi64>, %y: i32) {
  // expected-error @+1 {{operand #1 must be statically shaped tensor of 16-bit signless integer or 32-bit signless integer values, but got 'tensor<8xi64>'}}
  %v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<1x64xf16>, tensor<8xi64>, i32) -> tensor<8x64xf16>
  tt.return
}

// -----

tt.func @desc_gather_shape(%d: !tt.tensordesc<1x64xf16>, %x: tensor<8xi32>, %y: i32) {
  // expected-error @+1 {{block must have one row a row number, 8x64; got 'tensor<16x64xf16>'}}
  %v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<1x64xf16>, tensor<8xi32>, i32) -> tensor<16x64xf16>
  tt.return
}

// -----

tt.func @desc_gather_element(%d: !tt.tensordesc<1x64xf16>, %x: tensor<8xi32>, %y: i32) {
  // expected-error @+1 {{block must have elements of type 'f16', got 'tensor<8x64xf32>'}}
  %v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<1x64xf16>, tensor<8xi32>, i32) -> tensor<8x64xf32>
  tt.return
}

// -----

tt.func @desc_scatter_row(%d: !tt.tensordesc<64xf16>, %x: tensor<8xi32>, %y: i32, %v: tensor<8x64xf16>) {
  // expected-error @+1 {{descriptor must be of one row, 1xN; got '!tt.tensordesc<64xf16>'}}
  tt.descriptor_scatter %d[%x, %y], %v : !tt.tensordesc<64xf16>, tensor<8xi32>, i32, tensor<8x64xf16>
  tt.return
}

// -----

tt.func @desc_scatter_shape(%d: !tt.tensordesc<1x64xf16>, %x: tensor<8xi32>, %y: i32, %v: tensor<8x32xf16>) {
  // expected-error @+1 {{block must have one row a row number, 8x64; got 'tensor<8x32xf16>'}}
  tt.descriptor_scatter %d[%x, %y], %v : !tt.tensordesc<1x64xf16>, tensor<8xi32>, i32, tensor<8x32xf16>
  tt.return
}

// -----

tt.func @desc_scatter_offset(%d: !tt.tensordesc<1x64xf16>, %x: tensor<8xi32>, %y: i64, %v: tensor<8x64xf16>) {
  // expected-error @+1 {{operand #2 must be 32-bit signless integer, but got 'i64'}}
  tt.descriptor_scatter %d[%x, %y], %v : !tt.tensordesc<1x64xf16>, tensor<8xi32>, i64, tensor<8x64xf16>
  tt.return
}

// -----

tt.func @old_reinterpret(%p: !tt.ptr<i8>) {
  // expected-error @+1 {{takes the descriptor of a GPU's copy engine, which a CPU has none of; use tt.make_tensor_descriptor}}
  %d = tt.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<8xf16>
  tt.return
}

// -----

tt.func @old_unknown(%p: !tt.ptr<i8>) {
  // expected-error @+1 {{custom op 'tt.experimental_descriptor_frob' is unknown}}
  %d = tt.experimental_descriptor_frob %p : !tt.ptr<i8>
  tt.return
}

// -----

tt.func @old_load_shape(%d: !tt.tensordesc<16x16xf16>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_load' op needs one index an axis: expected 2, got 1}}
  %v = tt.experimental_descriptor_load %d[%i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
  tt.return
}
