//===- InitAll.h - Registers what the project has -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_INITALL_H
#define UMA_INITALL_H

#include "uma/IR/UMADialect.h"

#include "mlir/IR/DialectRegistry.h"

namespace uma {

/// Registers the `uma` dialect and the interfaces it attaches to others.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<UMADialect>();
}

/// Registers every pass and pipeline of the project.
void registerAllPasses();

} // namespace uma

#endif // UMA_INITALL_H
