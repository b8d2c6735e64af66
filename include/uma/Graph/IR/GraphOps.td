//===- GraphOps.td - All operations of the graph family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHOPS_TD
#define UMA_GRAPH_IR_GRAPHOPS_TD

include "uma/Graph/IR/GraphImageOps.td"
include "uma/Graph/IR/GraphIndexOps.td"
include "uma/Graph/IR/GraphMathOps.td"
include "uma/Graph/IR/GraphMatrixOps.td"
include "uma/Graph/IR/GraphMovementOps.td"
include "uma/Graph/IR/GraphNNOps.td"
include "uma/Graph/IR/GraphRecurrentOps.td"
include "uma/Graph/IR/GraphNormalizationOps.td"
include "uma/Graph/IR/GraphQuantOps.td"
include "uma/Graph/IR/GraphReduceOps.td"
include "uma/Graph/IR/GraphShapeOps.td"
include "uma/Graph/IR/GraphSignalOps.td"
include "uma/Graph/IR/GraphStructureOps.td"
include "uma/Graph/IR/GraphWindowOps.td"

#endif // UMA_GRAPH_IR_GRAPHOPS_TD
