//===- Passes.td - Passes on the graph family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_PASSES_TD
#define UMA_GRAPH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // UMA_GRAPH_TRANSFORMS_PASSES_TD
