//===- AccelQuantOps.td - Numbers of quantized tensors -*- tablegen -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Functions of expressions that read the type of a quantized tensor, and the
// arrays of such numbers that calls take.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELQUANTOPS_TD
#define UMA_ACCEL_IR_ACCELQUANTOPS_TD

include "uma/Accel/IR/AccelBase.td"
include "uma/Accel/IR/NumberFunctionOpInterface.td"

class Accel_QuantFunctionOp<string name, string description_, string tensor, string type>
    : Accel_Op<name, [HasParent<"PatternOp">, Pure, DeclareOpInterfaceMethods<Accel_NumberFunctionOpInterface,
        ["isFloat", "getArrayElementType"]>]> {
  let description = description_ # [{

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @rescale {
        %x = uma.accel.input "x" i32
        %y = uma.accel.op "requantize"(%x) as "y"
        %f = uma.accel.factor %y
        %0 = uma.accel.}] # name # " " # tensor # [{
        uma.accel.call "npu"(%x, %y, %f, %0) : !uma.accel.tensor, !uma.accel.tensor, f64, }] # type # [{
      }
    }
    ```
  }];
  let arguments = (ins Accel_TensorType:$tensor);
  let assemblyFormat = "$tensor attr-dict";
  let hasVerifier = 1;
}

def Accel_ScaleOp : Accel_QuantFunctionOp<"scale", [{
    A stored integer q stands for `(q - zero_point) * scale`. 1 for a tensor that is not quantized, 0 for one that is not part
    of the match.}], "%x", "f64"> {
  let summary = "the scale of a quantized tensor";
  let results = (outs F64:$result);
}

def Accel_ZeroPointOp : Accel_QuantFunctionOp<"zero_point", [{
    0 for a tensor that is not quantized, or not part of the match.}], "%x", "index"> {
  let summary = "the stored integer of a quantized tensor that stands for 0";
  let results = (outs Index:$result);
}

def Accel_FactorOp : Accel_QuantFunctionOp<"factor", [{
    The scale of the operand divided by the scale of the result, in f32; see `uma.graph.requantize`.}], "%y", "f64"> {
  let summary = "the factor by which a requantize multiplies";
  let results = (outs F64:$result);
}

def Accel_MultiplierOp : Accel_QuantFunctionOp<"multiplier", [{
    The factor of a `requantize` in fixed point: `multiplier * 2^(shift - 31)`, where the multiplier is at least 2^30 and less
    than 2^31. Source: the output multipliers of TFLite and CMSIS-NN.}], "%y", "index"> {
  let summary = "the mantissa of a requantize's factor, as an integer";
  let results = (outs Index:$result);
}

def Accel_ShiftOp : Accel_QuantFunctionOp<"shift", [{
    See `uma.accel.multiplier`. Negative for a shift to the right.}], "%y", "index"> {
  let summary = "the exponent of a requantize's factor";
  let results = (outs Index:$result);
}

def Accel_ArrayOp : Accel_Op<"array", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "an array of numbers, one for each channel of a tensor";
  let description = [{
    A constant array of `count` elements for calls: the values of `function` for the channels of the tensor, or its single
    value in every element. If the tensor has another number of channels, there is no match. The elements are f32 for
    `scale` and `factor`, i32 for `zero_point`, `multiplier` and `shift`. A null pointer if the tensor is not part of the
    match.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @rescale {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" i32 [1, %n]
        %y = uma.accel.op "requantize"(%x) as "y"
        %f = uma.accel.array "factor" %y [%n]
        uma.accel.call "npu"(%x, %y, %f, %n) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$function, Accel_TensorType:$tensor, Index:$count);
  let results = (outs Accel_TensorType:$result);
  let assemblyFormat = "$function $tensor ` ` `[` $count `]` attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the type of the elements.
    ::mlir::Type getElementType();
  }];
}

#endif // UMA_ACCEL_IR_ACCELQUANTOPS_TD
