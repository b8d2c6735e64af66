//===- ParseJSON.cpp - JSON from untrusted files --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/ParseJSON.h"

#include "uma/Support/Nesting.h"

using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using namespace uma;

Expected<llvm::json::Value> uma::parseJSON(StringRef text, const Twine &path) {
  size_t offset = findTooDeep(text, "[{", "]}", kMaxJSONDepth);
  if (offset != StringRef::npos)
    return createStringError(path + ":" + getLineAndColumn(text, offset) +
                             ": Nested more than " + Twine(kMaxJSONDepth) +
                             " levels deep");
  Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return value;
  // LLVM's format is `[LINE:COL, byte=N]: problem`.
  std::string error = llvm::toString(value.takeError());
  auto [position, problem] = StringRef(error).split("]: ");
  return createStringError(path + ":" + position.drop_front().split(',').first +
                           ": " + problem);
}
