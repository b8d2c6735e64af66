//===- DidYouMean.cpp - Suggestions for misspelt names --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/DidYouMean.h"

#include <algorithm>

using llvm::ArrayRef;
using llvm::StringRef;

std::string uma::didYouMean(StringRef name, ArrayRef<StringRef> candidates) {
  unsigned best = std::max<unsigned>(1, (name.size() + 2) / 3) + 1;
  StringRef closest;
  for (StringRef candidate : candidates) {
    unsigned distance = name.edit_distance_insensitive(
        candidate, /*AllowReplacements=*/true, best);
    // Do not suggest a name without a common letter.
    if (distance < best && distance < name.size()) {
      best = distance;
      closest = candidate;
    }
  }
  if (closest.empty())
    return "";
  return "; did you mean '" + closest.str() + "'?";
}
