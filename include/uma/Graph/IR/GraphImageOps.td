//===- GraphImageOps.td - Operators that sample images -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHIMAGEOPS_TD
#define UMA_GRAPH_IR_GRAPHIMAGEOPS_TD

include "uma/Graph/IR/GraphBase.td"

def Graph_InterpolateOp : Graph_InferredOp<"interpolate", [Graph_Fusion<"OutElementwise">]> {
  let summary = "weighted sums of slices along an axis";
  let description = [{
    Along `axis`, element `i` of the result is the sum over `t` of `weights[i, t] * data[indices[i, t]]`. With one
    table per axis this expresses any separable resampling: linear or cubic, with or without antialiasing. ONNX
    `Resize` and Relay `image.resize1d` to `image.resize3d` are imported as this operator; nearest-neighbour
    resampling becomes a `uma.graph.take` or something cheaper. Indices are clamped to the data.

    ```mlir
    %0 = uma.graph.interpolate %x, %i, %w axis 2
        : (tensor<1x8x4x4xf32>, tensor<6x2xi64>, tensor<6x2xf32>) -> tensor<1x8x6x4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$indices, Graph_Tensor:$weights,
                       I64Attr:$axis);
  let assemblyFormat = [{
    $data `,` $indices `,` $weights `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_GridSampleOp : Graph_InferredOp<"grid_sample", [Graph_Fusion<"OutElementwise">]> {
  let summary = "sample images at positions given by a grid";
  let description = [{
    `data` is [N, C, H, W], `grid` is [N, Ho, Wo, 2] and holds pairs (x, y): -1 and 1 are the borders of the image or,
    with `align_corners`, the centres of its outermost elements. `method` is `nearest` (halves to even), `bilinear` or
    `bicubic` (Keys, a = -0.75). `padding_mode` determines the values outside the image: `zeros`, the nearest element
    (`border`) or the image mirrored at its borders (`reflection`). NaN counts as a position far outside. Source:
    Relay `image.grid_sample`, ONNX `GridSample`.

    ```mlir
    %0 = uma.graph.grid_sample %x, %g method "bicubic" padding "border" align_corners true
        : (tensor<1x8x4x4xf32>, tensor<1x6x6x2xf32>) -> tensor<1x8x6x6xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$grid,
      Graph_DefaultStr<"bilinear">:$method, Graph_DefaultStr<"zeros">:$padding_mode,
      Graph_Default<BoolAttr, "false">:$align_corners);
  let assemblyFormat = [{
    $data `,` $grid (`method` $method^)? (`padding` $padding_mode^)? (`align_corners` $align_corners^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_RoiAlignOp : Graph_InferredOp<"roi_align"> {
  let summary = "resample regions of images to one size";
  let description = [{
    `data` is [N, C, H, W]; `rois` is [R, 4] and holds x1, y1, x2, y2 in units of 1 / `spatial_scale` elements;
    `batch_indices` [R] holds the index of each region's image, clamped to N. Each region is divided into
    `pooled_size` bins. A bin is the average or the maximum (`mode`: `avg` or `max`) of `sample_ratio` x
    `sample_ratio` bilinear samples. As in ONNX Runtime, `max` takes the largest weighted neighbour instead of the
    largest sample. `aligned` shifts positions by half an element; without it, regions are at least one element large.
    Source: Relay `vision.roi_align`, ONNX `RoiAlign` with a sampling_ratio above 0.

    ```mlir
    %0 = uma.graph.roi_align %x, %r, %i pooled_size [2, 2] spatial_scale 0.5 sample_ratio 2 mode "avg" aligned true
        : (tensor<1x8x4x4xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x8x2x2xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$rois, Graph_Tensor:$batch_indices,
      DenseI64ArrayAttr:$pooled_size, F64Attr:$spatial_scale, I64Attr:$sample_ratio,
      StrAttr:$mode, BoolAttr:$aligned);
  let assemblyFormat = [{
    $data `,` $rois `,` $batch_indices `pooled_size` $pooled_size `spatial_scale` $spatial_scale
    `sample_ratio` $sample_ratio `mode` $mode `aligned` $aligned attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_NonMaxSuppressionOp : Graph_InferredOp<"non_max_suppression"> {
  let summary = "indices of the best boxes that do not overlap";
  let description = [{
    `boxes` [N, 4] holds y1, x1, y2, x2 with y1 <= y2 and x1 <= x2; `scores` [C, N] the scores of each class. For each
    class, repeats up to `k` times: selects the box of the highest score of at least `score_threshold`, the first of
    equal ones, then drops it and all boxes whose intersection with it, divided by the union, is above
    `iou_threshold`. A box without an area has no intersection. The result, [C, k] of `i64`, holds the indices in the
    order of selection, then -1. Source: TensorFlow Lite's detection postprocessing; Relay
    `vision.all_class_non_max_suppression`; ONNX `NonMaxSuppression`, whose result has no fixed shape.

    ```mlir
    %0 = uma.graph.non_max_suppression %b, %s k 3 iou_threshold 0.5 score_threshold 0.1
        : (tensor<16x4xf32>, tensor<2x16xf32>) -> tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Graph_Tensor:$boxes, Graph_Tensor:$scores, I64Attr:$k,
      F64Attr:$iou_threshold, F64Attr:$score_threshold);
  let assemblyFormat = [{
    $boxes `,` $scores `k` $k `iou_threshold` $iou_threshold `score_threshold` $score_threshold
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // UMA_GRAPH_IR_GRAPHIMAGEOPS_TD
