//===- SharesHTML.cpp - The share of each target --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SharesHTML.h"

#include "../Page/HTMLPage.h"

#include "llvm/Support/FormatVariadic.h"

using namespace uma;

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
