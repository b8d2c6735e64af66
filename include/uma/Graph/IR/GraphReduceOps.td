//===- GraphReduceOps.td - Reductions and scans -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHREDUCEOPS_TD
#define UMA_GRAPH_IR_GRAPHREDUCEOPS_TD

include "uma/Graph/IR/GraphBase.td"

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// `what` completes "the ... of the elements along `axis`".
class Graph_ReductionOp<string name, string what, string semantics, string origin>
    : Graph_InferredOp<name, [Graph_Fusion<"Reduction">]> {
  let summary = "the " # what # " along some axes";
  let description = semantics # [{

    Reduces the axes in `axis`, which are distinct and in `[-rank, rank)`, or all axes if the list is empty, as in
    Relay. `keepdims` keeps the reduced axes with size 1.

    Source: }] # origin # ".\n\n```mlir\n%0 = uma.graph." # name #
    " %x axis [1] : (tensor<2x8x4xf32>) -> tensor<2x4xf32>\n```\n";
  let arguments = (ins Graph_Tensor:$data,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axis,
      DefaultValuedAttr<BoolAttr, "false">:$keepdims);
  let assemblyFormat = [{
    $data (`axis` $axis^)? (`keepdims` $keepdims^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_SumOp : Graph_ReductionOp<"sum", "sum", [{
    The sum of the elements, which are numbers; 0 without elements. Integers wrap.}],
    "Relay `sum`, ONNX `ReduceSum`">;
def Graph_MeanOp : Graph_ReductionOp<"mean", "mean", [{
    The arithmetic mean of the elements, which are numbers. For integers, it is the 64-bit sum divided
    with rounding towards zero. Without elements, it is NaN for floats and 0 for integers.}],
    "Relay `mean`, ONNX `ReduceMean`">;
def Graph_ProdOp : Graph_ReductionOp<"prod", "product", [{
    The product of the elements, which are numbers; 1 without elements. Integers wrap.}],
    "Relay `prod`, ONNX `ReduceProd`">;
def Graph_MaxOp : Graph_ReductionOp<"max", "largest element", [{
    The largest element; NaN if any element is NaN. For `i1`, whether any element is true. Without elements, the
    lowest value of the type, which is minus infinity for floats.}],
    "Relay `max`, ONNX `ReduceMax`">;
def Graph_MinOp : Graph_ReductionOp<"min", "smallest element", [{
    The smallest element; NaN if any element is NaN. For `i1`, whether all elements are true. Without elements, the
    highest value of the type, which is infinity for floats.}],
    "Relay `min`, ONNX `ReduceMin`">;

/// `what` is "largest" or "smallest".
class Graph_ArgReductionOp<string name, string what, string origin>
    : Graph_InferredOp<name, [Graph_Fusion<"Reduction">]> {
  let summary = "index of the " # what # " element along an axis";
  let description = "The index along `axis` of the " # what # [{ element: the first of several equal ones,
    or the last with `select_last_index`. NaN counts as the }] # what # [{ value. The axis has at least one element; it is
    removed, or kept with size 1 with `keepdims`. A negative axis counts from the end. The indices are `i64`.

    Source: }] # origin # ".\n\n```mlir\n%0 = uma.graph." # name #
    " %x axis 1 : (tensor<2x8xf32>) -> tensor<2xi64>\n```\n";
  let arguments = (ins Graph_Tensor:$data, I64Attr:$axis,
      DefaultValuedAttr<BoolAttr, "false">:$keepdims,
      DefaultValuedAttr<BoolAttr, "false">:$select_last_index);
  let assemblyFormat = [{
    $data `axis` $axis (`keepdims` $keepdims^)? (`select_last_index` $select_last_index^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_ArgMaxOp : Graph_ArgReductionOp<"argmax", "largest", "Relay `argmax`, ONNX `ArgMax`">;
def Graph_ArgMinOp : Graph_ArgReductionOp<"argmin", "smallest", "Relay `argmin`, ONNX `ArgMin`">;

//===----------------------------------------------------------------------===//
// Sorting and scans
//===----------------------------------------------------------------------===//

def Graph_TopKOp : Graph_InferredOp<"topk"> {
  let summary = "indices of the largest or smallest elements along an axis";
  let description = [{
    Returns the indices along `axis` of the `k` largest elements, the largest first, or, with `is_ascend`, of the `k`
    smallest, the smallest first. Of equal elements, the one with the lower index comes first; NaN counts as larger
    than every number. If `k` equals the size of the axis, the operator sorts it (Relay `argsort`). The indices are
    `i64`; use `uma.graph.gather` for the elements.

    Source: Relay `topk` with `ret_type = "indices"`, ONNX `TopK`.

    ```mlir
    %0 = uma.graph.topk %x k 3 axis 1 : (tensor<2x8xf32>) -> tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, I64Attr:$k,
      DefaultValuedAttr<I64Attr, "-1">:$axis,
      DefaultValuedAttr<BoolAttr, "false">:$is_ascend);
  let assemblyFormat = [{
    $data `k` $k (`axis` $axis^)? (`is_ascend` $is_ascend^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Graph_CumsumOp : Graph_InferredOp<"cumsum"> {
  let summary = "running sums along an axis";
  let description = [{
    `result[i]` is the sum of the elements 0 to `i` along `axis`; with `exclusive`, element `i` is left out. With
    `reverse`, the sums run from the end. Integers wrap. The elements are numbers.

    Source: Relay `cumsum`, ONNX `CumSum`.

    ```mlir
    %0 = uma.graph.cumsum %x axis 1 : (tensor<2x8xf32>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, I64Attr:$axis,
      DefaultValuedAttr<BoolAttr, "false">:$exclusive,
      DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let assemblyFormat = [{
    $data `axis` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // UMA_GRAPH_IR_GRAPHREDUCEOPS_TD
