//===- PythonFile.cpp - Programs in Python --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PythonFile.h"

#include "uma/Support/InstalledFile.h"

#include "llvm/Support/Program.h"

using namespace uma;

llvm::Expected<std::vector<std::string>>
uma::findPythonFile(llvm::StringRef name) {
  // The system's own first, as python/CMakeLists.txt: the module and Debian's
  // packages belong to it.
  auto python = llvm::sys::findProgramByName("python3", {"/usr/bin"});
  if (!python)
    python = llvm::sys::findProgramByName("python3");
  if (!python)
    return llvm::createStringError("'python3' is not installed");
  // In a build folder, and in an installation.
  for (llvm::StringRef folder : {"python", UMA_PYTHON_DIR})
    for (std::string &file : findInstalled((folder + "/uma/" + name).str()))
      return std::vector<std::string>{*python, std::move(file)};
  return llvm::createStringError(
      "the Python module 'uma' is not beside this binary; 'make python' in "
      "uma's source folder builds it, and Debian's package is python3-uma");
}
