//===- PlainPath.h - Paths that build files take as they are -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_PLAINPATH_H
#define UMA_SUPPORT_PLAINPATH_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace uma {

/// Returns what keeps make, CMake, a shell or an #include from reading a path
/// as it is, e.g. `has '$'`. Returns an empty string if nothing does: the path
/// has letters of any script, digits and `/ . _ - + , @` only, and none of its
/// components starts with `-`. There is no quoting that all of them know.
std::string findPathProblem(llvm::StringRef path);

} // namespace uma

#endif // UMA_SUPPORT_PLAINPATH_H
