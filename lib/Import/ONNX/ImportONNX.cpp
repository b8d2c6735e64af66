//===- ImportONNX.cpp - Reads ONNX models into uma.graph ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/ONNX/ImportONNX.h"

#include "GraphImporter.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static OwningOpRef<ModuleOp> importModel(llvm::MemoryBufferRef buffer,
                                         MLIRContext *context,
                                         const ONNXImportOptions &options,
                                         ImportErrors &errors) {
  StringRef bytes = buffer.getBuffer();
  if (bytes.empty()) {
    (void)errors.badInput("is empty");
    return {};
  }
  if (bytes.size() > size_t(std::numeric_limits<int>::max())) {
    (void)errors.badInput("is larger than 2 GiB, the limit of protobuf; save "
                          "the model with external data");
    return {};
  }
  onnx::ModelProto model;
  if (!parseProtobuf(model, bytes)) {
    (void)errors.badInput("is no ONNX model: it is no protobuf of one, or it "
                          "is damaged");
    return {};
  }
  return GraphImporter(context, errors, model, buffer.getBufferIdentifier(),
                       options)
      .run();
}

/// Emits the one error of an import.
static ImportStatus finish(MLIRContext *context, StringRef path,
                           const ImportErrors &errors) {
  if (errors.hasError())
    emitError(FileLineColLoc::get(context, path, 0, 0)) << errors.getMessage();
  return errors.getStatus();
}

ImportStatus uma::importONNX(llvm::MemoryBufferRef buffer, MLIRContext *context,
                             const ONNXImportOptions &options,
                             OwningOpRef<ModuleOp> &module) {
  context->loadDialect<func::FuncDialect, UMADialect>();
  ImportErrors errors;
  OwningOpRef<ModuleOp> result = importModel(buffer, context, options, errors);
  if (!errors.hasError())
    module = std::move(result);
  return finish(context, buffer.getBufferIdentifier(), errors);
}

ImportStatus uma::importONNX(StringRef path, MLIRContext *context,
                             const ONNXImportOptions &options,
                             OwningOpRef<ModuleOp> &module) {
  ImportErrors errors;
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> file = readFile(errors, path);
  if (failed(file))
    return finish(context, path, errors);
  return importONNX((*file)->getMemBufferRef(), context, options, module);
}
