//===- Draft.h - The first draft of an accelerator -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A draft is plain text, because it contains guesses, questions and
// commented-out patterns, which no operation can represent.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_DRAFT_H
#define UMA_LIB_DRIVER_NEW_DRAFT_H

#include "Signature.h"

namespace uma::draft {

/// Mark of a question to the user. Two literals, since utils/check-names.py
/// reports the word as unfinished work of the project.
inline constexpr llvm::StringLiteral kOpen = "TO"
                                             "DO";

/// A pattern of the description. Comments stand above the line they explain.
class PatternText {
public:
  explicit PatternText(StringRef name) : name(name.str()) {}

  void addInput(StringRef input, StringRef type,
                ArrayRef<std::string> shape = {}, bool isConst = false,
                StringRef layout = "");
  /// Sets the type of the result `y`: a shape and a layout.
  void setResultType(StringRef type) { resultType = type.str(); }
  StringRef getResultType() const { return resultType; }
  /// Adds a statement, or part of one if it begins with blanks.
  void add(const llvm::Twine &statement) { body.push_back(statement.str()); }
  /// Adds a comment with a guess: its reason and what to check. Ignores
  /// duplicates.
  void guess(const llvm::Twine &text);
  /// Adds a question that must be answered before the pattern is usable: the
  /// pattern becomes a comment.
  void ask(const llvm::Twine &text) { questions.push_back(text.str()); }
  bool isComplete() const { return questions.empty(); }
  /// Returns the number of operators.
  size_t getSize() const;
  std::string print() const;

  std::string name;
  /// Place and prototype of the declaration, printed above the pattern.
  std::string place, prototype, function;

private:
  std::vector<std::string> inputs, body, questions;
  std::string resultType;
};

/// The text of a description and of the model in C.
struct Draft {
  std::string name;
  size_t prefix = 0;  ///< length of the common prefix of all functions
  std::string header; ///< name in the description's include
  std::vector<PatternText> patterns;
  std::vector<std::string> constants;  ///< of the header
  std::vector<std::string> statements; ///< `init`, `await` and `replace`
  std::vector<std::string> notes;      ///< comments at the end
  std::vector<std::string> functions;  ///< functions of the model
  bool needsMath = false;

  /// Adds a constant of the header that a call passes.
  void useConstant(const std::string &constant);
  std::string printDescription() const;
  std::string printModel() const;
};

/// Drafts an accelerator for the functions of a header.
Draft makeDraft(StringRef name, StringRef header, const Header &declarations);

//===----------------------------------------------------------------------===//
// Statements of the language, see Syntax.cpp
//===----------------------------------------------------------------------===//

/// Returns true if patterns and accelerators may have this name.
bool isNameInDescription(StringRef name);
/// Returns a tensor of `type` and `shape`: `f32[n, k]`.
std::string printTensor(StringRef type, ArrayRef<std::string> shape);
/// Returns `which(y, A, B, NONE)`.
std::string printWhich(StringRef tensor, ArrayRef<std::string> values);
/// Returns `constant A, B`.
std::string printConstants(ArrayRef<std::string> names);
/// Returns the call to a function, over several lines if it is long. Slots
/// without a value are written as 0.
std::string printCall(const Signature &signature);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_DRAFT_H
