//===- PackageFolder.cpp - Atomically written folder of a package ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A new folder is written beside its target and renamed. An existing folder is
// exchanged with it in one step, under a lock. If it holds more than a package,
// its files are replaced one by one instead: other files in it, and edited
// files of the package, belong to the user and are kept. What a killed process
// leaves is removed or, if it is all that is left of the older package, moved
// back by the next one.
//
//===----------------------------------------------------------------------===//

#include "FolderLock.h"
#include "FolderTransaction.h"
#include "PackageInfo.h"
#include "PackageManifest.h"
#include "StagingFolder.h"

#include "uma/Support/Checksum.h"
#include "uma/Support/OutputPath.h"
#include "uma/Support/Signals.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

PackageFile::PackageFile(std::string text) : text(std::move(text)) {}
PackageFile::PackageFile(StagedFile file) : staged(std::move(file)) {}

const std::string &PackageFile::getChecksum() const {
  if (checksum.empty()) {
    llvm::ErrorOr<std::string> found =
        staged ? getFileChecksum(staged->getPath()) : uma::getChecksum(text);
    checksum = found ? *found : "";
  }
  return checksum;
}

/// Writes one file. Returns the system's error, such as a full disk.
static std::error_code writeFile(StringRef path, PackageFile &file) {
  if (std::error_code error =
          fs::create_directories(path::parent_path(path),
                                 /*IgnoreExisting=*/true, fs::all_all))
    return error;
  if (file.staged)
    return file.staged->keep(path);
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return error;
  os << file.text;
  os.close();
  // A stream destroyed with a pending error ends the process.
  error = os.error();
  os.clear_error();
  return error;
}

LogicalResult uma::failToWrite(Location loc, const Twine &file,
                               std::error_code error) {
  std::string path = file.str();
  if (error == std::errc::resource_unavailable_try_again)
    return emitError(loc) << path
                          << ": cannot be written: another process has held "
                             "the folder's lock for a minute";
  return emitError(loc) << path << ": cannot be written: "
                        << explainPathError(path, error);
}

LogicalResult uma::stageFile(Location loc, StringRef folder, StringRef name,
                             PackageFiles &files,
                             function_ref<void(raw_ostream &)> write) {
  auto fail = [&](std::error_code error) {
    return failToWrite(loc, folder + "/" + name, error);
  };
  llvm::Expected<StagedFile> file = StagedFile::create(folder);
  if (!file)
    return fail(llvm::errorToErrorCode(file.takeError()));
  write(file->getStream());
  if (std::error_code error = file->finish())
    return fail(error);
  files[name.str()] = std::move(*file);
  return success();
}

/// Writes the texts to disk, so that the package's folder is incomplete for as
/// short a time as possible: a killed process cannot remove it.
static LogicalResult stageTexts(Location loc, StringRef folder,
                                PackageFiles &files) {
  // Each staged file is open.
  constexpr int kMaxFiles = 128;
  int number = 0;
  for (auto &[name, contents] : files) {
    if (contents.staged || ++number > kMaxFiles)
      continue;
    // The checksum of a text needs no reading.
    (void)contents.getChecksum();
    std::string text = std::move(contents.text);
    llvm::Expected<StagedFile> file = StagedFile::create(folder);
    if (!file)
      return failToWrite(loc, folder + "/" + name,
                         llvm::errorToErrorCode(file.takeError()));
    file->getStream() << text;
    if (std::error_code error = file->finish())
      return failToWrite(loc, folder + "/" + name, error);
    contents.staged = std::move(*file);
  }
  return success();
}

LogicalResult uma::copyPackage(Location loc, StringRef from, StringRef to) {
  auto fail = [&](const Twine &file, std::error_code error) -> LogicalResult {
    return emitError(loc) << file.str()
                          << ": cannot be read: " << error.message();
  };
  PackageFiles files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(from, error), end;
       !error && entry != end; entry.increment(error)) {
    // Opening a pipe would block.
    if (!fs::is_regular_file(entry->path()))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(entry->path());
    if (!buffer)
      return fail(entry->path(), buffer.getError());
    StringRef name = StringRef(entry->path()).substr(from.size()).ltrim('/');
    if (failed(stageFile(loc, to, name, files, [&](raw_ostream &os) {
          os << (*buffer)->getBuffer();
        })))
      return failure();
  }
  if (error)
    return fail(from, error);
  return writePackageFolder(loc, to, std::move(files));
}

//===----------------------------------------------------------------------===//
// Ownership of files
//===----------------------------------------------------------------------===//

/// Reads the manifest of a folder; empty for an empty folder. Emits an error
/// and fails if the folder holds other files.
static FailureOr<PackageManifest> readFolder(Location loc, StringRef name,
                                             StringRef folder) {
  if (std::optional<PackageManifest> manifest = readManifest(folder))
    return std::move(*manifest);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    // Another command may be writing the same package.
    if (!path::filename(entry->path()).starts_with(kStagedPrefix))
      return emitError(loc)
             << name
             << ": holds files and is no package of uma, so it is "
                "not replaced; name another folder or empty it";
  if (error)
    return failToWrite(loc, name, error);
  return PackageManifest();
}

/// Returns the type of the file at a path without following symbolic links.
static fs::file_type getType(const Twine &path) {
  fs::file_status status;
  (void)fs::status(path, status, /*follow=*/false);
  return status.type();
}

/// Returns the first parent of `name` that exists but is no folder.
static StringRef findBlockedParent(StringRef folder, StringRef name) {
  for (size_t slash = name.find('/'); slash != StringRef::npos;
       slash = name.find('/', slash + 1)) {
    StringRef parent = name.take_front(slash);
    fs::file_type type = getType(folder + "/" + parent);
    if (type == fs::file_type::file_not_found)
      break;
    if (type != fs::file_type::directory_file)
      return parent;
  }
  return "";
}

/// Returns whether the checksum of the file is one of `checksums`.
static bool holds(StringRef folder, StringRef name,
                  ArrayRef<StringRef> checksums) {
  llvm::ErrorOr<std::string> found =
      getRegularFileChecksum((folder + "/" + name).str());
  return found && llvm::is_contained(checksums, *found);
}

/// Emits an error and fails if a file of the user would be overwritten.
static LogicalResult checkConflicts(Location loc, StringRef name,
                                    StringRef folder,
                                    const PackageManifest &manifest,
                                    const PackageFiles &files) {
  llvm::SmallVector<std::string> conflicts;
  for (const auto &[file, contents] : files) {
    if (StringRef parent = findBlockedParent(folder, file); !parent.empty()) {
      if (!llvm::is_contained(conflicts, parent))
        conflicts.push_back(parent.str());
      continue;
    }
    if (getType(folder + "/" + file) == fs::file_type::file_not_found)
      continue;
    auto known = manifest.find(file);
    bool isMetadata = known != manifest.end() && file == kMetadataName;
    StringRef older = known == manifest.end() ? "" : StringRef(known->second);
    if (!isMetadata && !holds(folder, file, {older, contents.getChecksum()}))
      conflicts.push_back(file);
  }
  if (conflicts.empty())
    return success();
  bool isOne = conflicts.size() == 1;
  return emitError(loc) << name << ": '" << llvm::join(conflicts, "', '")
                        << (isOne ? "' is not as uma wrote it"
                                  : "' are not as uma wrote them")
                        << " and would be overwritten; move "
                        << (isOne ? "it" : "them")
                        << " out of the folder, or name another folder";
}

/// Lists the files of an older package that are not in the new one, except
/// those that the user edited.
static std::vector<std::string> listStale(StringRef folder,
                                          const PackageManifest &manifest,
                                          const PackageFiles &files) {
  std::vector<std::string> stale;
  for (const auto &[file, checksum] : manifest)
    if (!files.count(file) && !checksum.empty() &&
        findBlockedParent(folder, file).empty() &&
        holds(folder, file, {checksum}))
      stale.push_back(file);
  return stale;
}

/// Returns whether the folder holds nothing but the package of the manifest,
/// as it was written, and files that the new package has, too.
static bool holdsPackageAlone(StringRef folder, const PackageManifest &manifest,
                              const PackageFiles &files) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error,
                                              /*follow_symlinks=*/false),
       end;
       !error && entry != end; entry.increment(error)) {
    StringRef name = StringRef(entry->path()).substr(folder.size()).ltrim('/');
    std::string inside = (name + "/").str();
    if (entry->type() == fs::file_type::directory_file) {
      auto first = manifest.lower_bound(inside);
      if (first == manifest.end() ||
          !StringRef(first->first).starts_with(inside))
        return false;
      continue;
    }
    auto known = manifest.find(name.str());
    if (entry->type() != fs::file_type::regular_file || known == manifest.end())
      return false;
    if (!files.count(name.str()) && !holds(folder, name, {known->second}))
      return false;
  }
  return !error;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// A package that is being written to its folder.
class PackageWriter {
public:
  PackageWriter(Location loc, StringRef name, StringRef target,
                PackageFiles files)
      : loc(loc), name(name), target(target), files(std::move(files)) {}

  LogicalResult write();

private:
  LogicalResult fail(std::error_code error) const {
    return failToWrite(loc, name, error);
  }
  FailureOr<StagingFolder>
  createFolder(StringRef parent, StringRef prefix = kStagingPrefix) const;
  LogicalResult writeFiles(StringRef folder);
  LogicalResult create();
  LogicalResult update();
  LogicalResult update(StringRef source, const PackageManifest &manifest);

  Location loc;
  StringRef name;   ///< path as the user wrote it
  StringRef target; ///< resolved
  PackageFiles files;
};
} // namespace

FailureOr<StagingFolder> PackageWriter::createFolder(StringRef parent,
                                                     StringRef prefix) const {
  llvm::ErrorOr<StagingFolder> folder = StagingFolder::create(parent, prefix);
  if (!folder)
    return fail(folder.getError());
  return std::move(*folder);
}

LogicalResult PackageWriter::writeFiles(StringRef folder) {
  for (auto &[file, contents] : files) {
    // Only the checksum remains after the move.
    (void)contents.getChecksum();
    if (std::error_code error =
            writeFile((folder + "/" + file).str(), contents))
      return failToWrite(loc, name + "/" + file, error);
  }
  return success();
}

LogicalResult PackageWriter::write() {
  // From here on there are folders, which no signal handler removes. All slow
  // writes to disk have been done before.
  SignalBlock signals;
  removeStaleFolders(path::parent_path(target));
  return fs::exists(target) ? update() : create();
}

LogicalResult PackageWriter::create() {
  StringRef parent = path::parent_path(target);
  std::string existing = getExistingFolder(parent);
  bool isDone = false;
  llvm::scope_exit removeParents([&] {
    for (StringRef made = parent; !isDone && made != existing;
         made = path::parent_path(made))
      if (rmdir(made.str().c_str()) != 0)
        break;
  });
  if (std::error_code error =
          fs::create_directories(parent, /*IgnoreExisting=*/true, fs::all_all))
    return fail(error);
  // The temporary folder is beside the target: renames only work within one
  // file system.
  FailureOr<StagingFolder> folder = createFolder(parent);
  if (failed(folder) || failed(writeFiles(folder->getPath())))
    return failure();
  std::error_code error = folder->rename(target);
  isDone = true;
  if (!error)
    return success();
  if (error != std::errc::directory_not_empty &&
      error != std::errc::file_exists)
    return fail(error);
  // Another process created the folder first; replace its package.
  FolderLock lock;
  if (std::error_code error = lock.acquire(target))
    return fail(error);
  FailureOr<PackageManifest> manifest = readFolder(loc, name, target);
  if (failed(manifest))
    return failure();
  return update(folder->getPath(), *manifest);
}

LogicalResult PackageWriter::update() {
  FolderLock lock;
  if (std::error_code error = lock.acquire(target))
    return fail(error);
  removeStaleFolders(target);
  restoreStaleBackups(target);
  FailureOr<PackageManifest> manifest = readFolder(loc, name, target);
  if (failed(manifest))
    return failure();
  if (failed(checkConflicts(loc, name, target, *manifest, files)))
    return failure();
  bool isExchanged = StagingFolder::mayExchange(target) &&
                     holdsPackageAlone(target, *manifest, files);
  FailureOr<StagingFolder> source =
      createFolder(isExchanged ? path::parent_path(target) : StringRef(target));
  if (failed(source) || failed(writeFiles(source->getPath())))
    return failure();
  if (isExchanged) {
    std::error_code error = source->exchange(target);
    if (error != std::errc::not_supported)
      return error ? fail(error) : success();
  }
  return update(source->getPath(), *manifest);
}

LogicalResult PackageWriter::update(StringRef source,
                                    const PackageManifest &manifest) {
  if (failed(checkConflicts(loc, name, target, manifest, files)))
    return failure();
  FailureOr<StagingFolder> backup = createFolder(target, kBackupPrefix);
  if (failed(backup))
    return failure();
  FolderTransaction transaction(target, source, backup->getPath());
  auto undo = [&](StringRef file, std::error_code error) -> LogicalResult {
    InFlightDiagnostic diagnostic =
        emitError(loc) << name << "/" << file
                       << ": cannot be written: " << error.message();
    if (!transaction.rollBack())
      return diagnostic;
    diagnostic << "; files of the older package are in " << backup->getPath();
    backup->release();
    return diagnostic;
  };
  // The metadata goes last, since it lists the others.
  for (bool isMetadata : {false, true})
    for (const auto &[file, contents] : files)
      if ((file == kMetadataName) == isMetadata)
        if (std::error_code error = transaction.replace(file))
          return undo(file, error);
  for (const std::string &file : listStale(target, manifest, files))
    if (std::error_code error = transaction.remove(file))
      return undo(file, error);
  transaction.commit();
  backup->expire();
  return success();
}

/// Returns the resolved path of a folder for a package.
static FailureOr<std::string> getTarget(Location loc, StringRef name) {
  llvm::ErrorOr<std::string> target = resolveOutputPath(name);
  if (!target)
    return failToWrite(loc, name, target.getError());
  if (!fs::exists(*target))
    return std::move(*target);
  if (!fs::is_directory(*target))
    return emitError(loc) << name
                          << ": is a file; a package needs a folder of its own";
  return std::move(*target);
}

LogicalResult uma::checkPackageFolder(Location loc, StringRef outputDir) {
  if (isPackageArchive(outputDir))
    return checkPackageArchive(loc, outputDir);
  FailureOr<std::string> target = getTarget(loc, outputDir);
  if (failed(target))
    return failure();
  if (!fs::exists(*target))
    return success();
  FolderLock lock;
  if (std::error_code error = lock.acquire(*target))
    return failToWrite(loc, outputDir, error);
  restoreStaleBackups(*target);
  return readFolder(loc, outputDir, *target);
}

LogicalResult uma::writePackageFolder(Location loc, StringRef folder,
                                      PackageFiles files) {
  FailureOr<std::string> target = getTarget(loc, folder);
  if (failed(target) || failed(stageTexts(loc, folder, files)))
    return failure();
  return PackageWriter(loc, folder, *target, std::move(files)).write();
}
