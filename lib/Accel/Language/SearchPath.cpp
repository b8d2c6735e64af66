//===- SearchPath.cpp - Search path of descriptions -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <dlfcn.h>
#include <map>

using namespace mlir;
using namespace uma::accel;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral kExtension = ".uma";

/// Returns `<prefix>/share/uma/dialects` for a binary in `<prefix>/bin`,
/// `<prefix>/lib`, `<prefix>/lib/<architecture>` or, for Python,
/// `<prefix>/lib/<python>/<packages>/uma`, or an empty string if it does not
/// exist. The path is never compiled in, so that an installation can be moved.
static std::string getInstalledFolder(StringRef binary) {
  SmallString<256> prefix(binary);
  for (unsigned level = 0; level < 5 && !prefix.empty(); ++level) {
    path::remove_filename(prefix);
    SmallString<256> folder(prefix);
    path::append(folder, "share", "uma", "dialects");
    // In a build folder, this is a link to the sources.
    if (SmallString<256> real; !fs::real_path(folder, real))
      return real.str().str();
  }
  return "";
}

/// Returns the path of the shared library that contains this code, e.g. a
/// plugin of mlir-opt, or of the executable as it was invoked.
static std::string getOwnLibrary() {
  static int anchor;
  Dl_info info;
  if (!dladdr(&anchor, &info) || !info.dli_fname)
    return "";
  SmallString<256> real;
  return fs::real_path(info.dli_fname, real) ? "" : real.str().str();
}

SmallVector<std::string> uma::accel::getSearchPath(const LoadOptions &options) {
  SmallVector<std::string> folders(options.searchPath);
  if (auto environment = llvm::sys::Process::GetEnv("UMA_ACCELERATOR_PATH")) {
    SmallVector<StringRef> parts;
    StringRef(*environment).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      folders.push_back(part.str());
  }
  static int anchor;
  folders.push_back(
      getInstalledFolder(fs::getMainExecutable(nullptr, &anchor)));
  folders.push_back(getInstalledFolder(getOwnLibrary()));
  SmallVector<std::string> result;
  for (std::string &folder : folders)
    if (!folder.empty() && fs::is_directory(folder) &&
        !llvm::is_contained(result, folder))
      result.push_back(std::move(folder));
  return result;
}

/// Returns the file that describes `name` in `folder`, or an empty string if
/// none exists.
static std::string findIn(StringRef folder, StringRef name) {
  SmallString<256> candidate(folder);
  path::append(candidate, name, name + kExtension);
  if (fs::is_regular_file(candidate))
    return candidate.str().str();
  candidate = folder;
  path::append(candidate, name + kExtension);
  if (fs::is_regular_file(candidate))
    return candidate.str().str();
  return "";
}

SmallVector<FoundDescription>
uma::accel::listAccelerators(const LoadOptions &options) {
  // Sort by name, since the order of a folder's files is unspecified.
  std::map<std::string, std::string> found;
  for (const std::string &folder : getSearchPath(options)) {
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error)) {
      StringRef name = path::filename(file->path());
      name.consume_back(kExtension);
      std::string description = findIn(folder, name);
      if (!description.empty())
        found.try_emplace(name.str(), description);
    }
  }
  SmallVector<FoundDescription> result;
  for (auto &[name, file] : found)
    result.push_back({name, file});
  return result;
}

static bool isPath(StringRef nameOrPath) {
  return nameOrPath.contains('/') || nameOrPath.ends_with(kExtension) ||
         nameOrPath.ends_with(".mlir");
}

FailureOr<std::string> uma::accel::findDescription(StringRef nameOrPath,
                                                   const LoadOptions &options,
                                                   EmitErrorFn emitError) {
  if (isPath(nameOrPath)) {
    if (fs::is_regular_file(nameOrPath))
      return nameOrPath.str();
    if (!fs::exists(nameOrPath))
      return emitError() << "no such description: '" << nameOrPath << "'";
    return emitError() << "'" << nameOrPath
                       << "' is not a file; name the description in it, e.g. "
                       << "'" << nameOrPath.rtrim('/') << "/"
                       << path::filename(nameOrPath.rtrim('/')) << kExtension
                       << "'";
  }
  if (nameOrPath.empty())
    return emitError() << "the name of an accelerator is empty";
  SmallVector<std::string> folders = getSearchPath(options);
  for (const std::string &folder : folders)
    if (std::string file = findIn(folder, nameOrPath); !file.empty())
      return file;

  SmallVector<FoundDescription> found = listAccelerators(options);
  SmallVector<StringRef> known;
  for (const FoundDescription &description : found)
    known.push_back(description.name);
  std::string suggestion = didYouMean(nameOrPath, known);
  InFlightDiagnostic error = emitError() << "unknown accelerator '"
                                         << nameOrPath << "'" << suggestion;
  if (suggestion.empty())
    error << "; "
          << (known.empty() ? "no description was found"
                            : "known are " + llvm::join(known, ", "))
          << "; searched in " << llvm::join(folders, ":")
          << "; add folders by UMA_ACCELERATOR_PATH, or give a path";
  return error;
}
