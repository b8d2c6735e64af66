// Quantized numbers pass from layer to layer as bytes where one elementwise reader dequantizes them.

// RUN: uma-opt %s --split-input-file --uma-cpu-narrow-results | FileCheck %s

// The zero point makes the numbers unsigned: the layer adds it, and its reader multiplies.

// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.+]] = call @shortcut(%arg0, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<1x4x6x6xui8>, tensor<8x4x1x1xi8>, tensor<f32>, tensor<f32>) -> tensor<1x8x6x6xui8>
// CHECK: call @sum(%{{.*}}, %[[Y]], %{{.*}}) : (tensor<1x8x6x6xf32>, tensor<1x8x6x6xui8>, tensor<f32>) -> tensor<1x8x6x6xf32>
// CHECK-LABEL: func.func private @shortcut(
// CHECK-SAME: -> tensor<1x8x6x6xui8>
// CHECK: %[[R:.+]] = uma.graph.round
// CHECK-NEXT: %[[S:.+]] = uma.graph.add %[[R]], %{{.*}}
// CHECK-NEXT: %[[B:.+]] = uma.graph.cast %[[S]] to ui8
// CHECK-SAME: in_range
// CHECK-NEXT: return %[[B]]
// CHECK-LABEL: func.func private @sum(
// CHECK-SAME: %arg2: tensor<f32>) -> tensor<1x8x6x6xf32>
// CHECK-NEXT: %[[W:.+]] = uma.graph.cast %arg1 to f32
// CHECK-NEXT: %[[M:.+]] = uma.graph.multiply %[[W]], %arg2
// CHECK: uma.graph.add %{{.*}}, %[[M]]
func.func @main(%x: tensor<1x4x6x6xui8>, %z: tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32> {
  %w = uma.graph.constant dense<3> : tensor<8x4x1x1xi8>
  %zero = uma.graph.constant dense<127.0> : tensor<f32>
  %scale = uma.graph.constant dense<0.1> : tensor<f32>
  %factor = uma.graph.constant dense<0.2> : tensor<f32>
  %0 = call @shortcut(%x, %w, %zero, %factor, %scale) : (tensor<1x4x6x6xui8>, tensor<8x4x1x1xi8>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x8x6x6xf32>
  %1 = call @sum(%z, %0) : (tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  return %1 : tensor<1x8x6x6xf32>
}
func.func private @shortcut(%x: tensor<1x4x6x6xui8>, %w: tensor<8x4x1x1xi8>, %zero: tensor<f32>, %factor: tensor<f32>, %scale: tensor<f32>) -> tensor<1x8x6x6xf32> attributes {uma.primitive} {
  %0 = uma.graph.conv2d %x, %w out_dtype i32 : (tensor<1x4x6x6xui8>, tensor<8x4x1x1xi8>) -> tensor<1x8x6x6xi32>
  %1 = uma.graph.cast %0 to f32 : (tensor<1x8x6x6xi32>) -> tensor<1x8x6x6xf32>
  %2 = uma.graph.multiply %1, %factor : (tensor<1x8x6x6xf32>, tensor<f32>) -> tensor<1x8x6x6xf32>
  %3 = uma.graph.clip %2 min -1.270000e+02 max 1.280000e+02 : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %4 = uma.graph.round %3 : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %5 = uma.graph.add %4, %zero : (tensor<1x8x6x6xf32>, tensor<f32>) -> tensor<1x8x6x6xf32>
  %6 = uma.graph.multiply %5, %scale : (tensor<1x8x6x6xf32>, tensor<f32>) -> tensor<1x8x6x6xf32>
  return %6 : tensor<1x8x6x6xf32>
}
func.func private @sum(%z: tensor<1x8x6x6xf32>, %y: tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32> attributes {uma.primitive} {
  %0 = uma.graph.exp %z : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.add %0, %y : (tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  return %1 : tensor<1x8x6x6xf32>
}

// -----

// Signed bytes without a zero point; numbers of more bits, numbers that a clip leaves fractions of, what may be NaN, and what an anchor or the
// network itself reads stay.

// CHECK-LABEL: func.func @kinds(
// CHECK: call @signed(%{{.*}}) : (tensor<8xi32>, tensor<f32>) -> tensor<8xi8>
// CHECK: call @wide(%{{.*}}) : (tensor<8xi32>, tensor<f32>) -> tensor<8xf32>
// CHECK: call @fractions(%{{.*}}) : (tensor<8xi32>, tensor<f32>) -> tensor<8xf32>
// CHECK: call @float(%{{.*}}) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: call @returned(%{{.*}}) : (tensor<8xi32>, tensor<f32>) -> tensor<8xf32>
func.func @kinds(%x: tensor<8xi32>, %f: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %s = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = call @signed(%x, %s) : (tensor<8xi32>, tensor<f32>) -> tensor<8xf32>
  %1 = call @wide(%x, %s) : (tensor<8xi32>, tensor<f32>) -> tensor<8xf32>
  %2 = call @fractions(%x, %s) : (tensor<8xi32>, tensor<f32>) -> tensor<8xf32>
  %3 = call @float(%f, %s) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = call @returned(%x, %s) : (tensor<8xi32>, tensor<f32>) -> tensor<8xf32>
  %5 = call @exp0(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = call @exp1(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %7 = call @exp2(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %8 = call @exp3(%3) : (tensor<8xf32>) -> tensor<8xf32>
  return %5, %6, %7, %8, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func private @signed(%x: tensor<8xi32>, %s: tensor<f32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.cast %x to f32 : (tensor<8xi32>) -> tensor<8xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = uma.graph.clip %1 min -1.280000e+02 max 1.270000e+02 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = uma.graph.round %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func private @wide(%x: tensor<8xi32>, %s: tensor<f32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.cast %x to f32 : (tensor<8xi32>) -> tensor<8xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = uma.graph.clip %1 min -1.280000e+02 max 1.280000e+02 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = uma.graph.round %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func private @fractions(%x: tensor<8xi32>, %s: tensor<f32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.cast %x to f32 : (tensor<8xi32>) -> tensor<8xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = uma.graph.clip %1 min 0.000000e+00 max 1.275000e+02 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = uma.graph.round %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func private @float(%x: tensor<8xf32>, %s: tensor<f32>) -> tensor<8xf32> attributes {uma.primitive} {
  %1 = uma.graph.multiply %x, %s : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = uma.graph.clip %1 min 0.000000e+00 max 1.270000e+02 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = uma.graph.round %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func private @returned(%x: tensor<8xi32>, %s: tensor<f32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.cast %x to f32 : (tensor<8xi32>) -> tensor<8xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = uma.graph.clip %1 min 0.000000e+00 max 1.270000e+02 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = uma.graph.round %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func private @exp0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @exp1(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @exp2(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @exp3(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.primitive} {
  %0 = uma.graph.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @anchor(
// CHECK: call @before(%{{.*}}) : (tensor<1x4x6x6xi32>, tensor<f32>) -> tensor<1x4x6x6xf32>
func.func @anchor(%x: tensor<1x4x6x6xi32>) -> tensor<1x4x5x5xf32> {
  %s = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = call @before(%x, %s) : (tensor<1x4x6x6xi32>, tensor<f32>) -> tensor<1x4x6x6xf32>
  %1 = call @pool(%0) : (tensor<1x4x6x6xf32>) -> tensor<1x4x5x5xf32>
  return %1 : tensor<1x4x5x5xf32>
}
func.func private @before(%x: tensor<1x4x6x6xi32>, %s: tensor<f32>) -> tensor<1x4x6x6xf32> attributes {uma.primitive} {
  %0 = uma.graph.cast %x to f32 : (tensor<1x4x6x6xi32>) -> tensor<1x4x6x6xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<1x4x6x6xf32>, tensor<f32>) -> tensor<1x4x6x6xf32>
  %2 = uma.graph.clip %1 min 0.000000e+00 max 1.270000e+02 : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %3 = uma.graph.round %2 : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %3 : tensor<1x4x6x6xf32>
}
func.func private @pool(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x5x5xf32> attributes {uma.primitive} {
  %0 = uma.graph.max_pool2d %x size [2, 2] : (tensor<1x4x6x6xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}
