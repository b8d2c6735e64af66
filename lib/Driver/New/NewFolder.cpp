//===- NewFolder.cpp - Atomic creation of several files -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "NewFolder.h"

#include "uma/Support/OutputFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace uma::draft;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string join(StringRef folder, StringRef name) {
  llvm::SmallString<256> result(folder);
  path::append(result, name);
  return result.str().str();
}

llvm::Error uma::draft::checkFolder(StringRef folder,
                                    llvm::ArrayRef<std::string> names) {
  fs::file_status status;
  std::error_code error = fs::status(folder, status, /*follow=*/false);
  if (error == std::errc::no_such_file_or_directory)
    return llvm::Error::success();
  if (error)
    return llvm::createStringError(error, folder + ": " + error.message());
  if (!fs::is_directory(folder))
    return llvm::createStringError("'" + folder +
                                   "' is no folder, expected none of this name "
                                   "or one without the files of a draft");
  for (const std::string &name : names) {
    std::string path = join(folder, name);
    error = fs::status(path, status, /*follow=*/false);
    if (error == std::errc::no_such_file_or_directory)
      continue;
    if (error)
      return llvm::createStringError(error, path + ": " + error.message());
    return llvm::createStringError("'" + path +
                                   "' is there already and stays as it is; "
                                   "choose another name, or move it away");
  }
  return llvm::Error::success();
}

/// Creates the folders from `folder` down to the parent of `file`. Adds new
/// ones to `created`.
static std::error_code
createFolders(StringRef folder, StringRef file,
              llvm::SmallVectorImpl<std::string> &created) {
  StringRef parent = path::parent_path(file);
  if (parent.size() > folder.size())
    if (std::error_code error = createFolders(folder, parent, created))
      return error;
  std::error_code error =
      fs::create_directory(parent, /*IgnoreExisting=*/false, fs::all_all);
  if (!error)
    created.push_back(parent.str());
  return error == std::errc::file_exists ? std::error_code() : error;
}

llvm::Error uma::draft::writeFolder(StringRef folder,
                                    llvm::ArrayRef<ProjectFile> files) {
  std::vector<std::string> names;
  for (const ProjectFile &file : files)
    names.push_back(file.name);
  if (llvm::Error error = checkFolder(folder, names))
    return error;
  std::vector<StagedFile> staged;
  for (const ProjectFile &file : files) {
    auto temporary = StagedFile::create(folder);
    if (!temporary)
      return llvm::createStringError(join(folder, file.name) + ": " +
                                     llvm::toString(temporary.takeError()));
    temporary->getStream() << file.text;
    if (std::error_code error = temporary->finish())
      return llvm::createStringError(error, join(folder, file.name) + ": " +
                                                error.message());
    staged.push_back(std::move(*temporary));
  }
  llvm::SmallVector<std::string> created, kept;
  auto undo = llvm::scope_exit([&] {
    for (const std::string &file : kept)
      (void)fs::remove(file);
    for (const std::string &path : llvm::reverse(created))
      (void)fs::remove(path);
  });
  for (auto [file, temporary] : llvm::zip_equal(files, staged)) {
    std::string target = join(folder, file.name);
    std::error_code error = createFolders(folder, target, created);
    if (!error)
      error = temporary.keep(target);
    if (error)
      return llvm::createStringError(error, target + ": " + error.message());
    kept.push_back(target);
  }
  undo.release();
  return llvm::Error::success();
}
