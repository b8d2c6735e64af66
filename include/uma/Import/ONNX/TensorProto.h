//===- TensorProto.h - Reads ONNX tensor files -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_ONNX_TENSORPROTO_H
#define UMA_IMPORT_ONNX_TENSORPROTO_H

#include "uma/Support/HostTensor.h"

#include "llvm/Support/Error.h"

#include <string>

namespace uma {

struct NamedTensor {
  std::string name; ///< empty if the file gives none
  HostTensor tensor;
};

/// Reads a file with one serialised TensorProto, such as the `input_0.pb` and
/// `output_0.pb` of ONNX's test data. The error is one line that starts with
/// the path.
llvm::Expected<NamedTensor> readTensorProtoFile(llvm::StringRef path,
                                                mlir::MLIRContext *context);

} // namespace uma

#endif // UMA_IMPORT_ONNX_TENSORPROTO_H
