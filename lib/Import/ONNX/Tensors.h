//===- Tensors.h - Elements of TensorProtos -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_TENSORS_H
#define UMA_LIB_IMPORT_ONNX_TENSORS_H

#include "Support.h"

#include "uma/Support/HostTensor.h"

namespace uma::importer {

/// Reads the elements of TensorProtos from raw_data, a typed field or another
/// file.
class TensorReader {
public:
  /// External data are searched for beside the file `modelPath`.
  TensorReader(mlir::MLIRContext *context, ImportErrors &errors,
               llvm::StringRef modelPath)
      : context(context), errors(errors), modelPath(modelPath) {}

  /// Returns the type of a tensor. Messages start with `what`, e.g.
  /// "initializer 'w'".
  mlir::FailureOr<mlir::RankedTensorType> getType(const llvm::Twine &what,
                                                  const onnx::TensorProto &);

  /// Returns a tensor as host data; it may be empty. For the few values that
  /// the importer evaluates itself, such as shapes.
  mlir::FailureOr<HostTensor> read(const llvm::Twine &what,
                                   const onnx::TensorProto &);

  /// Returns a sparse tensor with its zeros.
  mlir::FailureOr<HostTensor> readSparse(const llvm::Twine &what,
                                         const onnx::SparseTensorProto &);

  /// Returns a tensor as an attribute: `dense` up to 64 bytes, otherwise a
  /// `dense_resource` called `name`. Removes the raw data from the
  /// tensor.
  mlir::FailureOr<mlir::ElementsAttr> readAttribute(const llvm::Twine &what,
                                                    llvm::StringRef name,
                                                    onnx::TensorProto &);

private:
  mlir::LogicalResult readElements(const llvm::Twine &what,
                                   const onnx::TensorProto &,
                                   mlir::RankedTensorType,
                                   llvm::MutableArrayRef<char> elements);

  mlir::MLIRContext *context;
  ImportErrors &errors;
  std::string modelPath;
};

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_TENSORS_H
