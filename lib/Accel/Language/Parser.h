//===- Parser.h - The description language to uma.accel -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_PARSER_H
#define UMA_LIB_ACCEL_LANGUAGE_PARSER_H

#include "Lexer.h"

#include "uma/Accel/IR/VerifyAccelerator.h"
#include "uma/Accel/Language/Language.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <vector>

namespace uma::accel::language {

using namespace mlir;

struct FlatStatement;

struct Name {
  StringRef text;
  llvm::SMLoc loc;
};

struct Text {
  std::string value;
  llvm::SMLoc loc;
};

/// An expression of conditions, arguments and settings.
struct Expr {
  llvm::SMLoc loc; ///< of the operator for unary and binary expressions
  /// Tensor, number or condition. Null for strings and for names that are not
  /// looked up yet, and after an error, which is reported.
  Value value;
  std::optional<std::string> text; ///< of a string
  Name name;                       ///< not looked up yet
  /// Element of `c_arguments` for constants of the header, and for sums, picks
  /// and structs with such; null for other expressions.
  Attribute element;
  unsigned depth = 1; ///< nesting, which bounds every recursion
};

/// Tokens, names and recovery from errors, under a recursive-descent parser
/// that builds operations while it reads; the grammar is in
/// docs/description-language.md.
///
/// A member that parses fails after an error of syntax: the rest of the
/// statement is skipped (Recovery.cpp). After any other error it succeeds and
/// sets `isWrong`, so that the rest of the statement is checked, too.
class TokenParser {
protected:
  explicit TokenParser(const Source &source)
      : source(source), builder(source.getContext()), lexer(source) {}

  // Tokens.cpp. The current token is `token`.
  void advance();
  void skipNewlines();
  /// Reports an error of syntax and fails. Stays silent after an error of the
  /// lexer, which may be its cause.
  LogicalResult fail(llvm::SMLoc loc, const Twine &message);
  LogicalResult unexpected(const Twine &expected);
  bool consumeIf(StringRef punctuation);
  bool isWord(StringRef word) const {
    return token.is(Token::Identifier) && token.spelling == word;
  }
  LogicalResult expect(StringRef punctuation, const Twine &where);
  LogicalResult expectEndOfStatement(const Twine &after);
  LogicalResult parseName(Name &name, const Twine &what);
  LogicalResult parseText(Text &text, const Twine &what);
  LogicalResult parseInteger(int64_t &value, bool isNegative = false);
  LogicalResult parseFloat(double &value, bool isNegative = false);
  LogicalResult parseBool(bool &value, const Twine &what);
  LogicalResult parseList(StringRef close, const Twine &what,
                          function_ref<LogicalResult()> parseElement);
  /// Parses `{ statement … }`, where `what` names the block.
  LogicalResult parseBlock(const Twine &before, const Twine &what,
                           function_ref<LogicalResult()> parseStatement);

  // Recovery.cpp
  /// Runs `parse` and holds its diagnostics back until it is done.
  void holdDiagnostics(function_ref<void()> parse);
  /// Parses one statement. After an error of syntax skips to the next one and
  /// excuses the names in the text. Returns false after any error.
  bool parseOrSkip(function_ref<LogicalResult()> parse);
  /// Skips the rest of a statement inside `outerBraces` open braces.
  void skipStatement(const char *start, unsigned outerBraces);
  /// Skips to the end of the line, semicolons included.
  void skipLine();
  /// Skips to the `{` in front of a pattern's body; false if there is none.
  bool skipToBody();
  bool isStartOfStatement() const;
  bool isFirstOnLine(const Token &first) const;

  /// Reports an error that is none of syntax.
  InFlightDiagnostic error(llvm::SMLoc loc);
  Location at(llvm::SMLoc loc) { return source.getLocation(loc); }
  /// Makes an unknown name known, so that its uses are no errors.
  void excuse(Name name);
  /// Excuses every name in a text with an error of syntax.
  void excuse(StringRef text);

  /// A tensor or dim. The value is null if the statement that defines it has an
  /// error: its uses are no errors.
  struct Meaning {
    Value value;
    llvm::SMLoc loc;
    unsigned numUses = 0; ///< of a dim, its first included
  };
  /// An attribute of the target. The value is null if its statement has an
  /// error.
  struct TargetAttribute {
    Name name;
    Attribute value;
    bool isRead = false;
  };

  const Source &source;
  OpBuilder builder;
  Lexer lexer;
  Token token;
  llvm::SMLoc previousEnd;
  Name accelerator;
  /// Number of parentheses and operators in front that are open at this point.
  unsigned depth = 0;
  /// Number of braces that are open at this point.
  unsigned braces = 0;
  bool hasSyntaxErrors = false;
  /// Whether the statement has an error that is none of syntax.
  bool isWrong = false;
  /// A diagnostic that is not emitted yet. If its statement turns out to have
  /// an error of syntax, others may only follow from that, and are dropped.
  struct Held {
    Diagnostic diagnostic;
    bool isFinal;
  };
  std::vector<Held> held;
  /// Whether the next diagnostic is an error that is none of syntax.
  bool isNextWrong = false;
  /// Whether the last statement had an error of syntax.
  bool isSkipped = false;
  /// Whether the text is of a newer version of the language.
  bool isNewer = false;

  /// Names of the pattern, and patterns of the accelerator.
  llvm::MapVector<StringRef, Meaning> names;
  llvm::MapVector<StringRef, llvm::SMLoc> patterns;
  llvm::MapVector<StringRef, TargetAttribute> targetAttributes;
  llvm::SetVector<StringRef> constants; ///< of the header
  /// Text with errors outside of patterns: it may define any name in it.
  SmallVector<StringRef> brokenItems;
};

/// Names of a description: tensors, dims and attributes of the target.
class NameParser : public TokenParser {
protected:
  using TokenParser::TokenParser;

  // Names.cpp
  /// Gives `name` its meaning. Returns false after an error.
  bool define(Name name, Value value);
  /// Returns the tensor or dim called `name`; null after an error, which says
  /// that `what` was expected.
  Value lookup(Name name, StringRef what, bool isTensor, bool isDim);
  Value lookupTensor(Name name) {
    return lookup(name, "a tensor", /*isTensor=*/true, /*isDim=*/false);
  }
  /// Returns the dim called `name` of the given type, which is made at its
  /// first use.
  Value lookupOrCreateDim(Name name, Type type);
  void warnOfUnusedNames();

  // ParseAttribute.cpp
  /// Finds all attributes of the target, which may be read in front of their
  /// statement.
  void collectAttributes();
  void warnOfUnreadAttributes();
  LogicalResult parseTargetAttribute();
  Value readAttribute(Name name);
  Value compareText(const Name &op, const Expr &lhs, const Expr &rhs);

  /// Operands of the call that is parsed, and positions of its fields.
  struct CallOperands {
    SmallVector<Value> values;
    SmallVector<Location> locations, fields;
  };

  CallOperands *call = nullptr; ///< null outside of arguments
};

/// Expressions: conditions, arguments of calls, settings.
class ExprParser : public NameParser {
protected:
  using NameParser::NameParser;

  // ParseExpr.cpp
  LogicalResult parseExpr(Expr &expr, unsigned minPrecedence = 1);
  LogicalResult parseUnary(Expr &expr);
  LogicalResult parsePrimary(Expr &expr);
  LogicalResult parseFunction(Name function, Expr &expr);
  /// Returns the tensor, number or condition; null after an error, such as for
  /// a string. Looks a name up.
  Value getValue(Expr &expr);
  /// Returns an operand of `op` that must be a number or a condition; null
  /// after an error.
  Value getNumber(Expr &operand, const Name &op);
  Value getCondition(Expr &operand, const Name &op);
  /// Returns an argument of a call: a tensor or a number; null after an error.
  Value getArgument(Expr &expr);
  Value buildUnary(const Name &op, Expr &operand);
  Value buildBinary(const Name &op, Expr &lhs, Expr &rhs);
  Value toFloat(Value number);

  /// A setting `name = value` of a statement.
  struct Setting {
    enum Kind {
      Whole,   ///< an expression, a whole number
      Integer, ///< a literal
      Number   ///< a literal, with a fraction or without
    };
    StringRef name;
    Kind kind = Whole;
    StringRef expected = ""; ///< of a literal in messages
    bool isGiven = false;
    Value value = {};       ///< of an expression; null after an error
    Attribute literal = {}; ///< i64 or f64
  };
  LogicalResult parseSetting(MutableArrayRef<Setting> settings,
                             const Twine &statement);
  LogicalResult parseSettings(MutableArrayRef<Setting> settings,
                              const Twine &after, const Twine &statement);

  // ParseCall.cpp
  /// Returns the element of `c_arguments` for an argument; null after an error.
  Attribute getElement(Expr &expr);
  Attribute addSum(const Name &op, Expr &lhs, Expr &rhs);
  /// Returns the element that `which(y, A, B)` is, where `which` is `which(y)`.
  Attribute addPick(llvm::SMLoc loc, Value which, MutableArrayRef<Expr> values);
  LogicalResult parseStruct(Name type, bool isPointer, Expr &expr);
  LogicalResult parseDesignator(std::string &designator);
  LogicalResult parseCall(Name keyword);
  LogicalResult parseCode(Name keyword);
};

/// Patterns: their inputs, operators and statements.
class PatternParser : public ExprParser {
public:
  /// Members that parse the statements of patterns, by keyword.
  using StatementTable =
      llvm::StringMap<LogicalResult (PatternParser::*)(Name)>;
  static const StatementTable &getPatternStatements();

protected:
  using ExprParser::ExprParser;

  // ParseTypes.cpp
  /// Types and layout of a tensor; see `uma.accel.input`.
  struct TensorType {
    ArrayAttr elements;
    UnitAttr anyShape;
    SmallVector<Value> dims;
    DenseI64ArrayAttr sizes;
    AffineMapAttr layout;
    SmallVector<Name> names; ///< of the sizes; empty for others
  };
  LogicalResult parseInput();
  LogicalResult parseTensorType(TensorType &type, const Twine &tensor,
                                bool *isConstant);
  LogicalResult parseElementTypes(SmallVectorImpl<Attribute> &types);
  LogicalResult parseShape(TensorType &type, const Twine &tensor);
  LogicalResult parseLayout(TensorType &type, llvm::SMLoc loc,
                            const Twine &tensor);

  // ParsePattern.cpp
  LogicalResult parsePattern();
  LogicalResult parseInputs();
  LogicalResult parseBody(const Twine &what);
  LogicalResult parseStatement();
  LogicalResult parseTypedDefinition(Name result);
  LogicalResult parseDefinition(Name result, const TensorType *type);
  LogicalResult parseRequire(Name keyword);
  LogicalResult parseReturn(Name keyword);
  LogicalResult parseLower(Name keyword);
  LogicalResult parsePlace(Name keyword);
  LogicalResult parseSplit(Name keyword);
  LogicalResult parseCost(Name keyword);
  LogicalResult parseScratch(Name keyword);
  LogicalResult parseTensors(SmallVectorImpl<Value> &tensors, const Twine &what,
                             bool skipsNewlines);

  // ParseOperator.cpp
  /// Operands and attributes of an operator.
  struct Operands {
    std::optional<RegisteredOperationName> kind; ///< of a known operator
    SmallVector<Value> tensors;
    SmallVector<Name> names; ///< of the tensors; empty for numbers
    NamedAttrList attributes;
    llvm::StringSet<> seen; ///< names of attributes
  };
  /// An operator of a definition. `value` is null after an error.
  struct Operator {
    Name kind;
    Value value;
    Name first; ///< its first operand, if that is a tensor
  };
  LogicalResult parseOperator(Operator &op, StringAttr name);
  LogicalResult parseOperand(Operands &operands);
  LogicalResult parseAttribute(Operands &operands, Name name);
  /// Parses a value in the encoding of `matched_attributes` in AccelOps.td, but
  /// for floats that are written as integers. Adds the names in it to `dims`.
  LogicalResult parseValue(Attribute &value, SmallVectorImpl<Name> &dims,
                           bool inList, bool isPadding = false);

  /// Operator of the strategy that is parsed; empty in patterns.
  StringRef strategyKind;
};

/// A description: everything outside of patterns.
class Parser : PatternParser {
public:
  explicit Parser(const Source &source) : PatternParser(source) {}

  /// Reports all errors, and returns null if there are any.
  OwningOpRef<AcceleratorOp> parseFile();

private:
  /// Parses everything. Returns null if there is no accelerator at all, and
  /// tells how much of it is right otherwise.
  OwningOpRef<AcceleratorOp> parseAccelerator(AcceleratorParts &parts);
  LogicalResult parseItem();
  LogicalResult parseFlat(const FlatStatement &statement, Name keyword);
  LogicalResult checkVersion(llvm::SMLoc keyword, llvm::SMLoc loc,
                             int64_t version);
  // ParseDevice.cpp
  LogicalResult parseMemory();
  LogicalResult parseRegionCall(Name keyword);
  LogicalResult parseTransfer(llvm::SMLoc loc);
  LogicalResult parseRegion(llvm::SMLoc loc);
  LogicalResult parseStrategy();
};

/// Returns true for words that cannot name a dim, because they have a meaning
/// where its name stands.
bool isReservedWord(StringRef word);

/// Returns the names of element types, e.g. `f32`.
ArrayRef<StringRef> getTypeNames();

/// Returns the element type called `name`; null for any other word.
Type getType(MLIRContext *context, StringRef name);

/// Returns all keywords of items of an accelerator, flat statements included.
ArrayRef<StringRef> getItemKeywords();

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_PARSER_H
