//===- ProjectFiles.h - Files beside a description -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_PROJECTFILES_H
#define UMA_LIB_DRIVER_NEW_PROJECTFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace uma::draft {

/// A file of the new folder.
struct ProjectFile {
  std::string name; ///< relative to the folder
  std::string text;
};

/// Returns an example accelerator: a description, its header and its model.
std::vector<ProjectFile> makeExample(llvm::StringRef name);

/// Returns the files of every accelerator: a small network, a Makefile with a
/// test target, and the next steps. `header` is the path of the header.
std::vector<ProjectFile> makeProjectFiles(llvm::StringRef name,
                                          llvm::StringRef header);

/// Returns the files of an accelerator as a class of Python.
std::vector<ProjectFile> makePythonProject(llvm::StringRef name);

/// Replaces `@name@` and `@NAME@` in a text.
std::string fillIn(llvm::StringRef text, llvm::StringRef name);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_PROJECTFILES_H
