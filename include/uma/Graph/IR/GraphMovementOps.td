//===- GraphMovementOps.td - Slices, repetitions, triangles -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHMOVEMENTOPS_TD
#define UMA_GRAPH_IR_GRAPHMOVEMENTOPS_TD

include "uma/Graph/IR/GraphBase.td"

def Graph_StridedSliceOp : Graph_InferredOp<"strided_slice", [Graph_Fusion<"Injective">]> {
  let summary = "every n-th element of a range of each dimension";
  let description = [{
    Element `i` of dimension `d` is element `begin[d] + i * strides[d]` of `data`, for `0 <= i < size[d]`. All of them
    lie inside the data. A negative stride goes backwards. Indices do not count from the end; the importer resolves
    negative ones. Source: Relay `strided_slice` (slice mode `size`), ONNX `Slice` and `Split`.

    ```mlir
    %0 = uma.graph.strided_slice %x [0, 7] size [2, 4] strides [1, -2]
        : (tensor<3x8xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, DenseI64ArrayAttr:$begin,
                       DenseI64ArrayAttr:$size, DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $data $begin `size` $size `strides` $strides attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Graph_BroadcastToOp : Graph_InferredOp<"broadcast_to", [Graph_Fusion<"Broadcast">]> {
  let summary = "repeat along dimensions of size 1";
  let description = [{
    Dimensions align at the end, as in NumPy. A dimension of size 1 or a missing dimension takes the size in `shape`.
    Source: Relay `broadcast_to`, ONNX `Expand` (whose shape the importer broadcasts first).

    ```mlir
    %0 = uma.graph.broadcast_to %x [2, 3, 4] : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, DenseI64ArrayAttr:$shape);
  let assemblyFormat = "$data $shape attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Graph_TriluOp : Graph_InferredOp<"trilu", [Graph_Fusion<"Injective">]> {
  let summary = "keep a triangle of matrices, zeros elsewhere";
  let description = [{
    In the matrices of the last two dimensions, keeps element `(i, j)` if `j - i >= k` (with `upper`) or `j - i <= k`
    (without). Source: Relay and ONNX `Trilu`.

    ```mlir
    %0 = uma.graph.trilu %x k -1 upper true : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, I64Attr:$k, BoolAttr:$upper);
  let assemblyFormat = "$data `k` $k `upper` $upper attr-dict `:` functional-type(operands, results)";
}

def Graph_ReverseSequenceOp : Graph_InferredOp<"reverse_sequence", [Graph_Fusion<"Injective">]> {
  let summary = "reverse the beginning of each sequence of a batch";
  let description = [{
    Along `seq_axis`, reverses the first `seq_lengths[b]` elements of entry `b`
    of `batch_axis` and leaves the others. Lengths are clamped to the range from 0 to the size of the dimension.
    Source: Relay `reverse_sequence`, ONNX `ReverseSequence`.

    ```mlir
    %0 = uma.graph.reverse_sequence %x, %lengths seq_axis 0 batch_axis 1
        : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$seq_lengths,
                       I64Attr:$seq_axis, I64Attr:$batch_axis);
  let assemblyFormat = [{
    $data `,` $seq_lengths `seq_axis` $seq_axis `batch_axis` $batch_axis attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // UMA_GRAPH_IR_GRAPHMOVEMENTOPS_TD
