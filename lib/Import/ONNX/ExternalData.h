//===- ExternalData.h - Tensors stored beside the model -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_EXTERNALDATA_H
#define UMA_LIB_IMPORT_ONNX_EXTERNALDATA_H

#include "Support.h"

namespace uma::importer {

/// Reads the elements of a tensor stored in another file than the model
/// `modelPath` into `to`. Messages start with `what`.
mlir::LogicalResult readExternalData(ImportErrors &errors,
                                     const llvm::Twine &what,
                                     const onnx::TensorProto &tensor,
                                     llvm::StringRef modelPath,
                                     llvm::MutableArrayRef<char> to);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_EXTERNALDATA_H
