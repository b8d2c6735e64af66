//===- SearchPath.cpp - Search path of descriptions -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/InstalledFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <map>

using namespace mlir;
using namespace uma::accel;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral kExtension = ".uma";

SmallVector<std::string> uma::accel::getSearchPath(const LoadOptions &options) {
  SmallVector<std::string> folders(options.searchPath);
  if (auto environment = llvm::sys::Process::GetEnv("UMA_ACCELERATOR_PATH")) {
    SmallVector<StringRef> parts;
    StringRef(*environment).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      folders.push_back(part.str());
  }
  llvm::append_range(folders, findInstalled("share/uma/dialects"));
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
