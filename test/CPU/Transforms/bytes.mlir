// Layers of bytes begin with the operators that convert their data.

// RUN: uma-opt %s --split-input-file --verify-diagnostics --uma-cpu-plan | FileCheck %s
// RUN: uma-opt %s --split-input-file --verify-diagnostics --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR

// CHECK-LABEL: func @main(
// CHECK: call @conv2d_conv2d_bias_add_cast_multiply_clip_round_cast(%arg0
// CHECK-LABEL: func private @conv2d_conv2d_bias_add_cast_multiply_clip_round_cast(
// CHECK-SAME: tensor<1x4x4x3xi8>
// CHECK-SAME: -> tensor<1x4x4x5xui8>
// CHECK-SAME: uma.kernel = #uma.cpu.kernel<im2col, tile = 4, channels = 1>
// CHECK: uma.graph.cast %{{.*}} to i16
// CHECK-NEXT: uma.graph.add
// CHECK-NEXT: uma.graph.conv2d

// The zero point 3 times the sum of the weights, 27 * 2, is a part of the bias. Five channels have no tile of several
// channels. The 27 steps are 7 groups of 4.

// TIR-DAG: memref.global {{.*}}start{{.*}} : memref<5xi32> = dense<-155>
// TIR-DAG: memref.global {{.*}}packed{{.*}} : memref<5x28x1xi8>
// TIR: uma.tir.block "padding"
// TIR: uma.tir.block "im2col"
// TIR: uma.tir.block "im2col_product"
// TIR-NOT: scf.if
// TIR: uma.tir.round_clamped %{{.*}} low 0 high 255
func.func @main(%x: tensor<1x4x4x3xi8>) -> tensor<1x4x4x5xui8> {
  %w = uma.graph.constant dense<2> : tensor<5x3x3x3xi8>
  %b = uma.graph.constant dense<7> : tensor<5xi32>
  %f = uma.graph.constant dense<0.001> : tensor<f32>
  %z = uma.graph.constant dense<-3> : tensor<i16>
  %i = uma.graph.cast %x to i16 : (tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi16>
  %s = uma.graph.add %i, %z : (tensor<1x4x4x3xi16>, tensor<i16>) -> tensor<1x4x4x3xi16>
  %0 = uma.graph.conv2d %s, %w padding [1, 1, 1, 1] layout "NHWC" kernel_layout "OHWI" out_dtype i32 : (tensor<1x4x4x3xi16>, tensor<5x3x3x3xi8>) -> tensor<1x4x4x5xi32>
  %1 = uma.graph.bias_add %0, %b axis 3 : (tensor<1x4x4x5xi32>, tensor<5xi32>) -> tensor<1x4x4x5xi32>
  %2 = uma.graph.cast %1 to f32 : (tensor<1x4x4x5xi32>) -> tensor<1x4x4x5xf32>
  %3 = uma.graph.multiply %2, %f : (tensor<1x4x4x5xf32>, tensor<f32>) -> tensor<1x4x4x5xf32>
  %4 = uma.graph.clip %3 min 0.0 max 255.0 : (tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
  %5 = uma.graph.round %4 : (tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
  %6 = uma.graph.cast %5 to ui8 {uma.in_range} : (tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xui8>
  return %6 : tensor<1x4x4x5xui8>
}

// -----

// Averages of bytes, and depthwise convolutions, whose windows inside of the data have no loops.

// CHECK-LABEL: func private @avg_pool2d_avg_pool2d_round_cast(
// CHECK-SAME: tensor<1x4x4x3xui8>
// CHECK-SAME: #uma.cpu.kernel<direct>
// CHECK-LABEL: func private @conv2d(
// CHECK-SAME: tensor<1x2x2x3xui8>
// CHECK-SAME: #uma.cpu.kernel<direct>
// TIR: uma.tir.block "average"
// TIR: scf.if
// TIR-COUNT-5: uma.tir.block "depthwise"
func.func @main(%x: tensor<1x4x4x3xui8>) -> tensor<1x2x2x3xi32> {
  %w = uma.graph.constant dense<1> : tensor<2x2x1x3xi8>
  %i = uma.graph.cast %x to f32 : (tensor<1x4x4x3xui8>) -> tensor<1x4x4x3xf32>
  %0 = uma.graph.avg_pool2d %i size [2, 2] strides [2, 2] layout "NHWC" : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  %1 = uma.graph.round %0 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %2 = uma.graph.cast %1 to ui8 {uma.in_range} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xui8>
  %3 = uma.graph.cast %2 to i16 : (tensor<1x2x2x3xui8>) -> tensor<1x2x2x3xi16>
  %4 = uma.graph.conv2d %3, %w padding [0, 0, 1, 1] groups 3 layout "NHWC" kernel_layout "HWIO" out_dtype i32 : (tensor<1x2x2x3xi16>, tensor<2x2x1x3xi8>) -> tensor<1x2x2x3xi32>
  return %4 : tensor<1x2x2x3xi32>
}

// -----

// A description's instruction for pairs: words of four bytes become two pairs.

uma.accel.accelerator @pairs {
  uma.accel.instruction "smlad" {
  ^bb0(%s: index, %x0: index, %x1: index, %w0: index, %w1: index):
    %0 = arith.muli %x0, %w0 : index
    %1 = arith.addi %s, %0 : index
    %2 = arith.muli %x1, %w1 : index
    %3 = arith.addi %1, %2 : index
    uma.accel.yield %3
  } operands ["sum", "x", "w"] types [i32, i16, i16] counts [1, 2, 2] code "sum = smlad(sum, x, w);"
}

// CHECK-LABEL: func private @dense(
// CHECK-SAME: #uma.cpu.kernel<im2col_pairs, tile = 2>
// TIR: memref.global {{.*}}packed{{.*}} : memref<1x8x2xi8>
// TIR: uma.tir.unpack %{{.*}} elements ui8{{$}}
// TIR: uma.tir.unpack %{{.*}} elements ui8 odd
// TIR: uma.tir.dot {{.*}} elements i16, i16 : i32
func.func @main(%x: tensor<2x8xui8>) -> tensor<2x2xi32> {
  %w = uma.graph.constant dense<1> : tensor<2x8xi8>
  %i = uma.graph.cast %x to i16 : (tensor<2x8xui8>) -> tensor<2x8xi16>
  %0 = uma.graph.dense %i, %w out_dtype i32 : (tensor<2x8xi16>, tensor<2x8xi8>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

func.func @main(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<2x8xf32>
  %0 = call @layer(%x, %w) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// expected-error @+1 {{has uma.kernel = #uma.cpu.kernel<im2col, tile = 2>}}
func.func private @layer(%x: tensor<2x8xf32>, %w: tensor<2x8xf32>) -> tensor<2x2xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<im2col, tile = 2>} {
  %0 = uma.graph.dense %x, %w : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// A small core: tiles for 8 registers, unsigned bytes, which need the zero point -128 and sums of rows, and scales in
// integers. The weight 0 of the fourth channel becomes 128, its large sum an integer that the scale 1/256 rounds.

// CHECK-LABEL: func private @dense_dense_
// CHECK-SAME: #uma.cpu.kernel<im2col, tile = 1, channels = 4>
// TIR-DAG: memref.global {{.*}}multiplier{{.*}} : memref<4xi32> = dense<[167772, 335544, 5033165, 65536]>
// TIR-DAG: memref.global {{.*}}start{{.*}} : memref<4xi32> = dense<[-1526, 519, -1, 3072]>
// TIR-DAG: memref.global {{.*}}packed{{.*}} : memref<1x4x4xi8> = dense<{{.*}}[-125, -127, 0, -128]
// TIR: uma.tir.block "im2col_sum"
// TIR: uma.tir.block "im2col_product"
// TIR: uma.tir.block "im2col_product_result"
// TIR: %[[CLOSE:.*]] = arith.cmpi slt
// TIR: scf.if %[[CLOSE]] -> (i32)
// TIR: uma.tir.round_clamped
// TIR: else
// TIR: arith.shrsi
module attributes {uma.processor = #uma.cpu.processor<"small", sets = [scalar], ports = 1, port_lanes = 1, issue = 1, latency = 1, l1 = 0, l2 = 0, l2_line_cycles = 1, memory_line_cycles = 1, core_registers = 8, float_unit = false, signed_loads = false>} {
  func.func @main(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
    %w = uma.graph.constant dense<[[3, 3, 3, 3], [1, -1, -2, -2], [-128, 127, 0, 1], [0, 0, 0, 0]]> : tensor<4x4xi8>
    %b = uma.graph.constant dense<[10, 7, -1, 1073741824]> : tensor<4xi32>
    %f = uma.graph.constant dense<[0.01, 0.02, 0.3, 1.1175871e-08]> : tensor<4xf32>
    %i = uma.graph.cast %x to i16 : (tensor<1x4xi8>) -> tensor<1x4xi16>
    %0 = uma.graph.dense %i, %w out_dtype i32 : (tensor<1x4xi16>, tensor<4x4xi8>) -> tensor<1x4xi32>
    %1 = uma.graph.bias_add %0, %b axis 1 : (tensor<1x4xi32>, tensor<4xi32>) -> tensor<1x4xi32>
    %2 = uma.graph.cast %1 to f32 : (tensor<1x4xi32>) -> tensor<1x4xf32>
    %3 = uma.graph.multiply %2, %f : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
    %4 = uma.graph.clip %3 min -128.0 max 127.0 : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %5 = uma.graph.round %4 : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %6 = uma.graph.cast %5 to i8 {uma.in_range} : (tensor<1x4xf32>) -> tensor<1x4xi8>
    return %6 : tensor<1x4xi8>
  }
}

// -----

// Neighbouring sums may skip integers if they are multiplied by more than 1, so floats round them.

// CHECK-LABEL: func private @dense_dense_
// TIR-LABEL: uma.tir.func private @dense_dense_cast
// TIR-NOT: scf.if
// TIR: uma.tir.round_clamped
// TIR-NOT: scf.if
module attributes {uma.processor = #uma.cpu.processor<"small", sets = [scalar], ports = 1, port_lanes = 1, issue = 1, latency = 1, l1 = 0, l2 = 0, l2_line_cycles = 1, memory_line_cycles = 1, float_unit = false>} {
  func.func @main(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
    %w = uma.graph.constant dense<1> : tensor<4x4xi8>
    %f = uma.graph.constant dense<1.5> : tensor<f32>
    %i = uma.graph.cast %x to i16 : (tensor<1x4xi8>) -> tensor<1x4xi16>
    %0 = uma.graph.dense %i, %w out_dtype i32 : (tensor<1x4xi16>, tensor<4x4xi8>) -> tensor<1x4xi32>
    %2 = uma.graph.cast %0 to f32 : (tensor<1x4xi32>) -> tensor<1x4xf32>
    %3 = uma.graph.multiply %2, %f : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %4 = uma.graph.clip %3 min -128.0 max 127.0 : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %5 = uma.graph.round %4 : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %6 = uma.graph.cast %5 to i8 {uma.in_range} : (tensor<1x4xf32>) -> tensor<1x4xi8>
    return %6 : tensor<1x4xi8>
  }
}
