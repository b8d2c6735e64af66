//===- HeaderFiles.cpp - Search for a header and its includes -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A vendor's installed header stays in place: its folder is on the include path
// of everyone who compiles for the device. The compiler of a package would not
// find a header outside of the include path, so it is copied beside the
// description.
//
//===----------------------------------------------------------------------===//

#include "HeaderFiles.h"

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using namespace uma::draft;
using llvm::SmallString;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Maximum size of a header in bytes. One that only declares functions is far
/// smaller.
static constexpr uint64_t kMaxHeaderBytes = uint64_t(4) << 20;

/// Returns the folders of -I and -isystem in CPPFLAGS and CFLAGS, in order.
static std::vector<std::string> getIncludePath() {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  for (StringRef variable : {"CPPFLAGS", "CFLAGS"})
    if (auto flags = llvm::sys::Process::GetEnv(variable))
      llvm::cl::TokenizeGNUCommandLine(*flags, saver, words);
  std::vector<std::string> folders;
  for (size_t i = 0; i < words.size(); ++i)
    for (StringRef option : {"-isystem", "-I"}) {
      StringRef word = words[i];
      if (!word.consume_front(option))
        continue;
      if (word.empty() && i + 1 < words.size())
        word = words[++i];
      if (!word.empty())
        folders.push_back(word.str());
      break;
    }
  return folders;
}

/// Returns the path of `file` relative to `folder`; empty if it is not below. A
/// symbolic link counts by its own path, by which a compiler finds it.
static std::string getPathBelow(StringRef folder, StringRef file) {
  SmallString<256> realFolder, parent;
  StringRef fileFolder = path::parent_path(file);
  if (fs::real_path(folder, realFolder) ||
      fs::real_path(fileFolder.empty() ? "." : fileFolder, parent))
    return "";
  path::append(parent, path::filename(file));
  StringRef rest = parent;
  if (!rest.consume_front(realFolder) ||
      (!realFolder.ends_with("/") && !rest.consume_front("/")))
    return "";
  return rest.str();
}

/// Returns the name by which every compiler on this system finds a header;
/// empty if there is none.
static std::string getSystemName(StringRef file) {
  for (StringRef folder : {"/usr/local/include", "/usr/include"}) {
    std::string name = getPathBelow(folder, file);
    if (name.empty())
      continue;
    // Debian has processor-specific headers in separate folders.
    auto [first, rest] = StringRef(name).split('/');
    return first.contains("-linux-gnu") ? rest.str() : name;
  }
  return "";
}

llvm::Expected<HeaderFile> uma::draft::findHeader(StringRef name) {
  HeaderFile header;
  header.path = name.str();
  std::vector<std::string> folders = getIncludePath();
  if (!fs::exists(name) && !path::is_absolute(name))
    for (StringRef folder : folders) {
      SmallString<256> candidate(folder);
      path::append(candidate, name);
      if (fs::exists(candidate)) {
        header.path = candidate.str().str();
        break;
      }
    }
  fs::file_status status;
  if (std::error_code error = fs::status(header.path, status))
    return llvm::createStringError(
        error, "--from-header=" + uma::toPrintable(name) + ": " +
                   error.message() +
                   "; expected a C header, by its path or below a folder that "
                   "CPPFLAGS=-IFOLDER names");
  if (status.type() != fs::file_type::regular_file)
    return llvm::createStringError("--from-header=" + uma::toPrintable(name) +
                                   ": is no regular file, expected a C header");
  if (status.getSize() > kMaxHeaderBytes)
    return llvm::createStringError(
        "--from-header=" + uma::toPrintable(name) + ": has " +
        std::to_string(status.getSize() >> 20) +
        " MiB, expected at most 4 MiB; name the header that declares the "
        "device's functions");
  for (StringRef folder : folders)
    if (std::string below = getPathBelow(folder, header.path); !below.empty()) {
      header.included = below;
      header.isOnIncludePath = true;
      break;
    }
  if (!header.isOnIncludePath) {
    header.included = getSystemName(header.path);
    header.isOnIncludePath = !header.included.empty();
  }
  if (header.included.empty())
    header.included = path::filename(header.path).str();
  // C and the description both write the name in quotes.
  if (llvm::any_of(header.included, [](char c) {
        return c == '"' || c == '\\' || !llvm::isPrint(c);
      }))
    return llvm::createStringError("--from-header=" + uma::toPrintable(name) +
                                   ": expected a name of printable ASCII "
                                   "characters without '\"' and '\\'");
  return header;
}

llvm::Expected<std::vector<ProjectFile>>
uma::draft::copyHeaders(const HeaderFile &header,
                        llvm::ArrayRef<std::string> files) {
  std::vector<ProjectFile> copies;
  if (header.isOnIncludePath)
    return copies;
  StringRef folder = path::parent_path(header.path);
  std::vector<std::string> folders = getIncludePath();
  for (const std::string &file : files) {
    // A file on the include path need not be copied.
    if (llvm::any_of(folders, [&](StringRef other) {
          return !getPathBelow(other, file).empty();
        }))
      continue;
    std::string name = getPathBelow(folder.empty() ? "." : folder, file);
    if (name.empty())
      return llvm::createStringError(
          uma::toPrintable(header.path) + ": includes '" +
          uma::toPrintable(file) +
          "', which is outside of its folder; name the folder that both are "
          "below by CPPFLAGS=-IFOLDER, then the headers stay where they are");
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      return llvm::createStringError(uma::toPrintable(file) + ": " +
                                     buffer.getError().message());
    copies.push_back({name, (*buffer)->getBuffer().str()});
  }
  return copies;
}
