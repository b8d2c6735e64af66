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
    Operators that slide a window over the spatial dimensions of their data:
    convolutions and pools. Gives partitioning and lowering one view of the
    window, whatever the layout.
  }];
  let methods = [
    InterfaceMethod<"The window over the spatial dimensions, in the order of the data layout: H and W, or D, H and W.",
      "::uma::graph::Window", "getWindow">,
    InterfaceMethod<"The number of multiply-accumulate operations; 0 for pools; the largest int64_t when there are more.",
      "int64_t", "getMACs">,
    InterfaceMethod<[{
        Returns the number that the padding consists of, if a `uma.graph.pad` in front of the operator can take its
        place; nothing otherwise.
      }], "std::optional<double>", "getPaddingNumber", (ins), [{}], [{ return std::nullopt; }]>
  ];
  let extraSharedClassDeclaration = [{
    /// True when the padding is what ONNX's auto_pad=SAME_UPPER computes: the
    /// output has ceil(input / stride) elements and an odd pad goes to the end.
    bool isSamePadding() { return $_op.getWindow().isSamePadding(); }
  }];
}

def SliceableOpInterface : OpInterface<"SliceableOpInterface"> {
  let cppNamespace = "::uma::graph";
  let description = [{
    Operators whose result can be computed slice by slice: the elements along some dimensions are independent of one
    another. Lets a match of an accelerator be split where the device has a limit.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the axis along which the result is sliced if each operand is sliced along its axis, or not at all.
        Nothing if slices of the result need more than that. At least one operand is sliced.
      }], "std::optional<int64_t>", "getSlicedAxis", (ins "::llvm::ArrayRef<std::optional<int64_t>>":$operandAxes)>,
    InterfaceMethod<[{
        Changes the attributes that depend on sizes, after the operands have been replaced by slices.
      }], "void", "adaptToSlices", (ins), [{}], [{ return; }]>
  ];
}

/// How uma-cpu-form-layers may fuse an operator with others, a member of FusionKind. Elementwise operators need no
/// such trait; all others without one are opaque.
class Graph_Fusion<string kind>
    : ParamNativeOpTrait<"Fusion", "::uma::graph::FusionKind::" # kind> {
  let cppNamespace = "::uma::graph";
}

#endif // UMA_GRAPH_IR_GRAPHINTERFACES_TD
