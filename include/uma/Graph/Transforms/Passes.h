//===- Passes.h - Passes on the graph family -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_PASSES_H
#define UMA_GRAPH_TRANSFORMS_PASSES_H

#include "uma/IR/UMADialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace uma::graph {

#define GEN_PASS_DECL
#include "uma/Graph/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "uma/Graph/Transforms/Passes.h.inc"

} // namespace uma::graph

#endif // UMA_GRAPH_TRANSFORMS_PASSES_H
