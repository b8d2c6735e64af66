//===- ImportONNX.cpp - Reads ONNX models into uma.graph ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/ONNX/ImportONNX.h"

#include "GraphImporter.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static OwningOpRef<ModuleOp> importModel(onnx::ModelProto &model, bool isParsed,
                                         StringRef path, MLIRContext *context,
                                         const ONNXImportOptions &options,
                                         ImportErrors &errors) {
  context->loadDialect<func::FuncDialect, UMADialect>();
  if (isParsed)
    return GraphImporter(context, errors, model, path, options).run();
  (void)errors.badInput("is no ONNX model: it is no protobuf of one, or it "
                        "is damaged");
  return {};
}

/// Emits the error of an import, if any, and returns its status.
static ImportStatus finish(MLIRContext *context, StringRef path,
                           const ImportErrors &errors) {
  if (errors.hasError())
    emitError(FileLineColLoc::get(context, path, 0, 0)) << errors.getMessage();
  return errors.getStatus();
}

ImportStatus uma::importONNX(llvm::MemoryBufferRef buffer, MLIRContext *context,
                             const ONNXImportOptions &options,
                             OwningOpRef<ModuleOp> &module) {
  ImportErrors errors;
  OwningOpRef<ModuleOp> result;
  StringRef path = buffer.getBufferIdentifier();
  if (succeeded(checkModelSize(errors, buffer.getBufferSize()))) {
    onnx::ModelProto model;
    bool isParsed = parseProtobuf(model, buffer.getBuffer());
    result = importModel(model, isParsed, path, context, options, errors);
  }
  if (!errors.hasError())
    module = std::move(result);
  return finish(context, path, errors);
}

ImportStatus uma::importONNX(StringRef path, MLIRContext *context,
                             const ONNXImportOptions &options,
                             OwningOpRef<ModuleOp> &module) {
  ImportErrors errors;
  OwningOpRef<ModuleOp> result;
  onnx::ModelProto model;
  // Parse the file without a buffer, which would be in memory beside all
  // weights.
  FailureOr<bool> isParsed = parseModelFile(errors, model, path);
  if (succeeded(isParsed))
    result = importModel(model, *isParsed, path, context, options, errors);
  if (!errors.hasError())
    module = std::move(result);
  return finish(context, path, errors);
}
