//===- Passes.h - Passes on the tir family -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_TRANSFORMS_PASSES_H
#define UMA_TIR_TRANSFORMS_PASSES_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/Pass/Pass.h"

namespace uma::tir {

#define GEN_PASS_DECL
#include "uma/TIR/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "uma/TIR/Transforms/Passes.h.inc"

} // namespace uma::tir

#endif // UMA_TIR_TRANSFORMS_PASSES_H
