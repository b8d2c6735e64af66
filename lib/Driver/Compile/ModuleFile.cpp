//===- ModuleFile.cpp - Reading MLIR files --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ModuleFile.h"

#include "uma/Support/RunInFork.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace uma;

/// The bytecode reader rejects a buffer with a smaller alignment than its
/// weights. The allocator guarantees only 16 bytes; a page always suffices.
static constexpr llvm::Align kPage = llvm::Align::Constant<4096>();

std::unique_ptr<llvm::MemoryBuffer> uma::copyModuleBytes(StringRef bytes,
                                                         StringRef name) {
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size(),
                                                                  name, kPage);
  llvm::copy(bytes, buffer->getBufferStart());
  return buffer;
}

std::unique_ptr<llvm::MemoryBuffer>
uma::openModuleFile(StringRef path, const ModelContext &context) {
  std::string message;
  auto buffer = openInputFile(path, kPage, &message);
  if (!buffer)
    (void)context.fail(ExitCode::BadInput, message);
  return buffer;
}

/// Reads the module in a separate process. Emits an error and fails if the
/// process crashes or exceeds its limits.
static LogicalResult tryToParse(const std::shared_ptr<llvm::SourceMgr> &source,
                                const llvm::MemoryBuffer &buffer,
                                ModelContext &context) {
  ForkLimits limits;
  limits.seconds += buffer.getBufferSize() >> 20;
  limits.bytes += 4 * uint64_t(buffer.getBufferSize());
  ForkResult result = runInFork(
      [&] { (void)parseSourceFile<ModuleOp>(source, context.get()); }, limits);
  if (result != ForkResult::Crashed && result != ForkResult::TooLong)
    return success();
  StringRef reader = isBytecode(buffer.getMemBufferRef())
                         ? ": is damaged: MLIR's bytecode reader "
                         : ": is no valid MLIR: its parser ";
  StringRef problem = result == ForkResult::Crashed
                          ? "crashes on it"
                          : "does not come to an end with it";
  (void)context.fail(ExitCode::BadInput,
                     buffer.getBufferIdentifier() + reader + problem);
  return failure();
}

OwningOpRef<ModuleOp>
uma::parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                 ModelContext &context, bool isTrusted) {
  const llvm::MemoryBuffer &contents = *buffer;
  auto source = std::make_shared<llvm::SourceMgr>();
  source->AddNewSourceBuffer(std::move(buffer), SMLoc());
  if (!isTrusted && failed(tryToParse(source, contents, context)))
    return nullptr;
  // The reader rejects some damaged bytecode without an error.
  bool hasError = false;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // The next handler prints it.
  });
  auto module = parseSourceFile<ModuleOp>(source, context.get());
  if (!module && !hasError)
    (void)context.fail(ExitCode::BadInput,
                       contents.getBufferIdentifier() +
                           ": is damaged: MLIR's reader refuses it");
  return module;
}
