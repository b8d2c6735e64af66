//===- DidYouMean.h - Suggestions for misspelt names -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_DIDYOUMEAN_H
#define UMA_SUPPORT_DIDYOUMEAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace uma {

/// Returns the end of an error message about an unknown name: `; did you mean
/// 'X'?` with the closest candidate; empty if none is close (edit distance of
/// at most a third of the name, after clang's typo correction).
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace uma

#endif // UMA_SUPPORT_DIDYOUMEAN_H
