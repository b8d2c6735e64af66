//===- PythonFile.h - Programs in Python -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_EXPLORE_PYTHONFILE_H
#define UMA_LIB_DRIVER_EXPLORE_PYTHONFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace uma {

/// Returns the words that run the file `name` of the Python module `uma`: the
/// interpreter and the path. Fails if there is no Python, or no module beside
/// this binary.
llvm::Expected<std::vector<std::string>> findPythonFile(llvm::StringRef name);

} // namespace uma

#endif // UMA_LIB_DRIVER_EXPLORE_PYTHONFILE_H
