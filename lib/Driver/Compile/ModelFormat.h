//===- ModelFormat.h - Formats of models -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPILE_MODELFORMAT_H
#define UMA_LIB_DRIVER_COMPILE_MODELFORMAT_H

#include "uma/Driver/Driver.h"

#include <string>

namespace uma {

enum class ModelFormat { Unknown, ONNX, TFLite, MLIR };

/// Finds the format of a model: by the name of its file, or by the first bytes
/// of a model in memory, which may be damaged after them. Returns an error
/// message if there is no such file or the format is unknown; otherwise an
/// empty string.
std::string findModelFormat(const ModelOptions &options, ModelFormat &format);

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPILE_MODELFORMAT_H
