//===- OutputFile.cpp - Atomically written files --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/OutputFile.h"

#include "uma/Support/OutputPath.h"
#include "uma/Support/Signals.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace uma;
using llvm::Error;
using llvm::ErrorOr;
using llvm::Expected;
using llvm::raw_fd_ostream;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Returns an error if any write to the stream failed.
static std::error_code finishStream(raw_fd_ostream &stream) {
  stream.flush();
  // A stream destroyed with an error pending ends the process.
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

static std::error_code writeThroughStagedFile(StringRef path,
                                              StringRef contents) {
  ErrorOr<std::string> target = resolveOutputPath(path);
  if (!target)
    return target.getError();
  Expected<StagedFile> file = StagedFile::createFor(*target);
  if (!file)
    return errorToErrorCode(file.takeError());
  file->getStream() << contents;
  if (std::error_code error = file->finish())
    return error;
  return file->keep(*target);
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
  return llvm::createStringError(
      path + ": cannot be written: " + explainPathError(path, error));
}

/// An open temporary file, removed on destruction and by signals.
class StagedFile::Temporary {
public:
  Temporary(std::string path, int descriptor)
      : path(std::move(path)), descriptor(descriptor) {}
  Temporary(const Temporary &) = delete;
  void operator=(const Temporary &) = delete;
  ~Temporary() {
    if (descriptor >= 0)
      (void)llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
    if (!isKept)
      (void)fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }

  StringRef getPath() const { return path; }
  int getDescriptor() const { return descriptor; }
  std::error_code keep(StringRef target) {
    std::error_code error = llvm::sys::Process::SafelyCloseFileDescriptor(
        std::exchange(descriptor, -1));
    if (!error)
      error = fs::rename(path, target);
    isKept = !error;
    return error;
  }

private:
  std::string path;
  int descriptor;
  bool isKept = false;
};

StagedFile::StagedFile(std::unique_ptr<Temporary> temporary)
    : file(std::move(temporary)),
      stream(std::make_unique<raw_fd_ostream>(file->getDescriptor(),
                                              /*shouldClose=*/false)) {}

Expected<StagedFile> StagedFile::createWithPrefix(StringRef prefix) {
  // Block signals until a handler knows the file.
  SignalBlock signals;
  int descriptor = -1;
  ErrorOr<std::string> path = createUniquePath(prefix, [&](StringRef path) {
    return fs::openFileForWrite(path, descriptor, fs::CD_CreateNew);
  });
  if (!path)
    return llvm::errorCodeToError(path.getError());
  llvm::sys::RemoveFileOnSignal(*path);
  return StagedFile(std::make_unique<Temporary>(*path, descriptor));
}

Expected<StagedFile> StagedFile::create(StringRef folder) {
  ErrorOr<std::string> target = resolveOutputPath(folder);
  if (!target)
    return llvm::errorCodeToError(target.getError());
  return createWithPrefix(getExistingFolder(*target) + "/" +
                          kStagedPrefix.str());
}

Expected<StagedFile> StagedFile::createFor(StringRef path) {
  Expected<StagedFile> file = createWithPrefix((path + ".").str());
  fs::file_status status;
  if (!file || fs::status(path, status))
    return file;
  int descriptor = file->file->getDescriptor();
  // Only the superuser may change the owner; ignore failures.
  (void)fs::changeFileOwnership(descriptor, status.getUser(),
                                status.getGroup());
  if (std::error_code error =
          fs::setPermissions(descriptor, status.permissions()))
    return llvm::errorCodeToError(error);
  return file;
}

StagedFile::StagedFile(StagedFile &&) = default;
StagedFile &StagedFile::operator=(StagedFile &&) = default;

StagedFile::~StagedFile() {
  if (file && stream)
    (void)finish();
}

std::error_code StagedFile::finish() { return finishStream(*stream); }

std::error_code StagedFile::keep(StringRef path) {
  stream.reset();
  return std::exchange(file, nullptr)->keep(path);
}

StringRef StagedFile::getPath() const { return file->getPath(); }
