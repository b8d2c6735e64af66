// Matrices, reductions and movements of TOSA: uma.graph and linalg compute what upstream's tosa-to-linalg does.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_runs.py tosa '%to_llvm' '%runner_libs' %s %t | FileCheck %s

// CHECK: matmul: 30 numbers equal
func.func @matmul(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %y, %zp, %zp : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-NEXT: matmul_i8: 6 numbers equal
func.func @matmul_i8(%x: tensor<1x3x4xi8>, %y: tensor<1x4x2xi8>) -> tensor<1x3x2xi32> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %x, %y, %zp, %zp : (tensor<1x3x4xi8>, tensor<1x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x2xi32>
  return %0 : tensor<1x3x2xi32>
}

// CHECK-NEXT: reduce_sum: 8 numbers equal
func.func @reduce_sum(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// CHECK-NEXT: reduce_product: 8 numbers equal
func.func @reduce_product(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_product %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// CHECK-NEXT: reduce_max: 8 numbers equal
func.func @reduce_max(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// CHECK-NEXT: reduce_min: 8 numbers equal
func.func @reduce_min(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_min %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// CHECK-NEXT: reduce_any: 4 numbers equal
func.func @reduce_any(%x: tensor<4x2xi1>) -> tensor<4x1xi32> {
  %c = tosa.reduce_any %x {axis = 1 : i32} : (tensor<4x2xi1>) -> tensor<4x1xi1>
  %0 = tosa.cast %c : (tensor<4x1xi1>) -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}

// CHECK-NEXT: reduce_all: 4 numbers equal
func.func @reduce_all(%x: tensor<4x2xi1>) -> tensor<4x1xi32> {
  %c = tosa.reduce_all %x {axis = 1 : i32} : (tensor<4x2xi1>) -> tensor<4x1xi1>
  %0 = tosa.cast %c : (tensor<4x1xi1>) -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}

// CHECK-NEXT: reduce_max_i32: 4 numbers equal
func.func @reduce_max_i32(%x: tensor<4x2xi32>) -> tensor<4x1xi32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x2xi32>) -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}

// CHECK-NEXT: argmax: 4 numbers equal
func.func @argmax(%x: tensor<4x7xf32>) -> tensor<4xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<4x7xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-NEXT: argmax_equal: 5 numbers equal
func.func @argmax_equal(%x: tensor<5x7xi32>) -> tensor<5xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<5x7xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// CHECK-NEXT: concat: 12 numbers equal
func.func @concat(%x: tensor<2x2xf32>, %y: tensor<2x3xf32>, %z: tensor<2x1xf32>) -> tensor<2x6xf32> {
  %0 = tosa.concat %x, %y, %z {axis = 1 : i32} : (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// CHECK-NEXT: pad: 18 numbers equal
func.func @pad(%x: tensor<2x3xf32>) -> tensor<3x6xf32> {
  %padding = tosa.const_shape {values = dense<[1, 0, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %value = "tosa.const"() <{values = dense<1.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pad %x, %padding, %value : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// CHECK-NEXT: reshape: 24 numbers equal
func.func @reshape(%x: tensor<2x3x4xf32>) -> tensor<4x6xf32> {
  %shape = tosa.const_shape {values = dense<[4, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %shape : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-NEXT: reverse: 24 numbers equal
func.func @reverse(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = tosa.reverse %x {axis = 2 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: slice: 6 numbers equal
func.func @slice(%x: tensor<2x3x4xf32>) -> tensor<1x2x3xf32> {
  %start = tosa.const_shape {values = dense<[1, 0, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %size = tosa.const_shape {values = dense<[1, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.slice %x, %start, %size : (tensor<2x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// CHECK-NEXT: tile: 36 numbers equal
func.func @tile(%x: tensor<2x3xf32>) -> tensor<4x9xf32> {
  %times = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %x, %times : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// CHECK-NEXT: transpose: 24 numbers equal
func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// CHECK-NEXT: gather: 30 numbers equal
func.func @gather(%x: tensor<2x4x3xf32>, %i: tensor<2x5xi32>) -> tensor<2x5x3xf32> {
  %0 = tosa.gather %x, %i : (tensor<2x4x3xf32>, tensor<2x5xi32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// CHECK-NEXT: scatter: 24 numbers equal
func.func @scatter(%x: tensor<2x4x3xf32>, %u: tensor<2x2x3xf32>) -> tensor<2x4x3xf32> {
  %i = "tosa.const"() <{values = dense<[[3, 1], [0, 2]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %0 = tosa.scatter %x, %i, %u : (tensor<2x4x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// CHECK-NEXT: identity: 24 numbers equal
func.func @identity(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = tosa.identity %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: resize_bilinear: 96 numbers equal
func.func @resize_bilinear(%x: tensor<1x3x4x2xf32>) -> tensor<1x6x8x2xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x3x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x8x2xf32>
  return %0 : tensor<1x6x8x2xf32>
}

// CHECK-NEXT: resize_bilinear_corners: 98 numbers equal
func.func @resize_bilinear_corners(%x: tensor<1x3x4x2xf32>) -> tensor<1x7x7x2xf32> {
  %scale = tosa.const_shape {values = dense<[6, 2, 6, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x3x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x2xf32>
  return %0 : tensor<1x7x7x2xf32>
}

// CHECK-NEXT: resize_nearest: 96 numbers equal
func.func @resize_nearest(%x: tensor<1x3x4x2xf32>) -> tensor<1x6x8x2xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x3x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x8x2xf32>
  return %0 : tensor<1x6x8x2xf32>
}

// CHECK-NEXT: resize_down: 8 numbers equal
func.func @resize_down(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %scale = tosa.const_shape {values = dense<[2, 4, 2, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}
