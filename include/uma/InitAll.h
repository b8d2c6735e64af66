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

namespace tir {
void registerTransformDialectExtension(mlir::DialectRegistry &registry);
} // namespace tir

/// Registers the `uma` dialect, the interfaces it attaches to others and the
/// operations of its schedules.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<UMADialect>();
  tir::registerTransformDialectExtension(registry);
}

/// Registers every pass and pipeline of the project.
void registerAllPasses();

} // namespace uma

#endif // UMA_INITALL_H
