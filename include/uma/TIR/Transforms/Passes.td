//===- Passes.td - Passes on the tir family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_TRANSFORMS_PASSES_TD
#define UMA_TIR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // UMA_TIR_TRANSFORMS_PASSES_TD
