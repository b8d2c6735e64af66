//===- ImportErrors.cpp - Errors and limits of importers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/Support/ImportErrors.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

LogicalResult ImportErrors::report(ImportStatus kind, const Twine &text) {
  if (hasError())
    return failure();
  status = kind;
  message = text.str();
  // Text from libraries may have line breaks.
  llvm::replace(message, '\n', ' ');
  return failure();
}

std::string importer::quote(StringRef name) {
  constexpr size_t kLongest = 120;
  std::string result = "'";
  llvm::raw_string_ostream os(result);
  llvm::printEscapedString(name.take_front(kLongest), os);
  os << (name.size() > kLongest ? "...'" : "'");
  return result;
}

std::string importer::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "a scalar";
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::interleave(shape, os, "x");
  return result;
}

LogicalResult importer::checkTensorSize(ImportErrors &errors, const Twine &what,
                                        ArrayRef<int64_t> shape,
                                        int64_t elementBytes, bool allowEmpty) {
  if (int64_t(shape.size()) > kMaxRank)
    return errors.notSupported(what + " has " + Twine(shape.size()) +
                               " dimensions, more than the supported " +
                               Twine(kMaxRank));
  int64_t bytes = elementBytes;
  bool isTooLarge = false;
  for (auto [index, size] : llvm::enumerate(shape)) {
    if (size < 0)
      return errors.badInput(what + " has the negative size " + Twine(size) +
                             " in dimension " + Twine(index));
    if (size == 0 && !allowEmpty)
      return errors.notSupported(what + " has no elements: dimension " +
                                 Twine(index) + " of " + formatShape(shape) +
                                 " is 0");
    isTooLarge |= llvm::MulOverflow(bytes, size, bytes);
    isTooLarge |= bytes > kMaxTensorBytes;
  }
  if (isTooLarge)
    return errors.notSupported(what + " has the shape " + formatShape(shape) +
                               ", more than the supported 2 GiB");
  return success();
}

std::string importer::captureError(MLIRContext *context,
                                   function_ref<LogicalResult()> fn) {
  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  if (succeeded(fn()))
    return "";
  StringRef text = message;
  if (text.consume_front("'"))
    text = text.split("' op ").second;
  return text.empty() ? "is invalid" : text.str();
}

FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
importer::readFile(ImportErrors &errors, StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return errors.badInput("cannot be read: " + file.getError().message());
  return std::move(*file);
}

LogicalResult uma::printFileDiagnostic(Diagnostic &diagnostic) {
  auto location = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (!location || location.getLine() != 0)
    return failure();
  StringRef severity = "error";
  if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
    severity = "warning";
  else if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    severity = "note";
  llvm::errs() << location.getFilename().getValue() << ": " << severity << ": "
               << diagnostic << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    (void)printFileDiagnostic(note);
  return success();
}
