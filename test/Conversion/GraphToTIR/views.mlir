// Slices and concatenations of the outermost dimension move no data.
// RUN: uma-opt %s --convert-uma-graph-to-uma-tir --mlir-print-local-scope --split-input-file | FileCheck %s
// Vectors are loaded from whole lines only.
// RUN: uma-opt %s --uma-cpu-set-processor --convert-uma-graph-to-uma-tir=vectorize --split-input-file | FileCheck %s --check-prefix=LINES
// RUN: uma-opt %s --uma-cpu-set-processor=cpu=cortex-m4 --convert-uma-graph-to-uma-tir=vectorize --mlir-print-local-scope --split-input-file | FileCheck %s

// CHECK-LABEL: uma.tir.func @slices(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x8x3x4xi8> {{.*}}, %[[Y:[a-z0-9]+]]: memref<1x2x3x4xi8>
// CHECK-NEXT:    %[[ROWS:.*]] = uma.tir.view %[[X]][24] : memref<1x8x3x4xi8> as memref<1x2x3x4xi8>
// CHECK-NEXT:    %[[PIXELS:.*]] = uma.tir.view %[[X]][52] : memref<1x8x3x4xi8> as memref<1x1x2x4xi8>
// CHECK-NEXT:    memref.reinterpret_cast %[[PIXELS]] to offset: [0], sizes: [8]
// CHECK-NEXT:    %[[PIXEL:.*]] = uma.tir.view %[[X]][56] : memref<1x8x3x4xi8> as memref<4xi8>
// CHECK-NEXT:    uma.tir.call @add(%[[ROWS]], %[[PIXEL]], %[[Y]])
// CHECK-NOT:     uma.tir.func private @strided_slice
// LINES-LABEL: uma.tir.func @slices(
// LINES:         uma.tir.call @strided_slice(
func.func @slices(%x: tensor<1x8x3x4xi8>) -> tensor<1x2x3x4xi8> {
  %rows = uma.graph.strided_slice %x [0, 2, 0, 0] size [1, 2, 3, 4] strides [1, 1, 1, 1] : (tensor<1x8x3x4xi8>) -> tensor<1x2x3x4xi8>
  // The second and third pixel of row 4, and of them the last one.
  %pixels = uma.graph.strided_slice %x [0, 4, 1, 0] size [1, 1, 2, 4] strides [1, -1, 1, 1] : (tensor<1x8x3x4xi8>) -> tensor<1x1x2x4xi8>
  %list = uma.graph.reshape %pixels [8] : (tensor<1x1x2x4xi8>) -> tensor<8xi8>
  %pixel = uma.graph.strided_slice %list [4] size [4] strides [1] : (tensor<8xi8>) -> tensor<4xi8>
  %y = uma.graph.add %rows, %pixel : (tensor<1x2x3x4xi8>, tensor<4xi8>) -> tensor<1x2x3x4xi8>
  return %y : tensor<1x2x3x4xi8>
}

// -----

// Elements that are not consecutive, or begin in the middle of a word, are copied.
// CHECK-LABEL: uma.tir.func @copies(
// CHECK-NOT:     uma.tir.view
// CHECK-COUNT-5: uma.tir.call @strided_slice
// CHECK-NOT:     uma.tir.view
// CHECK:       uma.tir.func private
func.func @copies(%x: tensor<2x8x4xi8>) -> (tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>) {
  %columns = uma.graph.strided_slice %x [0, 0, 0] size [1, 8, 3] strides [1, 1, 1] : (tensor<2x8x4xi8>) -> tensor<1x8x3xi8>
  %steps = uma.graph.strided_slice %x [0, 0, 0] size [1, 4, 4] strides [1, 2, 1] : (tensor<2x8x4xi8>) -> tensor<1x4x4xi8>
  %backwards = uma.graph.strided_slice %x [1, 7, 0] size [1, 8, 4] strides [1, -1, 1] : (tensor<2x8x4xi8>) -> tensor<1x8x4xi8>
  %both = uma.graph.strided_slice %x [0, 4, 0] size [2, 4, 4] strides [1, 1, 1] : (tensor<2x8x4xi8>) -> tensor<2x4x4xi8>
  %word = uma.graph.strided_slice %x [0, 1, 2] size [1, 1, 2] strides [1, 1, 1] : (tensor<2x8x4xi8>) -> tensor<1x1x2xi8>
  %0 = uma.graph.max %columns axis [] : (tensor<1x8x3xi8>) -> tensor<i8>
  %1 = uma.graph.max %steps axis [] : (tensor<1x4x4xi8>) -> tensor<i8>
  %2 = uma.graph.max %backwards axis [] : (tensor<1x8x4xi8>) -> tensor<i8>
  %3 = uma.graph.max %both axis [] : (tensor<2x4x4xi8>) -> tensor<i8>
  %4 = uma.graph.max %word axis [] : (tensor<1x1x2xi8>) -> tensor<i8>
  return %0, %1, %2, %3, %4 : tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>
}

// -----

// Operands are computed in their places, also those that others read, too. Inputs, constants, outputs, slices and operands that
// have a place already are copied to it.
// CHECK-LABEL: uma.tir.func @operands(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4x4xf32> {{.*}}, %[[Y:[a-z0-9]+]]: memref<4x4xf32> {uma.output, {{.*}}, %[[Z:[a-z0-9]+]]: memref<1x8x16xf32> {uma.output
// CHECK:         uma.tir.call @exp(%[[X]], %[[Y]])
// CHECK-NEXT:    %[[TANH:.*]] = uma.tir.view %[[Z]][0] : memref<1x8x16xf32> as memref<4x4xf32>
// CHECK-NEXT:    uma.tir.call @tanh(%[[Y]], %[[TANH]])
// CHECK-DAG:     %[[SQRT:.*]] = uma.tir.view %[[Z]][80] : memref<1x8x16xf32> as memref<4x4xf32>
// CHECK:         uma.tir.call @sqrt(%[[TANH]], %[[SQRT]])
// CHECK:         %[[P1:.*]] = uma.tir.view %[[Z]][16]
// CHECK-NEXT:    uma.tir.call @concatenate(%{{.*}}, %[[P1]])
// CHECK:         %[[P2:.*]] = uma.tir.view %[[Z]][32]
// CHECK-NEXT:    uma.tir.call @concatenate{{.*}}(%{{.*}}, %[[P2]])
// CHECK:         %[[P3:.*]] = uma.tir.view %[[Z]][48]
// CHECK-NEXT:    uma.tir.call @concatenate{{.*}}(%{{.*}}, %[[P3]])
// CHECK:         %[[P4:.*]] = uma.tir.view %[[Z]][64]
// CHECK-NEXT:    uma.tir.call @concatenate{{.*}}(%{{.*}}, %[[P4]])
// CHECK:         %[[P6:.*]] = uma.tir.view %[[Z]][96]
// CHECK-NEXT:    uma.tir.call @concatenate{{.*}}(%{{.*}}, %[[P6]])
// CHECK-NEXT:    %[[P7:.*]] = uma.tir.view %[[Z]][112]
// CHECK-NEXT:    uma.tir.call @concatenate{{.*}}(%{{.*}}, %[[P7]])
// CHECK-NEXT:  }
func.func @operands(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<1x8x16xf32>) {
  %c = uma.graph.constant dense<1.0> : tensor<1x1x16xf32>
  %y = uma.graph.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %tanh = uma.graph.tanh %y : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %sqrt = uma.graph.sqrt %tanh : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %p0 = uma.graph.reshape %tanh [1, 1, 16] : (tensor<4x4xf32>) -> tensor<1x1x16xf32>
  %p1 = uma.graph.reshape %x [1, 1, 16] : (tensor<4x4xf32>) -> tensor<1x1x16xf32>
  %p3 = uma.graph.reshape %y [1, 1, 16] : (tensor<4x4xf32>) -> tensor<1x1x16xf32>
  %p5 = uma.graph.reshape %sqrt [1, 1, 16] : (tensor<4x4xf32>) -> tensor<1x1x16xf32>
  %all = uma.graph.concatenate %p0, %p1, %c, %p3, %p0, %p5, %p5, %c axis -2 : (tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
  return %y, %all : tensor<4x4xf32>, tensor<1x8x16xf32>
}

// -----

// Parts of parts. A slice of a concatenation is a view of its buffer, but a copy where it is an output.
// CHECK-LABEL: uma.tir.func @nested(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4x4xf32> {{.*}}, %[[Y:[a-z0-9]+]]: memref<12x4xf32> {{.*}}, %[[Z:[a-z0-9]+]]: memref<6x4xf32>
// CHECK:         %[[A:.*]] = uma.tir.view %[[Y]][0] : memref<12x4xf32> as memref<4x4xf32>
// CHECK-NEXT:    uma.tir.call @exp(%[[X]], %[[A]])
// CHECK-NEXT:    %[[B:.*]] = uma.tir.view %[[Y]][16] : memref<12x4xf32> as memref<4x4xf32>
// CHECK-NEXT:    uma.tir.call @tanh(%[[A]], %[[B]])
// CHECK-NEXT:    %[[C:.*]] = uma.tir.view %[[Y]][32] : memref<12x4xf32> as memref<4x4xf32>
// CHECK-NEXT:    uma.tir.call @sqrt(%[[B]], %[[C]])
// CHECK-NEXT:    uma.tir.call @strided_slice(%[[Y]], %[[Z]])
// CHECK-NEXT:  }
func.func @nested(%x: tensor<4x4xf32>) -> (tensor<12x4xf32>, tensor<6x4xf32>) {
  %a = uma.graph.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = uma.graph.tanh %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %ab = uma.graph.concatenate %a, %b axis 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %c = uma.graph.sqrt %b : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %abc = uma.graph.concatenate %ab, %c axis 0 : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<12x4xf32>
  %d = uma.graph.strided_slice %abc [6, 0] size [6, 4] strides [1, 1] : (tensor<12x4xf32>) -> tensor<6x4xf32>
  return %abc, %d : tensor<12x4xf32>, tensor<6x4xf32>
}

// -----

// A concatenation of channels stays a layer.
// CHECK-LABEL: uma.tir.func @channels(
// CHECK-NOT:     uma.tir.view
// CHECK:         uma.tir.call @concatenate(%{{.*}}, %{{.*}}, %{{.*}})
func.func @channels(%x: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %a = uma.graph.exp %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %b = uma.graph.tanh %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %ab = uma.graph.concatenate %a, %b axis 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  return %ab : tensor<2x8xf32>
}

// -----

// A slice that begins in the middle of a word is copied, to the concatenation that it is an operand of, and from there once more.
// CHECK-LABEL: uma.tir.func @copied_to_concatenation(
// CHECK:         %[[ALL:.*]] = uma.tir.alloc workspace label "concatenate" : memref<1x6xi8>
// CHECK:         %[[FIRST:.*]] = uma.tir.view %[[ALL]][0] : memref<1x6xi8> as memref<1x3xi8>
// CHECK:         uma.tir.call @strided_slice(%{{.*}}, %[[FIRST]])
// CHECK:         uma.tir.call @concatenate(%[[FIRST]], %{{.*}})
func.func @copied_to_concatenation(%x: tensor<1x9xi8>) -> tensor<1x6xi8> {
  %part = uma.graph.strided_slice %x [0, 5] size [1, 3] strides [1, 1] : (tensor<1x9xi8>) -> tensor<1x3xi8>
  %twice = uma.graph.concatenate %part, %part axis 1 : (tensor<1x3xi8>, tensor<1x3xi8>) -> tensor<1x6xi8>
  %y = uma.graph.negative %twice : (tensor<1x6xi8>) -> tensor<1x6xi8>
  return %y : tensor<1x6xi8>
}
