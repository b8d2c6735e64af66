//===- ParseCost.cpp - Statements about costs -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel::language;

/// Parses `name = expression` for one of `settings` that is not set yet.
LogicalResult Parser::parseSetting(MutableArrayRef<Setting> settings,
                                   const Twine &statement) {
  SmallVector<StringRef> names = llvm::map_to_vector(
      settings, [](const Setting &setting) { return setting.name; });
  Name name;
  if (failed(parseName(name, llvm::join(names, " or "))))
    return failure();
  auto *setting = llvm::find_if(
      settings, [&](const Setting &known) { return known.name == name.text; });
  if (setting == settings.end()) {
    std::string hint = didYouMean(name.text, names);
    return fail(
        name.loc,
        statement + " has no '" + name.text + "'" +
            (hint.empty() ? "; it has " + llvm::join(names, " and ") : hint));
  }
  if (setting->value)
    return fail(name.loc, "'" + name.text + "' is given twice");
  if (failed(expect("=", "after '" + name.text + "'")))
    return failure();
  setting->value = parseExpr();
  return success(setting->value);
}

/// Parses `{ setting setting … }`, each on its own line or ended by `;`.
LogicalResult Parser::parseSettings(MutableArrayRef<Setting> settings,
                                    const Twine &statement) {
  skipNewlines();
  if (failed(expect("{", "after '" + statement + "'")))
    return failure();
  skipNewlines();
  bool isBroken = false;
  while (!consumeIf("}")) {
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of '" + statement + "'");
    isBroken |=
        parseOrSkip([&] {
          return success(
              succeeded(parseSetting(settings, "'" + statement + "'")) &&
              succeeded(expectEndOfStatement("the expression")));
        }).has_value();
  }
  return failure(isBroken ||
                 failed(expectEndOfStatement("'" + statement + "'")));
}

/// Parses `cost cycles = expression [, bytes = expression]`.
LogicalResult Parser::parseCost(llvm::SMLoc loc, Pattern &pattern) {
  Setting settings[] = {{"cycles"}, {"bytes"}};
  do {
    if (failed(parseSetting(settings, "a cost")))
      return failure();
  } while (consumeIf(","));
  if (!settings[0].value)
    return fail(loc, "the cost has no cycles, e.g. cost cycles = 100");
  pattern.statements.push_back(Cost{settings[0].value, settings[1].value, loc});
  return expectEndOfStatement("the cost");
}

/// Parses `transfer { cycles = expression }`.
LogicalResult Parser::parseTransfer(llvm::SMLoc loc) {
  Setting settings[] = {{"cycles"}};
  if (failed(parseSettings(settings, "transfer")))
    return failure();
  if (!settings[0].value)
    return fail(loc, "the transfer has no cycles, e.g. transfer { cycles = 100 "
                     "+ bytes / 8 }");
  accelerator.items.push_back(Transfer{settings[0].value, loc});
  return success();
}

/// Parses `region { overhead = expression; min_operators = expression }`.
LogicalResult Parser::parseRegion(llvm::SMLoc loc) {
  Setting settings[] = {{"overhead"}, {"min_operators"}};
  if (failed(parseSettings(settings, "region")))
    return failure();
  if (!settings[0].value && !settings[1].value)
    return fail(loc, "the region says nothing, e.g. region { overhead = 500; "
                     "min_operators = 2 }");
  accelerator.items.push_back(
      RegionCost{settings[0].value, settings[1].value, loc});
  return success();
}
