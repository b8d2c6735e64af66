//===- OutputFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/OutputFile.h"

#include "uma/Support/Signals.h"

#include "llvm/Support/Path.h"

using namespace uma;
using llvm::Error;
using llvm::Expected;
using llvm::raw_fd_ostream;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Says whether all writes to the stream succeeded.
static std::error_code finishStream(raw_fd_ostream &stream) {
  stream.flush();
  // A stream destroyed with an error pending ends the process.
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

static std::error_code writeThroughStagedFile(StringRef path,
                                              StringRef contents) {
  Expected<StagedFile> file = StagedFile::create(path);
  if (!file)
    return errorToErrorCode(file.takeError());
  file->getStream() << contents;
  if (std::error_code error = file->finish())
    return error;
  return file->keep(path);
}

static std::error_code writeInPlace(StringRef path, StringRef contents) {
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (error)
    return error;
  os << contents;
  return finishStream(os);
}

Error uma::writeFileAtomically(StringRef path, StringRef contents) {
  bool isFile = !fs::exists(path) || fs::is_regular_file(path);
  std::error_code error = isFile ? writeThroughStagedFile(path, contents)
                                 : writeInPlace(path, contents);
  if (!error)
    return Error::success();
  return createStringError(path + ": cannot be written: " + error.message());
}

StagedFile::StagedFile(fs::TempFile temporary)
    : file(std::make_unique<fs::TempFile>(std::move(temporary))),
      stream(
          std::make_unique<raw_fd_ostream>(file->FD, /*shouldClose=*/false)) {}

Expected<StagedFile> StagedFile::create(StringRef folder) {
  SmallString<128> target(folder);
  if (std::error_code error = fs::make_absolute(target))
    return llvm::errorCodeToError(error);
  path::remove_dots(target, /*remove_dot_dot=*/true);
  // Beside the folder rather than in it, whose contents may be replaced.
  StringRef parent = path::parent_path(target);
  while (!fs::is_directory(parent) && path::has_parent_path(parent))
    parent = path::parent_path(parent);
  SmallString<128> model(parent);
  path::append(model, path::filename(target) + ".%%%%%%");
  // Between making the file and noting that signals remove it, none may come.
  SignalBlock signals;
  Expected<fs::TempFile> file = fs::TempFile::create(model);
  if (!file)
    return file.takeError();
  return StagedFile(std::move(*file));
}

StagedFile::~StagedFile() {
  if (!file)
    return;
  (void)finish();
  consumeError(file->discard());
}

std::error_code StagedFile::finish() { return finishStream(*stream); }

std::error_code StagedFile::keep(StringRef path) {
  stream.reset();
  auto kept = std::move(file);
  return errorToErrorCode(kept->keep(path));
}
