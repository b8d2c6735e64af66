//===- GraphWindowOps.td - Convolutions and pools -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One-dimensional convolutions and pools are represented as two-dimensional ones
// of height 1, so that an accelerator's pattern for the latter matches both.
// Three-dimensional ones are separate operators, which differ in the names of
// the layouts only.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHWINDOWOPS_TD
#define UMA_GRAPH_IR_GRAPHWINDOWOPS_TD

include "uma/Graph/IR/GraphBase.td"

class Graph_WindowOp<string name, list<Trait> traits = []>
    : Graph_InferredOp<name, !listconcat(traits, [
        DeclareOpInterfaceMethods<WindowOpInterface>, Graph_Fusion<"OutElementwise">])>;

/// Window operator whose padding may be replaced by a `pad` in front of it.
class Graph_PaddedOp<string name, list<Trait> traits>
    : Graph_InferredOp<name, !listconcat(traits, [
        DeclareOpInterfaceMethods<WindowOpInterface, ["getPaddingNumber"]>, Graph_Fusion<"OutElementwise">])>;

/// Differences between two and three spatial dimensions.
class Graph_Dims<string words_, string ones_, string zeros_, string layout_, string kernel_> {
  string words = words_;
  string ones = ones_;   ///< default of strides and dilations
  string zeros = zeros_; ///< default of paddings: one for each side
  string layout = layout_;
  string kernel = kernel_;
}
def Graph_TwoDims : Graph_Dims<"two-dimensional", "{1, 1}", "{0, 0, 0, 0}", "NCHW", "OIHW">;
def Graph_ThreeDims : Graph_Dims<"three-dimensional", "{1, 1, 1}", "{0, 0, 0, 0, 0, 0}", "NCDHW", "OIDHW">;

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

class Graph_ConvOp<string name, Graph_Dims dims> : Graph_PaddedOp<name, [
    DeclareOpInterfaceMethods<SliceableOpInterface, ["adaptToSlices"]>]> {
  let summary = dims.words # " convolution";
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$weight,
      Graph_Default<DenseI64ArrayAttr, dims.ones>:$strides,
      Graph_Default<DenseI64ArrayAttr, dims.zeros>:$padding,
      Graph_Default<DenseI64ArrayAttr, dims.ones>:$dilations,
      Graph_Default<I64Attr, "1">:$groups,
      Graph_DefaultStr<dims.layout>:$data_layout,
      Graph_DefaultStr<dims.kernel>:$kernel_layout,
      OptionalAttr<TypeAttr>:$out_dtype);
  let assemblyFormat = [{
    $data `,` $weight (`strides` $strides^)? (`padding` $padding^)?
    (`dilations` $dilations^)? (`groups` $groups^)? (`layout` $data_layout^)?
    (`kernel_layout` $kernel_layout^)? (`out_dtype` $out_dtype^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = inferDeclaration # [{
    /// Returns the sizes of the convolution, independently of the layouts.
    ::uma::graph::ConvDims getDims();
    /// Whether every input channel is convolved separately.
    bool isDepthwise() { auto d = getDims(); return d.groups > 1 && d.groups == d.inChannels; }
  }];
}

def Graph_Conv2dOp : Graph_ConvOp<"conv2d", Graph_TwoDims> {
  let description = [{
    Convolves `data` with `weight` (cross-correlation, as in every framework). `groups` splits the channels; the
    convolution is depthwise if `groups` equals the number of input channels. `padding` is
    `[top, left, bottom, right]`; padding elements are 0.

    `data_layout` is `NCHW` or `NHWC`; `kernel_layout` is `OIHW`, `OHWI` or `HWIO`, where I is the number of input
    channels of one group. Integer data need an `out_dtype` wide enough to hold a product, as in Relay, and may differ
    from the weights in width and sign. Float data accumulate in their own type or a wider one.

    Source: Relay `nn.conv2d`, ONNX `Conv` and `ConvInteger`.

    ```mlir
    %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
        : (tensor<1x32x14x14xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x14x14xf32>
    ```
  }];
}

def Graph_Conv3dOp : Graph_ConvOp<"conv3d", Graph_ThreeDims> {
  let description = [{
    Like `uma.graph.conv2d`, with a depth dimension: `padding` is `[front, top, left, back, bottom, right]`,
    `data_layout` is `NCDHW` or `NDHWC`, `kernel_layout` is `OIDHW`, `ODHWI` or `DHWIO`.

    Source: Relay `nn.conv3d`, ONNX `Conv`.

    ```mlir
    %0 = uma.graph.conv3d %x, %w padding [1, 1, 1, 1, 1, 1]
        : (tensor<1x2x4x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x4x4x4xf32>
    ```
  }];
}

class Graph_ConvTransposeOp<string name, Graph_Dims dims, string outputPadding>
    : Graph_InferredOp<name, [Graph_Fusion<"OutElementwise">]> {
  let summary = dims.words # " transposed convolution";
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$weight,
      Graph_Default<DenseI64ArrayAttr, dims.ones>:$strides,
      Graph_Default<DenseI64ArrayAttr, dims.zeros>:$padding,
      Graph_Default<DenseI64ArrayAttr, outputPadding>:$output_padding,
      Graph_Default<DenseI64ArrayAttr, dims.ones>:$dilations,
      Graph_Default<I64Attr, "1">:$groups);
  let assemblyFormat = [{
    $data `,` $weight (`strides` $strides^)? (`padding` $padding^)?
    (`output_padding` $output_padding^)? (`dilations` $dilations^)? (`groups` $groups^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = inferDeclaration # [{
    /// Returns the window of the transposed convolution. It slides over the
    /// result; each of its positions is an element of the data.
    ::uma::graph::Window getResultWindow();
  }];
}

def Graph_Conv2dTransposeOp : Graph_ConvTransposeOp<"conv2d_transpose", Graph_TwoDims, "{0, 0}"> {
  let description = [{
    The gradient of `uma.graph.conv2d` with respect to its data: every element of `data` adds
    a multiple of the kernel to the result. Float data are `NCHW`; `weight` is `[C, O / groups, KH, KW]`
    (layout `IOHW`). Height `h` becomes `(h - 1) * stride + (kh - 1) * dilation + 1 - top - bottom + output_padding`:
    `padding`, `[top, left, bottom, right]`, is cut off the result, and `output_padding` elements are added at the
    end.

    Source: Relay `nn.conv2d_transpose`, ONNX `ConvTranspose`.

    ```mlir
    %0 = uma.graph.conv2d_transpose %x, %w strides [2, 2]
        : (tensor<1x4x5x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x8x10x10xf32>
    ```
  }];
}

def Graph_Conv3dTransposeOp
    : Graph_ConvTransposeOp<"conv3d_transpose", Graph_ThreeDims, "{0, 0, 0}"> {
  let description = [{
    Like `uma.graph.conv2d_transpose`, with a depth dimension: data are `NCDHW`, `weight` is
    `[C, O / groups, KD, KH, KW]`.

    Source: Relay `nn.conv3d_transpose`, ONNX `ConvTranspose`.

    ```mlir
    %0 = uma.graph.conv3d_transpose %x, %w strides [2, 2, 2]
        : (tensor<1x2x3x3x3xf32>, tensor<2x4x2x2x2xf32>) -> tensor<1x4x6x6x6xf32>
    ```
  }];
}

def Graph_DeformableConv2dOp : Graph_WindowOp<"deformable_conv2d"> {
  let summary = "deformable convolution";
  let description = [{
    Like `uma.graph.conv2d` in layout `NCHW`, but tap `(i, j)` of the window at `(y, x)` reads the data at a position
    shifted by `offset[n, 2 * ((d * KH + i) * KW + j) + {0, 1}, y, x]` in height and width. The value is a bilinear
    interpolation of its four neighbours; neighbours outside the data are 0. The channels are split into
    `offset_groups` groups, each with its own offsets; `d` is the group. `mask`, if given, multiplies the tap by
    `mask[n, (d * KH + i) * KW + j, y, x]`. A tap whose offset is NaN reads 0.

    Source: Relay `nn.deformable_conv2d`, ONNX `DeformConv`.

    ```mlir
    %0 = uma.graph.deformable_conv2d %x, %offset, %w
        : (tensor<1x1x3x3xf32>, tensor<1x8x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$offset, Graph_Tensor:$weight,
      Optional<Graph_Tensor>:$mask,
      Graph_Default<DenseI64ArrayAttr, "{1, 1}">:$strides,
      Graph_Default<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
      Graph_Default<DenseI64ArrayAttr, "{1, 1}">:$dilations,
      Graph_Default<I64Attr, "1">:$groups,
      Graph_Default<I64Attr, "1">:$offset_groups);
  let assemblyFormat = [{
    $data `,` $offset `,` $weight (`mask` $mask^)? (`strides` $strides^)? (`padding` $padding^)?
    (`dilations` $dilations^)? (`groups` $groups^)? (`offset_groups` $offset_groups^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_Col2ImOp : Graph_InferredOp<"col2im"> {
  let summary = "sum the elements of overlapping windows into an image";
  let description = [{
    The transpose of im2col. `data` is `[N, C * prod(block_shape), L]` and holds the elements of `L` windows of shape
    `block_shape` over an image of shape `image_shape`, in row-major order. Every element of the result,
    `[N, C, image_shape...]`, is the sum of the window elements at its position. Elements in the `padding` (all
    begins, then all ends) are dropped.

    Source: ONNX `Col2Im`.

    ```mlir
    %0 = uma.graph.col2im %x image [5, 5] block [1, 5] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1]
        : (tensor<1x5x5xf32>) -> tensor<1x1x5x5xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, DenseI64ArrayAttr:$image_shape,
      DenseI64ArrayAttr:$block_shape, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilations);
  let assemblyFormat = [{
    $data `image` $image_shape `block` $block_shape `strides` $strides `padding` $padding
    `dilations` $dilations attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = inferDeclaration # [{
    /// Returns the window, which slides over the result.
    ::uma::graph::Window getResultWindow();
  }];
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

class Graph_PoolOp<string name, string what, Graph_Dims dims, dag extra = (ins), string extraFormat = "">
    : Graph_PaddedOp<name, [Graph_Sliceable]> {
  let summary = dims.words # " " # what # " pooling";
  let arguments = !con((ins Graph_Tensor:$data,
      DenseI64ArrayAttr:$pool_size,
      Graph_Default<DenseI64ArrayAttr, dims.ones>:$strides,
      Graph_Default<DenseI64ArrayAttr, dims.zeros>:$padding,
      Graph_Default<DenseI64ArrayAttr, dims.ones>:$dilations,
      Graph_Default<BoolAttr, "false">:$ceil_mode), extra,
      (ins Graph_DefaultStr<dims.layout>:$data_layout));
  let assemblyFormat = [{
    $data `size` $pool_size (`strides` $strides^)? (`padding` $padding^)?
    (`dilations` $dilations^)? (`ceil_mode` $ceil_mode^)?
  }] # extraFormat # [{ (`layout` $data_layout^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

class Graph_MaxPoolOp<string name, Graph_Dims dims> : Graph_PoolOp<name, "maximum", dims>;
class Graph_AvgPoolOp<string name, Graph_Dims dims> : Graph_PoolOp<name, "average", dims,
    (ins Graph_Default<BoolAttr, "false">:$count_include_pad),
    "(`count_include_pad` $count_include_pad^)?">;

def Graph_MaxPool2dOp : Graph_MaxPoolOp<"max_pool2d", Graph_TwoDims> {
  let description = [{
    Computes the largest element of each window, without the padding. `ceil_mode` rounds the output size up; a window
    that would start in the padding at the end is left out, as in ONNX. `padding` is smaller than the window, so that
    every window contains data. Source: Relay `nn.max_pool2d`, ONNX `MaxPool`.

    ```mlir
    %0 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2]
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
    ```
  }];
}

def Graph_MaxPool3dOp : Graph_MaxPoolOp<"max_pool3d", Graph_ThreeDims> {
  let description = [{
    Like `uma.graph.max_pool2d`, with a depth dimension; `data_layout` is `NCDHW` or `NDHWC`. Source: Relay
    `nn.max_pool3d`, ONNX `MaxPool`.

    ```mlir
    %0 = uma.graph.max_pool3d %x size [2, 2, 2] strides [2, 2, 2]
        : (tensor<1x8x4x4x4xf32>) -> tensor<1x8x2x2x2xf32>
    ```
  }];
}

def Graph_AvgPool2dOp : Graph_AvgPoolOp<"avg_pool2d", Graph_TwoDims> {
  let description = [{
    Computes the mean of the elements of each window that lie inside the data, which are floats. `count_include_pad`
    also counts elements in the padding, as zeros. Elements beyond the padded data, which `ceil_mode` allows, never
    count. Source: Relay `nn.avg_pool2d`, ONNX `AveragePool` (opset 19).

    ```mlir
    %0 = uma.graph.avg_pool2d %x size [2, 2] strides [2, 2]
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
    ```
  }];
}

def Graph_AvgPool3dOp : Graph_AvgPoolOp<"avg_pool3d", Graph_ThreeDims> {
  let description = [{
    Like `uma.graph.avg_pool2d`, with a depth dimension; `data_layout` is `NCDHW` or `NDHWC`. Source: Relay
    `nn.avg_pool3d`, ONNX `AveragePool`.

    ```mlir
    %0 = uma.graph.avg_pool3d %x size [2, 2, 2] strides [2, 2, 2]
        : (tensor<1x8x4x4x4xf32>) -> tensor<1x8x2x2x2xf32>
    ```
  }];
}

class Graph_AnyPoolOp<string name, dag extra, string extraFormat> : Graph_WindowOp<name> {
  let arguments = !con((ins Graph_Tensor:$data, DenseI64ArrayAttr:$pool_size,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilations,
      Graph_Default<BoolAttr, "false">:$ceil_mode), extra);
  let assemblyFormat = [{
    $data `size` $pool_size `strides` $strides `padding` $padding `dilations` $dilations
    (`ceil_mode` $ceil_mode^)?
  }] # extraFormat # " attr-dict `:` functional-type(operands, results)";
}

def Graph_MaxPoolIndicesOp : Graph_AnyPoolOp<"max_pool_indices",
    (ins Graph_Default<BoolAttr, "false">:$column_major), "(`column_major` $column_major^)?"> {
  let summary = "positions of the maxima of a pool";
  let description = [{
    For each window of a maximum pool over data `[N, C, spatial...]`, returns the position of its largest element, the
    first one of equals. A position is an i64 index into all of `data` in row-major order or, with `column_major`, in
    the order in which the first spatial dimension varies fastest. The window is the same as in
    `uma.graph.max_pool2d`.

    Source: the output `Indices` of ONNX `MaxPool`.

    ```mlir
    %0 = uma.graph.max_pool_indices %x size [2, 2] strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1]
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xi64>
    ```
  }];
}

def Graph_LpPoolOp : Graph_AnyPoolOp<"lp_pool", (ins Graph_Default<I64Attr, "2">:$p),
    "(`p` $p^)?"> {
  let summary = "p-norm of each window";
  let description = [{
    `sum(abs(x) ^ p) ^ (1 / p)` over each window of float data `[N, C, spatial...]`; padding counts as 0.

    Source: ONNX `LpPool`.

    ```mlir
    %0 = uma.graph.lp_pool %x size [2, 2] strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1] p 3
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
    ```
  }];
}

class Graph_GlobalPoolOp<string name, string what, string origin, string types>
    : Graph_InferredOp<name, [Graph_Fusion<"OutElementwise">]> {
  let summary = what # " over both spatial dimensions";
  let description = "The " # what # " of " # types # " over H and W, which stay as dimensions of size 1. Source: "
      # origin # ".\n\n```mlir\n%0 = uma.graph." # name
      # " %x : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x1xf32>\n```\n";
  let arguments = (ins Graph_Tensor:$data,
                       Graph_DefaultStr<"NCHW">:$data_layout);
  let assemblyFormat = "$data (`layout` $data_layout^)? attr-dict `:` functional-type(operands, results)";
}

def Graph_GlobalAvgPool2dOp : Graph_GlobalPoolOp<"global_avg_pool2d", "mean",
    "Relay `nn.global_avg_pool2d`, ONNX `GlobalAveragePool`", "float data">;
def Graph_GlobalMaxPool2dOp : Graph_GlobalPoolOp<"global_max_pool2d", "maximum",
    "Relay `nn.global_max_pool2d`, ONNX `GlobalMaxPool`", "data">;

#endif // UMA_GRAPH_IR_GRAPHWINDOWOPS_TD
