//===- OutputFile.cpp - Atomically written files --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/OutputFile.h"

#include "uma/Support/OutputPath.h"
#include "uma/Support/Signals.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace uma;
using llvm::Error;
using llvm::ErrorOr;
using llvm::Expected;
using llvm::raw_fd_ostream;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Returns a path by which an open file can be opened again.
static std::string getDescriptorPath(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

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

/// An open temporary file. Where the system allows it, the file has no name
/// until it is kept, so that nothing is left of it even if the process is
/// killed. Otherwise it is removed on destruction and by signals.
class StagedFile::Temporary {
public:
  /// Takes over an open file; `isNamed` if `path` is in a folder.
  Temporary(std::string path, int descriptor, bool isNamed)
      : path(std::move(path)), descriptor(descriptor), isNamed(isNamed) {}
  Temporary(const Temporary &) = delete;
  void operator=(const Temporary &) = delete;
  ~Temporary() {
    if (descriptor >= 0)
      (void)llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
    if (!isNamed)
      return;
    if (!isKept)
      (void)fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }

  StringRef getPath() const { return path; }
  int getDescriptor() const { return descriptor; }
  std::error_code keep(StringRef target) {
    if (!isNamed)
      return link(target);
    std::error_code error = llvm::sys::Process::SafelyCloseFileDescriptor(
        std::exchange(descriptor, -1));
    if (!error)
      error = fs::rename(path, target);
    isKept = !error;
    return error;
  }

private:
  /// Gives the file a name.
  std::error_code linkAs(StringRef name) const {
    if (linkat(AT_FDCWD, path.c_str(), AT_FDCWD, name.str().c_str(),
               AT_SYMLINK_FOLLOW) == 0)
      return std::error_code();
    return std::error_code(errno, std::generic_category());
  }
  /// Gives the file the name `target`, which may replace another file.
  std::error_code link(StringRef target) const {
    SignalBlock signals;
    std::error_code error = linkAs(target);
    if (error != std::errc::file_exists)
      return error;
    ErrorOr<std::string> other = createUniquePath(
        (target + ".").str(), [&](StringRef name) { return linkAs(name); });
    if (!other)
      return other.getError();
    if ((error = fs::rename(*other, target)))
      (void)fs::remove(*other);
    return error;
  }

  std::string path;
  int descriptor;
  bool isNamed;
  bool isKept = false;
};

/// Opens a file without a name in `folder`. Returns -1 if the system has none.
static int openUnnamedFile([[maybe_unused]] StringRef folder) {
#ifdef O_TMPFILE
  int descriptor = open(folder.str().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC,
                        /*mode=*/0666);
  // Only /proc gives it a name later.
  if (descriptor < 0 || fs::exists(getDescriptorPath(descriptor)))
    return descriptor;
  (void)llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
#endif
  return -1;
}

StagedFile::StagedFile(std::unique_ptr<Temporary> temporary)
    : file(std::move(temporary)),
      stream(std::make_unique<raw_fd_ostream>(file->getDescriptor(),
                                              /*shouldClose=*/false)) {}

Expected<StagedFile> StagedFile::createWithPrefix(StringRef prefix) {
  // Block signals until a handler knows the file.
  SignalBlock signals;
  int descriptor = openUnnamedFile(llvm::sys::path::parent_path(prefix));
  if (descriptor >= 0)
    return StagedFile(std::make_unique<Temporary>(
        getDescriptorPath(descriptor), descriptor, /*isNamed=*/false));
  ErrorOr<std::string> path = createUniquePath(prefix, [&](StringRef path) {
    return fs::openFileForWrite(path, descriptor, fs::CD_CreateNew);
  });
  if (!path)
    return llvm::errorCodeToError(path.getError());
  llvm::sys::RemoveFileOnSignal(*path);
  return StagedFile(
      std::make_unique<Temporary>(*path, descriptor, /*isNamed=*/true));
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
