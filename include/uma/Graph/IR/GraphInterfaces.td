//===- GraphInterfaces.td - Interfaces of the graph family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHINTERFACES_TD
#define UMA_GRAPH_IR_GRAPHINTERFACES_TD

include "mlir/IR/OpBase.td"

def WindowOpInterface : OpInterface<"WindowOpInterface"> {
  let cppNamespace = "::uma::graph";
  let description = [{
    Operators that slide a window over the spatial dimensions of their data: convolutions and pools. Partitioning and
    lowering access the window through it, independently of the layout.
  }];
  let methods = [
    InterfaceMethod<"Returns the window over the spatial dimensions, in the order of the data layout: H and W, or D, H and W.",
      "::uma::graph::Window", "getWindow">,
    InterfaceMethod<"Returns the number of multiply-accumulate operations, saturated at the largest int64_t; 0 for pools.",
      "int64_t", "getMACs">,
    InterfaceMethod<[{
        Returns the value of the padding if a `uma.graph.pad` in front of the operator can replace it, or std::nullopt
        otherwise.
      }], "std::optional<double>", "getPaddingNumber", (ins), [{}], [{ return std::nullopt; }]>
  ];
  let extraSharedClassDeclaration = [{
    /// Whether the padding equals ONNX's auto_pad=SAME_UPPER: the output has
    /// ceil(input / stride) elements, and the odd element goes to the end.
    bool isSamePadding() { return $_op.getWindow().isSamePadding(); }
  }];
}

def SliceableOpInterface : OpInterface<"SliceableOpInterface"> {
  let cppNamespace = "::uma::graph";
  let description = [{
    Operators whose result can be computed slice by slice: the elements along some dimensions are independent of one
    another. A match of an accelerator is split along such a dimension if it exceeds a limit of the device.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the axis along which the result is sliced if each operand is sliced along its entry of `operandAxes`;
        std::nullopt is an operand that is not sliced. Returns std::nullopt if a slice of the result needs other
        elements of the operands, too. At least one operand is sliced.
      }], "std::optional<int64_t>", "getSlicedAxis", (ins "::llvm::ArrayRef<std::optional<int64_t>>":$operandAxes)>,
    InterfaceMethod<[{
        Adapts the attributes that depend on sizes after the operands have been replaced by slices.
      }], "void", "adaptToSlices", (ins), [{}], [{ return; }]>
  ];
}

/// Fusion kind of an operator in uma-cpu-form-layers: a member of FusionKind. Elementwise operators do not need this
/// trait; all other operators without it are opaque.
class Graph_Fusion<string kind>
    : ParamNativeOpTrait<"Fusion", "::uma::graph::FusionKind::" # kind> {
  let cppNamespace = "::uma::graph";
}

#endif // UMA_GRAPH_IR_GRAPHINTERFACES_TD
