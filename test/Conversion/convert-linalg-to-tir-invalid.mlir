// RUN: uma-opt %s --convert-linalg-to-uma-tir -split-input-file -verify-diagnostics

// expected-error @below {{argument #0 has type 'tensor<?xf32>', expected a static shape}}
func.func @dynamic(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// expected-error @below {{argument #1 has type 'memref<4xf32, strided<[2]>>', expected a ranked tensor or a memref with the identity layout}}
func.func @layout(%x: memref<4xf32>, %y: memref<4xf32, strided<[2]>>) {
  linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32, strided<[2]>>)
  return
}

// -----

// expected-error @below {{result #0 has type 'memref<4xf32>', expected a tensor: uma.tir.func writes its results into buffers}}
func.func @result(%x: memref<4xf32>) -> memref<4xf32> {
  %y = memref.alloc() : memref<4xf32>
  linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return %y : memref<4xf32>
}

// -----

// expected-error @below {{has 2 blocks, expected one}}
func.func @branch(%x: memref<4xf32>, %y: memref<4xf32>) {
  cf.br ^next
^next:
  linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @loop(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{has no counterpart in uma.tir: expected operations of linalg that have a linalg.generic form, constants, memref.alloc, memref.copy and reshapes}}
  scf.for %i = %c0 to %n step %c1 {
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// -----

func.func @softmax(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %z: memref<4x4xf32>) {
  linalg.copy ins(%x : memref<4x4xf32>) outs(%z : memref<4x4xf32>)
  // expected-error @below {{has no counterpart in uma.tir}}
  linalg.softmax dimension(1) ins(%x : memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}

// -----

func.func @slice(%x: memref<8xf32>, %y: memref<4xf32>) {
  // expected-error @below {{makes a buffer of type 'memref<4xf32, strided<[1], offset: 2>>', expected a static shape and the identity layout}}
  %s = memref.subview %x[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  linalg.copy ins(%s : memref<4xf32, strided<[1], offset: 2>>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @callee(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
func.func @caller(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{refers to '@callee', which becomes a uma.tir.func; inline it first}}
  call @callee(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @empty(%x: memref<0xf32>, %y: memref<0xf32>) {
  // expected-error @below {{iterates over dimension #0 whose extent is not a positive number}}
  linalg.copy ins(%x : memref<0xf32>) outs(%y : memref<0xf32>)
  return
}
