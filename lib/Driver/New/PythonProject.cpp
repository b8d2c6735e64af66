//===- PythonProject.cpp - An accelerator as a class of Python ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Files of `uma new NAME --python`, under the names that TVM's uma_cli.py gave
// them.
//
//===----------------------------------------------------------------------===//

#include "ProjectFiles.h"

#include "llvm/ADT/StringExtras.h"

using namespace uma::draft;
using llvm::StringRef;

static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kFiles[] =
    {
#include "PythonFiles.inc"
};

/// Returns the name of the class: `my_npu` is `MyNpu`.
static std::string makeClassName(StringRef name) {
  std::string result;
  for (StringRef word : llvm::split(name, '_'))
    if (!word.empty())
      result += llvm::toUpper(word.front()) + word.drop_front().str();
  return result;
}

std::vector<ProjectFile> uma::draft::makePythonProject(StringRef name) {
  std::vector<ProjectFile> files;
  for (const auto &[file, text] : kFiles) {
    std::string filled = fillIn(text, name);
    std::string mark = "@Name@", className = makeClassName(name);
    for (size_t at = filled.find(mark); at != std::string::npos;
         at = filled.find(mark, at + className.size()))
      filled.replace(at, mark.size(), className);
    files.push_back({file.str(), std::move(filled)});
  }
  return files;
}
