//===- QuantizationPasses.td - Passes on quantized tensors -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// From floats to integers (equalize, quantize), between integers, and to the
// kernels' arithmetic (legalize-quantization). Passes.td includes this file.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_QUANTIZATIONPASSES_TD
#define UMA_GRAPH_TRANSFORMS_QUANTIZATIONPASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeQuantizationPass : Pass<"uma-graph-legalize-quantization", "::mlir::ModuleOp"> {
  let summary = "write quantized tensors as plain numbers";
  let description = [{
    Replaces every quantized tensor by its steps: the stored integers without their zero point. The steps are

    - with `arithmetic=integer`, i16 for up to 8 bits of storage, and i32 for sums;
    - with `arithmetic=float`, f32. Integers up to 2^24 are exact there. A layer with sums whose weights and bias prove that no
      sum exceeds this is computed in f32, where the CPU's kernels are; it is marked with `uma.exact_sums`, and no algorithm that
      rounds (Winograd, Strassen) may compute it. Any other layer is computed in i32;
    - with `arithmetic=dot`, as with `float`, except that layers with several channels and constant weights are dot products
      with sums in i32. Their steps are ui8, with weights of i8, if no step is negative because the zero point is the least
      integer; otherwise i16;
    - with `arithmetic=pairs`, as with `dot`, with steps of i16 only: for processors that split words of bytes;
    - with `arithmetic=bytes`, as with `float`, except that tensors of 8 bits keep a byte for each element: their steps if these
      cannot be negative, otherwise the stored integers. Each reader subtracts the zero point by operators of its own, and
      convolutions and dense layers with constant weights sum in i32. For small memories, on processors without vectors.

    All give the same bits. Quantized tensors at the border of functions are an error: these hold the stored integers.

    Source: Relay `qnn.Legalize` and `qnn.CanonicalizeOps`.

    ```mlir
    %0 = uma.graph.requantize %sums
        : (tensor<1x8x!quant.uniform<i32:f32, 0.5>>) -> tensor<1x8x!quant.uniform<i8:f32, 2.0>>
    // becomes, with arithmetic=float (%factor is 0.25):
    %1 = uma.graph.multiply %steps, %factor : (tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %2 = uma.graph.round %1 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %0 = uma.graph.clip %2 min -128.0 max 127.0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    ```
  }];
  let options = [
    Option<"arithmetic", "arithmetic", "std::string", "\"integer\"", "Type of the steps: integer, float, dot, pairs or bytes">
  ];
  let statistics = [
    Statistic<"numConverted", "converted", "Operators on quantized tensors rewritten">,
    Statistic<"numDots", "dots", "Layers with sums of products of narrow integers, by arithmetic=dot, pairs or bytes">,
    Statistic<"numInIntegers", "in-integers", "Layers with sums that f32 does not hold, by arithmetic=float">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def FoldQuantizationPass : Pass<"uma-graph-fold-quantization", "::mlir::ModuleOp"> {
  let summary = "compute layers between dequantize and quantize on integers";
  let description = [{
    - `conv2d` or `dense` of dequantized data and weights of 8 bits, an optional `bias_add` of an i32 constant with the scales of the
      sums, `relu` and `clip`, then `quantize`: the layer is computed on the integers, and `requantize` rounds its sums once. Activations
      become its `clamp`.
    - `multiply` of dequantized tensors of 8 bits, then `quantize` to the same storage: one factor of f32 scales the product of the
      integers minus their zero points, and the sum with the zero point of the result is rounded.
    - `reshape`, `batch_flatten`, `transpose`, `concatenate`, `strided_slice` and `max_pool2d` between a dequantize and a quantize of
      the same type move the integers.

    What is folded is what ONNX Runtime's optimizer gives to its integer kernels. A layer with sums that stays in floats is a remark
    with the reason.

    Source: ONNX Runtime's `QDQSelectorActionTransformer`, Relay `FakeQuantizationToInteger`.

    ```mlir
    %0 = uma.graph.dequantize %x
    %1 = uma.graph.conv2d %0, %w // %w is a dequantized constant
    %2 = uma.graph.quantize %1
    // becomes:
    %1 = uma.graph.conv2d %x, %v // sums of !quant.uniform<i32>
    %2 = uma.graph.requantize %1
    ```
  }];
  let statistics = [
    Statistic<"numLayers", "layers", "Layers with sums computed on integers">,
    Statistic<"numMoves", "moves", "Operators that move or select the integers">,
    Statistic<"numIslands", "islands", "Layers with sums that stay in floats">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def RequantizeFixedPointPass : Pass<"uma-graph-requantize-fixed-point", "::mlir::ModuleOp"> {
  let summary = "requantize in integers";
  let description = [{
    Sets `rounding "tflite"` on `requantize` and `quantized_add`: an integer multiplication and two shifts per element replace the
    f32 multiplication of ONNX Runtime's formula. Results may differ by one where the formulas round to different sides. `quantize`
    and `dequantize` at the borders of islands stay in f32. `uma compile --requantize=fixed-point` runs it behind
    `uma-graph-fold-quantization`.

    Source: TensorFlow Lite's reference kernels, TVM's `Requantize` with `rounding="TONEAREST"` and `compute_dtype="int64"`.

    ```mlir
    %0 = uma.graph.requantize %sums
    // becomes:
    %0 = uma.graph.requantize %sums rounding "tflite"
    ```
  }];
  let statistics = [
    Statistic<"numConverted", "converted", "Operators that round in integers now">
  ];
}

def FoldQuantizedPoolsPass : Pass<"uma-graph-fold-quantized-pools", "::mlir::ModuleOp"> {
  let summary = "compute global average pools of quantized bytes on integers";
  let description = [{
    A `global_avg_pool2d` between the `dequantize` of a tensor of 8 bits and a `quantize` to 8 bits becomes the sum of the
    integers and a `requantize`, whose factor is the scale of the data divided by that of the result times the number of
    elements, in f32.

    Source: ONNX Runtime's `QLinearGlobalAveragePool`.

    ```mlir
    %0 = uma.graph.dequantize %x : (tensor<1x8x4x4x!quant.uniform<u8:f32, 0.5>>) -> tensor<1x8x4x4xf32>
    %1 = uma.graph.global_avg_pool2d %0 : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x1xf32>
    %2 = uma.graph.quantize %1 : (tensor<1x8x1x1xf32>) -> tensor<1x8x1x1x!quant.uniform<u8:f32, 0.25>>
    // becomes:
    %3 = uma.graph.sum %integers axis [2, 3] keepdims true : (tensor<1x8x4x4xi32>) -> tensor<1x8x1x1xi32>
    %4 = uma.graph.storage_cast %3 : (tensor<1x8x1x1xi32>) -> tensor<1x8x1x1x!quant.uniform<i32:f32, 0.03125>>
    %2 = uma.graph.requantize %4
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Pools on integers">
  ];
}

def FoldQuantizedFunctionsPass : Pass<"uma-graph-fold-quantized-functions", "::mlir::ModuleOp"> {
  let summary = "compute average pools and softmax of quantized bytes as ONNX Runtime";
  let description = [{
    For `avg_pool2d`, `avg_pool3d` and `softmax` between the `dequantize` of a tensor of 8 bits and a `quantize` to the same storage:

    - Average pools keep their means in f32. These are divided by the scale, the zero point is added, and the sum is
      rounded: halves go to another side than with `quantize`, which adds the zero point last.
    - `softmax` takes exponentials from a table of 256 numbers of f32, if the inverse of the scale of its result is a whole number.
      ONNX Runtime rounds others down, so that its results differ from those of the definition.

    Source: ONNX Runtime's `QLinearAveragePool` and `QLinearSoftmax`.

    ```mlir
    %0 = uma.graph.dequantize %x : (tensor<1x8x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x8xf32>
    %1 = uma.graph.softmax %0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %2 = uma.graph.quantize %1 : (tensor<1x8xf32>) -> tensor<1x8x!quant.uniform<u8:f32, 0.00390625>>
    // becomes:
    %3 = uma.graph.take %exponentials, %index axis 0 : (tensor<256xf32>, tensor<1x8xi32>) -> tensor<1x8xf32>
    %4 = uma.graph.sum %3 axis [1] keepdims true : (tensor<1x8xf32>) -> tensor<1x1xf32>
    %5 = uma.graph.divide ... // round, cast to ui8, storage_cast
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Average pools and softmax with ONNX Runtime's rounding">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def TabulateFunctionsPass : Pass<"uma-graph-tabulate-functions", "::mlir::ModuleOp"> {
  let summary = "look up what elementwise operators compute from quantized bytes";
  let description = [{
    Elementwise operators between the `dequantize` of a tensor of 8 bits and a `quantize` to 8 bits, whose other operands are
    constants of one element, become a `take` of a table of 256 integers, which the interpreter computes. What they quantize and
    dequantize on the way is part of the table, as in `x * sigmoid(x)`; so are products on the stored integers, which
    `uma-graph-fold-quantization` makes. Functions that take `min-instructions` or fewer for a vector of elements stay; `uma-lower` passes
    the cost of a lookup on the processor.

    The index is the stored integer; as for any `take`, a negative one counts from the end of the table. Lookups of
    imported models, whose index is the difference from the least integer, get this form, too.

    Source: the tables of TensorFlow Lite's and ONNX Runtime's kernels for sigmoid, tanh and others.

    ```mlir
    %0 = uma.graph.dequantize %x : (tensor<1x8x!quant.uniform<i8:f32, 0.1>>) -> tensor<1x8xf32>
    %1 = uma.graph.sigmoid %0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %2 = uma.graph.quantize %1 : (tensor<1x8xf32>) -> tensor<1x8x!quant.uniform<i8:f32, 0.004>>
    // becomes:
    %3 = uma.graph.storage_cast %x : ...
    %4 = uma.graph.take %table, %3 axis 0 : (tensor<256xi8>, tensor<1x8xi8>) -> tensor<1x8xi8>
    %2 = uma.graph.storage_cast %4 : ...
    ```
  }];
  let options = [
    Option<"minInstructions", "min-instructions", "unsigned", "0",
           "Keep functions of this many instructions for a vector of elements, or fewer">
  ];
  let statistics = [
    Statistic<"numTabulated", "tabulated", "Functions that are tables now">
  ];
}

def ShiftZeroPointsPass : Pass<"uma-graph-shift-zero-points", "::mlir::ModuleOp"> {
  let summary = "give data of quantized layers the least zero point";
  let description = [{
    A convolution or a dense layer reads the same stored integers with the least integer of their type as zero
    point; a convolution with padding reads them padded with their own zero point. No step is negative then, so that `uma-graph-legalize-quantization` computes the layer with words of four bytes. The
    bias of each channel gets the distance of the zero points times the sum of the weights, so that no sum changes. Layers
    that cannot have such words, or whose sums may exceed i32 on the way, stay.

    Source: zero points in TensorFlow Lite's and XNNPACK's kernels, which fold them into biases.

    ```mlir
    %0 = uma.graph.dense %x, %w : (tensor<1x8x!quant.uniform<u8:f32, 0.5:7>>, ...) -> ...
    // becomes:
    %1 = uma.graph.storage_cast %x : (tensor<1x8x!quant.uniform<u8:f32, 0.5:7>>) -> tensor<1x8xui8>
    %2 = uma.graph.storage_cast %1 : (tensor<1x8xui8>) -> tensor<1x8x!quant.uniform<u8:f32, 0.5>>
    %0 = uma.graph.dense %2, %w : (tensor<1x8x!quant.uniform<u8:f32, 0.5>>, ...) -> ...
    %3 = uma.graph.bias_add %0, %b
    ```
  }];
  let statistics = [
    Statistic<"numShifted", "shifted", "Layers whose data got another zero point">
  ];
}

def SignDataPass : Pass<"uma-graph-sign-data", "::mlir::ModuleOp"> {
  let summary = "store quantized data in i8 instead of u8";
  let description = [{
    Changes quantized tensors inside of functions from u8 to i8. The scale stays, stored integers and zero point become lower by
    128: the tensors hold the same real numbers, and no result of the network changes. A device that takes int8 requests the
    pass in PRE_PARTITIONING, since ONNX Runtime's quantizer writes uint8 activations by default. The pass changes the data for
    all accelerators of the network.

    - Operators that compute on distances to the zero point, or that move elements, get operands and results of i8: `conv2d`, `conv3d`,
      `dense`, `quantize`, `dequantize`, `requantize`, max pools, `reshape` and others. The `clamp` of `requantize` is shifted.
    - Constants get i8, also those with a scale for each channel.
    - Arguments and results of functions, `storage_cast`, calls and composites keep u8. A `requantize` of equal scales, which
      is exact, converts in front of them or behind them. `uma-graph-legalize-quantization` removes it again.
    - `quantized_add` gets i8 only if no pair of operands has another result, with and without fused operations: its
      formula adds zero points in f32. With `rounding "tflite"`, none ever has.
    - Average pools that `uma-graph-fold-quantized-functions` rounds as ONNX Runtime keep u8, because their rounding depends on
      the zero point. So do average pools and softmax between u8 and i8, which stay in f32.
    - Tensors with several scales that are no constants keep u8.

    Run it behind `uma-graph-fold-quantization`, which folds layers only if their tensors have the same storage.

    Source: ONNX Runtime's `QDQS8ToU8Transformer` does the opposite; Relay `qnn.Legalize` shifts the data for Intel's and ARM's
    instructions.

    ```mlir
    %0 = uma.graph.requantize %sums clamp [3, 255]
        : (tensor<1x8x!quant.uniform<i32:f32, 0.01>>) -> tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>
    %1 = uma.graph.storage_cast %0 : (tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<1x8xui8>
    // becomes:
    %0 = uma.graph.requantize %sums clamp [-125, 127]
        : (tensor<1x8x!quant.uniform<i32:f32, 0.01>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.5:-125>>
    %2 = uma.graph.requantize %0
        : (tensor<1x8x!quant.uniform<i8:f32, 0.5:-125>>) -> tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>
    %1 = uma.graph.storage_cast %2 : (tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<1x8xui8>
    ```
  }];
  let statistics = [
    Statistic<"numTensors", "tensors", "Results of operators that are i8 now">,
    Statistic<"numConversions", "conversions", "Conversions between u8 and i8">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def EqualizePass : Pass<"uma-graph-equalize", "::mlir::ModuleOp"> {
  let summary = "move factors of channels to the next layer's weights";
  let description = [{
    For each `conv2d` or `dense` of f32 whose result, behind an optional `bias_add` and an optional `relu`, only another layer of
    the same kind reads: divides the weights and the bias of channel `c` by a factor and multiplies the next layer's weights for
    `c` by it. The factor is the power of two nearest to 1 for which the largest weights differ least:
    `2^trunc(log2(largest / largest of the next layer) / 2)`. The results are the same bits unless a number underflows. Depthwise and grouped convolutions are
    included. Repeats until nothing changes, at most 20 times, since factors move along chains.

    Use it before ranges are measured for `uma-graph-quantize`: the channels of the tensor between both layers become more alike.

    Source: Nagel et al. 2019, cross-layer equalization.

    ```mlir
    %0 = uma.graph.dense %x, %v // weights [[16.0], [1.0]]
    %1 = uma.graph.relu %0
    %2 = uma.graph.dense %1, %w // weights [[1.0, 1.0]]
    // becomes: weights [[4.0], [1.0]] and [[4.0, 1.0]]
    ```
  }];
  let statistics = [Statistic<"numEqualized", "equalized", "Layers whose weights gave a factor away">];
}

def QuantizePass : Pass<"uma-graph-quantize", "::mlir::ModuleOp"> {
  let summary = "quantize a float network from the ranges of its tensors";
  let description = [{
    Inserts `quantize` and `dequantize` around the layers that `uma-graph-fold-quantization` computes on integers. The range of a
    tensor is the attribute `uma.range` on its operation or function argument: a lower and an upper bound for each result. The pass
    widens it to contain 0.

    - `conv2d` and `dense` of f32 with constant weights, with `bias_add`, `relu` and `clip` behind them: data and result become i8 with one
      scale and zero point; weights i8 with zero point 0 and a scale for each output channel, `max |w| / 127`; a constant bias
      i32 with the product of the scales of data and weights. The scale of a channel grows if its bias would exceed 2^30 otherwise.
    - `add` of two tensors of one shape: operands and result become i8.
    - `reshape`, `batch_flatten`, `transpose`, `strided_slice`, `max_pool2d` and `concatenate` beside a quantized tensor: operands and
      result share one type, for the union of their ranges.

    All other operators stay in f32 between `dequantize` and `quantize`. Layers with the attribute `uma.keep_float` stay, too. A layer
    that stays in f32 is a remark with the reason. Both attributes are removed.

    Source: Relay `quantize`, ONNX Runtime's `quantize_static`; scales as in Jacob et al. 2018.

    ```mlir
    %0 = uma.graph.dense %x, %w {uma.range = array<f64: -2.0, 3.1>} // the range of %x is -1.0 to 1.55
    // becomes (%v is a dequantized constant):
    %1 = uma.graph.quantize %x : (tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32, 0.01:-28>>
    %2 = uma.graph.dequantize %1
    %3 = uma.graph.dense %2, %v
    %4 = uma.graph.quantize %3
    %0 = uma.graph.dequantize %4
    ```
  }];
  let statistics = [
    Statistic<"numLayers", "layers", "Layers quantized">,
    Statistic<"numFloat", "float", "Convolutions and dense layers that stay in f32">
  ];
  let dependentDialects = ["::uma::UMADialect", "::mlir::quant::QuantDialect"];
}

#endif // UMA_GRAPH_TRANSFORMS_QUANTIZATIONPASSES_TD
