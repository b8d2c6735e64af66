uma.tir.func @run(%x: memref<8xf32>, %y: memref<8xf32>) {
  uma.tir.call @shift(%x, %y) : memref<8xf32>, memref<8xf32>
}
uma.tir.func private @shift(%x: memref<8xf32>, %y: memref<8xf32>) attributes {layer = "shift by \"one\""} {
  %c1 = arith.constant 1 : index
  uma.tir.for %i = 0 to 8 {
    %0 = arith.addi %i, %c1 : index
    %v = memref.load %x[%0] : memref<8xf32>
    memref.store %v, %y[%i] : memref<8xf32>
  }
}
