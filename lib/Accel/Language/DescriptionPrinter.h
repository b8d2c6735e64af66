//===- DescriptionPrinter.h - Printer of descriptions -*- C++ -*-----------===//
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

struct FlatStatement;

using namespace mlir;

/// Printer of one accelerator in the text language. Emits an error and fails at
/// the first operation that the language cannot express.
class DescriptionPrinter {
public:
  explicit DescriptionPrinter(llvm::raw_ostream &os) : os(os) {}

  LogicalResult print(AcceleratorOp accelerator);

private:
  // Statements: PrintDescription.cpp.
  LogicalResult printInstruction(InstructionOp op);
  LogicalResult printItem(Operation *op);
  LogicalResult printFlat(const FlatStatement &statement, Operation *op);
  /// Returns an element of `c_arguments` as text.
  FailureOr<std::string> formatArgument(CallOp call, Attribute element);
  LogicalResult printCode(CallOp call);
  LogicalResult printCalls(StringRef keyword, Region &body);
  LogicalResult printTwoCalls(StringRef statement,
                              std::pair<StringRef, CallOp> first,
                              std::pair<StringRef, CallOp> second);
  LogicalResult printCall(StringRef keyword, StringRef callee,
                          ValueRange arguments, Operation *op);
  /// Prints `head { name = value … keyword f(…) }` for a body of an engine or a
  /// transfer. Omits values of 0.
  LogicalResult printCommand(const Twine &head, ArrayRef<StringRef> settings,
                             StringRef keyword, Block &body);
  /// Prints `keyword { name = value; … }`. Omits settings without a value.
  void printSettings(
      const Twine &keyword,
      ArrayRef<std::pair<StringRef, std::optional<std::string>>> settings);
  /// Returns the path of a file relative to the description's folder.
  std::string formatPath(StringRef file) const;

  // Statements of patterns: PrintPattern.cpp.
  LogicalResult printPattern(PatternOp pattern, StringRef keyword,
                             const Twine &behind);
  LogicalResult printStatement(Operation *op);
  FailureOr<std::string> formatTensor(TensorTypeOpInterface tensor,
                                      bool isConstant);
  FailureOr<std::string> formatResult(Value tensor);
  FailureOr<std::string> formatOperator(OperatorOp op);
  FailureOr<std::string> formatAttribute(Operation *op, Attribute value,
                                         bool inList = false);
  FailureOr<std::string> formatType(Operation *op, Type type);
  /// Returns the tensor's name in the text. Assigns a name to unnamed results.
  std::string getName(Value tensor);

  // Expressions: PrintExpr.cpp.
  /// Formats an expression, in parentheses if its operator binds less tightly
  /// than `precedence`.
  FailureOr<std::string> formatExpr(Operation *user, Value value,
                                    unsigned precedence = 1);
  FailureOr<std::string> formatOperation(Operation *op, unsigned precedence);

  llvm::raw_ostream &os;
  /// Folder of the description's file; empty if the source is not a file.
  StringRef folder;
  unsigned indent = 1;
  /// Names of tensors in the current pattern.
  llvm::DenseMap<Value, std::string> names;
  llvm::StringSet<> usedNames;
  /// Remaining number of operations in one statement. Values with several uses
  /// are printed several times, so expressions can grow exponentially.
  unsigned budget = 0;
};

/// Returns `text` in double quotes.
std::string quoteText(StringRef text);

/// Formats a float such that it reads back as the same value.
std::string formatFloat(double value);

/// Emits an error at `op` because the language cannot express `what`, and
/// fails.
LogicalResult reportUnwritable(Operation *op, const Twine &what);

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_DESCRIPTIONPRINTER_H
