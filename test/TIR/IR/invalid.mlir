// RUN: uma-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a uma.tir.func has no results: it writes into buffers given as arguments}}
uma.tir.func @results() -> memref<4xf32> {
}

// -----

// expected-error @+1 {{argument #0 has type 'memref<?xf32>', expected a buffer with static shape and identity layout}}
uma.tir.func @dynamic(%x: memref<?xf32>) {
}

// -----

// expected-error @+1 {{argument #1 has type 'tensor<4xf32>', expected a memref, an integer, a float or an index}}
uma.tir.func @tensor(%n: index, %x: tensor<4xf32>) {
}

// -----

// expected-error @+1 {{argument #0 has type 'index' and attribute 'uma.output', expected a memref: outputs are buffers}}
uma.tir.func @output(%n: index {uma.output}) {
}

// -----

uma.tir.func @kind() {
  // expected-error @+1 {{unknown loop kind 'paralel', expected serial, parallel, vectorized or unrolled}}
  uma.tir.for paralel %i = 0 to 8 {
  }
}

// -----

uma.tir.func @bounds(%n: index) {
  // expected-error @+1 {{lower bound needs an integer or a value, got both}}
  "uma.tir.for"(%n) <{operandSegmentSizes = array<i32: 1, 0>, static_lower = 0 : i64, static_upper = 4 : i64}> ({
  ^bb0(%i: index):
    "uma.tir.yield"() : () -> ()
  }) : (index) -> ()
}

// -----

uma.tir.func @bounds() {
  // expected-error @+1 {{upper bound needs an integer or a value, got neither}}
  uma.tir.for %i = 0 to -9223372036854775808 {
  }
}

// -----

uma.tir.func @overflow() {
  // expected-error @+1 {{runs from -9223372036854775807 to 9223372036854775807, more iterations than fit 64 bits}}
  uma.tir.for %i = -9223372036854775807 to 9223372036854775807 {
  }
}

// -----

uma.tir.func @loop_variable() {
  // expected-error @+1 {{has 0 region arguments, expected one of type index: the loop variable}}
  "uma.tir.for"() <{operandSegmentSizes = array<i32: 0, 0>, static_lower = 0 : i64, static_upper = 4 : i64}> ({
    "uma.tir.yield"() : () -> ()
  }) : () -> ()
}

// -----

uma.tir.func @iter_kind(%i: index) {
  // expected-error @+1 {{unknown kind of iteration variable 'spacial', expected spatial or reduce}}
  uma.tir.block "b" (spacial %v = %i in 8) {
  }
}

// -----

uma.tir.func @extent(%i: index) {
  // expected-error @+1 {{iteration variable #0 has extent 0, expected a positive number}}
  uma.tir.block "b" (spatial %v = %i in 0) {
  }
}

// -----

uma.tir.func @init_vars(%i: index) {
  // expected-error @+1 {{init region has 2 iteration variables, expected 1 as the block}}
  uma.tir.block "b" (spatial %v = %i in 8) init (%a, %b) {
  } do {
  }
}

// -----

uma.tir.func @iter_kinds(%i: index) {
  // expected-error @+1 {{has 1 bindings, 0 iteration kinds and 1 extents, expected as many}}
  "uma.tir.block"(%i) <{extents = array<i64: 8>, iter_kinds = [], label = "b", operandSegmentSizes = array<i32: 1, 0, 0, 0>, read_extents = [], read_maps = [], write_extents = [], write_maps = []}> ({
  }, {
  ^bb0(%v: index):
    "uma.tir.yield"() : () -> ()
  }) : (index) -> ()
}

// -----

uma.tir.func @block_arguments(%i: index) {
  // expected-error @+1 {{body region has arguments of types (), expected 1 of type index}}
  "uma.tir.block"(%i) <{extents = array<i64: 8>, iter_kinds = [0 : i32], label = "b", operandSegmentSizes = array<i32: 1, 0, 0, 0>, read_extents = [], read_maps = [], write_extents = [], write_maps = []}> ({
  }, {
    "uma.tir.yield"() : () -> ()
  }) : (index) -> ()
}

// -----

uma.tir.func @map_dims(%i: index, %x: memref<8x4xf32>) {
  // expected-error @+1 {{reads buffer #0 of type 'memref<8x4xf32>': the map has 2 dimensions and 0 symbols, expected 1 dimensions (one per iteration variable) and no symbols}}
  uma.tir.block "b" (spatial %v = %i in 8)
      reads(%x[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>) {
  }
}

// -----

uma.tir.func @map_results(%i: index, %x: memref<8x4xf32>) {
  // expected-error @+1 {{writes buffer #0 of type 'memref<8x4xf32>': the map has 1 results, expected 2, the rank of the buffer}}
  uma.tir.block "b" (spatial %v = %i in 8)
      writes(%x[affine_map<(i) -> (i)>, [1, 1]] : memref<8x4xf32>) {
  }
}

// -----

uma.tir.func @region_rank(%i: index, %x: memref<8x4xf32>) {
  // expected-error @+1 {{the region has 1 extents, expected 2, the rank of the buffer}}
  uma.tir.block "b" (spatial %v = %i in 8)
      writes(%x[affine_map<(i) -> (i, 0)>, [4]] : memref<8x4xf32>) {
  }
}

// -----

uma.tir.func @region_extent(%i: index, %x: memref<8x4xf32>) {
  // expected-error @+1 {{the extent of dimension 1 is 5, expected 1 to 4}}
  uma.tir.block "b" (spatial %v = %i in 8)
      writes(%x[affine_map<(i) -> (i, 0)>, [1, 5]] : memref<8x4xf32>) {
  }
}

// -----

uma.tir.func @local_offset() {
  // expected-error @+1 {{has an offset, but only workspace buffers are parts of the arena; this one is local}}
  %a = uma.tir.alloc local offset 64 : memref<4xf32>
}

// -----

uma.tir.func @negative_offset() {
  // expected-error @+1 {{has offset -64, expected bytes from the start of the workspace}}
  %a = uma.tir.alloc workspace offset -64 : memref<4xf32>
}

// -----

uma.tir.func @layout() {
  // expected-error @+1 {{has type 'memref<4xf32, strided<[2]>>', expected the identity layout}}
  %a = uma.tir.alloc workspace : memref<4xf32, strided<[2]>>
}

// -----

uma.tir.func private @conv_1(%x: memref<4xf32>) {
}
uma.tir.func @unknown_callee(%x: memref<4xf32>) {
  // expected-error @+1 {{calls unknown function 'conv_2'; did you mean 'conv_1'?}}
  uma.tir.call @conv_2(%x) : memref<4xf32>
}

// -----

memref.global "private" @w : memref<4xf32>
uma.tir.func @not_a_function(%x: memref<4xf32>) {
  // expected-error @+1 {{calls 'w', which is a memref.global, expected a uma.tir.func}}
  uma.tir.call @w(%x) : memref<4xf32>
}

// -----

// expected-note @+1 {{declared here}}
uma.tir.func private @g(%x: memref<4xf32>) {
}
uma.tir.func @count(%x: memref<4xf32>) {
  // expected-error @+1 {{passes 2 arguments to 'g', which takes 1}}
  uma.tir.call @g(%x, %x) : memref<4xf32>, memref<4xf32>
}

// -----

// expected-note @+1 {{declared here}}
uma.tir.func private @g(%x: memref<4xf32>, %y: memref<8xf32>) {
}
uma.tir.func @type(%x: memref<4xf32>) {
  // expected-error @+1 {{argument #1 of 'g' has type 'memref<4xf32>', expected 'memref<8xf32>'}}
  uma.tir.call @g(%x, %x) : memref<4xf32>, memref<4xf32>
}

// -----

uma.tir.func @extern_name() {
  // expected-error @+1 {{calls "my-device", expected the name of a C function}}
  uma.tir.call_extern "my-device"()
}

// -----

uma.tir.func @extern_keyword() {
  // expected-error @+1 {{calls "while", expected the name of a C function}}
  uma.tir.call_extern "while"()
}

// -----

uma.tir.func @extern_position(%x: memref<4xf32>) {
  // expected-error @+1 {{writes [1], but "relu" has 1 arguments, numbered from 0}}
  uma.tir.call_extern "relu"(%x) writes [1] : memref<4xf32>
}

// -----

uma.tir.func @extern_twice(%x: memref<4xf32>) {
  // expected-error @+1 {{writes [0] twice, expected distinct positions}}
  uma.tir.call_extern "relu"(%x) writes [0, 0] : memref<4xf32>
}

// -----

uma.tir.func @extern_number(%x: memref<4xf32>, %n: index) {
  // expected-error @+1 {{writes [1], which is of type 'index', expected a buffer}}
  uma.tir.call_extern "relu"(%x, %n) writes [1] : memref<4xf32>, index
}

// -----

uma.tir.func @null_load() {
  %i = arith.constant 0 : index
  // expected-error @+1 {{is used by 'memref.load', expected uma.tir.call_extern, which alone takes no buffer for one}}
  %0 = uma.tir.null : memref<1xf32>
  %1 = memref.load %0[%i] : memref<1xf32>
}

// -----

uma.tir.func @null_written() {
  %0 = uma.tir.null : memref<1xf32>
  // expected-error @+1 {{writes [0], which is no buffer}}
  uma.tir.call_extern "relu"(%0) writes [0] : memref<1xf32>
}

// -----

// expected-note @below {{prior use here}}
uma.tir.func @predicate(%n: index) {
  uma.tir.for %i = 0 to 8 {
    // expected-error @below {{expects different type than prior uses: 'i1' vs 'index'}}
    uma.tir.block "b" (spatial %v = %i in 8) where %n {
    }
  }
}

// -----

uma.tir.func @predicate(%p: i1) {
  uma.tir.for %i = 0 to 8 {
    // expected-error @below {{operand group starting at #1 requires 0 or 1 element, but found 2}}
    "uma.tir.block"(%i, %p, %p) <{extents = array<i64: 8>, iter_kinds = [0 : i32], label = "b", operandSegmentSizes = array<i32: 1, 2, 0, 0>, read_extents = [], read_maps = [], write_extents = [], write_maps = []}> ({
    }, {
    ^bb0(%v: index):
      "uma.tir.yield"() : () -> ()
    }) : (index, i1, i1) -> ()
  }
}

// -----

uma.tir.func @widths() {
  // expected-error @+1 {{has a version of 8 lanes behind one of 4, expected the widest first}}
  uma.tir.multiversion lanes(4) {
  } lanes(8) {
  } default {
  }
}

// -----

uma.tir.func @guard_last() {
  // expected-error @+1 {{has a version of 4 lanes behind one of 4, expected the widest first}}
  uma.tir.multiversion lanes(4) {
  } lanes(4) guard("UMA_SSE") {
  } default {
  }
}

// -----

uma.tir.func @guard_count() {
  // expected-error @+1 {{has guards for 2 versions, expected 1}}
  "uma.tir.multiversion"() <{lanes = array<i64: 4>, guards = ["", "A"]}> ({
    "uma.tir.yield"() : () -> ()
  }, {
    "uma.tir.yield"() : () -> ()
  }) : () -> ()
}

// -----

uma.tir.func @prefetch(%x: memref<4x8xf32>, %i: index) {
  // expected-error @+1 {{has 1 indices, expected one for each of the 2 dimensions of 'memref<4x8xf32>'}}
  uma.tir.prefetch %x[%i] : memref<4x8xf32>
}

// -----

uma.tir.func @lookup_table(%x: memref<64xi8>, %table: memref<128xi8>, %i: index) {
  // expected-error @+1 {{has the table 'memref<128xi8>', expected memref<256xi8>, with an entry for each byte}}
  uma.tir.lookup %x[%i] in %table to %x[%i] size 32 : memref<64xi8>, memref<128xi8>, memref<64xi8>
}

// -----

uma.tir.func @lookup_size(%x: memref<64xi8>, %table: memref<256xi8>, %i: index) {
  // expected-error @+1 {{has size 0, expected 1 or more}}
  uma.tir.lookup %x[%i] in %table to %x[%i] size 0 : memref<64xi8>, memref<256xi8>, memref<64xi8>
}

// -----

uma.tir.func @lookup_type(%x: memref<64xf32>, %table: memref<256xi8>, %i: index) {
  // expected-error @+1 {{operand #0 must be 1D memref of 8-bit signless integer values, but got 'memref<64xf32>'}}
  uma.tir.lookup %x[%i] in %table to %x[%i] size 8 : memref<64xf32>, memref<256xi8>, memref<64xf32>
}

// -----

uma.tir.func @transposed_type(%x: memref<64xf32>, %y: memref<64xi32>, %i: index) {
  // expected-error @+1 {{stores elements of 'f32' as 'i32', expected one type}}
  uma.tir.transpose %x[%i] stride 8 to %y[%i] stride 8 size 8 : memref<64xf32>, memref<64xi32>
}

// -----

uma.tir.func @transposed_size(%x: memref<64xi8>, %i: index) {
  // expected-error @+1 {{has size 8 for elements of 'i8'; expected 8 or 4 for 32 bits, 8 for 16 bits, 16 for 8 bits}}
  uma.tir.transpose %x[%i] stride 8 to %x[%i] stride 8 size 8 : memref<64xi8>, memref<64xi8>
}

// -----

uma.tir.func @transposed_stride(%x: memref<64xf32>, %i: index) {
  // expected-error @+1 {{has the target stride 7, expected at least its size 8}}
  uma.tir.transpose %x[%i] stride 8 to %x[%i] stride 7 size 8 : memref<64xf32>, memref<64xf32>
}

// -----

uma.tir.func @odd() {
  // expected-error @+1 {{has a version of 3 lanes, expected a power of 2 from 2 on}}
  uma.tir.multiversion lanes(3) {
  } default {
  }
}

// -----

uma.tir.func @f(%i: index) {
  // expected-error @below {{attribute 'count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  uma.tir.check_bounds %i count 0 size 8 name "x"
}

// -----

uma.tir.func @view_too_long(%x: memref<8x6xi8>) {
  // expected-error @+1 {{has 12 elements from 37 on, and its source has 48}}
  %rows = uma.tir.view %x[37] : memref<8x6xi8> as memref<2x6xi8>
}

// -----

uma.tir.func @view_far_away(%x: memref<8x6xi8>) {
  // expected-error @+1 {{has 1 elements from 9223372036854775807 on, and its source has 48}}
  %rows = uma.tir.view %x[9223372036854775807] : memref<8x6xi8> as memref<1xi8>
}

// -----

uma.tir.func @view_negative(%x: memref<8x6xi8>) {
  // expected-error @+1 {{attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %rows = uma.tir.view %x[-1] : memref<8x6xi8> as memref<2x6xi8>
}

// -----

uma.tir.func @view_of_other_elements(%x: memref<8x6xi8>) {
  // expected-error @+1 {{has elements of 'i16', expected those of its source, 'i8'}}
  %rows = uma.tir.view %x[0] : memref<8x6xi8> as memref<2x6xi16>
}

// -----

uma.tir.func @strided_view(%x: memref<8x6xi8>) {
  // expected-error @+1 {{expects buffers with the identity layout}}
  %rows = uma.tir.view %x[6] : memref<8x6xi8> as memref<2x6xi8, strided<[12, 1]>>
}

// -----

uma.tir.func @no_whole_words(%x: memref<8x6xi8>) {
  // expected-error @+1 {{expects a last dimension of a multiple of 4 elements, since a word holds 4 of 'i8'; found 'memref<8x6xi8>'}}
  %words = uma.tir.words %x : memref<8x6xi8> as memref<8x1xi32>
}

// -----

uma.tir.func @other_words(%x: memref<8x6xi16>) {
  // expected-error @+1 {{has words of type 'memref<8x6xi32>', expected 'memref<8x3xi32>'}}
  %words = uma.tir.words %x : memref<8x6xi16> as memref<8x6xi32>
}

// -----

uma.tir.func @elements(%x: i32) {
  // expected-error @+1 {{has elements 'i8' and 'i8', expected i16, i16 or ui8, i8}}
  %0 = uma.tir.dot %x, %x, %x elements i8, i8 : i32
}

// -----

uma.tir.func @f(%x: i32, %sum: i32) {
  // expected-error @below {{has sums of 'i32' for elements 'bf16' and 'bf16', expected f32}}
  %0 = uma.tir.dot %x, %x, %sum elements bf16, bf16 : i32
}

// -----

uma.tir.func @f(%x: i32, %sum: f32) {
  // expected-error @below {{has sums of 'f32' for elements 'i16' and 'i16', expected i32}}
  %0 = uma.tir.dot %x, %x, %sum elements i16, i16 : f32
}

// -----

uma.tir.func @f(%w: i32) {
  // expected-error @+1 {{'uma.tir.unpack' op has elements 'i16', expected i8 or ui8}}
  %0 = uma.tir.unpack %w elements i16
}

// -----

uma.tir.func @f(%x: f32) {
  // expected-error @+1 {{'uma.tir.round_clamped' op has the range [5, -5], which is empty}}
  %0 = uma.tir.round_clamped %x low 5 high -5
}
