//===- ChocolateToText.cpp - Print Chocolate's commands as text -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Prints a file of CHOCOLATE_COMMANDS, whose format chocolate_format.h
// describes, one line per packet.
//
//===----------------------------------------------------------------------===//

#include "chocolate/translate/ChocolateToText.h"

#include "chocolate/runtime/chocolate_format.h"
#include "uma/Import/Support/ImportStatus.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Prints the lists of a file up to the first error. Emits an error and fails
/// if there is one.
static LogicalResult printLists(llvm::MemoryBufferRef file, raw_ostream &os,
                                MLIRContext *context) {
  auto write = [](void *stream, const char *text) {
    *static_cast<raw_ostream *>(stream) << text;
  };
  const auto *bytes =
      reinterpret_cast<const unsigned char *>(file.getBufferStart());
  char error[256];
  if (chocolate_print(bytes, file.getBufferSize(), write, &os, error,
                      sizeof(error)) == CHOCOLATE_OK)
    return success();
  os.flush();
  ScopedDiagnosticHandler handler(context, uma::printFileDiagnostic);
  return emitError(FileLineColLoc::get(context, file.getBufferIdentifier(),
                                       /*line=*/0, /*column=*/0),
                   error);
}

void uma::registerChocolateToTextTranslation() {
  static TranslateRegistration registration(
      "chocolate-to-text", "print a file of Chocolate's lists of commands",
      [](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &os,
         MLIRContext *context) {
        return printLists(sources->getMemoryBuffer(sources->getMainFileID())
                              ->getMemBufferRef(),
                          os, context);
      });
}
