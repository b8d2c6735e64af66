//===- PackageFolder.cpp - A folder that appears whole --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Support/ParseJSON.h"
#include "uma/Support/Signals.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// True for folders that hold nothing, or what an earlier call wrote.
static bool mayReplace(StringRef folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error), end;
  if (error)
    return false;
  if (entry == end)
    return true;
  llvm::SmallString<128> file(folder);
  path::append(file, "metadata.json");
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  auto metadata = parseJSON((*buffer)->getBuffer(), file);
  if (!metadata) {
    llvm::consumeError(metadata.takeError());
    return false;
  }
  const llvm::json::Object *object = metadata->getAsObject();
  return object && object->getString("format") == StringRef("uma-package");
}

/// Writes one file; the error says what the system says, such as a full disk.
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
  // A stream destroyed with an error pending ends the process.
  error = os.error();
  os.clear_error();
  return error;
}

static LogicalResult failToWrite(Location loc, const Twine &file,
                                 std::error_code error) {
  return emitError(loc) << file.str()
                        << ": cannot be written: " << error.message();
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

LogicalResult uma::copyPackage(Location loc, StringRef from, StringRef to) {
  auto fail = [&](const Twine &file, std::error_code error) -> LogicalResult {
    return emitError(loc) << file.str()
                          << ": cannot be read: " << error.message();
  };
  PackageFiles files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(from, error), end;
       !error && entry != end; entry.increment(error)) {
    if (fs::is_directory(entry->path()))
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

/// The absolute path of a folder for a package.
static FailureOr<llvm::SmallString<128>> getTarget(Location loc,
                                                   StringRef folder) {
  llvm::SmallString<128> target(folder);
  if (std::error_code error = fs::make_absolute(target))
    return failToWrite(loc, folder, error);
  path::remove_dots(target, /*remove_dot_dot=*/true);
  if (path::filename(target).empty() || path::relative_path(target).empty())
    return emitError(loc) << folder << ": is no folder for a package";
  bool exists = fs::exists(target);
  if (exists && !fs::is_directory(target))
    return emitError(loc) << folder
                          << ": is a file; a package needs a folder of its own";
  if (exists && !mayReplace(target))
    return emitError(loc) << folder
                          << ": holds files and is no package of uma, so it is "
                             "not replaced; name another folder or empty it";
  return target;
}

LogicalResult uma::checkPackageFolder(Location loc, StringRef outputDir) {
  return getTarget(loc, outputDir);
}

LogicalResult uma::writePackageFolder(Location loc, StringRef folder,
                                      PackageFiles files) {
  auto fail = [&](const Twine &file, std::error_code error) {
    return failToWrite(loc, file, error);
  };
  FailureOr<llvm::SmallString<128>> checked = getTarget(loc, folder);
  if (failed(checked))
    return failure();
  StringRef target = *checked;
  bool exists = fs::exists(target);

  // A name beside the target: renaming works only inside one file system.
  StringRef parent = path::parent_path(target);
  if (std::error_code error =
          fs::create_directories(parent, /*IgnoreExisting=*/true, fs::all_all))
    return fail(parent, error);
  // From here on there are folders, which no handler of signals removes. What
  // takes time to write lies on disk already.
  SignalBlock signals;
  llvm::SmallString<128> temporary;
  fs::createUniquePath(Twine(target) + ".%%%%%%", temporary,
                       /*MakeAbsolute=*/false);
  if (std::error_code error = fs::create_directory(
          temporary, /*IgnoreExisting=*/false, fs::all_all))
    return fail(folder, error);
  llvm::scope_exit cleanUp([&] { (void)fs::remove_directories(temporary); });
  for (auto &[name, file] : files) {
    llvm::SmallString<128> path(temporary);
    path::append(path, name);
    if (std::error_code error = writeFile(path, file))
      return fail(Twine(folder) + "/" + name, error);
  }

  // The older package gives way only now that the new one is there.
  llvm::SmallString<128> older;
  if (exists) {
    fs::createUniquePath(Twine(target) + ".%%%%%%", older,
                         /*MakeAbsolute=*/false);
    if (std::error_code error = fs::rename(target, older))
      return fail(folder, error);
  }
  if (std::error_code error = fs::rename(temporary, target)) {
    if (exists)
      (void)fs::rename(older, target);
    return fail(folder, error);
  }
  cleanUp.release();
  if (exists)
    (void)fs::remove_directories(older);
  return success();
}
