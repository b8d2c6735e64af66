//===- GraphNormalizationOps.td - Normalisations -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Normalisations that accelerators match as a whole. The others (batch
// normalisation in training, mean variance, Lp) are imported as elementwise
// operators and reductions.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHNORMALIZATIONOPS_TD
#define UMA_GRAPH_IR_GRAPHNORMALIZATIONOPS_TD

include "uma/Graph/IR/GraphBase.td"

def Graph_LogSoftmaxOp : Graph_InferredOp<"log_softmax", [Graph_Fusion<"OutElementwise">]> {
  let summary = "logarithm of the softmax along one axis";
  let description = [{
    `x - max(x) - log(sum(exp(x - max(x))))` along `axis`; a negative axis counts from the end. The data are floats.
    Source: Relay `nn.log_softmax`, ONNX `LogSoftmax` (opset 13).

    ```mlir
    %0 = uma.graph.log_softmax %x : (tensor<1x10xf32>) -> tensor<1x10xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let assemblyFormat = "$data (`axis` $axis^)? attr-dict `:` functional-type(operands, results)";
}

def Graph_LayerNormOp : Graph_InferredOp<"layer_norm"> {
  let summary = "layer normalisation";
  let description = [{
    `(data - mean) / sqrt(variance + epsilon) * gamma + beta`, with mean and variance over the dimensions from `axis`
    to the last; a negative axis counts from the end. `gamma` and `beta` have the shape of these dimensions. The data
    are floats.

    Source: Relay `nn.layer_norm` (which normalises one axis), ONNX `LayerNormalization`.

    ```mlir
    %0 = uma.graph.layer_norm %x, %gamma, %beta
        : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$gamma, Graph_Tensor:$beta,
      DefaultValuedAttr<I64Attr, "-1">:$axis,
      DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let assemblyFormat = [{
    $data `,` $gamma `,` $beta (`axis` $axis^)? (`epsilon` $epsilon^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Graph_RMSNormOp : Graph_InferredOp<"rms_norm"> {
  let summary = "normalisation by the root mean square";
  let description = [{
    `data / sqrt(mean(data * data) + epsilon) * gamma`, with the mean over the dimensions from `axis` to the last; a
    negative axis counts from the end. `gamma` has the shape of these dimensions. The data are floats.

    Source: ONNX `RMSNormalization`; `rms_norm` of TVM's Relax.

    ```mlir
    %0 = uma.graph.rms_norm %x, %gamma : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$gamma,
      DefaultValuedAttr<I64Attr, "-1">:$axis,
      DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let assemblyFormat = [{
    $data `,` $gamma (`axis` $axis^)? (`epsilon` $epsilon^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Graph_GroupNormOp : Graph_InferredOp<"group_norm"> {
  let summary = "group normalisation";
  let description = [{
    Splits the channels (dimension 1 of `data`) into `num_groups` groups of consecutive channels and normalises each
    group of each image over its channels and all further dimensions:
    `(data - mean) / sqrt(variance + epsilon) * gamma + beta`. `gamma` and `beta` have one element per channel. With
    one group per channel, this is instance normalisation. The data are floats.

    Source: Relay `nn.group_norm` and `nn.instance_norm`, ONNX `GroupNormalization` (opset 21) and `InstanceNormalization`.

    ```mlir
    %0 = uma.graph.group_norm %x, %gamma, %beta groups 2
        : (tensor<1x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$gamma, Graph_Tensor:$beta,
      I64Attr:$num_groups, DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let assemblyFormat = [{
    $data `,` $gamma `,` $beta `groups` $num_groups (`epsilon` $epsilon^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Graph_LRNOp : Graph_InferredOp<"lrn"> {
  let summary = "local response normalisation across channels";
  let description = [{
    `data / (bias + alpha / size * s) ^ beta`, where `s` is the sum of squares over the `size` channels (dimension 1)
    around each element: `floor((size - 1) / 2)` before it and `ceil((size - 1) / 2)` behind it, cut off at the first
    and last channel. The data are floats.

    Source: Relay `nn.lrn`, ONNX `LRN`.

    ```mlir
    %0 = uma.graph.lrn %x size 3 : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, I64Attr:$size,
      DefaultValuedAttr<F64Attr, "1.0">:$bias,
      DefaultValuedAttr<F64Attr, "1.0e-4">:$alpha,
      DefaultValuedAttr<F64Attr, "0.75">:$beta);
  let assemblyFormat = [{
    $data `size` $size (`bias` $bias^)? (`alpha` $alpha^)? (`beta` $beta^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // UMA_GRAPH_IR_GRAPHNORMALIZATIONOPS_TD
