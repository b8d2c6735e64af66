//===- ParseJSON.h - JSON from untrusted files -*- C++ -*------------------===//
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

/// Maximum nesting of arrays and objects in parseJSON; our own files have at
/// most 10.
inline constexpr unsigned kMaxJSONDepth = 100;

/// Parses the contents of the file `path`. Fails with `PATH:LINE:COL: problem`
/// for invalid JSON and for nesting above kMaxJSONDepth: LLVM's parser recurses
/// without a limit and would overflow the stack.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text,
                                            const llvm::Twine &path);

} // namespace uma

#endif // UMA_SUPPORT_PARSEJSON_H
