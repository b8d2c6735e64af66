//===- GraphNNOps.td - Neural network operators -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHNNOPS_TD
#define UMA_GRAPH_IR_GRAPHNNOPS_TD

include "uma/Graph/IR/GraphBase.td"

class Graph_WindowOp<string name, list<Trait> traits = []>
    : Graph_InferredOp<name, !listconcat(traits, [
        DeclareOpInterfaceMethods<WindowOpInterface>])>;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

def Graph_Conv2dOp : Graph_WindowOp<"conv2d"> {
  let summary = "two-dimensional convolution";
  let description = [{
    Convolves `data` with `weight` (cross-correlation, as in every framework).
    `groups` splits the channels; `groups` equal to the input channels is a
    depthwise convolution. `padding` is `[top, left, bottom, right]`, zeros.

    `data_layout` is `NCHW` or `NHWC`; `kernel_layout` is `OIHW`, `OHWI` or `HWIO`, I being the
    input channels of one group. Integer data need an `out_dtype` wide enough to
    hold a product, as Relay's `out_dtype`, and may differ from the weights in width and sign; float
    data accumulate in their own type or a wider one.

    Source: Relay `nn.conv2d`, ONNX `Conv` and `ConvInteger`.

    ```mlir
    %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
        : (tensor<1x32x14x14xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x14x14xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$weight,
      Graph_Default<DenseI64ArrayAttr, "{1, 1}">:$strides,
      Graph_Default<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
      Graph_Default<DenseI64ArrayAttr, "{1, 1}">:$dilations,
      Graph_Default<I64Attr, "1">:$groups,
      Graph_DefaultStr<"NCHW">:$data_layout,
      Graph_DefaultStr<"OIHW">:$kernel_layout,
      OptionalAttr<TypeAttr>:$out_dtype);
  let assemblyFormat = [{
    $data `,` $weight (`strides` $strides^)? (`padding` $padding^)?
    (`dilations` $dilations^)? (`groups` $groups^)? (`layout` $data_layout^)?
    (`kernel_layout` $kernel_layout^)? (`out_dtype` $out_dtype^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = inferDeclaration # [{
    /// The sizes of the convolution by name, whatever the layouts.
    ::uma::graph::Conv2DDims getDims();
    /// True when every input channel is convolved by itself.
    bool isDepthwise() { auto d = getDims(); return d.groups > 1 && d.groups == d.inChannels; }
  }];
}

def Graph_DenseOp : Graph_InferredOp<"dense"> {
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

def Graph_BiasAddOp : Graph_InferredOp<"bias_add"> {
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

def Graph_BatchNormOp : Graph_InferredOp<"batch_norm"> {
  let summary = "batch normalisation with given statistics";
  let description = [{
    `result = (data - mean) / sqrt(variance + epsilon) * gamma + beta` along `axis`: the inference form.
    Source: Relay `nn.batch_norm`, ONNX `BatchNormalization`.

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

def Graph_SoftmaxOp : Graph_InferredOp<"softmax"> {
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
// Pooling
//===----------------------------------------------------------------------===//

class Graph_PoolOp<string name, string what, dag extra = (ins)>
    : Graph_WindowOp<name> {
  let summary = "two-dimensional " # what # " pooling";
  let arguments = !con((ins Graph_Tensor:$data,
      DenseI64ArrayAttr:$pool_size,
      Graph_Default<DenseI64ArrayAttr, "{1, 1}">:$strides,
      Graph_Default<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
      Graph_Default<DenseI64ArrayAttr, "{1, 1}">:$dilations,
      Graph_Default<BoolAttr, "false">:$ceil_mode), extra,
      (ins Graph_DefaultStr<"NCHW">:$data_layout));
}

def Graph_MaxPool2dOp : Graph_PoolOp<"max_pool2d", "maximum"> {
  let description = [{
    The largest element of each window; padding never wins. `ceil_mode` rounds
    the output size up; a window that would start in the padding at the end is left out, as in
    ONNX. Every window sees data: `padding` is smaller than the window. Source: Relay `nn.max_pool2d`, ONNX `MaxPool`.

    ```mlir
    %0 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2]
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
    ```
  }];
  let assemblyFormat = [{
    $data `size` $pool_size (`strides` $strides^)? (`padding` $padding^)?
    (`dilations` $dilations^)? (`ceil_mode` $ceil_mode^)? (`layout` $data_layout^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_AvgPool2dOp : Graph_PoolOp<"avg_pool2d", "average",
    (ins Graph_Default<BoolAttr, "false">:$count_include_pad)> {
  let description = [{
    The mean of the elements of each window that lie inside the data, which are floats.
    `count_include_pad` counts those in the padding too, as zeros; what `ceil_mode` lets hang over the padded data
    never counts. Source: Relay `nn.avg_pool2d`, ONNX `AveragePool` (opset 19).

    ```mlir
    %0 = uma.graph.avg_pool2d %x size [2, 2] strides [2, 2]
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
    ```
  }];
  let assemblyFormat = [{
    $data `size` $pool_size (`strides` $strides^)? (`padding` $padding^)?
    (`dilations` $dilations^)? (`ceil_mode` $ceil_mode^)?
    (`count_include_pad` $count_include_pad^)? (`layout` $data_layout^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_GlobalAvgPool2dOp : Graph_InferredOp<"global_avg_pool2d"> {
  let summary = "mean over both spatial dimensions";
  let description = [{
    The mean of float data over H and W, which stay as dimensions of size 1. Source: Relay
    `nn.global_avg_pool2d`, ONNX `GlobalAveragePool`.

    ```mlir
    %0 = uma.graph.global_avg_pool2d %x : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x1xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data,
                       Graph_DefaultStr<"NCHW">:$data_layout);
  let assemblyFormat = "$data (`layout` $data_layout^)? attr-dict `:` functional-type(operands, results)";
}

def Graph_PadOp : Graph_InferredOp<"pad"> {
  let summary = "more elements around the data";
  let description = [{
    Puts `pad_before[d]` elements in front of and `pad_after[d]` behind
    dimension `d`. `pad_mode` says what they are: `constant` is `pad_value`, which must be a value of the data's type;
    `edge` the nearest element; `reflect` the data mirrored at its first and last element; `wrap` the
    data repeated. Source: Relay `nn.pad`, ONNX `Pad`.

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
