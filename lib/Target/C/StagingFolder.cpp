//===- StagingFolder.cpp - A package before it has its place --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A folder cannot be created without a name, unlike a file. So a killed process
// leaves one, and a later process removes it: it is stale if its lock is free.
// A new folder is for a moment without a lock. If another process takes it for
// a stale one then, it is gone when its creator has the lock.
//
//===----------------------------------------------------------------------===//

#include "StagingFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::ErrorOr;
using llvm::StringRef;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

ErrorOr<StagingFolder> StagingFolder::create(StringRef parent,
                                             StringRef prefix) {
  std::string start = (parent + "/" + prefix).str();
  for (int attempt = 0; attempt < 16; ++attempt) {
    ErrorOr<TemporaryFolder> folder = TemporaryFolder::create(start);
    if (!folder)
      return folder.getError();
    auto lock = std::make_unique<FolderLock>();
    std::error_code error = lock->acquire(folder->getPath());
    if (!error)
      return StagingFolder(std::move(*folder), std::move(lock));
    if (error != std::errc::no_such_file_or_directory)
      return error;
  }
  return std::make_error_code(std::errc::resource_unavailable_try_again);
}

std::error_code StagingFolder::rename(StringRef to) {
  std::error_code error = folder.rename(to);
  if (!error)
    lock.reset();
  return error;
}

/// Returns whether a process works in the folder or below it, as far as this
/// user may see.
static bool isWorkingDirectory(StringRef folder) {
  std::error_code error;
  for (fs::directory_iterator process("/proc", error), end;
       !error && process != end; process.increment(error)) {
    char current[PATH_MAX];
    ssize_t length =
        readlink((process->path() + "/cwd").c_str(), current, sizeof(current));
    StringRef rest(current, std::max<ssize_t>(length, 0));
    if (rest.consume_front(folder) && (rest.empty() || rest.front() == '/'))
      return true;
  }
  return false;
}

bool StagingFolder::mayExchange(StringRef folder) {
  std::string parent = path::parent_path(folder).str();
  struct stat status, parentStatus;
  if (stat(folder.str().c_str(), &status) != 0 ||
      stat(parent.c_str(), &parentStatus) != 0 ||
      status.st_dev != parentStatus.st_dev ||
      fs::access(parent, fs::AccessMode::Write))
    return false;
  return !isWorkingDirectory(folder);
}

std::error_code StagingFolder::exchange(StringRef with) {
  auto unsupported = std::make_error_code(std::errc::not_supported);
  std::string ours = getPath().str(), theirs = with.str();
  struct stat ourStatus, theirStatus;
  constexpr mode_t kPermissions = 07777;
  if (stat(ours.c_str(), &ourStatus) != 0 ||
      stat(theirs.c_str(), &theirStatus) != 0 ||
      ourStatus.st_uid != theirStatus.st_uid ||
      ourStatus.st_gid != theirStatus.st_gid ||
      chmod(ours.c_str(), theirStatus.st_mode & kPermissions) != 0)
    return unsupported;
  if (renameat2(AT_FDCWD, ours.c_str(), AT_FDCWD, theirs.c_str(),
                RENAME_EXCHANGE) == 0) {
    lock.reset();
    return std::error_code();
  }
  // Other errors say that these folders cannot be exchanged.
  if (errno == ENOSPC || errno == EDQUOT || errno == EIO)
    return std::error_code(errno, std::generic_category());
  return unsupported;
}

void StagingFolder::expire() {
  StringRef name = path::filename(getPath());
  if (!name.consume_front(kBackupPrefix))
    return;
  llvm::SmallString<256> expired = path::parent_path(getPath());
  path::append(expired, kStagingPrefix + name);
  (void)folder.move(expired);
}

/// Calls `visit` with each folder of a process that does not exist any more.
static void forEachStale(StringRef parent, StringRef prefix,
                         llvm::function_ref<void(const std::string &)> visit) {
  std::vector<std::string> folders;
  std::error_code error;
  for (fs::directory_iterator entry(parent, error, /*follow_symlinks=*/false),
       end;
       !error && entry != end; entry.increment(error))
    if (path::filename(entry->path()).starts_with(prefix) &&
        entry->type() == fs::file_type::directory_file)
      folders.push_back(entry->path());
  for (const std::string &folder : folders) {
    FolderLock lock;
    if (lock.tryAcquire(folder))
      visit(folder);
  }
}

void uma::removeStaleFolders(StringRef parent) {
  forEachStale(parent, kStagingPrefix, [](const std::string &folder) {
    (void)fs::remove_directories(folder);
  });
}

void uma::restoreStaleBackups(StringRef folder) {
  forEachStale(folder, kBackupPrefix, [&](const std::string &backup) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(backup, error,
                                                /*follow_symlinks=*/false),
         end;
         !error && entry != end; entry.increment(error))
      if (entry->type() != fs::file_type::directory_file)
        names.push_back(entry->path().substr(backup.size() + 1));
    for (const std::string &name : names) {
      std::string place = (folder + "/" + name).str();
      if (error)
        return;
      (void)fs::create_directories(path::parent_path(place));
      error = fs::rename(backup + "/" + name, place);
    }
    if (!error)
      (void)fs::remove_directories(backup);
  });
}
