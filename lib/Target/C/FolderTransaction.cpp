//===- FolderTransaction.cpp - All-or-nothing changes to a folder ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FolderTransaction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <unistd.h>

using llvm::StringRef;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static bool existsItself(StringRef path) {
  fs::file_status status;
  return !fs::status(path, status, /*follow=*/false);
}

std::error_code FolderTransaction::move(std::string from, std::string to) {
  std::error_code error = fs::rename(from, to);
  if (!error)
    steps.push_back({std::move(from), std::move(to)});
  return error;
}

std::error_code FolderTransaction::createParents(StringRef root,
                                                 StringRef name) {
  for (size_t slash = name.find('/'); slash != StringRef::npos;
       slash = name.find('/', slash + 1)) {
    std::string parent = (root + "/" + name.take_front(slash)).str();
    if (existsItself(parent))
      continue;
    if (std::error_code error =
            fs::create_directory(parent, /*IgnoreExisting=*/false, fs::all_all))
      return error;
    steps.push_back({std::move(parent), ""});
  }
  return std::error_code();
}

std::error_code FolderTransaction::replace(StringRef name) {
  std::string place = (folder + "/" + name).str();
  if (existsItself(place)) {
    if (std::error_code error = createParents(backup, name))
      return error;
    if (std::error_code error = move(place, (backup + "/" + name).str()))
      return error;
  } else if (std::error_code error = createParents(folder, name)) {
    return error;
  }
  return move((source + "/" + name).str(), place);
}

std::error_code FolderTransaction::remove(StringRef name) {
  if (std::error_code error = createParents(backup, name))
    return error;
  if (std::error_code error =
          move((folder + "/" + name).str(), (backup + "/" + name).str()))
    return error;
  for (StringRef parent = path::parent_path(name); !parent.empty();
       parent = path::parent_path(parent)) {
    std::string place = (folder + "/" + parent).str();
    // Fails for non-empty folders.
    if (rmdir(place.c_str()) != 0)
      break;
    steps.push_back({"", std::move(place)});
  }
  return std::error_code();
}

std::error_code FolderTransaction::rollBack() {
  std::error_code first;
  for (const Step &step : llvm::reverse(steps)) {
    std::error_code error;
    if (step.to.empty()) {
      // A created folder, which stays if others use it by now.
      (void)rmdir(step.from.c_str());
    } else if (step.from.empty()) {
      error =
          fs::create_directory(step.to, /*IgnoreExisting=*/true, fs::all_all);
    } else {
      error = fs::rename(step.to, step.from);
    }
    if (!first)
      first = error;
  }
  steps.clear();
  return first;
}
