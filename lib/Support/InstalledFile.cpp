//===- InstalledFile.cpp - Files beside the binary ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/InstalledFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace uma;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Returns the real path of `<prefix>/<relative>` for a binary below a prefix,
/// or an empty string if it does not exist.
static std::string findBeside(StringRef binary, StringRef relative) {
  SmallString<256> prefix(binary);
  for (unsigned level = 0; level < 5 && !prefix.empty(); ++level) {
    path::remove_filename(prefix);
    SmallString<256> file(prefix);
    path::append(file, relative);
    // In a build folder, this may be a link to the sources.
    if (SmallString<256> real; !fs::real_path(file, real))
      return real.str().str();
  }
  return "";
}

std::string uma::getOwnLibrary() {
  static int anchor;
  Dl_info info;
  if (!dladdr(&anchor, &info) || !info.dli_fname)
    return "";
  SmallString<256> real;
  return fs::real_path(info.dli_fname, real) ? "" : real.str().str();
}

llvm::SmallVector<std::string> uma::findInstalled(StringRef relative) {
  static int anchor;
  llvm::SmallVector<std::string> found;
  for (const std::string &binary :
       {fs::getMainExecutable(nullptr, &anchor), getOwnLibrary()}) {
    std::string file = findBeside(binary, relative);
    if (!file.empty() && !llvm::is_contained(found, file))
      found.push_back(std::move(file));
  }
  return found;
}
