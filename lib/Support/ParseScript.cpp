//===- ParseScript.cpp - Transform scripts from files ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/ParseScript.h"

#include "uma/Support/Nesting.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace uma;

/// Maximum nesting of brackets. Real scripts nest sequences, regions and types
/// less than 10 levels deep.
static constexpr unsigned kMaxDepth = 64;

OwningOpRef<ModuleOp> uma::parseScript(StringRef file, MLIRContext *context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &message);
  if (!buffer) {
    mlir::emitError(UnknownLoc::get(context)) << message;
    return nullptr;
  }
  StringRef text = buffer->getBuffer();
  size_t offset = findTooDeep(text, "([{<", ")]}>", kMaxDepth);
  if (offset != StringRef::npos) {
    mlir::emitError(UnknownLoc::get(context))
        << file << ":" << getLineAndColumn(text, offset)
        << ": nested more than " << kMaxDepth << " levels deep";
    return nullptr;
  }
  auto source = std::make_shared<llvm::SourceMgr>();
  source->AddNewSourceBuffer(std::move(buffer), SMLoc());
  return parseSourceFile<ModuleOp>(source, ParserConfig(context));
}
