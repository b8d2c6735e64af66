//===- Passes.td - The named pipelines of the project -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_PIPELINES_PASSES_TD
#define UMA_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // UMA_PIPELINES_PASSES_TD
