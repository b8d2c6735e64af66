//===- TensorFile.h - Reads tensors of any kind of file -*- C++ -*---------===//
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
/// little-endian file. Another element type, shape or size is an error that
/// says what was found and what was expected.
llvm::Expected<HostTensor> readTensor(llvm::StringRef path,
                                      mlir::RankedTensorType type);

/// Reads a tensor from a file that says its type: `.npy` or ONNX `.pb`;
/// std::nullopt for files of other names.
llvm::Expected<std::optional<HostTensor>>
readTypedTensor(llvm::StringRef path, mlir::MLIRContext *context);

} // namespace uma

#endif // UMA_IMPORT_ONNX_TENSORFILE_H
