// Memory of the calls of a match, and C in the place of a function.

// RUN: uma-opt %s --split-input-file --uma-accel-merge-composite --uma-accel-annotate-target --uma-accel-merge-compiler-regions \
// RUN:   --uma-accel-partition-graph --convert-uma-graph-to-uma-tir | FileCheck %s

uma.accel.accelerator @npu {
  uma.accel.memory "sram" {
    %size = arith.constant 256 : index
    uma.accel.yield %size
  }
  uma.accel.pattern @dense {
    %n = uma.accel.dim "n"
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x" f32 [1, %k]
    %w = uma.accel.input "w" f32 [%n, %k]
    %b = uma.accel.input "b" f32 [%n]
    %t = uma.accel.scratch "t" f32 [%k]
    %u = uma.accel.scratch "u" f32 [%n]
    %d = uma.accel.op "dense"(%x, %w)
    %s = uma.accel.op "bias_add"(%d, %b)
    %y = uma.accel.choice(%s) else %d as "y"
    uma.accel.place %u in "sram"
    uma.accel.call "dense"(%x, %w, %b, %t, %u, %y, %k)
        code "if ({2}) {{ npu_start({3}); }}\0A  npu_dense({0}, {1}, {4}, {5}, {6});"
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// Matches of one region share it: the largest counts. A null pointer has the type that the pattern says.
// CHECK-LABEL: uma.tir.func @main(
// CHECK: uma.tir.alloc workspace label "dense_t" : memref<8xf32>
// CHECK-NEXT: uma.tir.alloc workspace label "dense_u" {uma.alignment = 1 : i64} : memref<8xf32>
// CHECK-NEXT: uma.tir.alloc workspace label "dense" : memref<1x8xf32>
// CHECK-NEXT: uma.tir.call @main_npu_0
// CHECK: uma.tir.func private @main_npu_0(%[[X:.*]]: memref<1x4xf32>, %[[V:.*]]: memref<8x4xf32>, %[[W:.*]]: memref<3x8xf32>, %[[Y:.*]]: memref<1x3xf32>, %[[T:.*]]: memref<8xf32>, %[[U:.*]]: memref<8xf32>, %[[M:.*]]: memref<1x8xf32>)
// CHECK-SAME: uma.memories = {sram = array<i64: 5>}
// CHECK: %[[NULL:.*]] = uma.tir.null : memref<0xf32>
// CHECK: uma.tir.call_extern "dense"(%[[X]], %[[V]], %[[NULL]], %[[T]], %[[U]], %[[M]], %{{.*}}) writes [3, 4, 5]
// CHECK-SAME{LITERAL}: uma.body = "{{if ({2}) {{ npu_start({3}); }}\0A  npu_dense({0}, {1}, {4}, {5}, {6});}}\0A  return 0;"
// CHECK-SAME: uma.parameters = ["x", "w", "b", "t", "u", "y", "k"]
// CHECK: uma.tir.call_extern "dense"(%[[M]], %[[W]], %{{.*}}, %[[T]], %[[U]], %[[Y]], %{{.*}}) writes [3, 4, 5]
func.func @main(%x: tensor<1x4xf32>, %v: tensor<8x4xf32>, %w: tensor<3x8xf32>) -> tensor<1x3xf32> {
  %0 = uma.graph.dense %x, %v : (tensor<1x4xf32>, tensor<8x4xf32>) -> tensor<1x8xf32>
  %1 = uma.graph.dense %0, %w : (tensor<1x8xf32>, tensor<3x8xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}

// -----

// A device that is awaited may still use it when the next match begins. One of no elements is a null pointer.
uma.accel.accelerator @npu {
  uma.accel.await {
    uma.accel.call "npu_wait"()
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" ui8 [%n]
    %c4 = arith.constant 4 : index
    %rest = arith.subi %n, %c4 : index
    %t = uma.accel.scratch "t" ui8 [%n]
    %u = uma.accel.scratch "u" f16 [%rest]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %t, %u, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: uma.tir.func @main(
// CHECK: uma.tir.func private @main_npu_0(%[[X:.*]]: memref<4xi8>, %[[Y:.*]]: memref<4xi8>, %[[T:.*]]: memref<4xi8>, %[[M:.*]]: memref<4xi8>, %[[U:.*]]: memref<4xi8>)
// CHECK: %[[NULL:.*]] = uma.tir.null : memref<0xf16>
// CHECK: uma.tir.call_extern "npu_relu"(%[[X]], %[[T]], %[[NULL]], %[[M]]) writes [1, 3] {{.*}}uma.unsigned = array<i64: 0, 1, 3>
// CHECK: uma.tir.call_extern "npu_relu"(%[[M]], %[[U]], %{{.*}}, %[[Y]]) writes [1, 3]
func.func @main(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = uma.graph.relu %x : (tensor<4xui8>) -> tensor<4xui8>
  %1 = uma.graph.relu %0 : (tensor<4xui8>) -> tensor<4xui8>
  return %1 : tensor<4xui8>
}
