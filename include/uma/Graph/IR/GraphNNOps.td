//===- GraphNNOps.td - Neural network operators -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHNNOPS_TD
#define UMA_GRAPH_IR_GRAPHNNOPS_TD

include "uma/Graph/IR/GraphBase.td"

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

def Graph_DenseOp : Graph_InferredOp<"dense", [Graph_Sliceable, Graph_Fusion<"OutElementwise">]> {
  let summary = "fully connected layer";
  let description = [{
    `result[..., o] = sum_i data[..., i] * weight[o, i]`. `data` has rank 1 or more, `weight` is `[units, in]`.
    Element types follow the rules of `uma.graph.conv2d`: integer data need an `out_dtype`.

    Source: Relay `nn.dense`; ONNX `Gemm` with `transB = 1`.

    ```mlir
    %0 = uma.graph.dense %x, %w : (tensor<1x64xf32>, tensor<10x64xf32>) -> tensor<1x10xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$weight,
                       OptionalAttr<TypeAttr>:$out_dtype);
  let assemblyFormat = [{
    $data `,` $weight (`out_dtype` $out_dtype^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_BiasAddOp : Graph_InferredOp<"bias_add", [Graph_Sliceable, Graph_Fusion<"Broadcast">]> {
  let summary = "add a vector along one axis";
  let description = [{
    Adds the vector `bias` to `data` along `axis`; a negative axis counts from
    the end. Source: Relay `nn.bias_add`.

    ```mlir
    %0 = uma.graph.bias_add %x, %b : (tensor<1x8x4x4xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$bias,
                       Graph_Default<I64Attr, "1">:$axis);
  let assemblyFormat = [{
    $data `,` $bias (`axis` $axis^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Graph_BatchNormOp : Graph_InferredOp<"batch_norm", [Graph_Sliceable, Graph_Fusion<"Broadcast">]> {
  let summary = "batch normalisation in inference form";
  let description = [{
    `result = (data - mean) / sqrt(variance + epsilon) * gamma + beta` along `axis`, with given statistics. Source:
    Relay `nn.batch_norm`, ONNX `BatchNormalization`.

    ```mlir
    %0 = uma.graph.batch_norm %x, %gamma, %beta, %mean, %variance
        : (tensor<1x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
        -> tensor<1x8x4x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$gamma, Graph_Tensor:$beta,
      Graph_Tensor:$mean, Graph_Tensor:$variance,
      Graph_Default<I64Attr, "1">:$axis,
      Graph_Default<F64Attr, "1.0e-5">:$epsilon);
  let assemblyFormat = [{
    $data `,` $gamma `,` $beta `,` $mean `,` $variance (`axis` $axis^)?
    (`epsilon` $epsilon^)? attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

def Graph_SoftmaxOp : Graph_InferredOp<"softmax", [Graph_Sliceable, Graph_Fusion<"OutElementwise">]> {
  let summary = "softmax along one axis";
  let description = [{
    `exp(x - max(x)) / sum(exp(x - max(x)))` along `axis`; a negative axis counts from the end.
    Source: Relay `nn.softmax`, ONNX `Softmax` (opset 13).

    ```mlir
    %0 = uma.graph.softmax %x : (tensor<1x10xf32>) -> tensor<1x10xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Default<I64Attr, "-1">:$axis);
  let assemblyFormat = "$data (`axis` $axis^)? attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

def Graph_PadOp : Graph_InferredOp<"pad", [Graph_Fusion<"Injective">]> {
  let summary = "pad the data on all sides";
  let description = [{
    Adds `pad_before[d]` elements in front of and `pad_after[d]` elements behind the data in dimension `d`. `pad_mode`
    determines their values: `constant` is `pad_value`, which must be a value of the data's type; `edge` is the
    nearest element; `reflect` mirrors the data at its first and last element; `wrap` repeats the data. Source: Relay
    `nn.pad`, ONNX `Pad`.

    ```mlir
    %0 = uma.graph.pad %x before [0, 0, 1, 1] after [0, 0, 1, 1]
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x6x6xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, DenseI64ArrayAttr:$pad_before,
      DenseI64ArrayAttr:$pad_after, Graph_Default<F64Attr, "0.0">:$pad_value,
      Graph_DefaultStr<"constant">:$pad_mode);
  let assemblyFormat = [{
    $data `before` $pad_before `after` $pad_after (`value` $pad_value^)? (`mode` $pad_mode^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

#endif // UMA_GRAPH_IR_GRAPHNNOPS_TD
