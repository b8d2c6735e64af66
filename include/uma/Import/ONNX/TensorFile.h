//===- TensorFile.h - Reads tensors from files -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_ONNX_TENSORFILE_H
#define UMA_IMPORT_ONNX_TENSORFILE_H

#include "uma/Support/HostTensor.h"

#include "llvm/Support/Error.h"

#include <optional>

namespace uma {

/// Reads a tensor of the given type from a `.npy`, an ONNX `.pb` or a raw
/// little-endian file. The error for another element type, shape or size gives
/// the actual and the expected one.
llvm::Expected<HostTensor> readTensor(llvm::StringRef path,
                                      mlir::RankedTensorType type);

/// Reads a tensor from a file that contains its type: `.npy` or ONNX `.pb`.
/// Returns std::nullopt for other extensions.
llvm::Expected<std::optional<HostTensor>>
readTypedTensor(llvm::StringRef path, mlir::MLIRContext *context);

} // namespace uma

#endif // UMA_IMPORT_ONNX_TENSORFILE_H
