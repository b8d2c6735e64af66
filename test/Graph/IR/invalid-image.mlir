// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of the operators that sample images.

func.func @interpolate_int(%x: tensor<4xi32>, %i: tensor<6x2xi64>, %w: tensor<6x2xf32>) {
  // expected-error @+1 {{data has element type}}
  %0 = uma.graph.interpolate %x, %i, %w axis 0 : (tensor<4xi32>, tensor<6x2xi64>, tensor<6x2xf32>) -> tensor<6xi32>
  return
}

// -----

func.func @interpolate_weights(%x: tensor<4xf32>, %i: tensor<6x2xi64>, %w: tensor<6x3xf32>) {
  // expected-error @+1 {{weights has shape 6x3, expected 6x2 as indices}}
  %0 = uma.graph.interpolate %x, %i, %w axis 0 : (tensor<4xf32>, tensor<6x2xi64>, tensor<6x3xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @interpolate_empty(%x: tensor<0xf32>, %i: tensor<6x2xi64>, %w: tensor<6x2xf32>) {
  // expected-error @+1 {{data has no elements along axis 0}}
  %0 = uma.graph.interpolate %x, %i, %w axis 0 : (tensor<0xf32>, tensor<6x2xi64>, tensor<6x2xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @grid_shape(%x: tensor<1x2x4x5xf32>, %g: tensor<1x3x3x3xf32>) {
  // expected-error @+1 {{grid has shape 1x3x3x3, expected a first size of 1 as data and a last one of 2}}
  %0 = uma.graph.grid_sample %x, %g : (tensor<1x2x4x5xf32>, tensor<1x3x3x3xf32>) -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @grid_method(%x: tensor<1x2x4x5xf32>, %g: tensor<1x3x3x2xf32>) {
  // expected-error @+1 {{method is "cubic", expected "nearest" or "bilinear" or "bicubic"; did you mean 'bicubic'?}}
  %0 = uma.graph.grid_sample %x, %g method "cubic" : (tensor<1x2x4x5xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @grid_padding(%x: tensor<1x2x4x5xf32>, %g: tensor<1x3x3x2xf32>) {
  // expected-error @+1 {{padding_mode is "zero", expected "zeros" or "border" or "reflection"; did you mean 'zeros'?}}
  %0 = uma.graph.grid_sample %x, %g padding "zero" : (tensor<1x2x4x5xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @grid_empty(%x: tensor<1x2x0x5xf32>, %g: tensor<1x3x3x2xf32>) {
  // expected-error @+1 {{data has shape 1x2x0x5, expected images of at least one element}}
  %0 = uma.graph.grid_sample %x, %g : (tensor<1x2x0x5xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @roi_shape(%x: tensor<1x2x4x5xf32>, %r: tensor<7x5xf32>, %b: tensor<7xi64>) {
  // expected-error @+1 {{rois has shape 7x5, expected a last size of 4: x1, y1, x2, y2}}
  %0 = uma.graph.roi_align %x, %r, %b pooled_size [2, 3] spatial_scale 0.5 sample_ratio 2 mode "max" aligned false : (tensor<1x2x4x5xf32>, tensor<7x5xf32>, tensor<7xi64>) -> tensor<7x2x2x3xf32>
  return
}

// -----

func.func @roi_batch(%x: tensor<1x2x4x5xf32>, %r: tensor<7x4xf32>, %b: tensor<6xi64>) {
  // expected-error @+1 {{batch_indices has size 6, expected 7, the number of rois}}
  %0 = uma.graph.roi_align %x, %r, %b pooled_size [2, 3] spatial_scale 0.5 sample_ratio 2 mode "max" aligned false : (tensor<1x2x4x5xf32>, tensor<7x4xf32>, tensor<6xi64>) -> tensor<7x2x2x3xf32>
  return
}

// -----

func.func @roi_size(%x: tensor<1x2x4x5xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) {
  // expected-error @+1 {{pooled_size[0] is 0, expected at least 1}}
  %0 = uma.graph.roi_align %x, %r, %b pooled_size [0, 3] spatial_scale 0.5 sample_ratio 2 mode "max" aligned false : (tensor<1x2x4x5xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x2x2x3xf32>
  return
}

// -----

func.func @roi_ratio(%x: tensor<1x2x4x5xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) {
  // expected-error @+1 {{sample_ratio is 0, expected 1 to 1024}}
  %0 = uma.graph.roi_align %x, %r, %b pooled_size [2, 3] spatial_scale 0.5 sample_ratio 0 mode "max" aligned false : (tensor<1x2x4x5xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x2x2x3xf32>
  return
}

// -----

func.func @roi_scale(%x: tensor<1x2x4x5xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) {
  // expected-error @+1 {{spatial_scale is 0, expected a number above 0}}
  %0 = uma.graph.roi_align %x, %r, %b pooled_size [2, 3] spatial_scale 0.0 sample_ratio 2 mode "max" aligned false : (tensor<1x2x4x5xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x2x2x3xf32>
  return
}

// -----

func.func @roi_mode(%x: tensor<1x2x4x5xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) {
  // expected-error @+1 {{mode is "mean", expected "avg" or "max"}}
  %0 = uma.graph.roi_align %x, %r, %b pooled_size [2, 3] spatial_scale 1.0 sample_ratio 2 mode "mean" aligned false : (tensor<1x2x4x5xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x2x2x3xf32>
  return
}

// -----

func.func @nms_boxes(%b: tensor<8x5xf32>, %s: tensor<2x8xf32>) {
  // expected-error @+1 {{boxes has shape 8x5, expected at least one box of y1, x1, y2, x2}}
  %0 = uma.graph.non_max_suppression %b, %s k 3 iou_threshold 0.5 score_threshold 0.1 : (tensor<8x5xf32>, tensor<2x8xf32>) -> tensor<2x3xi64>
  return
}

// -----

func.func @nms_elements(%b: tensor<8x4xi32>, %s: tensor<2x8xi32>) {
  // expected-error @+1 {{boxes has elements of 'i32', expected floats}}
  %0 = uma.graph.non_max_suppression %b, %s k 3 iou_threshold 0.5 score_threshold 0.1 : (tensor<8x4xi32>, tensor<2x8xi32>) -> tensor<2x3xi64>
  return
}

// -----

func.func @nms_scores(%b: tensor<8x4xf32>, %s: tensor<2x7xf32>) {
  // expected-error @+1 {{scores has shape 2x7, expected a last size of 8, the number of boxes}}
  %0 = uma.graph.non_max_suppression %b, %s k 3 iou_threshold 0.5 score_threshold 0.1 : (tensor<8x4xf32>, tensor<2x7xf32>) -> tensor<2x3xi64>
  return
}

// -----

func.func @nms_k(%b: tensor<8x4xf32>, %s: tensor<2x8xf32>) {
  // expected-error @+1 {{k is 9, expected 1 to 8, the number of boxes}}
  %0 = uma.graph.non_max_suppression %b, %s k 9 iou_threshold 0.5 score_threshold 0.1 : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<2x9xi64>
  return
}

// -----

func.func @nms_iou(%b: tensor<8x4xf32>, %s: tensor<2x8xf32>) {
  // expected-error @+1 {{iou_threshold is 1.5, expected 0 to 1}}
  %0 = uma.graph.non_max_suppression %b, %s k 3 iou_threshold 1.5 score_threshold 0.1 : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<2x3xi64>
  return
}

// -----

func.func @nms_score(%b: tensor<8x4xf32>, %s: tensor<2x8xf32>) {
  // expected-error @+1 {{score_threshold is no number}}
  %0 = uma.graph.non_max_suppression %b, %s k 3 iou_threshold 0.5 score_threshold 0x7FF8000000000000 : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<2x3xi64>
  return
}
