//===- OutputPath.cpp - Paths of output files and folders -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/OutputPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <climits>
#include <unistd.h>

using llvm::ErrorOr;
using llvm::SmallString;
using llvm::StringLiteral;
using llvm::StringRef;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static bool isSymlink(StringRef path) {
  return !path.empty() && fs::is_symlink_file(path);
}

ErrorOr<std::string> uma::resolveOutputPath(StringRef path) {
  auto missing = std::make_error_code(std::errc::no_such_file_or_directory);
  if (path.empty())
    return missing;
  SmallString<256> real;
  std::error_code error = fs::real_path(path, real);
  if (!error)
    return real.str().str();
  if (error != std::errc::no_such_file_or_directory)
    return error;
  // The missing component is the last one or one before it.
  StringRef trimmed = path.rtrim('/');
  if (trimmed.empty() || isSymlink(trimmed))
    return error;
  size_t slash = trimmed.rfind('/');
  StringRef name = trimmed.substr(slash == StringRef::npos ? 0 : slash + 1);
  StringRef parent = slash == StringRef::npos ? StringRef(".")
                     : slash == 0             ? StringRef("/")
                                              : trimmed.take_front(slash);
  // A working directory that was removed has no path.
  if (name == ".." || trimmed == ".")
    return error;
  ErrorOr<std::string> folder = resolveOutputPath(parent);
  if (!folder || name == ".")
    return folder;
  if (!StringRef(*folder).ends_with("/"))
    *folder += '/';
  return *folder + name.str();
}

std::string uma::getExistingFolder(StringRef resolvedPath) {
  while (!fs::is_directory(resolvedPath) && path::has_parent_path(resolvedPath))
    resolvedPath = path::parent_path(resolvedPath);
  return resolvedPath.str();
}

std::string uma::explainPathError(StringRef path, std::error_code error) {
  if (error == std::errc::no_such_file_or_directory)
    for (StringRef part = path.rtrim('/'); !part.empty();
         part = part.take_front(part.rfind('/') + 1).rtrim('/')) {
      if (!isSymlink(part))
        continue;
      std::string link = part.str();
      char target[PATH_MAX];
      ssize_t length = readlink(link.c_str(), target, sizeof(target));
      if (length >= 0 && !fs::exists(part))
        return "'" + link + "' is a symbolic link to '" +
               std::string(target, length) + "', which does not exist";
    }
  return error.message();
}

ErrorOr<std::string>
uma::createUniquePath(StringRef prefix,
                      llvm::function_ref<std::error_code(StringRef)> create) {
  constexpr StringLiteral kCharacters = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::error_code error;
  for (int attempt = 0; attempt < 128; ++attempt) {
    std::string candidate = prefix.str();
    for (int i = 0; i < 6; ++i)
      candidate += kCharacters[llvm::sys::Process::GetRandomNumber() %
                               kCharacters.size()];
    error = create(candidate);
    if (!error)
      return candidate;
    if (error != std::errc::file_exists)
      break;
  }
  return error;
}

ErrorOr<TemporaryFolder> TemporaryFolder::create(StringRef prefix) {
  ErrorOr<std::string> path = createUniquePath(prefix, [](StringRef path) {
    return fs::create_directory(path, /*IgnoreExisting=*/false, fs::all_all);
  });
  if (!path)
    return path.getError();
  return TemporaryFolder(std::move(*path));
}

TemporaryFolder::~TemporaryFolder() {
  if (!path.empty())
    (void)fs::remove_directories(path);
}

std::error_code TemporaryFolder::rename(StringRef to) {
  std::error_code error = fs::rename(path, to);
  if (!error)
    path.clear();
  return error;
}

std::error_code TemporaryFolder::move(StringRef to) {
  std::error_code error = fs::rename(path, to);
  if (!error)
    path = to.str();
  return error;
}
