//===- Passes.h - The named pipelines of the project -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_PIPELINES_PASSES_H
#define UMA_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace uma {

#define GEN_PASS_DECL
#include "uma/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "uma/Pipelines/Passes.h.inc"

} // namespace uma

#endif // UMA_PIPELINES_PASSES_H
