//===- PlainPath.cpp - Paths that build files take as they are ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/PlainPath.h"

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

std::string uma::findPathProblem(StringRef path) {
  for (char c : path)
    if (static_cast<unsigned char>(c) < 0x80 && !llvm::isAlnum(c) &&
        !StringRef("/._-+,@").contains(c))
      return "has '" + toPrintable(StringRef(&c, 1)) + "'";
  if (toPrintable(path) != path)
    return "has an invisible character";
  for (StringRef component : llvm::split(path, '/'))
    if (component.starts_with("-"))
      return "has a part that starts with '-'";
  return "";
}
