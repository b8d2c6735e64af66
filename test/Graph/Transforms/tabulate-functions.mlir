// Functions of quantized bytes become tables of all their values.

// RUN: uma-opt %s --split-input-file --uma-graph-tabulate-functions | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-graph-tabulate-functions=min-instructions=40 | FileCheck %s --check-prefix=LONG

!x = !quant.uniform<i8:f32, 0.5:-1>
!y = !quant.uniform<u8:f32, 1.0:3>

// The function |x| / 2 + 1: -63.5 is the least number, stored as -128.

// CHECK-LABEL: @chain
// CHECK: %[[I:.*]] = uma.graph.storage_cast %{{.*}} -> tensor<1x4xi8>
// CHECK: %[[T:.*]] = uma.graph.constant dense_resource<{{.*}}> : tensor<256xui8>
// CHECK: %[[Y:.*]] = uma.graph.take %[[T]], %[[I]] axis 0 : (tensor<256xui8>, tensor<1x4xi8>) -> tensor<1x4xui8>
// CHECK: uma.graph.storage_cast %[[Y]]
// CHECK-NOT: uma.graph.abs
// CHECK: return
func.func @chain(%q: tensor<1x4x!x>) -> tensor<1x4x!y> {
  %half = uma.graph.constant dense<0.5> : tensor<1x1xf32>
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %0 = uma.graph.dequantize %q : (tensor<1x4x!x>) -> tensor<1x4xf32>
  %1 = uma.graph.abs %0 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = uma.graph.multiply %1, %half : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  %3 = uma.graph.add %2, %one : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %4 = uma.graph.quantize %3 : (tensor<1x4xf32>) -> tensor<1x4x!y>
  return %4 : tensor<1x4x!y>
}

// -----

!x = !quant.uniform<u8:f32, 0.5>
!s = !quant.uniform<u8:f32, 0.0039>
!y = !quant.uniform<u8:f32, 1.0>

// x * sigmoid(x) is one table, though its factor is quantized.

// CHECK-LABEL: @inside
// CHECK-COUNT-1: uma.graph.take
// CHECK-NOT: uma.graph.{{take|sigmoid|multiply}}
// CHECK: return
func.func @inside(%q: tensor<2x!x>) -> tensor<2x!y> {
  %0 = uma.graph.dequantize %q : (tensor<2x!x>) -> tensor<2xf32>
  %1 = uma.graph.sigmoid %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = uma.graph.quantize %1 : (tensor<2xf32>) -> tensor<2x!s>
  %3 = uma.graph.dequantize %2 : (tensor<2x!s>) -> tensor<2xf32>
  %4 = uma.graph.multiply %0, %3 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = uma.graph.quantize %4 : (tensor<2xf32>) -> tensor<2x!y>
  return %5 : tensor<2x!y>
}

// -----

!x = !quant.uniform<u8:f32, 0.5>
!w = !quant.uniform<i16:f32, 0.5>
!y = !quant.uniform<u8:f32, 1.0>

// What depends on two tensors, on several numbers, on neighbours or on 16 bits stays; so does a change of scale alone, a layer of its own.

// CHECK-LABEL: @others
// CHECK-NOT: uma.graph.take
// CHECK: return
func.func @others(%q: tensor<2x!x>, %r: tensor<2x!x>, %w: tensor<2x!w>)
    -> (tensor<2x!y>, tensor<2x!y>, tensor<2x!y>, tensor<2x!y>, tensor<2x!y>, tensor<2x2x!y>) {
  %c = uma.graph.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %0 = uma.graph.dequantize %q : (tensor<2x!x>) -> tensor<2xf32>
  %1 = uma.graph.dequantize %r : (tensor<2x!x>) -> tensor<2xf32>
  %2 = uma.graph.dequantize %w : (tensor<2x!w>) -> tensor<2xf32>
  %3 = uma.graph.multiply %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = uma.graph.quantize %3 : (tensor<2xf32>) -> tensor<2x!y>
  %5 = uma.graph.multiply %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = uma.graph.quantize %5 : (tensor<2xf32>) -> tensor<2x!y>
  %7 = uma.graph.softmax %0 axis 0 : (tensor<2xf32>) -> tensor<2xf32>
  %8 = uma.graph.quantize %7 : (tensor<2xf32>) -> tensor<2x!y>
  %9 = uma.graph.sigmoid %2 : (tensor<2xf32>) -> tensor<2xf32>
  %10 = uma.graph.quantize %9 : (tensor<2xf32>) -> tensor<2x!y>
  %11 = uma.graph.quantize %0 : (tensor<2xf32>) -> tensor<2x!y>
  %m = uma.graph.constant dense<0.0> : tensor<2x1xf32>
  %12 = uma.graph.add %0, %m : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %13 = uma.graph.quantize %12 : (tensor<2x2xf32>) -> tensor<2x2x!y>
  return %4, %6, %8, %10, %11, %13 : tensor<2x!y>, tensor<2x!y>, tensor<2x!y>, tensor<2x!y>, tensor<2x!y>, tensor<2x2x!y>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:3>
!y = !quant.uniform<u8:f32, 0.25:128>

// What uma-graph-fold-quantization makes of x * x. Integers that are only stored in another type are no function.

// CHECK-LABEL: @folded
// CHECK-COUNT-1: uma.graph.take
// CHECK-NOT: uma.graph.{{take|multiply|round}}
// CHECK: return
func.func @folded(%q: tensor<2x!x>, %i: tensor<2xui8>) -> (tensor<2x!y>, tensor<2x!y>) {
  %three = uma.graph.constant dense<3> : tensor<i32>
  %factor = uma.graph.constant dense<0.75> : tensor<f32>
  %0 = uma.graph.storage_cast %q : (tensor<2x!x>) -> tensor<2xui8>
  %1 = uma.graph.cast %0 to i32 : (tensor<2xui8>) -> tensor<2xi32>
  %2 = uma.graph.subtract %1, %three : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %3 = uma.graph.multiply %2, %2 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %4 = uma.graph.cast %3 to f32 : (tensor<2xi32>) -> tensor<2xf32>
  %5 = uma.graph.multiply %4, %factor : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %6 = uma.graph.round %5 : (tensor<2xf32>) -> tensor<2xf32>
  %7 = uma.graph.cast %6 to ui8 : (tensor<2xf32>) -> tensor<2xui8>
  %8 = uma.graph.storage_cast %7 : (tensor<2xui8>) -> tensor<2x!y>
  %9 = uma.graph.storage_cast %i : (tensor<2xui8>) -> tensor<2x!y>
  return %8, %9 : tensor<2x!y>, tensor<2x!y>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!u = !quant.uniform<u8:f32, 0.5:131>
!y = !quant.uniform<u8:f32, 0.25:128>

// Tensors that are only stored in another type on the way are functions, too, but not of their own.

// CHECK-LABEL: @requantized
// CHECK: %[[R:.*]] = uma.graph.requantize %arg0
// CHECK: %[[I:.*]] = uma.graph.storage_cast %arg0 : {{.*}} -> tensor<2xi8>
// CHECK: %[[T:.*]] = uma.graph.take %{{.*}}, %[[I]]
// CHECK-NEXT: %[[Q:.*]] = uma.graph.storage_cast %[[T]]
// CHECK-NEXT: return %[[Q]], %[[R]]
func.func @requantized(%q: tensor<2x!x>) -> (tensor<2x!y>, tensor<2x!u>) {
  %0 = uma.graph.dequantize %q : (tensor<2x!x>) -> tensor<2xf32>
  %1 = uma.graph.sigmoid %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = uma.graph.quantize %1 : (tensor<2xf32>) -> tensor<2x!x>
  %3 = uma.graph.requantize %2 : (tensor<2x!x>) -> tensor<2x!u>
  %4 = uma.graph.requantize %q : (tensor<2x!x>) -> tensor<2x!u>
  %5 = uma.graph.dequantize %3 : (tensor<2x!u>) -> tensor<2xf32>
  %6 = uma.graph.dequantize %4 : (tensor<2x!u>) -> tensor<2xf32>
  %7 = uma.graph.multiply %5, %6 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %8 = uma.graph.quantize %7 : (tensor<2xf32>) -> tensor<2x!y>
  return %8, %4 : tensor<2x!y>, tensor<2x!u>
}

// -----

!x = !quant.uniform<u8:f32, 0.5>
!s = !quant.uniform<u8:f32, 0.0039>
!y = !quant.uniform<i8:f32, 0.01>

// A function of a function is one table if nothing else reads what is between them. One division and a sum take fewer instructions than a
// lookup, in the second run.

// CHECK-LABEL: @composed
// CHECK-COUNT-1: uma.graph.take
// CHECK-NOT: uma.graph.{{take|sigmoid|tanh}}
// CHECK: return
// LONG-LABEL: @composed
// LONG-COUNT-1: uma.graph.take
// LONG-NOT: uma.graph.{{take|sigmoid|tanh}}
// LONG: return
func.func @composed(%q: tensor<2x!x>) -> tensor<2x!y> {
  %0 = uma.graph.dequantize %q : (tensor<2x!x>) -> tensor<2xf32>
  %1 = uma.graph.sigmoid %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = uma.graph.quantize %1 : (tensor<2xf32>) -> tensor<2x!s>
  %3 = uma.graph.dequantize %2 : (tensor<2x!s>) -> tensor<2xf32>
  %4 = uma.graph.tanh %3 : (tensor<2xf32>) -> tensor<2xf32>
  %5 = uma.graph.quantize %4 : (tensor<2xf32>) -> tensor<2x!y>
  return %5 : tensor<2x!y>
}

// CHECK-LABEL: @read_between
// CHECK: %[[S:.*]] = uma.graph.take %{{.*}} : (tensor<256xui8>, tensor<2xui8>) -> tensor<2xui8>
// CHECK: uma.graph.take %{{.*}} : (tensor<256xi8>, tensor<2xui8>) -> tensor<2xi8>
// CHECK: return
func.func @read_between(%q: tensor<2x!x>) -> (tensor<2x!y>, tensor<2x!s>) {
  %0 = uma.graph.dequantize %q : (tensor<2x!x>) -> tensor<2xf32>
  %1 = uma.graph.sigmoid %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = uma.graph.quantize %1 : (tensor<2xf32>) -> tensor<2x!s>
  %3 = uma.graph.dequantize %2 : (tensor<2x!s>) -> tensor<2xf32>
  %4 = uma.graph.tanh %3 : (tensor<2xf32>) -> tensor<2xf32>
  %5 = uma.graph.quantize %4 : (tensor<2xf32>) -> tensor<2x!y>
  return %5, %2 : tensor<2x!y>, tensor<2x!s>
}

// CHECK-LABEL: @short
// CHECK: uma.graph.take
// CHECK: return
// LONG-LABEL: @short
// LONG-NOT: uma.graph.take
// LONG: return
func.func @short(%q: tensor<2x!x>) -> tensor<2x!y> {
  %half = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.dequantize %q : (tensor<2x!x>) -> tensor<2xf32>
  %1 = uma.graph.divide %half, %0 : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = uma.graph.add %1, %half : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = uma.graph.quantize %2 : (tensor<2xf32>) -> tensor<2x!y>
  return %3 : tensor<2x!y>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:128>

// At the border of a network, the integers are plain.

// CHECK-LABEL: @plain
// CHECK: %[[T:.*]] = uma.graph.constant
// CHECK: %[[R:.*]] = uma.graph.take %[[T]], %arg0 axis 0 : (tensor<256xi8>, tensor<2xui8>) -> tensor<2xi8>
// CHECK-NEXT: return %[[R]]
func.func @plain(%i: tensor<2xui8>) -> tensor<2xi8> {
  %q = uma.graph.storage_cast %i : (tensor<2xui8>) -> tensor<2x!x>
  %0 = uma.graph.dequantize %q : (tensor<2x!x>) -> tensor<2xf32>
  %1 = uma.graph.tanh %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = uma.graph.multiply %1, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = uma.graph.cast %2 to i8 : (tensor<2xf32>) -> tensor<2xi8>
  return %3 : tensor<2xi8>
}

// -----

// Tables of imported models are turned, so that the stored integer is the index; those of other sizes and types stay.

// CHECK-LABEL: @imported
// CHECK: %[[S:.*]] = uma.graph.constant dense_resource<[[TABLE:.*]]> : tensor<256xi8>
// CHECK-NEXT: %[[A:.*]] = uma.graph.take %[[S]], %arg0 axis 0 : (tensor<256xi8>, tensor<2xi8>) -> tensor<2xi8>
// CHECK: %[[B:.*]] = uma.graph.take %{{.*}}, %{{.*}} axis 0 : (tensor<4xi8>, tensor<2xi32>) -> tensor<2xi8>
// CHECK: return %[[A]], %[[B]]
func.func @imported(%i: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
  %table = uma.graph.constant dense<7> : tensor<256xi8>
  %few = uma.graph.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %least = uma.graph.constant dense<-128> : tensor<i32>
  %0 = uma.graph.cast %i to i32 : (tensor<2xi8>) -> tensor<2xi32>
  %1 = uma.graph.subtract %0, %least : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %2 = uma.graph.take %table, %1 axis 0 : (tensor<256xi8>, tensor<2xi32>) -> tensor<2xi8>
  %3 = uma.graph.take %few, %0 axis 0 : (tensor<4xi8>, tensor<2xi32>) -> tensor<2xi8>
  return %2, %3 : tensor<2xi8>, tensor<2xi8>
}
