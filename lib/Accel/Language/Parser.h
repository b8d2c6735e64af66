//===- Parser.h - Parser of the description language -*- C++ -*------------===//
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
  llvm::SMLoc loc; ///< position; the operator's for unary and binary ones
  /// Tensor, number or condition. Null for strings, for names that are not
  /// looked up yet, and after a reported error.
  Value value;
  std::optional<std::string> text; ///< value of a string
  Name name;                       ///< name that is not looked up yet
  /// Element of `c_arguments` for header constants and for sums, picks and
  /// structs that contain them; null for other expressions.
  Attribute element;
  unsigned depth = 1; ///< nesting depth; limited to bound recursion
};

/// Base of a recursive-descent parser that builds operations directly: tokens,
/// names and error recovery. docs/description-language.md has the grammar.
///
/// After a syntax error, `parse` functions fail and the rest of the statement
/// is skipped (Recovery.cpp). After a semantic error, they succeed and set
/// `isWrong`, so that the rest of the statement is checked.
class TokenParser {
protected:
  explicit TokenParser(const Source &source)
      : source(source), builder(source.getContext()), lexer(source) {}

  // Tokens.cpp. The current token is `token`.
  void advance();
  void skipNewlines();
  /// Reports a syntax error and fails. Reports nothing after an error of the
  /// lexer, which may be the cause.
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
  /// Parses `{ statement … }`. `what` is the block's name in messages.
  LogicalResult parseBlock(const Twine &before, const Twine &what,
                           function_ref<LogicalResult()> parseStatement);

  // Recovery.cpp
  /// Runs `parse` and holds back its diagnostics until it returns.
  void holdDiagnostics(function_ref<void()> parse);
  /// Parses one statement. After a syntax error, skips to the next statement
  /// and excuses the names in the skipped text. Returns false after any error.
  bool parseOrSkip(function_ref<LogicalResult()> parse);
  /// Skips the rest of a statement inside `outerBraces` open braces.
  void skipStatement(const char *start, unsigned outerBraces);
  /// Skips to the end of the line, including semicolons.
  void skipLine();
  /// Skips to the `{` of a pattern's body. Returns false if it is missing.
  bool skipToBody();
  bool isStartOfStatement() const;
  bool isFirstOnLine(const Token &first) const;

  /// Records a name for editors.
  void record(Name name, NameKind kind, bool isDefinition = false);
  /// Records that the current scope may have names that are not recorded.
  void recordError();
  /// Starts the scope of an item's names.
  void openScope(Name name, NameKind kind);
  void closeScope();

  /// Reports a semantic error and sets `isWrong`.
  InFlightDiagnostic error(llvm::SMLoc loc);
  Location at(llvm::SMLoc loc) { return source.getLocation(loc); }
  /// Declares an unknown name, so that its uses are not reported.
  void excuse(Name name);
  /// Excuses all names in text that has a syntax error.
  void excuse(StringRef text);

  /// A named tensor or dim. The value is null if its definition has an error;
  /// its uses are then not reported.
  struct Meaning {
    Value value;
    llvm::SMLoc loc;
    unsigned numUses = 0; ///< uses of a dim, including the first
  };
  /// A target attribute. The value is null if its statement has an error.
  struct TargetAttribute {
    Name name;
    Attribute value;
    bool isRead = false;
    bool isFixed = false; ///< whether a layout or tile depends on the value
  };

  const Source &source;
  OpBuilder builder;
  Lexer lexer;
  Token token;
  llvm::SMLoc previousEnd;
  Name accelerator;
  /// Nesting depth of parentheses and prefix operators.
  unsigned depth = 0;
  /// Nesting depth of braces.
  unsigned braces = 0;
  bool hasSyntaxErrors = false;
  /// Whether the statement has a semantic error.
  bool isWrong = false;
  /// A diagnostic that is held back. If its statement has a syntax error, other
  /// errors may only be consequences and are dropped.
  struct Held {
    Diagnostic diagnostic;
    bool isFinal;
  };
  std::vector<Held> held;
  /// Whether the next diagnostic is a semantic error.
  bool isNextWrong = false;
  /// Whether the last statement had a syntax error.
  bool isSkipped = false;
  /// Whether the text has a newer language version.
  bool isNewer = false;

  /// Names of the pattern, and patterns of the accelerator.
  llvm::MapVector<StringRef, Meaning> names;
  llvm::MapVector<StringRef, llvm::SMLoc> patterns;
  llvm::MapVector<StringRef, TargetAttribute> targetAttributes;
  llvm::SetVector<StringRef> constants; ///< constants of the header
  /// Broken items outside of patterns; they may define any name that they
  /// contain.
  SmallVector<StringRef> brokenItems;
};

/// Parser of names: tensors, dims and target attributes.
class NameParser : public TokenParser {
protected:
  using TokenParser::TokenParser;

  // Names.cpp
  /// Defines `name` as `value`. Returns false after an error.
  bool define(Name name, Value value);
  /// Returns the tensor or dim called `name`. Reports an error, with `what` as
  /// the expectation, and returns null on failure.
  Value lookup(Name name, StringRef what, bool isTensor, bool isDim);
  Value lookupTensor(Name name) {
    return lookup(name, "a tensor", /*isTensor=*/true, /*isDim=*/false);
  }
  /// Returns the dim called `name` of the given type. Creates it at its first
  /// use.
  Value lookupOrCreateDim(Name name, Type type);
  void warnOfUnusedNames();

  // ParseAttribute.cpp
  /// Collects all target attributes, since they may be read before their
  /// statement.
  void collectAttributes();
  void warnOfUnreadAttributes();
  LogicalResult parseTargetAttribute();
  Value readAttribute(Name name);
  Attribute getOverride(StringRef name, Attribute value);
  /// Returns the value of an integer attribute that the description cannot do
  /// without. Reports an error on failure.
  FailureOr<int64_t> readConstant(Name name, StringRef what);
  Value compareText(const Name &op, const Expr &lhs, const Expr &rhs);

  /// Operands of the call being parsed, and positions of its fields.
  struct CallOperands {
    SmallVector<Value> values;
    SmallVector<Location> locations, fields;
  };

  CallOperands *call = nullptr; ///< null outside of arguments
};

/// Maximum nesting depth of expressions; prevents stack overflow.
inline constexpr unsigned kMaxDepth = 200;

/// Parser of expressions: conditions, arguments of calls, settings.
class ExprParser : public NameParser {
protected:
  using NameParser::NameParser;

  // ParseExpr.cpp
  LogicalResult parseExpr(Expr &expr, unsigned minPrecedence = 1);
  LogicalResult parseUnary(Expr &expr);
  LogicalResult parsePrimary(Expr &expr);
  // ParseFunction.cpp
  LogicalResult parseFunction(Name function, Expr &expr);
  /// Builds an array of the function's values for the channels of `tensor`.
  /// Reports an error and returns null on failure.
  Value buildArray(const Name &function, Value tensor, Expr &count);

  // ParseExpr.cpp
  /// Returns the tensor, number or condition of an expression, looking up
  /// names. Reports an error and returns null on failure, also for strings.
  Value getValue(Expr &expr);
  /// Returns an operand of `op`, which must be a number or a condition,
  /// respectively. Reports an error and returns null on failure.
  Value getNumber(Expr &operand, const Name &op);
  Value getCondition(Expr &operand, const Name &op);
  /// Returns an argument of a call: a tensor or a number. Reports an error and
  /// returns null on failure.
  Value getArgument(Expr &expr);
  Value buildUnary(const Name &op, Expr &operand);
  Value buildBinary(const Name &op, Expr &lhs, Expr &rhs);
  Value toFloat(Value number);

  /// A setting `name = value` of a statement.
  struct Setting {
    enum Kind {
      Whole,   ///< an expression that is a whole number
      Integer, ///< an integer literal
      Number   ///< an integer or float literal
    };
    StringRef name;
    Kind kind = Whole;
    StringRef expected = ""; ///< expected literal in messages
    bool isGiven = false;
    Value value = {};       ///< value of a Whole; null after an error
    Attribute literal = {}; ///< value of an Integer (i64) or Number (f64)
  };
  LogicalResult parseSetting(MutableArrayRef<Setting> settings,
                             const Twine &statement);
  LogicalResult parseSettings(MutableArrayRef<Setting> settings,
                              const Twine &after, const Twine &statement);

  // ParseCall.cpp
  /// Returns the element of `c_arguments` for an argument. Reports an error and
  /// returns null on failure.
  Attribute getElement(Expr &expr);
  Attribute addSum(const Name &op, Expr &lhs, Expr &rhs);
  /// Returns the element for `which(y, A, B)`. `which` is the value of
  /// `which(y)`.
  Attribute addPick(llvm::SMLoc loc, Value which, MutableArrayRef<Expr> values);
  LogicalResult parseStruct(Name type, bool isPointer, Expr &expr);
  LogicalResult parseDesignator(std::string &designator);
  LogicalResult parseCall(Name keyword);
  LogicalResult parseCode(Name keyword);
};

/// Parser of patterns: inputs, operators and statements.
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
    SmallVector<Name> names; ///< names of the sizes; empty for unnamed ones
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
  LogicalResult parseTile(Name keyword);
  LogicalResult parseCost(Name keyword);
  LogicalResult parseScratch(Name keyword);
  LogicalResult parseTensors(SmallVectorImpl<Value> &tensors, const Twine &what,
                             bool skipsNewlines);

  // ParseOperator.cpp
  /// Operands and attributes of an operator.
  struct Operands {
    std::optional<RegisteredOperationName> kind; ///< the operator, if known
    SmallVector<Value> tensors;
    SmallVector<Name> names; ///< names of the tensors; empty for numbers
    NamedAttrList attributes;
    llvm::StringSet<> seen; ///< names of attributes
  };
  /// An operator of a definition. `value` is null after an error.
  struct Operator {
    Name kind;
    Value value;
    Name first; ///< first operand, if it is a tensor
  };
  LogicalResult parseOperator(Operator &op, StringAttr name);
  LogicalResult parseOperand(Operands &operands);
  LogicalResult parseAttribute(Operands &operands, Name name);
  /// Parses a value in the encoding of `matched_attributes` (see
  /// AccelPatternOps.td), except that floats may still be integers. Appends the
  /// names in it to `dims`.
  LogicalResult parseValue(Attribute &value, SmallVectorImpl<Name> &dims,
                           bool inList, bool isPadding = false);

  /// Operator of the strategy being parsed; empty in patterns.
  StringRef strategyKind;
};

/// Parser of instructions.
class InstructionParser : public PatternParser {
protected:
  using PatternParser::PatternParser;

  // ParseInstruction.cpp
  /// An operand of an instruction. `type` is null after an error.
  struct InstructionOperand {
    Name name;
    TypeAttr type;
    int64_t count = 1;     ///< elements in a word
    bool isPacked = false; ///< whether the count is written
  };
  LogicalResult parseInstruction();
  LogicalResult
  parseInstructionOperand(SmallVectorImpl<InstructionOperand> &operands);
  /// Parses `x[1]`. The value is null after an error.
  LogicalResult parseInstructionElement(ArrayRef<InstructionOperand> operands,
                                        Value &value);
  LogicalResult parseInstructionSum(ArrayRef<InstructionOperand> operands);
  /// Parses `rows 16 columns 16 words 16`.
  LogicalResult parseInstructionTile(SmallVectorImpl<int64_t> &tile);
  LogicalResult parseCount(int64_t &number, const Twine &expected);
};

/// Parser of a description: everything outside of patterns.
class Parser : InstructionParser {
public:
  explicit Parser(const Source &source) : InstructionParser(source) {}

  /// Parses and verifies the file. Reports all errors and returns null if there
  /// are any.
  OwningOpRef<AcceleratorOp> parseFile();

private:
  /// Parses the file. Returns null if it contains no accelerator; otherwise,
  /// sets `parts` to the parts that have no errors.
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
  // ParseEngine.cpp
  LogicalResult parseEngine();
  LogicalResult parsePath(llvm::SMLoc loc);
  LogicalResult parseTwoCalls(llvm::SMLoc loc, Block &body,
                              ArrayRef<llvm::StringLiteral> arguments,
                              StringRef statement, StringRef first,
                              StringRef second);
  LogicalResult parseTokens(llvm::SMLoc loc);
  LogicalResult parseLayers(llvm::SMLoc loc);
  LogicalResult parseCommand(MutableArrayRef<Setting> settings,
                             StringRef keyword, Block &body,
                             ArrayRef<llvm::StringLiteral> arguments,
                             const Twine &statement);
  LogicalResult parseStrategy();
};

/// Returns whether a word cannot name a dim because it has another meaning in
/// that position.
bool isReservedWord(StringRef word);

/// Returns the names of element types, e.g. `f32`.
ArrayRef<StringRef> getTypeNames();

/// Returns the element type called `name`, or null for other words.
Type getType(MLIRContext *context, StringRef name);

/// Returns all keywords of an accelerator's items, including flat statements.
ArrayRef<StringRef> getItemKeywords();

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_PARSER_H
