//===- ResourceBlobs.h - Removal of unused resource blobs -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_RESOURCEBLOBS_H
#define UMA_SUPPORT_RESOURCEBLOBS_H

#include "mlir/IR/Operation.h"

namespace uma {

/// Frees the elements of every `dense_resource` in the context that no
/// attribute inside `root`, or the module that contains it, uses; MLIR keeps
/// them for the context's lifetime. Other attributes must not exist: they would
/// lose their elements.
void releaseUnusedBlobs(mlir::Operation *root);

/// Returns the bytes that the elements of every `dense_resource` in the context
/// take.
size_t getBlobBytes(mlir::MLIRContext *context);

} // namespace uma

#endif // UMA_SUPPORT_RESOURCEBLOBS_H
