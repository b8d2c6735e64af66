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
      "int64_t", "getMACs">
  ];
  let extraSharedClassDeclaration = [{
    /// True when the padding is what ONNX's auto_pad=SAME_UPPER computes: the
    /// output has ceil(input / stride) elements and an odd pad goes to the end.
    bool isSamePadding() { return $_op.getWindow().isSamePadding(); }
  }];
}

/// How uma-graph-fuse-ops may fuse an operator with others, a member of FusionKind. Elementwise operators need no
/// such trait; all others without one are opaque.
class Graph_Fusion<string kind>
    : ParamNativeOpTrait<"Fusion", "::uma::graph::FusionKind::" # kind> {
  let cppNamespace = "::uma::graph";
}

#endif // UMA_GRAPH_IR_GRAPHINTERFACES_TD
