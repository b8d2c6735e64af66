//===- GraphMathOps.td - Elementwise arithmetic with broadcasting -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHMATHOPS_TD
#define UMA_GRAPH_IR_GRAPHMATHOPS_TD

include "uma/Graph/IR/GraphBase.td"

class Graph_BinaryOp<string name, string formula, string origin, list<Trait> traits = []>
    : Graph_InferredOp<name, traits> {
  let summary = "`" # formula # "` with broadcasting";
  let description = "`" # formula # "`, element by element; shapes broadcast as NumPy's " #
    "(ONNX multidirectional). Source: " # origin # ".\n\n```mlir\n%0 = uma.graph." # name #
    " %a, %b : (tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) -> tensor<1x8x4x4xf32>\n```\n";
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def Graph_AddOp : Graph_BinaryOp<"add", "lhs + rhs", "Relay `add`, ONNX `Add`", [Commutative]>;
def Graph_SubtractOp : Graph_BinaryOp<"subtract", "lhs - rhs", "Relay `subtract`, ONNX `Sub`">;
def Graph_MultiplyOp : Graph_BinaryOp<"multiply", "lhs * rhs", "Relay `multiply`, ONNX `Mul`", [Commutative]>;
def Graph_DivideOp : Graph_BinaryOp<"divide", "lhs / rhs", "Relay `divide`, ONNX `Div`">;

#endif // UMA_GRAPH_IR_GRAPHMATHOPS_TD
