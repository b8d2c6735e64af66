//===- Passes.td - Conversions between families and dialects -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_PASSES_TD
#define UMA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // UMA_CONVERSION_PASSES_TD
