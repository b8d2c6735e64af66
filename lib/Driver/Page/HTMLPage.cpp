//===- HTMLPage.cpp - Common parts of HTML reports ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HTMLPage.h"

#include "uma/Support/CountText.h"

#include "llvm/ADT/STLExtras.h"

using namespace uma;

std::string uma::getCountHTML(int64_t count) {
  std::string digits = getCountText(count), text;
  for (char c : digits)
    text += c == ' ' ? "&nbsp;" : std::string(1, c);
  return text;
}

llvm::StringRef uma::getTargetColor(llvm::ArrayRef<std::string> accelerators,
                                    llvm::StringRef target) {
  static constexpr llvm::StringLiteral colors[] = {
      "#0072b2", "#d55e00", "#009e73", "#cc79a7",
      "#e69f00", "#56b4e9", "#b7a800", "#7b4fa3"};
  const auto *found = llvm::find(accelerators, target);
  if (found == accelerators.end())
    return "#8a8a8a";
  return colors[(found - accelerators.begin()) % std::size(colors)];
}
