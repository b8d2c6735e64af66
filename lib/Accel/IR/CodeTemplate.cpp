//===- CodeTemplate.cpp - Templates of C code -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/CodeTemplate.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;
using namespace uma::accel;

LogicalResult CodeTemplate::parse(StringRef text, CodeTemplate &result,
                                  std::string &problem) {
  result = CodeTemplate();
  result.statement = text.rtrim().ends_with(";");
  result.texts.emplace_back();
  if (text.trim().empty()) {
    problem = "is empty";
    return failure();
  }
  while (!text.empty()) {
    if (text.consume_front("{{")) {
      result.texts.back() += '{';
      continue;
    }
    if (text.consume_front("}}")) {
      result.texts.back() += '}';
      continue;
    }
    char c = text.front();
    if (c != '{' && c != '}') {
      result.texts.back() += c;
      text = text.drop_front();
      continue;
    }
    StringRef inside =
        text.drop_front().take_until([](char c) { return c == '}'; });
    unsigned number;
    if (c == '}' || inside.size() + 1 >= text.size() ||
        inside.getAsInteger(10, number) || number > 255) {
      problem = ("has '" + text.take_front(inside.size() + 2) +
                 "', expected the number of an argument as in {0}; a brace of "
                 "C is written twice")
                    .str();
      return failure();
    }
    result.arguments.push_back(number);
    result.numArguments = std::max(result.numArguments, number + 1);
    result.texts.emplace_back();
    text = text.drop_front(inside.size() + 2);
  }
  return success();
}

std::string CodeTemplate::escape(StringRef text) {
  std::string result;
  for (char c : text)
    result.append(c == '{' || c == '}' ? 2 : 1, c);
  return result;
}
