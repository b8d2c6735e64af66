//===- GraphIndexOps.td - Gather, scatter and one-hot -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Indices are data. A negative index counts from the end; an index that is out
// of range is clamped to the nearest element, so that the generated C never
// accesses memory outside its buffers. ONNX leaves such indices undefined; the
// importer reports constant ones.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHINDEXOPS_TD
#define UMA_GRAPH_IR_GRAPHINDEXOPS_TD

include "uma/Graph/IR/GraphBase.td"

defvar indexDoc = [{ A negative index counts from the end; indices are clamped to the data.}];

def Graph_TakeOp : Graph_InferredOp<"take", [Graph_Fusion<"Injective">]> {
  let summary = "select slices along one axis by index";
  let description = [{
    The dimensions of `indices` replace the axis of `data`:
    `result[o..., i..., n...] = data[o..., indices[i...], n...]`.}] # indexDoc # [{ Along an axis of 256
    elements, indices may also be `ui8`.
    Source: Relay `take`, ONNX `Gather`.

    ```mlir
    %0 = uma.graph.take %x, %i axis 1 : (tensor<4x8x2xf32>, tensor<3x3xi64>) -> tensor<4x3x3x2xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$indices, I64Attr:$axis);
  let assemblyFormat = "$data `,` $indices `axis` $axis attr-dict `:` functional-type(operands, results)";
}

def Graph_GatherOp : Graph_InferredOp<"gather", [Graph_Fusion<"Injective">]> {
  let summary = "select one element per index along an axis";
  let description = [{
    `result[p] = data[p, with indices[p] along axis]` for every position `p` of
    `indices`, which has the rank of `data` and is no larger outside of the axis.}] # indexDoc # [{
    Source: Relay `gather`, ONNX `GatherElements`.

    ```mlir
    %0 = uma.graph.gather %x, %i axis 0 : (tensor<4x8xf32>, tensor<2x8xi64>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$indices, I64Attr:$axis);
  let assemblyFormat = "$data `,` $indices `axis` $axis attr-dict `:` functional-type(operands, results)";
}

def Graph_GatherNDOp : Graph_InferredOp<"gather_nd", [Graph_Fusion<"Injective">]> {
  let summary = "select slices by multi-dimensional positions";
  let description = [{
    The last dimension of `indices` holds positions in `data` behind the first `batch_dims` dimensions, which both
    operands share: `result[b..., i...] = data[b..., indices[b..., i..., :]]`.}] # indexDoc # [{
    Source: Relay `gather_nd` (whose positions are in the first dimension), ONNX `GatherND`.

    ```mlir
    %0 = uma.graph.gather_nd %x, %i batch_dims 1
        : (tensor<2x4x8xf32>, tensor<2x3x1xi64>) -> tensor<2x3x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$indices, I64Attr:$batch_dims);
  let assemblyFormat = "$data `,` $indices `batch_dims` $batch_dims attr-dict `:` functional-type(operands, results)";
}

defvar reductionDoc = [{ `reduction` combines the old element with the update: `none` replaces it; `add`, `mul`, `min`
    and `max` compute the result from both. Updates are applied in row-major order, so the last one wins if positions
    are equal.}];

def Graph_ScatterElementsOp : Graph_InferredOp<"scatter_elements"> {
  let summary = "update elements along an axis";
  let description = [{
    Copies `data`. For every position `p` of `indices`, the element at `p`, with `indices[p]` along the axis, is
    updated with `updates[p]`.}] # reductionDoc # indexDoc # [{
    Source: Relay `scatter_elements`, ONNX `ScatterElements`.

    ```mlir
    %0 = uma.graph.scatter_elements %x, %i, %u axis 1 reduction "add"
        : (tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$indices, Graph_Tensor:$updates,
                       I64Attr:$axis, Graph_DefaultStr<"none">:$reduction);
  let assemblyFormat = [{
    $data `,` $indices `,` $updates `axis` $axis (`reduction` $reduction^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Graph_ScatterNDOp : Graph_InferredOp<"scatter_nd"> {
  let summary = "update slices at multi-dimensional positions";
  let description = [{
    Copies `data` and updates the slice at position `indices[i..., :]` with `updates[i...]`.}] # reductionDoc # indexDoc # [{
    Source: Relay `scatter_nd`, ONNX `ScatterND`.

    ```mlir
    %0 = uma.graph.scatter_nd %x, %i, %u
        : (tensor<4x8xf32>, tensor<2x1xi64>, tensor<2x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$indices, Graph_Tensor:$updates,
                       Graph_DefaultStr<"none">:$reduction);
  let assemblyFormat = [{
    $data `,` $indices `,` $updates (`reduction` $reduction^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Graph_OneHotOp : Graph_InferredOp<"one_hot", [Graph_Fusion<"Injective">]> {
  let summary = "one-hot vectors of indices";
  let description = [{
    A new dimension of size `depth` at `axis` holds `on_value` at the index and
    `off_value` elsewhere. A negative index counts from the end; an index that is out of range gives a vector of
    `off_value`. Source: Relay `one_hot`, ONNX `OneHot`.

    ```mlir
    %0 = uma.graph.one_hot %i, %on, %off depth 10 axis -1
        : (tensor<4xi64>, tensor<f32>, tensor<f32>) -> tensor<4x10xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$indices, Graph_Tensor:$on_value, Graph_Tensor:$off_value,
                       I64Attr:$depth, I64Attr:$axis);
  let assemblyFormat = [{
    $indices `,` $on_value `,` $off_value `depth` $depth `axis` $axis attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // UMA_GRAPH_IR_GRAPHINDEXOPS_TD
