//===- Parser.h - Syntax of the description language -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_PARSER_H
#define UMA_LIB_ACCEL_LANGUAGE_PARSER_H

#include "AST.h"
#include "Lexer.h"

#include "mlir/Support/LLVM.h"

#include <optional>

namespace uma::accel::language {

using llvm::ArrayRef;
using llvm::LogicalResult;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;
using mlir::function_ref;

/// A recursive-descent parser; the grammar is in docs/description-language.md.
class Parser {
public:
  Parser(const Source &source, Accelerator &accelerator)
      : source(source), accelerator(accelerator), lexer(source) {}

  /// Parses the file. Fails if the text has errors; all of them are reported.
  LogicalResult parseFile();

private:
  // Tokens. The current token is `token`.
  void advance();
  void skipNewlines();
  /// Reports an error and fails. Reports nothing if the next token already has
  /// an error, which may be the cause.
  LogicalResult fail(llvm::SMLoc loc, const Twine &message);

  // Errors: Recovery.cpp.
  /// Parses one statement. On an error skips to the next statement and returns
  /// the text with the error, otherwise std::nullopt.
  std::optional<Broken> parseOrSkip(function_ref<LogicalResult()> parse);
  /// Skips the rest of a statement inside `outerBraces` open braces.
  void skipStatement(const char *start, unsigned outerBraces);
  /// Skips to the `{` of a pattern's body. Returns false if there is none.
  bool skipToBody();
  bool isStartOfStatement() const;
  LogicalResult unexpected(const Twine &expected);
  bool consumeIf(StringRef punctuation);
  LogicalResult expect(StringRef punctuation, const Twine &where);
  LogicalResult expectEndOfStatement(const Twine &after);
  LogicalResult parseName(Name &name, const Twine &what);
  LogicalResult parseText(Text &text, const Twine &what);
  LogicalResult parseInteger(int64_t &value, bool isNegative = false);
  LogicalResult parseFloat(double &value, bool isNegative = false);
  LogicalResult parseList(StringRef close, const Twine &what,
                          function_ref<LogicalResult()> parseElement);

  // Statements.
  LogicalResult parseItem();
  LogicalResult parsePattern();
  LogicalResult parseInput(Input &input);
  LogicalResult parseStatement(Pattern &pattern);
  LogicalResult parseSize(Size &size);
  LogicalResult parseDefinition(Name result, Pattern &pattern);
  LogicalResult parseOperator(Operator &op);
  LogicalResult parseOperand(Operator &op);
  LogicalResult parseRequire(llvm::SMLoc loc, Pattern &pattern);
  LogicalResult parseCall(Pattern &pattern);
  LogicalResult parseReturn(llvm::SMLoc loc, Pattern &pattern);
  LogicalResult parseCall(Call &call);

  // Costs: ParseCost.cpp.
  /// A setting that a statement accepts; null until it is given.
  struct Setting {
    StringRef name;
    Expr *value = nullptr;
  };
  LogicalResult parseSetting(llvm::MutableArrayRef<Setting> settings,
                             const Twine &statement);
  LogicalResult parseSettings(llvm::MutableArrayRef<Setting> settings,
                              const Twine &statement);
  LogicalResult parseCost(llvm::SMLoc loc, Pattern &pattern);
  LogicalResult parseTransfer(llvm::SMLoc loc);
  LogicalResult parseRegion(llvm::SMLoc loc);

  LogicalResult parseAttrValue(AttrValue &value, bool inList = false);
  LogicalResult parseInputs(Pattern &pattern);
  LogicalResult parseBody(Pattern &pattern, const Twine &what);

  // Device items: ParseDevice.cpp.
  LogicalResult parseDeviceItem(Name keyword);
  LogicalResult parseTargetAttribute();
  LogicalResult parseMemory();
  LogicalResult parseMemoryField(Memory &memory);
  LogicalResult parseStrategy(Name keyword);
  LogicalResult parseBool(bool &value, const Twine &what);
  LogicalResult parseNumber(double &value, const Twine &what);
  LogicalResult parsePlace(llvm::SMLoc loc, Pattern &pattern);

  // Expressions.
  Expr *make(Expr::Kind kind, llvm::SMLoc loc, StringRef spelling,
             ArrayRef<Expr *> operands);
  Expr *parseExpr(unsigned minPrecedence = 1);
  Expr *parseUnary();
  Expr *parsePrimary();
  Expr *parseFunction(Name function);

  const Source &source;
  Accelerator &accelerator;
  Lexer lexer;
  Token token;
  llvm::SMLoc previousEnd;
  /// Number of open parentheses and prefix operators.
  unsigned depth = 0;
  /// Number of open braces.
  unsigned braces = 0;
  bool hasErrors = false;
  /// Whether the text has a newer version of the language.
  bool isNewer = false;
};

/// Parses the text into `accelerator`. Reports errors at their positions and
/// fails if there are any; `accelerator` then has the valid statements.
LogicalResult parse(const Source &source, Accelerator &accelerator);

/// Whether `word` has a special meaning where a dim could be named.
bool isReservedWord(StringRef word);

/// Returns the statements of an accelerator that ParseDevice.cpp handles.
ArrayRef<StringRef> getDeviceKeywords();

/// Returns the other statements of an accelerator.
ArrayRef<StringRef> getItemKeywords();

/// Returns the names of element types, e.g. `f32`.
ArrayRef<StringRef> getTypeNames();

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_PARSER_H
