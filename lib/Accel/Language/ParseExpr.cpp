//===- ParseExpr.cpp - Values and expressions -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel::language;

/// Deep enough for every hand-written condition; bounds the recursion over
/// expressions to protect the stack.
static constexpr unsigned kMaxDepth = 200;

LogicalResult Parser::parseAttrValue(AttrValue &value, bool inList) {
  value.loc = token.getLoc();
  bool isNegative = consumeIf("-");
  if (token.is(Token::Integer))
    return parseInteger(value.integer, isNegative);
  if (token.is(Token::Float)) {
    value.kind = AttrValue::Float;
    return parseFloat(value.number, isNegative);
  }
  if (isNegative)
    return unexpected("a number after '-'");
  if (token.is(Token::Identifier)) {
    value.kind = AttrValue::Word;
    value.text = token.spelling.str();
    value.word = token.spelling;
    advance();
    return success();
  }
  if (inList)
    return unexpected("an integer or a name in the list");
  if (token.is(Token::String)) {
    value.kind = AttrValue::String;
    value.text = token.getString();
    advance();
    return success();
  }
  if (!consumeIf("["))
    return unexpected("the attribute's value: a number, a string, a list, "
                      "true, false, same, any or a name");
  value.kind = AttrValue::List;
  return parseList("]", "the list", [&] {
    return parseAttrValue(value.elements.emplace_back(), /*inList=*/true);
  });
}

/// Returns C's precedence, or 0 if the token is no binary operator.
static unsigned getPrecedence(const Token &token) {
  if (!token.is(Token::Punctuation))
    return 0;
  return llvm::StringSwitch<unsigned>(token.spelling)
      .Case("||", 1)
      .Case("&&", 2)
      .Cases({"==", "!="}, 3)
      .Cases({"<", "<=", ">", ">="}, 4)
      .Cases({"+", "-"}, 5)
      .Cases({"*", "/", "%"}, 6)
      .Default(0);
}

Expr *Parser::make(Expr::Kind kind, llvm::SMLoc loc, StringRef spelling,
                   ArrayRef<Expr *> operands) {
  Expr &expr = accelerator.expressions.emplace_back();
  expr.kind = kind;
  expr.loc = loc;
  expr.spelling = spelling;
  expr.operands.assign(operands.begin(), operands.end());
  for (Expr *operand : operands)
    expr.depth = std::max(expr.depth, operand->depth + 1);
  if (expr.depth <= kMaxDepth)
    return &expr;
  (void)fail(loc, "the expression is nested too deeply");
  return nullptr;
}

/// Parses by precedence climbing: operators of at least `minPrecedence`.
Expr *Parser::parseExpr(unsigned minPrecedence) {
  Expr *lhs = parseUnary();
  while (lhs && getPrecedence(token) >= minPrecedence) {
    Token op = token;
    advance();
    skipNewlines();
    Expr *rhs = parseExpr(getPrecedence(op) + 1);
    if (!rhs)
      return nullptr;
    lhs = make(Expr::Binary, op.getLoc(), op.spelling, {lhs, rhs});
  }
  if (lhs && token.is("|")) {
    (void)fail(token.getLoc(), "unexpected '|'; did you mean '||'?");
    return nullptr;
  }
  return lhs;
}

Expr *Parser::parseUnary() {
  if (++depth > kMaxDepth) {
    (void)fail(token.getLoc(), "the expression is nested too deeply");
    return nullptr;
  }
  Expr *expr;
  if (token.is("-") || token.is("!")) {
    Token op = token;
    advance();
    Expr *operand = parseUnary();
    expr = operand ? make(Expr::Unary, op.getLoc(), op.spelling, {operand})
                   : nullptr;
  } else {
    expr = parsePrimary();
  }
  --depth;
  return expr;
}

Expr *Parser::parsePrimary() {
  llvm::SMLoc loc = token.getLoc();
  if (token.is(Token::Integer)) {
    Expr *expr = make(Expr::Integer, loc, token.spelling, {});
    return succeeded(parseInteger(expr->integer)) ? expr : nullptr;
  }
  if (token.is(Token::Float)) {
    Expr *expr = make(Expr::Float, loc, token.spelling, {});
    return succeeded(parseFloat(expr->number)) ? expr : nullptr;
  }
  if (token.is(Token::String)) {
    Expr *expr = make(Expr::String, loc, token.spelling, {});
    if (expr)
      expr->text = token.getString();
    advance();
    return expr;
  }
  if (token.is(Token::Identifier)) {
    Name name{token.spelling, loc};
    advance();
    if (token.is("("))
      return parseFunction(name);
    return make(Expr::Name, loc, name.text, {});
  }
  if (consumeIf("(")) {
    Expr *expr = parseExpr();
    if (!expr || failed(expect(")", "to close the parenthesis")))
      return nullptr;
    return expr;
  }
  (void)unexpected("a number, a name or '('");
  return nullptr;
}

namespace {
/// A function of expressions.
struct FunctionInfo {
  StringRef name;
  unsigned numArguments;
  StringRef takes; ///< kind of the arguments
};
} // namespace

static ArrayRef<FunctionInfo> getFunctions() {
  static const FunctionInfo functions[] = {
      {"min", 2, "numbers"},    {"max", 2, "numbers"},
      {"bytes", 1, "tensor"},   {"elements", 1, "tensor"},
      {"rank", 1, "tensor"},    {"macs", 0, "arguments"},
      {"present", 1, "tensor"}, {"which", 1, "tensor"}};
  return functions;
}

Expr *Parser::parseFunction(Name function) {
  const auto *info = llvm::find_if(getFunctions(), [&](const FunctionInfo &f) {
    return f.name == function.text;
  });
  if (info == getFunctions().end()) {
    SmallVector<StringRef> known = llvm::map_to_vector(
        getFunctions(), [](const FunctionInfo &f) { return f.name; });
    std::string hint = didYouMean(function.text, known);
    (void)fail(function.loc, Twine("unknown function '") + function.text + "'" +
                                 (hint.empty() ? "; expressions have " +
                                                     llvm::join(known, ", ")
                                               : hint));
    return nullptr;
  }
  advance();
  SmallVector<Expr *> operands;
  auto parseOperand = [&] {
    operands.push_back(parseExpr());
    return success(operands.back());
  };
  if (failed(parseList(")", "the arguments of '" + function.text + "'",
                       parseOperand)))
    return nullptr;
  if (operands.size() == info->numArguments)
    return make(Expr::Function, function.loc, function.text, operands);
  (void)fail(function.loc,
             Twine("'") + function.text + "' takes " +
                 (info->numArguments == 0 ? "no" : Twine(info->numArguments)) +
                 " " + info->takes + ", found " + Twine(operands.size()));
  return nullptr;
}
