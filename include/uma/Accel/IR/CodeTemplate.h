//===- CodeTemplate.h - The text that replaces a call -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_CODETEMPLATE_H
#define UMA_ACCEL_IR_CODETEMPLATE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace uma::accel {

/// The text of `replace`: C with `{N}` for the argument number N of the call
/// and `{{`, `}}` for braces.
class CodeTemplate {
public:
  /// Fails with the `problem` in words: "has '{x}', expected ...".
  static mlir::LogicalResult parse(llvm::StringRef text, CodeTemplate &result,
                                   std::string &problem);

  /// A statement has no value; anything else is the status.
  bool isStatement() const { return statement; }
  /// One more than the highest argument that is named; 0 without any.
  unsigned getNumArguments() const { return numArguments; }
  /// The C between arguments: one more than there are in `getArguments`.
  llvm::ArrayRef<std::string> getTexts() const { return texts; }
  llvm::ArrayRef<unsigned> getArguments() const { return arguments; }

private:
  llvm::SmallVector<std::string> texts;
  llvm::SmallVector<unsigned> arguments;
  unsigned numArguments = 0;
  bool statement = false;
};

} // namespace uma::accel

#endif // UMA_ACCEL_IR_CODETEMPLATE_H
