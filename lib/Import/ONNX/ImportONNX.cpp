//===- ImportONNX.cpp - Reads ONNX models into uma.graph ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/ONNX/ImportONNX.h"

#include "GraphImporter.h"

#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/ProgramStack.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static OwningOpRef<ModuleOp> importModel(onnx::ModelProto &model, bool isParsed,
                                         StringRef path, MLIRContext *context,
                                         const ONNXImportOptions &options,
                                         ImportErrors &errors) {
  if (isParsed)
    return GraphImporter(context, errors, model, path, options).run();
  (void)errors.badInput("is no ONNX model: it is no protobuf of one, or it "
                        "is damaged");
  return {};
}

/// Runs `import` on a stack that suffices and emits its diagnostics. Sets
/// `module` unless there was an error.
static ImportStatus
runImport(MLIRContext *context, StringRef path,
          function_ref<OwningOpRef<ModuleOp>(ImportErrors &)> import,
          OwningOpRef<ModuleOp> &module) {
  context->loadDialect<func::FuncDialect, UMADialect>();
  ImportErrors errors;
  OwningOpRef<ModuleOp> result;
  llvm::runOnNewStack(kStackBytes, [&] { result = import(errors); });
  // Handlers may depend on the thread.
  Location file = FileLineColLoc::get(context, path, 0, 0);
  for (const std::string &warning : errors.getWarnings())
    emitWarning(file) << warning;
  if (errors.hasError())
    emitError(file) << errors.getMessage();
  else
    module = std::move(result);
  return errors.getStatus();
}

ImportStatus uma::importONNX(llvm::MemoryBufferRef buffer, MLIRContext *context,
                             const ONNXImportOptions &options,
                             OwningOpRef<ModuleOp> &module) {
  StringRef path = buffer.getBufferIdentifier();
  auto import = [&](ImportErrors &errors) -> OwningOpRef<ModuleOp> {
    if (failed(checkModelSize(errors, buffer.getBufferSize())))
      return {};
    onnx::ModelProto model;
    bool isParsed = parseProtobuf(model, buffer.getBuffer());
    return importModel(model, isParsed, path, context, options, errors);
  };
  return runImport(context, path, import, module);
}

ImportStatus uma::importONNX(StringRef path, MLIRContext *context,
                             const ONNXImportOptions &options,
                             OwningOpRef<ModuleOp> &module) {
  auto import = [&](ImportErrors &errors) -> OwningOpRef<ModuleOp> {
    // Parse the file without a buffer, which would be in memory beside all
    // weights.
    onnx::ModelProto model;
    FailureOr<bool> isParsed = parseModelFile(errors, model, path);
    if (failed(isParsed))
      return {};
    return importModel(model, *isParsed, path, context, options, errors);
  };
  return runImport(context, path, import, module);
}
