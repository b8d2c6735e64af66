//===- ResourceBlobs.h - Elements that nothing uses any more -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_RESOURCEBLOBS_H
#define UMA_SUPPORT_RESOURCEBLOBS_H

#include "mlir/IR/Operation.h"

namespace uma {

/// Frees the elements of every `dense_resource` of the context that no
/// attribute inside `root` names; MLIR keeps them as long as the context.
/// Attributes elsewhere lose their elements: only for whoever knows that `root`
/// is all there is.
void releaseUnusedBlobs(mlir::Operation *root);

} // namespace uma

#endif // UMA_SUPPORT_RESOURCEBLOBS_H
