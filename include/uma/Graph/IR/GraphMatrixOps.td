//===- GraphMatrixOps.td - Products of matrices and tensors -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHMATRIXOPS_TD
#define UMA_GRAPH_IR_GRAPHMATRIXOPS_TD

include "uma/Graph/IR/GraphBase.td"

def Graph_BatchMatmulOp : Graph_InferredOp<"batch_matmul", [Graph_Sliceable, Graph_Fusion<"OutElementwise">]> {
  let summary = "products of two batches of matrices";
  let description = [{
    `result[..., i, j] = sum_k lhs[..., i, k] * rhs[..., k, j]`. The last two dimensions of both operands are
    matrices, transposed if `transpose_a` or `transpose_b` is set (Relay sets `transpose_b` by default). The
    dimensions before them are batches and broadcast as in NumPy. Element types follow the rules of
    `uma.graph.conv2d`: integers need an `out_dtype`.

    Source: Relay `nn.batch_matmul`, ONNX `MatMul`.

    ```mlir
    %0 = uma.graph.batch_matmul %x, %y : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs,
      DefaultValuedAttr<BoolAttr, "false">:$transpose_a,
      DefaultValuedAttr<BoolAttr, "false">:$transpose_b,
      OptionalAttr<TypeAttr>:$out_dtype);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? (`out_dtype` $out_dtype^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Graph_AttentionOp : Graph_InferredOp<"attention"> {
  let summary = "scaled dot-product attention";
  let description = [{
    `softmax(query * key^T * scale + mask) * value`, the softmax over the keys. With `query` `[..., L, D]`, `key` `[..., S, D]` and `value`
    `[..., S, E]` the result is `[..., L, E]`. The leading dimensions (batches and heads) of `query` and `key`
    broadcast as in `batch_matmul`. The leading dimensions of `value`, and all dimensions of `mask`, broadcast to the
    scores `[..., L, S]`. If a mask hides every key by minus infinity, the result is NaN.

    It is one operator because accelerators match it as a whole; `uma-graph-decompose-attention` rewrites attentions
    that no accelerator takes to products.

    Source: ONNX `Attention` (opset 23) without its caches, PyTorch `scaled_dot_product_attention`; none in Relay.

    ```mlir
    %0 = uma.graph.attention %q, %k, %v mask %m scale 0.5
        : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6x3xf32>, tensor<5x6xf32>) -> tensor<2x4x5x3xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$query, Graph_Tensor:$key, Graph_Tensor:$value, Optional<Graph_Tensor>:$mask,
      Graph_Default<F64Attr, "1.0">:$scale);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`scale` $scale^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_EinsumOp : Graph_InferredOp<"einsum", [Graph_Fusion<"OutElementwise">]> {
  let summary = "sum of products in Einstein notation";
  let description = [{
    `equation` names the dimensions of each operand with one letter each, separated by commas, and the dimensions of
    the result after `->`. The result is the product of the operands, summed over all letters that it does not
    contain. A letter that occurs twice in an operand takes its diagonal. Dimensions with the same letter have equal
    sizes, or size 1, which broadcasts. Integers wrap.

    Source: Relay `einsum`, ONNX `Einsum`, both with an explicit result and without an ellipsis.

    ```mlir
    %0 = uma.graph.einsum "bij,bjk->bik" %x, %y : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    ```
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$data, StrAttr:$equation);
  let assemblyFormat = "$equation $data attr-dict `:` functional-type(operands, results)";
  let hasCanonicalizer = 1;
}

def Graph_DetOp : Graph_InferredOp<"det"> {
  let summary = "determinants of square matrices";
  let description = [{
    Computes the determinant of each matrix in the last two dimensions of `data` by Gaussian elimination with partial
    pivoting. These dimensions are equal and at most 16; the dimensions before them are batches. The data are floats.
    The determinant of an empty matrix is 1.

    Source: ONNX `Det`.

    ```mlir
    %0 = uma.graph.det %x : (tensor<2x3x3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data);
  let assemblyFormat = "$data attr-dict `:` functional-type(operands, results)";
}

#endif // UMA_GRAPH_IR_GRAPHMATRIXOPS_TD
