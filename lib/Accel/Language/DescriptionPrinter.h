//===- DescriptionPrinter.h - uma.accel as text -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_DESCRIPTIONPRINTER_H
#define UMA_LIB_ACCEL_LANGUAGE_DESCRIPTIONPRINTER_H

#include "uma/Accel/IR/AccelOps.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace uma::accel::language {

using namespace mlir;

/// Prints one accelerator. Fails at the first operation that the language has
/// no words for, with an error there.
class DescriptionPrinter {
public:
  explicit DescriptionPrinter(llvm::raw_ostream &os) : os(os) {}

  LogicalResult print(AcceleratorOp accelerator);

private:
  // Statements: PrintDescription.cpp.
  LogicalResult printItem(Operation *op);
  LogicalResult printCalls(StringRef keyword, Region &body);
  LogicalResult printCall(StringRef keyword, StringRef callee,
                          ValueRange arguments, Operation *op);
  /// `keyword { name = value; … }`, without settings that are empty.
  void printSettings(
      const Twine &keyword,
      ArrayRef<std::pair<StringRef, std::optional<std::string>>> settings);
  /// A file, by its path from the description's folder.
  std::string formatPath(StringRef file) const;

  // Statements of patterns: PrintPattern.cpp.
  LogicalResult printPattern(PatternOp pattern, StringRef keyword,
                             const Twine &behind);
  LogicalResult printStatement(Operation *op);
  FailureOr<std::string> formatInput(InputOp input);
  FailureOr<std::string> formatOperator(OpOp op);
  FailureOr<std::string> formatAttribute(Operation *op, Attribute value,
                                         bool inList = false);
  FailureOr<std::string> formatType(Operation *op, Type type);
  /// The tensor's name in the text. Results that have none get one.
  std::string getName(Value tensor);

  // Expressions: PrintExpr.cpp.
  /// An expression of operators that bind as `precedence` does, or tighter.
  FailureOr<std::string> formatExpr(Operation *user, Value value,
                                    unsigned precedence = 1);
  FailureOr<std::string> formatOperation(Operation *op, unsigned precedence);

  llvm::raw_ostream &os;
  /// Of the description, where it comes from a file.
  StringRef folder;
  unsigned indent = 1;
  /// Of tensors of the pattern that is printed.
  llvm::DenseMap<Value, std::string> names;
  llvm::StringSet<> usedNames;
  /// What is left of the budget for one statement: values that are used twice
  /// are written twice.
  unsigned budget = 0;
};

/// `text` in double quotes.
std::string quoteText(StringRef text);

/// A float that reads back as the same one.
std::string formatFloat(double value);

/// An error at `op`: `what` cannot be written.
LogicalResult reportUnwritable(Operation *op, const Twine &what);

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_DESCRIPTIONPRINTER_H
