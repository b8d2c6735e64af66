//===- GraphQuantOps.td - Between real numbers and integers -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Quantized tensors have the element types of upstream's quant dialect. Scales
// and zero points are part of these types, never operands.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHQUANTOPS_TD
#define UMA_GRAPH_IR_GRAPHQUANTOPS_TD

include "uma/Graph/IR/GraphBase.td"

/// Operator whose result type is part of its text: no operand determines it.
class Graph_QuantOp<string name, list<Trait> traits = []> : Graph_Op<name, !listconcat(traits, [Pure])> {
  let arguments = (ins Graph_Tensor:$data);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$data attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_QuantizeOp : Graph_QuantOp<"quantize", [Graph_Sliceable]> {
  let summary = "round real numbers to quantized ones";
  let description = [{
    `min(max(round(data / scale) + zero_point, storage_min), storage_max)`, with the parameters of the result's type.
    The quotient is computed in f32 and rounded half to even. The result for NaN is not specified. Source: ONNX
    `QuantizeLinear`, Relay `qnn.quantize`.

    With `rounding "tflite"`, halves are rounded away from zero, as TensorFlow Lite does, and integer layers that end in
    this operator get `uma.graph.requantize` with the same attribute.

    ```mlir
    %0 = uma.graph.quantize %x : (tensor<1x8xf32>) -> tensor<1x8x!quant.uniform<i8:f32, 0.05:3>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_DefaultStr<"float">:$rounding);
  let assemblyFormat = "$data (`rounding` $rounding^)? attr-dict `:` functional-type(operands, results)";
}

def Graph_DequantizeOp : Graph_InferredOp<"dequantize", [Graph_Sliceable]> {
  let summary = "real numbers of quantized ones";
  let description = [{
    `(data - zero_point) * scale`, computed in f32. Source: ONNX `DequantizeLinear`, Relay `qnn.dequantize`.

    ```mlir
    %0 = uma.graph.dequantize %q : (tensor<1x8x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<1x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data);
  let assemblyFormat = "$data attr-dict `:` functional-type(operands, results)";
}

def Graph_RequantizeOp : Graph_QuantOp<"requantize", [Graph_Sliceable]> {
  let summary = "round quantized numbers to another scale";
  let description = [{
    Rescales integers without leaving them: `min(max(round(f32(data - zero_point) * factor) + zero_point', min), max)`. The
    factor is f32(scale) / f32(scale'), divided in f32; the product is rounded to f32, then half to even. This is the
    formula of ONNX Runtime's integer kernels. `clamp` narrows the bounds of the result: an activation such as `relu`, in
    stored integers. Source: ONNX `QLinearConv`, Relay `qnn.requantize`.

    `rounding "tflite"` is the formula of TensorFlow Lite's reference kernels, in integers. With the quotient of the scales,
    computed in f64 (after rounding the scale to f32 if there is one for the tensor), as `m * 2^(s - 31)`, where `m` is an
    integer of 31 bits, it computes `p = (d * m + 2^30) >> 31`, in 64 bits, and divides by `2^max(-s, 0)`, rounding halves
    away from zero. `d` is `(data - zero_point) * 2^max(s, 0)`, saturated to 32 bits.

    ```mlir
    %0 = uma.graph.requantize %sums clamp [3, 127]
        : (tensor<1x8x!quant.uniform<i32:f32, 0.001>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.05:3>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, OptionalAttr<DenseI64ArrayAttr>:$clamp,
                       Graph_DefaultStr<"float">:$rounding);
  let assemblyFormat = "$data (`clamp` $clamp^)? (`rounding` $rounding^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Returns the smallest and the largest stored integer of the result.
    ::std::pair<int64_t, int64_t> getBounds();
    /// Returns whether the result stands for the same real numbers as the data:
    /// only storage and zero points differ.
    bool isExact();
  }];
}

def Graph_QuantizedAddOp : Graph_Op<"quantized_add", [Pure, AllShapesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "the sum of two quantized tensors, at another scale";
  let description = [{
    Adds quantized numbers of any scales: `min(max(round(fma(lhs, a, fma(rhs, b, c))), min), max)` of the stored integers,
    where `a` and `b` are the scales of the operands divided by that of the result, in f32, and
    `c = zero_point - fma(a, zero_point_lhs, b * zero_point_rhs)`. `fma` rounds once, to f32; processors without such an
    instruction round its product, too. This is the formula of ONNX Runtime's kernel. Each tensor has one scale. Sources:
    ONNX Runtime `com.microsoft.QLinearAdd`, Relay `qnn.add`.

    With `rounding "tflite"`, in integers as TensorFlow Lite's reference kernel: both operands, minus their zero points and shifted
    to the left by 20 bits, are requantized to twice the larger scale of the two, added, and the sum is requantized.

    ```mlir
    %0 = uma.graph.quantized_add %x, %y : (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>,
        tensor<1x8x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.75:-8>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs, Graph_DefaultStr<"float">:$rounding);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`rounding` $rounding^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The numbers of the formula in floats.
    struct Factors {
      float lhs, rhs, constant;
    };
    Factors getFactors();
    /// Returns them for operands and a result of these element types.
    static Factors getFactors(::mlir::Type lhs, ::mlir::Type rhs, ::mlir::Type result);

    /// The scales of the formula in integers: those of the shifted operands and
    /// that of their sum.
    struct FixedPointScales {
      ::uma::Quantization lhs, rhs, sum;
    };
    FixedPointScales getFixedPointScales();
    /// Number of bits by which operands are shifted to the left.
    static constexpr int kLeftShift = 20;
  }];
}

def Graph_FixedPointMultiplyOp : Graph_InferredOp<"fixed_point_multiply", [Graph_Elementwise]> {
  let summary = "multiply integers by real factors, in integers";
  let description = [{
    Multiplies elements of i32 by `multiplier * 2^(-31 - shift)`. The product and its shift by 31 bits are computed in 64 bits:
    `p = (data * multiplier + 2^30) >> 31`. Then `p / 2^shift` is rounded, halves away from zero. Multipliers are 0 or more,
    shifts 0 to 31 bits; the shapes broadcast as in NumPy. `uma-graph-legalize-quantization` makes it of
    `uma.graph.requantize`. Sources: TensorFlow Lite's `MultiplyByQuantizedMultiplier`, Relay
    `fixed_point_multiply_per_axis`.

    ```mlir
    %0 = uma.graph.fixed_point_multiply %x, %m, %s
        : (tensor<1x4x8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<1x4x8xi32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$multiplier, Graph_Tensor:$shift);
  let assemblyFormat = "$data `,` $multiplier `,` $shift attr-dict `:` functional-type(operands, results)";
}

def Graph_StorageCastOp : Graph_QuantOp<"storage_cast"> {
  let summary = "the same bits with the storage type or the quantized type";
  let description = [{
    Converts between a quantized type and the integers that store it. No bit changes. Constants and the interface of a network
    hold the integers. Source: upstream `quant.scast`, which has no unsigned integers.

    ```mlir
    %0 = uma.graph.storage_cast %x : (tensor<1x8xui8>) -> tensor<1x8x!quant.uniform<u8:f32, 0.05:128>>
    ```
  }];
  let hasFolder = 1;
}

#endif // UMA_GRAPH_IR_GRAPHQUANTOPS_TD
