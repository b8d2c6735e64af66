//===- GraphStructureOps.td - Constants and composites -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHSTRUCTUREOPS_TD
#define UMA_GRAPH_IR_GRAPHSTRUCTUREOPS_TD

include "uma/Graph/IR/GraphBase.td"

def Graph_ConstantOp : Graph_Op<"constant", [Pure, ConstantLike, 
    AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor known at compile time";
  let description = [{
    Weights of a model are `dense_resource`, which MLIR does not unique, hash or copy; small values are `dense`.
    Source: Relay `relay.const`, ONNX initializers and `Constant`.

    ```mlir
    %0 = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Graph_CompositeOp : Graph_Op<"composite", [Pure, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "the operators that one pattern of an accelerator matched";
  let description = [{
    Holds the matched operators in an isolated region whose arguments are the operands, so that later passes treat the
    match as one operator. `pattern` names the `uma.accel.pattern` of an accelerator. Source: Relay's functions with
    the attribute `Composite`, made by `MergeComposite`.

    ```mlir
    %0 = uma.graph.composite @vanilla::@conv2d (%a = %x : tensor<1x8x4x4xf32>, %b = %w : tensor<8x8x1x1xf32>)
        -> tensor<1x8x4x4xf32> {
      %1 = uma.graph.conv2d %a, %b
          : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
      uma.graph.yield %1 : tensor<1x8x4x4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, SymbolRefAttr:$pattern);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the name of the accelerator whose pattern matched.
    ::mlir::StringAttr getAccelerator() { return getPattern().getRootReference(); }

    /// Returns the tensor outside of the composite that corresponds to `inner`: the operand for a block argument, the
    /// result for a yielded value, otherwise `inner` itself.
    ::mlir::Value getOuterTensor(::mlir::Value inner);
  }];
}

def Graph_YieldOp : Graph_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"CompositeOp">]> {
  let summary = "end the body of a composite";
  let description = [{
    Returns its operands as the results of the enclosing `uma.graph.composite`; see the example there.
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

#endif // UMA_GRAPH_IR_GRAPHSTRUCTUREOPS_TD
