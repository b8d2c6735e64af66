//===- WindowRules.h - Windows of convolutions and pools -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_WINDOWRULES_H
#define UMA_LIB_IMPORT_TFLITE_WINDOWRULES_H

#include "Node.h"

#include "uma/Graph/IR/Window.h"

namespace uma::tflite {

/// Checks strides and dilations and sets the padding of a window, whose other
/// members are set. Reports windows that fit nowhere.
mlir::LogicalResult setPadding(Node &node, schema::Padding padding,
                               graph::Window &window);

/// Returns the padding of a window as all begins, then all ends.
llvm::SmallVector<int64_t> getPads(const graph::Window &window);

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_WINDOWRULES_H
