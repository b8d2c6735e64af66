//===- HTMLPage.cpp - Common parts of HTML reports ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HTMLPage.h"

#include "Explanation.h"

#include "uma/Support/CountText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

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

void uma::printShares(llvm::raw_ostream &os, const Explanation &explanation) {
  const Share &total = explanation.total;
  auto getPercent = [&](const Share &share) {
    return total.macs ? 100.0 * double(share.macs) / double(total.macs) : 0.0;
  };
  auto getColor = [&](llvm::StringRef target) {
    return getTargetColor(explanation.accelerators, target);
  };
  os << "<div class=\"bar\">";
  for (const auto &[target, share] : explanation.targets)
    os << llvm::formatv("<span style=\"width:{0:f2}%;background:{1}\"></span>",
                        getPercent(share), getColor(target));
  os << "</div>\n<ul class=\"legend\">\n";
  for (const auto &[target, share] : explanation.targets)
    os << llvm::formatv("<li><span class=\"dot\" style=\"background:{0}\">"
                        "</span>{1}: {2} of {3} operators, {4} of {5} MACs "
                        "({6:f1} %)</li>\n",
                        getColor(target), escapeHTML(target), share.operators,
                        total.operators, getCountHTML(share.macs),
                        getCountHTML(total.macs), getPercent(share));
  os << "</ul>\n";
}
