//===- OutputFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/OutputFile.h"

#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

Error uma::writeFileAtomically(StringRef path, StringRef contents) {
  Error error = writeToOutput(path, [&](raw_ostream &os) -> Error {
    os << contents;
    os.flush();
    // A stream destroyed with an error pending ends the process.
    auto &file = static_cast<raw_fd_ostream &>(os);
    std::error_code code = file.error();
    file.clear_error();
    return errorCodeToError(code);
  });
  if (!error)
    return Error::success();
  // The error names a file too, which may be a temporary one.
  return createStringError(path + ": cannot be written: " +
                           errorToErrorCode(std::move(error)).message());
}

StagedFile::StagedFile(fs::TempFile temporary)
    : file(std::make_unique<fs::TempFile>(std::move(temporary))),
      stream(
          std::make_unique<raw_fd_ostream>(file->FD, /*shouldClose=*/false)) {}

Expected<StagedFile> StagedFile::create(StringRef folder) {
  SmallString<128> target(folder);
  if (std::error_code error = fs::make_absolute(target))
    return errorCodeToError(error);
  path::remove_dots(target, /*remove_dot_dot=*/true);
  // Beside the folder rather than in it, whose contents may be replaced.
  StringRef parent = path::parent_path(target);
  while (!fs::is_directory(parent) && path::has_parent_path(parent))
    parent = path::parent_path(parent);
  SmallString<128> model(parent);
  path::append(model, path::filename(target) + ".%%%%%%");
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

std::error_code StagedFile::finish() {
  stream->flush();
  // A stream destroyed with an error pending ends the process.
  std::error_code error = stream->error();
  stream->clear_error();
  return error;
}

std::error_code StagedFile::keep(StringRef path) {
  stream.reset();
  auto kept = std::move(file);
  return errorToErrorCode(kept->keep(path));
}

SignalBlock::SignalBlock() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGHUP, SIGINT, SIGTERM})
    sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
}

SignalBlock::~SignalBlock() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
