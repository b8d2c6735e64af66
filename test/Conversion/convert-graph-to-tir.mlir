// The module: entry function, layers, constants, views, accelerators. The loops
// of each operator are in GraphToTIR/.
// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir | FileCheck %s

// A second run finds nothing to do.
// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir > %t.once
// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --convert-uma-graph-to-uma-tir > %t.twice
// RUN: diff %t.once %t.twice

// The entry function becomes the list of calls. Layers are named after their
// location and operator; the last one writes to the caller's buffer, the first
// to the workspace.

// CHECK-LABEL: uma.tir.func @main(
// CHECK-SAME:    %[[X:.*]]: memref<1x4xf32> {uma.name = "input/1", uma.type = tensor<1x4xf32>},
// CHECK-SAME:    %[[Y:.*]]: memref<1x4xf32> {uma.name = "Identity", uma.output, uma.type = tensor<1x4xf32>})
// CHECK-SAME:    attributes {uma.network = "a net"}
// CHECK-NEXT:    %[[A:.*]] = uma.tir.alloc workspace label "block/relu:0" : memref<1x4xf32>
// CHECK-NEXT:    uma.tir.call @block_relu_0_relu(%[[X]], %[[A]])
// CHECK-NEXT:    %[[B:.*]] = uma.tir.alloc workspace label "softmax"
// CHECK-NEXT:    uma.tir.call @softmax(%[[A]], %[[B]])
// CHECK-NEXT:    uma.tir.call @_1_2_clip(%[[B]], %[[Y]])
// CHECK-NEXT:  }
// CHECK:       uma.tir.func private @block_relu_0_relu(%{{.*}}: memref<1x4xf32>, %{{.*}}: memref<1x4xf32>) attributes {layer = "block/relu:0"}
// CHECK:       uma.tir.func private @softmax({{.*}}layer = "softmax"
// CHECK:       uma.tir.func private @_1_2_clip({{.*}}layer = "1.2"
// CHECK-NOT:   func.func
func.func @main(%x: tensor<1x4xf32> {uma.name = "input/1"}) -> (tensor<1x4xf32> {uma.name = "Identity"})
    attributes {uma.network = "a net"} {
  %0 = uma.graph.relu %x : (tensor<1x4xf32>) -> tensor<1x4xf32> loc("block/relu:0")
  %1 = uma.graph.softmax %0 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = uma.graph.clip %1 min 0.0 max 1.0 : (tensor<1x4xf32>) -> tensor<1x4xf32> loc(fused["1.2", "other"])
  return %2 : tensor<1x4xf32>
}

// -----

// Names that are taken get a number; buffers are signless, the model's type is
// in an attribute.

// CHECK-LABEL: uma.tir.func @relu(
// CHECK-SAME:    memref<4xi8> {uma.type = tensor<4xui8>}, %{{.*}}: memref<4xi8> {uma.output, uma.type = tensor<4xui8>})
// CHECK:         uma.tir.call @[[FIRST:relu_[0-9]+]](
// CHECK:         uma.tir.call @[[SECOND:relu_[0-9]+]](
// CHECK:       uma.tir.func private @[[FIRST]]({{.*}}layer = "relu"
// CHECK:       uma.tir.func private @[[SECOND]]({{.*}}layer = "relu"
func.func @relu(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = uma.graph.relu %x : (tensor<4xui8>) -> tensor<4xui8>
  %1 = uma.graph.relu %0 : (tensor<4xui8>) -> tensor<4xui8>
  return %1 : tensor<4xui8>
}

// -----

// A constant is one global however often it occurs, named after its location;
// layers get it as an argument. Unsigned values keep their bits.

// CHECK-DAG:   memref.global "private" constant @w_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-DAG:   memref.global "private" constant @constant : memref<2xi8> = dense<[-1, 1]>
// CHECK-DAG:   memref.global "private" constant @big : memref<2x2xf32> = dense_resource<big>
// CHECK-LABEL: uma.tir.func @main(
// CHECK:         %[[W:.*]] = memref.get_global @w_0 : memref<2xf32>
// CHECK:         uma.tir.call @{{.*}}(%{{.*}}, %[[W]], %{{.*}})
// CHECK:         %[[W1:.*]] = memref.get_global @w_0 : memref<2xf32>
// CHECK:         uma.tir.call @{{.*}}(%{{.*}}, %[[W1]], %{{.*}})
// CHECK:         %[[B:.*]] = memref.get_global @big
// CHECK:         uma.tir.call @{{.*}}(%{{.*}}, %[[B]], %{{.*}})
// CHECK:         memref.get_global @constant : memref<2xi8>
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2xui8>) -> (tensor<2x2xf32>, tensor<2xui8>) {
  %w = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32> loc("w.0")
  %w1 = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32> loc("w.1")
  %unused = uma.graph.constant dense<3.0> : tensor<2xf32> loc("unused")
  %big = uma.graph.constant dense_resource<big> : tensor<2x2xf32> loc("big")
  %k = uma.graph.constant dense<[255, 1]> : tensor<2xui8>
  %0 = uma.graph.add %x, %w : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = uma.graph.add %0, %w1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = uma.graph.add %1, %big : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = uma.graph.add %y, %k : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %2, %3 : tensor<2x2xf32>, tensor<2xui8>
}
{-# dialect_resources: { builtin: { big: "0x040000000000803F000000400000404000008040" } } #-}

// -----

// Reshapes move nothing: they are views, at the end of the caller's buffer.

// CHECK-LABEL: uma.tir.func @main(
// CHECK-SAME:    %[[X:.*]]: memref<2x3x4xf32> {{.*}}, %[[Y:.*]]: memref<4x6xf32> {{.*}})
// CHECK-NEXT:    %[[V:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [24], strides: [1] : memref<4x6xf32> to memref<24xf32>
// CHECK-NEXT:    %[[F:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [2, 12], strides: [12, 1] : memref<2x3x4xf32> to memref<2x12xf32>
// CHECK-NEXT:    %[[R:.*]] = memref.reinterpret_cast %[[F]] to offset: [0], sizes: [24], strides: [1] : memref<2x12xf32> to memref<24xf32>
// CHECK-NEXT:    uma.tir.call @relu(%[[R]], %[[V]])
// CHECK-NEXT:  }
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<4x6xf32> {
  %0 = uma.graph.batch_flatten %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %1 = uma.graph.reshape %0 [24] : (tensor<2x12xf32>) -> tensor<24xf32>
  %2 = uma.graph.relu %1 : (tensor<24xf32>) -> tensor<24xf32>
  %3 = uma.graph.reshape %2 [4, 6] : (tensor<24xf32>) -> tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}

// -----

// What no layer computes into the caller's buffer is copied: an input, a
// constant, a second return of one value.

// CHECK-LABEL: uma.tir.func @main(
// CHECK-SAME:    %[[X:[^:]*]]: {{.*}}, %[[A:[^:]*]]: memref<4xf32> {{{[^}]*}}}, %[[B:[^:]*]]: memref<4xf32> {{{[^}]*}}}, %[[C:[^:]*]]: memref<4xf32> {{{[^}]*}}}, %[[D:[^:]*]]: memref<4xf32> {{{[^}]*}}})
// CHECK-NEXT:    uma.tir.call @relu(%[[X]], %[[C]])
// CHECK-NEXT:    uma.tir.call @copy{{.*}}(%[[X]], %[[A]])
// CHECK-NEXT:    %[[K:.*]] = memref.get_global @constant
// CHECK-NEXT:    uma.tir.call @copy{{.*}}(%[[K]], %[[B]])
// CHECK-NEXT:    uma.tir.call @copy{{.*}}(%[[C]], %[[D]])
// CHECK-NEXT:  }
// CHECK:       uma.tir.func private @copy(%[[FROM:.*]]: memref<4xf32>, %[[TO:.*]]: memref<4xf32>)
// CHECK:         %[[E:.*]] = memref.load %[[FROM]][%[[I:.*]]]
// CHECK-NEXT:    memref.store %[[E]], %[[TO]][%[[I]]]
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %k = uma.graph.constant dense<1.0> : tensor<4xf32>
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %x, %k, %0, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// An accelerator's function becomes one layer with the calls of its patterns.
// Its parameters: inputs, constants, results, then what lies between calls and
// between composites, which the workspace holds. Sizes are numbers.

// CHECK:       uma.accel.accelerator @npu
// CHECK-LABEL: uma.tir.func @main(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32> {{.*}}, %[[Y:.*]]: memref<8xf32> {{.*}})
// CHECK-NEXT:    %[[K:.*]] = memref.get_global @constant
// CHECK-NEXT:    %[[R:.*]] = uma.tir.alloc workspace label "n1"
// CHECK-NEXT:    %[[T1:.*]] = uma.tir.alloc workspace
// CHECK-NEXT:    %[[T2:.*]] = uma.tir.alloc workspace label "n1"
// CHECK-NEXT:    %[[T3:.*]] = uma.tir.alloc workspace
// CHECK-NEXT:    uma.tir.call @n1_npu(%[[X]], %[[K]], %[[R]], %[[T1]], %[[T2]], %[[T3]])
// CHECK-NEXT:    uma.tir.call @n3_relu(%[[R]], %[[Y]])
// CHECK:       uma.tir.func private @n1_npu(%[[A:[^:]*]]: memref<8xf32>, %[[B:[^:]*]]: memref<8xf32>, %[[C:[^:]*]]: memref<8xf32>,
// CHECK-SAME:    %[[D:[^:]*]]: memref<8xf32>, %[[E:[^:]*]]: memref<8xf32>, %[[F:[^:]*]]: memref<8xf32>)
// CHECK-SAME:    attributes {layer = "n1", uma.target = #uma.target<"npu", {cores = 2 : i64}>}
// CHECK:         %[[N:.*]] = arith.constant 8 : index
// CHECK:         uma.tir.call_extern "npu_add"(%[[A]], %[[B]], %[[D]], %[[N]]) writes [2] {uma.layer = "n1"}
// CHECK:         %[[TWICE:.*]] = arith.constant 16 : index
// CHECK:         uma.tir.call_extern "npu_relu"(%[[D]], %[[E]], %[[TWICE]]) writes [0, 1] {uma.layer = "n1"}
// CHECK:         uma.tir.call_extern "npu_add"(%[[E]], %[[B]], %[[F]], %{{.*}}) writes [2] {uma.layer = "n2"}
// CHECK:         uma.tir.call_extern "npu_relu"(%[[F]], %[[C]], %{{.*}}) writes [0, 1] {uma.layer = "n2"}
// CHECK-NEXT:  }
uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
  uma.accel.pattern @add_relu {
    %n = uma.accel.dim "n"
    %two = arith.constant 2 : index
    %twice = arith.muli %n, %two : index
    %a = uma.accel.input "a" f32 [%n]
    %b = uma.accel.input "b" f32 [%n]
    %s = uma.accel.op "add"(%a, %b) as "s"
    %r = uma.accel.op "relu"(%s) as "r"
    uma.accel.call "npu_add"(%a, %b, %s, %n) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
    uma.accel.call "npu_relu"(%s, %r, %twice) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @main_npu_0(%x) : (tensor<8xf32>) -> tensor<8xf32> loc(fused["n1", "n2"])
  %1 = uma.graph.relu %0 : (tensor<8xf32>) -> tensor<8xf32> loc("n3")
  return %1 : tensor<8xf32>
}
func.func private @main_npu_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu", {cores = 2 : i64}>} {
  %k = uma.graph.constant dense<1.0> : tensor<8xf32>
  %0 = uma.graph.composite @npu::@add_relu (%a = %x : tensor<8xf32>, %b = %k : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = uma.graph.relu %1 : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %2 : tensor<8xf32>
  } loc("n1")
  %3 = uma.graph.composite @npu::@add_relu (%a = %0 : tensor<8xf32>, %b = %k : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = uma.graph.relu %1 : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %2 : tensor<8xf32>
  } loc("n2")
  return %3 : tensor<8xf32>
}

// -----

// Without names in the model, a layer is called after the outlined function, and
// its calls after their pattern. A function that is called twice is one layer.

// CHECK-LABEL: uma.tir.func @main(
// CHECK-NEXT:    %[[T:.*]] = uma.tir.alloc workspace label "main_npu_0"
// CHECK-NEXT:    uma.tir.call @main_npu_0(%{{.*}}, %[[T]])
// CHECK-NEXT:    uma.tir.call @main_npu_0(%[[T]], %{{.*}})
// CHECK-NEXT:  }
// CHECK:       uma.tir.func private @main_npu_0(
// CHECK-SAME:    attributes {uma.target = #uma.target<"npu">}
// CHECK-NEXT:    uma.tir.call_extern "npu_relu"(%{{.*}}, %{{.*}}) writes [1] {uma.layer = "rectify"}
// CHECK-NOT:   uma.tir.func
uma.accel.accelerator @npu {
  uma.accel.pattern @rectify {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @main_npu_0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @main_npu_0(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @main_npu_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@rectify (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
