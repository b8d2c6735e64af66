// Unsigned integers are so in the numbers, though buffers are signless: each
// function gets elements above 127.
// REQUIRES: gcc
// RUN: uma-opt %s --uma-lower --uma-emit-c | uma-translate --uma-to-c > %t.c
// RUN: %gcc %strict -c %t.c -o %t.o
// RUN: %gcc %strict %S/Inputs/unsigned.c %t.o -o %t.exe
// RUN: %t.exe | FileCheck %s

// 200 * -1 + 255 * 2
// CHECK: conv2d 310
func.func @conv2d(%x: tensor<1x2x1x1xui8>, %w: tensor<1x2x1x1xi8>) -> tensor<1x1x1x1xi32> {
  %0 = uma.graph.conv2d %x, %w out_dtype i32 : (tensor<1x2x1x1xui8>, tensor<1x2x1x1xi8>) -> tensor<1x1x1x1xi32>
  return %0 : tensor<1x1x1x1xi32>
}

// 200 * 1 + 255 * 255
// CHECK: dense 65225
func.func @dense(%x: tensor<1x2xui8>, %w: tensor<1x2xui8>) -> tensor<1x1xui32> {
  %0 = uma.graph.dense %x, %w out_dtype ui32 : (tensor<1x2xui8>, tensor<1x2xui8>) -> tensor<1x1xui32>
  return %0 : tensor<1x1xui32>
}

// CHECK: clip 10 240
func.func @clip(%x: tensor<2xui8>) -> tensor<2xui8> {
  %0 = uma.graph.clip %x min 10.0 max 240.0 : (tensor<2xui8>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}

// Bounds that every element keeps: no comparison that is never true.
// CHECK: clip_none 0 255
func.func @clip_none(%x: tensor<2xui8>) -> tensor<2xui8> {
  %0 = uma.graph.clip %x min 0.0 max 255.0 : (tensor<2xui8>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}

// CHECK: relu 200 3
func.func @relu(%x: tensor<2xui8>) -> tensor<2xui8> {
  %0 = uma.graph.relu %x : (tensor<2xui8>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}

// CHECK: max_pool2d 200
func.func @max_pool2d(%x: tensor<1x1x1x2xui8>) -> tensor<1x1x1x1xui8> {
  %0 = uma.graph.max_pool2d %x size [1, 2] : (tensor<1x1x1x2xui8>) -> tensor<1x1x1x1xui8>
  return %0 : tensor<1x1x1x1xui8>
}

// CHECK: divide 66 1
func.func @divide(%x: tensor<2xui8>, %y: tensor<2xui8>) -> tensor<2xui8> {
  %0 = uma.graph.divide %x, %y : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}

// CHECK: widen 200.0 3.0
func.func @widen(%x: tensor<2xui8>) -> tensor<2xf32> {
  %0 = uma.graph.cast %x to f32 : (tensor<2xui8>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: narrow 200 3
func.func @narrow(%x: tensor<2xf32>) -> tensor<2xui8> {
  %0 = uma.graph.cast %x to ui8 : (tensor<2xf32>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}
