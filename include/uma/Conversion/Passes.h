//===- Passes.h - Conversions between families and dialects -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_PASSES_H
#define UMA_CONVERSION_PASSES_H

#include "uma/Conversion/TIRToEmitC/Threads.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/CommandLine.h"

namespace uma {

#define GEN_PASS_DECL
#include "uma/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "uma/Conversion/Passes.h.inc"

} // namespace uma

#endif // UMA_CONVERSION_PASSES_H
