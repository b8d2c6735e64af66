//===- Passes.h - Passes that map matches to devices -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_PASSES_H
#define UMA_ACCEL_MAPPING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace uma::accel {

#define GEN_PASS_DECL
#include "uma/Accel/Mapping/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "uma/Accel/Mapping/Passes.h.inc"

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_PASSES_H
