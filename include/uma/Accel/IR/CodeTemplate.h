//===- CodeTemplate.h - Templates of C code -*- C++ -*---------------------===//
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

/// Template of the C code that replaces a call: `{N}` stands for argument N of
/// the call, `{{` and `}}` for braces.
class CodeTemplate {
public:
  /// Parses `text`. On failure, sets `problem` to a message: "has '{x}',
  /// expected ...".
  static mlir::LogicalResult parse(llvm::StringRef text, CodeTemplate &result,
                                   std::string &problem);

  /// Returns the template text that yields the C code `text`: doubles its
  /// braces.
  static std::string escape(llvm::StringRef text);

  /// Returns whether the code is a statement; otherwise, it is an expression
  /// that evaluates to the status.
  bool isStatement() const { return statement; }
  /// Returns the highest argument number plus one, or 0 if there are no
  /// arguments.
  unsigned getNumArguments() const { return numArguments; }
  /// Returns the C code around the arguments: one piece more than
  /// `getArguments`.
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
