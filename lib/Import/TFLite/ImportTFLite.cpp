//===- ImportTFLite.cpp - Reads TensorFlow Lite models into uma.graph -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/TFLite/ImportTFLite.h"

#include "GraphImporter.h"

#include "uma/IR/UMADialect.h"

#include "mlir/Dialect/Quant/IR/Quant.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ProgramStack.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

/// Limits of the verifier: a file with more tables or deeper ones is refused,
/// since tables may be shared and a small file could otherwise take forever.
static constexpr uint32_t kMaxDepth = 64, kMaxTables = 1000000;

/// Verifies all offsets and sizes in the file before anything is read. Returns
/// null after an error.
static const schema::Model *verifyModel(StringRef bytes, ImportErrors &errors) {
  if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    (void)errors.badInput("is larger than 2 GiB, the limit of the format");
    return nullptr;
  }
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  constexpr size_t kSmallest = 8; // an offset and the identifier
  if (bytes.size() < kSmallest || !schema::ModelBufferHasIdentifier(data)) {
    (void)errors.badInput(bytes.empty()
                              ? "is empty"
                              : "is no TensorFlow Lite model: bytes 4 to 7 are "
                                "not 'TFL3'");
    return nullptr;
  }
  flatbuffers::Verifier verifier(data, bytes.size(), kMaxDepth, kMaxTables);
  if (!schema::VerifyModelBuffer(verifier)) {
    (void)errors.badInput("is no TensorFlow Lite model, or it is damaged: an "
                          "offset or a size in it is wrong");
    return nullptr;
  }
  return schema::GetModel(data);
}

ImportStatus uma::importTFLite(llvm::MemoryBufferRef buffer,
                               MLIRContext *context,
                               const TFLiteImportOptions &options,
                               OwningOpRef<ModuleOp> &module) {
  context->loadDialect<func::FuncDialect, quant::QuantDialect, UMADialect>();
  ImportErrors errors;
  OwningOpRef<ModuleOp> result;
  StringRef path = buffer.getBufferIdentifier();
  StringRef bytes = buffer.getBuffer();
  // Numbers in the file are aligned relative to its start.
  std::unique_ptr<llvm::MemoryBuffer> aligned;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % 16 != 0) {
    aligned = llvm::MemoryBuffer::getMemBufferCopy(bytes, path);
    bytes = aligned->getBuffer();
  }
  if (const schema::Model *model = verifyModel(bytes, errors))
    llvm::runOnNewStack(importer::kStackBytes, [&] {
      result = GraphImporter(context, errors, *model, path, options).run();
    });
  if (!errors.hasError())
    module = std::move(result);
  else
    emitError(FileLineColLoc::get(context, path, 0, 0)) << errors.getMessage();
  return errors.getStatus();
}

ImportStatus uma::importTFLite(StringRef path, MLIRContext *context,
                               const TFLiteImportOptions &options,
                               OwningOpRef<ModuleOp> &module) {
  ImportErrors errors;
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      importer::readFile(errors, path);
  if (succeeded(file))
    return importTFLite((*file)->getMemBufferRef(), context, options, module);
  emitError(FileLineColLoc::get(context, path, 0, 0)) << errors.getMessage();
  return errors.getStatus();
}
