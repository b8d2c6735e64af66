//===- ParseJSON.h - JSON from files that may be damaged -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_PARSEJSON_H
#define UMA_SUPPORT_PARSEJSON_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace uma {

/// Levels of arrays and objects that parseJSON accepts; no file of ours has
/// more than 10.
inline constexpr unsigned kMaxJSONDepth = 100;

/// Parses the contents of the file `path`. Fails with `PATH:LINE:COL: problem`
/// where that is no JSON, and where values nest deeper than kMaxJSONDepth:
/// LLVM's parser recurses without a limit and would overflow the stack.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text,
                                            const llvm::Twine &path);

} // namespace uma

#endif // UMA_SUPPORT_PARSEJSON_H
