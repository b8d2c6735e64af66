//===- GraphShapeOps.td - Operators that move elements -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHSHAPEOPS_TD
#define UMA_GRAPH_IR_GRAPHSHAPEOPS_TD

include "uma/Graph/IR/GraphBase.td"

def Graph_ReshapeOp : Graph_InferredOp<"reshape", [Graph_Fusion<"Injective">]> {
  let summary = "same elements, another shape";
  let description = [{
    Keeps the elements in row-major order. One entry of `newshape` may be -1; its size is inferred from the number of
    elements. Source: Relay `reshape`, ONNX `Reshape` (whose 0 the importer resolves).

    ```mlir
    %0 = uma.graph.reshape %x [1, -1] : (tensor<1x8x4x4xf32>) -> tensor<1x128xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, DenseI64ArrayAttr:$newshape);
  let assemblyFormat = "$data $newshape attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_BatchFlattenOp : Graph_InferredOp<"batch_flatten", [Graph_Fusion<"Injective">]> {
  let summary = "flatten all dimensions but the first";
  let description = [{
    `[d0, d1, ..., dn]` becomes `[d0, d1 * ... * dn]`. Source: Relay
    `nn.batch_flatten`, ONNX `Flatten` with `axis = 1`.

    ```mlir
    %0 = uma.graph.batch_flatten %x : (tensor<1x8x4x4xf32>) -> tensor<1x128xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data);
  let assemblyFormat = "$data attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Graph_TransposeOp : Graph_InferredOp<"transpose", [Graph_Fusion<"Injective">]> {
  let summary = "permute the dimensions";
  let description = [{
    Dimension `i` of the result is dimension `axes[i]` of `data`. Source: Relay
    `transpose`, ONNX `Transpose`.

    ```mlir
    %0 = uma.graph.transpose %x [0, 3, 1, 2]
        : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, DenseI64ArrayAttr:$axes);
  let assemblyFormat = "$data $axes attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_ConcatenateOp : Graph_InferredOp<"concatenate", [Graph_Fusion<"Injective">]> {
  let summary = "join tensors along one axis";
  let description = [{
    Joins the tensors along `axis` in the given order. All other dimensions must agree. A negative axis counts from
    the end. Source: Relay `concatenate`, ONNX `Concat`.

    ```mlir
    %0 = uma.graph.concatenate %a, %b axis 1
        : (tensor<1x8x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x12x4x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$axis);
  let assemblyFormat = "$inputs `axis` $axis attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

#endif // UMA_GRAPH_IR_GRAPHSHAPEOPS_TD
