// RUN: uma-opt %s -uma-tir-storage-flatten -split-input-file -verify-diagnostics

uma.tir.func @block(%x: memref<8xf32>) {
  uma.tir.for %i = 0 to 8 {
    // expected-error @+1 {{is still there when storage is flattened: run uma-tir-lower-block first}}
    uma.tir.block "b" (spatial %v = %i in 8) {
    }
  }
}

// -----

uma.tir.func @part(%x: memref<8x4xf32>) {
  // expected-error @+1 {{views 'memref<8x4xf32>' as 'memref<2x4xf32>'; storage can be flattened only under views of whole buffers with static shape and identity layout}}
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8x4xf32> to memref<2x4xf32>
}

// -----

uma.tir.func @strided(%x: memref<4x4xf32>) {
  // expected-error @+1 {{views 'memref<4x4xf32>' as 'memref<4x4xf32, strided<[1, 4]>>'}}
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [4, 4], strides: [1, 4] : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
}

// -----

uma.tir.func @copy(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  // expected-error @+1 {{uses a buffer of type 'memref<4x4xf32>', which storage flattening does not understand: use memref.load and memref.store}}
  memref.copy %x, %y : memref<4x4xf32> to memref<4x4xf32>
}

// -----

// expected-error @+1 {{has type 'memref<2x2xf32, strided<[1, 2]>>', expected a static shape and the identity layout}}
memref.global "private" @g : memref<2x2xf32, strided<[1, 2]>>

// -----

// expected-error @+1 {{has an initial value that is neither dense nor a dense_resource}}
memref.global "private" constant @g : memref<2x2xf32> = sparse<[[0, 0]], [1.0]>
