//===- PlanModel.h - Plan of a model's layers -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPILE_PLANMODEL_H
#define UMA_LIB_DRIVER_COMPILE_PLANMODEL_H

#include "Model.h"

namespace uma {

/// Loads a model and plans its layers as `uma compile` does: `module` is a
/// planned module, whose layers on the CPU have all their attributes.
ExitCode planModel(const ModelOptions &options, ModelContext &context,
                   mlir::OwningOpRef<mlir::ModuleOp> &module);

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPILE_PLANMODEL_H
