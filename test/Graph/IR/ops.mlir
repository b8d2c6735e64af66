// RUN: uma-opt %s --verify-roundtrip | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt --verify-roundtrip | FileCheck %s
// RUN: uma-opt %s --emit-bytecode | uma-opt | FileCheck %s

// Every operation of uma.graph, in every form of its attributes.

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @conv2d
func.func @conv2d(%x: tensor<1x8x9x7xf32>, %w: tensor<4x8x3x3xf32>) {
  // CHECK: uma.graph.conv2d %{{.*}}, %{{.*}} : (tensor<1x8x9x7xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x7x5xf32>
  %0 = uma.graph.conv2d %x, %w
      : (tensor<1x8x9x7xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x7x5xf32>
  // CHECK: uma.graph.conv2d %{{.*}}, %{{.*}} strides [2, 1] padding [1, 2, 3, 4] dilations [1, 2] out_dtype f64 :
  %1 = uma.graph.conv2d %x, %w strides [2, 1] padding [1, 2, 3, 4] dilations [1, 2] out_dtype f64
      : (tensor<1x8x9x7xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x6x9xf64>
  // Defaults are not printed.
  // CHECK: uma.graph.conv2d %{{.*}}, %{{.*}} : (
  %2 = uma.graph.conv2d %x, %w strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups 1
      layout "NCHW" kernel_layout "OIHW"
      : (tensor<1x8x9x7xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x7x5xf32>
  // CHECK: uma.graph.conv2d %{{.*}}, %{{.*}} {uma.target = #uma.target<"vanilla">} :
  %3 = uma.graph.conv2d %x, %w {uma.target = #uma.target<"vanilla">}
      : (tensor<1x8x9x7xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x7x5xf32>
  return
}

// CHECK-LABEL: func @conv2d_groups
func.func @conv2d_groups(%x: tensor<1x8x9x7xf32>, %w: tensor<4x4x3x3xf32>, %d: tensor<16x1x3x3xf32>) {
  // CHECK: groups 2 : {{.*}} -> tensor<1x4x7x5xf32>
  %0 = uma.graph.conv2d %x, %w groups 2
      : (tensor<1x8x9x7xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x7x5xf32>
  // CHECK: groups 8 : {{.*}} -> tensor<1x16x7x5xf32>
  %1 = uma.graph.conv2d %x, %d groups 8
      : (tensor<1x8x9x7xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x7x5xf32>
  return
}

// CHECK-LABEL: func @conv2d_layouts
func.func @conv2d_layouts(%x: tensor<1x9x7x8xf32>, %ohwi: tensor<4x3x5x8xf32>, %hwio: tensor<3x5x8x4xf32>) {
  // CHECK: layout "NHWC" kernel_layout "OHWI" : {{.*}} -> tensor<1x7x3x4xf32>
  %0 = uma.graph.conv2d %x, %ohwi layout "NHWC" kernel_layout "OHWI"
      : (tensor<1x9x7x8xf32>, tensor<4x3x5x8xf32>) -> tensor<1x7x3x4xf32>
  // CHECK: layout "NHWC" kernel_layout "HWIO" : {{.*}} -> tensor<1x7x3x4xf32>
  %1 = uma.graph.conv2d %x, %hwio layout "NHWC" kernel_layout "HWIO"
      : (tensor<1x9x7x8xf32>, tensor<3x5x8x4xf32>) -> tensor<1x7x3x4xf32>
  return
}

// Data and weights of a quantised model differ in signedness.
// CHECK-LABEL: func @conv2d_integer
func.func @conv2d_integer(%x: tensor<1x8x9x7xui8>, %w: tensor<4x8x3x3xi8>) {
  // CHECK: out_dtype i32 : {{.*}} -> tensor<1x4x7x5xi32>
  %0 = uma.graph.conv2d %x, %w out_dtype i32
      : (tensor<1x8x9x7xui8>, tensor<4x8x3x3xi8>) -> tensor<1x4x7x5xi32>
  // CHECK: out_dtype i16 : {{.*}} -> tensor<1x4x7x5xi16>
  %1 = uma.graph.conv2d %x, %w out_dtype i16
      : (tensor<1x8x9x7xui8>, tensor<4x8x3x3xi8>) -> tensor<1x4x7x5xi16>
  return
}

// CHECK-LABEL: func @dense
func.func @dense(%x: tensor<2x64xf16>, %v: tensor<64xf16>, %r: tensor<2x3x64xf16>, %w: tensor<10x64xf16>,
                 %xi: tensor<1x64xi16>, %wi: tensor<10x64xi16>) {
  // CHECK: uma.graph.dense %{{.*}}, %{{.*}} : (tensor<2x64xf16>, tensor<10x64xf16>) -> tensor<2x10xf16>
  %0 = uma.graph.dense %x, %w : (tensor<2x64xf16>, tensor<10x64xf16>) -> tensor<2x10xf16>
  // CHECK: -> tensor<10xf16>
  %1 = uma.graph.dense %v, %w : (tensor<64xf16>, tensor<10x64xf16>) -> tensor<10xf16>
  // CHECK: out_dtype f32 : {{.*}} -> tensor<2x3x10xf32>
  %2 = uma.graph.dense %r, %w out_dtype f32 : (tensor<2x3x64xf16>, tensor<10x64xf16>) -> tensor<2x3x10xf32>
  // CHECK: out_dtype i32 : {{.*}} -> tensor<1x10xi32>
  %3 = uma.graph.dense %xi, %wi out_dtype i32 : (tensor<1x64xi16>, tensor<10x64xi16>) -> tensor<1x10xi32>
  return
}

// CHECK-LABEL: func @bias_add
func.func @bias_add(%x: tensor<1x8x4x6xf32>, %b: tensor<8xf32>, %c: tensor<6xf32>) {
  // CHECK: uma.graph.bias_add %{{.*}}, %{{.*}} : (
  %0 = uma.graph.bias_add %x, %b : (tensor<1x8x4x6xf32>, tensor<8xf32>) -> tensor<1x8x4x6xf32>
  // CHECK: axis 3 :
  %1 = uma.graph.bias_add %x, %c axis 3 : (tensor<1x8x4x6xf32>, tensor<6xf32>) -> tensor<1x8x4x6xf32>
  // CHECK: axis -1 :
  %2 = uma.graph.bias_add %x, %c axis -1 : (tensor<1x8x4x6xf32>, tensor<6xf32>) -> tensor<1x8x4x6xf32>
  return
}

// CHECK-LABEL: func @batch_norm
func.func @batch_norm(%x: tensor<1x8x4x6xf32>, %b: tensor<8xf32>, %c: tensor<6xf32>) {
  // CHECK: uma.graph.batch_norm %{{[^:]*}} : (
  %0 = uma.graph.batch_norm %x, %b, %b, %b, %b
      : (tensor<1x8x4x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x4x6xf32>
  // CHECK: axis 3 epsilon 1.000000e-03 :
  %1 = uma.graph.batch_norm %x, %c, %c, %c, %c axis 3 epsilon 1.0e-3
      : (tensor<1x8x4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x8x4x6xf32>
  return
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @activations
func.func @activations(%x: tensor<1x8xf32>, %i: tensor<1x8xi8>) {
  // CHECK: uma.graph.relu %{{.*}} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %0 = uma.graph.relu %x : (tensor<1x8xf32>) -> tensor<1x8xf32>
  // CHECK: uma.graph.relu %{{.*}} : (tensor<1x8xi8>) -> tensor<1x8xi8>
  %1 = uma.graph.relu %i : (tensor<1x8xi8>) -> tensor<1x8xi8>
  // CHECK: uma.graph.clip %{{.*}} min 0.000000e+00 max 6.000000e+00 :
  %2 = uma.graph.clip %x min 0.0 max 6.0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  // An infinity is no bound.
  // CHECK: uma.graph.clip %{{.*}} min -1.000000e+00 max 0x7FF0000000000000 :
  %3 = uma.graph.clip %i min -1.0 max 0x7FF0000000000000 : (tensor<1x8xi8>) -> tensor<1x8xi8>
  // CHECK: uma.graph.softmax %{{.*}} : (
  %4 = uma.graph.softmax %x : (tensor<1x8xf32>) -> tensor<1x8xf32>
  // CHECK: uma.graph.softmax %{{.*}} axis 0 : (
  %5 = uma.graph.softmax %x axis 0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// CHECK-LABEL: func @binary
func.func @binary(%a: tensor<1x8x4x4xf32>, %b: tensor<8x1x1xf32>, %s: tensor<f32>, %c: tensor<2x1x1x4xf32>) {
  // CHECK: uma.graph.add %{{.*}}, %{{.*}} : (tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) -> tensor<1x8x4x4xf32>
  %0 = uma.graph.add %a, %b : (tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) -> tensor<1x8x4x4xf32>
  // CHECK: uma.graph.subtract %{{.*}} -> tensor<1x8x4x4xf32>
  %1 = uma.graph.subtract %b, %a : (tensor<8x1x1xf32>, tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  // CHECK: uma.graph.multiply %{{.*}} -> tensor<1x8x4x4xf32>
  %2 = uma.graph.multiply %a, %s : (tensor<1x8x4x4xf32>, tensor<f32>) -> tensor<1x8x4x4xf32>
  // CHECK: uma.graph.divide %{{.*}} -> tensor<2x8x4x4xf32>
  %3 = uma.graph.divide %a, %c : (tensor<1x8x4x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x8x4x4xf32>
  // CHECK: uma.graph.add %{{.*}} -> tensor<f32>
  %4 = uma.graph.add %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @pools
func.func @pools(%x: tensor<1x8x9x6xf32>, %i: tensor<1x8x9x6xi8>, %l: tensor<1x9x6x8xf32>) {
  // CHECK: uma.graph.max_pool2d %{{.*}} size [2, 3] : {{.*}} -> tensor<1x8x8x4xf32>
  %0 = uma.graph.max_pool2d %x size [2, 3] : (tensor<1x8x9x6xf32>) -> tensor<1x8x8x4xf32>
  // CHECK: uma.graph.max_pool2d %{{.*}} size [3, 3] strides [2, 2] padding [1, 1, 0, 1] dilations [1, 2] layout "NHWC" : {{.*}} -> tensor<1x4x2x8xf32>
  %1 = uma.graph.max_pool2d %l size [3, 3] strides [2, 2] padding [1, 1, 0, 1] dilations [1, 2] layout "NHWC"
      : (tensor<1x9x6x8xf32>) -> tensor<1x4x2x8xf32>
  // CHECK: uma.graph.max_pool2d %{{.*}} size [2, 2] strides [2, 2] ceil_mode true : {{.*}} -> tensor<1x8x5x3xi8>
  %2 = uma.graph.max_pool2d %i size [2, 2] strides [2, 2] ceil_mode true
      : (tensor<1x8x9x6xi8>) -> tensor<1x8x5x3xi8>
  // CHECK: uma.graph.avg_pool2d %{{.*}} size [2, 2] padding [1, 1, 1, 1] count_include_pad true : {{.*}} -> tensor<1x8x10x7xf32>
  %3 = uma.graph.avg_pool2d %x size [2, 2] padding [1, 1, 1, 1] count_include_pad true
      : (tensor<1x8x9x6xf32>) -> tensor<1x8x10x7xf32>
  // CHECK: uma.graph.avg_pool2d %{{.*}} size [2, 2] strides [2, 2] dilations [2, 1] ceil_mode true layout "NHWC" : {{.*}} -> tensor<1x4x3x8xf32>
  %4 = uma.graph.avg_pool2d %l size [2, 2] strides [2, 2] dilations [2, 1] ceil_mode true layout "NHWC"
      : (tensor<1x9x6x8xf32>) -> tensor<1x4x3x8xf32>
  // CHECK: uma.graph.global_avg_pool2d %{{.*}} : (tensor<1x8x9x6xf32>) -> tensor<1x8x1x1xf32>
  %5 = uma.graph.global_avg_pool2d %x : (tensor<1x8x9x6xf32>) -> tensor<1x8x1x1xf32>
  // CHECK: uma.graph.global_avg_pool2d %{{.*}} layout "NHWC" : (tensor<1x9x6x8xf32>) -> tensor<1x1x1x8xf32>
  %6 = uma.graph.global_avg_pool2d %l layout "NHWC" : (tensor<1x9x6x8xf32>) -> tensor<1x1x1x8xf32>
  return
}

// The last window of ceil_mode may hang out of the data but not start behind
// it: ONNX's test averagepool_2d_ceil_last_window_starts_on_pad.
// CHECK-LABEL: func @ceil_mode
func.func @ceil_mode(%x: tensor<1x3x2x2xf32>, %one: tensor<1x1x1x1xf32>) {
  // CHECK: -> tensor<1x3x1x1xf32>
  %0 = uma.graph.avg_pool2d %x size [3, 3] strides [3, 3] padding [1, 1, 1, 1] ceil_mode true count_include_pad true
      : (tensor<1x3x2x2xf32>) -> tensor<1x3x1x1xf32>
  // A window larger than the data fits when it hangs out by less than a stride.
  // CHECK: -> tensor<1x1x1x1xf32>
  %1 = uma.graph.max_pool2d %one size [2, 2] strides [2, 2] ceil_mode true
      : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

//===----------------------------------------------------------------------===//
// Operators that move elements
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @shapes
func.func @shapes(%x: tensor<1x8x4x6xf32>, %y: tensor<1x2x4x6xf32>, %s: tensor<f32>, %i: tensor<2x3xi8>) {
  // CHECK: uma.graph.pad %{{.*}} before [0, 0, 1, 2] after [0, 1, 3, 0] : {{.*}} -> tensor<1x9x8x8xf32>
  %0 = uma.graph.pad %x before [0, 0, 1, 2] after [0, 1, 3, 0] : (tensor<1x8x4x6xf32>) -> tensor<1x9x8x8xf32>
  // CHECK: value -1.280000e+02 :
  %1 = uma.graph.pad %i before [1, 0] after [0, 0] value -128.0 : (tensor<2x3xi8>) -> tensor<3x3xi8>
  // CHECK: uma.graph.reshape %{{.*}} [1, -1] : {{.*}} -> tensor<1x192xf32>
  %2 = uma.graph.reshape %x [1, -1] : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  // CHECK: uma.graph.reshape %{{.*}} [24, 8] :
  %3 = uma.graph.reshape %x [24, 8] : (tensor<1x8x4x6xf32>) -> tensor<24x8xf32>
  // CHECK: uma.graph.reshape %{{.*}} [] : {{.*}} -> tensor<f32>
  %4 = uma.graph.reshape %s [] : (tensor<f32>) -> tensor<f32>
  // CHECK: uma.graph.batch_flatten %{{.*}} : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  %5 = uma.graph.batch_flatten %x : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  // CHECK: uma.graph.transpose %{{.*}} [0, 2, 3, 1] : {{.*}} -> tensor<1x4x6x8xf32>
  %6 = uma.graph.transpose %x [0, 2, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  // CHECK: uma.graph.concatenate %{{.*}}, %{{.*}}, %{{.*}} axis 1 : {{.*}} -> tensor<1x18x4x6xf32>
  %7 = uma.graph.concatenate %x, %y, %x axis 1
      : (tensor<1x8x4x6xf32>, tensor<1x2x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x18x4x6xf32>
  // CHECK: axis -3 : {{.*}} -> tensor<1x10x4x6xf32>
  %8 = uma.graph.concatenate %x, %y axis -3 : (tensor<1x8x4x6xf32>, tensor<1x2x4x6xf32>) -> tensor<1x10x4x6xf32>
  // CHECK: uma.graph.cast %{{.*}} to i8 : {{.*}} -> tensor<1x8x4x6xi8>
  %9 = uma.graph.cast %x to i8 : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xi8>
  return
}

// CHECK-LABEL: func @empty
func.func @empty(%x: tensor<0x3xf32>) {
  // CHECK: -> tensor<3x0xf32>
  %0 = uma.graph.reshape %x [3, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  // CHECK: -> tensor<0xf32>
  %1 = uma.graph.reshape %x [-1] : (tensor<0x3xf32>) -> tensor<0xf32>
  return
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @constant
func.func @constant() {
  // CHECK: uma.graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: uma.graph.constant dense<3> : tensor<i32>
  %1 = uma.graph.constant dense<3> : tensor<i32>
  // CHECK: uma.graph.constant {uma.name = "w"} dense_resource<weights> : tensor<2xf32>
  %2 = uma.graph.constant {uma.name = "w"} dense_resource<weights> : tensor<2xf32>
  // What is left of a resource when it is printed elided.
  // CHECK: uma.graph.constant dense_resource<__elided__> : tensor<64x64xf32>
  %3 = uma.graph.constant dense_resource<__elided__> : tensor<64x64xf32>
  return
}

// CHECK-LABEL: func @composite
// CHECK-SAME: %[[X:.*]]: tensor<1x8x4x4xf32>, %[[W:.*]]: tensor<8x8x1x1xf32>
func.func @composite(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) {
  // CHECK: uma.graph.composite @vanilla::@conv2d (%[[A:.*]] = %[[X]] : tensor<1x8x4x4xf32>, %[[B:.*]] = %[[W]] : tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  %0 = uma.graph.composite @vanilla::@conv2d (%a = %x : tensor<1x8x4x4xf32>, %b = %w : tensor<8x8x1x1xf32>)
      -> tensor<1x8x4x4xf32> {
    // CHECK-NEXT: uma.graph.conv2d %[[A]], %[[B]]
    %1 = uma.graph.conv2d %a, %b : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
    // CHECK-NEXT: uma.graph.yield %{{.*}} : tensor<1x8x4x4xf32>
    uma.graph.yield %1 : tensor<1x8x4x4xf32>
  }
  // Two results, and attributes.
  // CHECK: uma.graph.composite @vanilla::@two (%{{.*}} = %[[X]] : tensor<1x8x4x4xf32>) -> (tensor<1x8x4x4xf32>, tensor<1x128xf32>) attributes {uma.target = #uma.target<"vanilla", {fast = true}>} {
  %2:2 = uma.graph.composite @vanilla::@two (%a = %x : tensor<1x8x4x4xf32>)
      -> (tensor<1x8x4x4xf32>, tensor<1x128xf32>) attributes {uma.target = #uma.target<"vanilla", {fast = true}>} {
    %3 = uma.graph.relu %a : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %4 = uma.graph.batch_flatten %3 : (tensor<1x8x4x4xf32>) -> tensor<1x128xf32>
    // CHECK: uma.graph.yield %{{.*}}, %{{.*}} : tensor<1x8x4x4xf32>, tensor<1x128xf32>
    uma.graph.yield %3, %4 : tensor<1x8x4x4xf32>, tensor<1x128xf32>
  }
  // No inputs.
  // CHECK: uma.graph.composite @vanilla::@table () -> tensor<2xf32> {
  %5 = uma.graph.composite @vanilla::@table () -> tensor<2xf32> {
    %6 = uma.graph.constant dense<1.0> : tensor<2xf32>
    uma.graph.yield %6 : tensor<2xf32>
  }
  return
}

// CHECK-LABEL: func private @target
// CHECK-SAME: uma.target = #uma.target<"strawberry", {sram_kib = 128 : i64}>
func.func private @target() attributes {uma.target = #uma.target<"strawberry", {sram_kib = 128 : i64}>}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
