//===- ExternalData.cpp - Tensors stored beside the model -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A model must not be able to read arbitrary files of its user: data must be
// below the model's folder, by name and by real path. If the model is a
// symbolic link, data may also be below the folder of the link's target. Caches
// use such links to files named by their checksum, and opening the target
// itself would allow the same.
//
//===----------------------------------------------------------------------===//

#include "ExternalData.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using onnx::TensorProto;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
/// Location of external data, parsed from key-value pairs.
struct ExternalLocation {
  std::string file;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};
} // namespace

static FailureOr<ExternalLocation>
parseExternalLocation(ImportErrors &errors, const Twine &what,
                      const TensorProto &tensor) {
  ExternalLocation result;
  for (const auto &entry : tensor.external_data()) {
    StringRef value = entry.value();
    uint64_t number = 0;
    if (entry.key() == "location") {
      result.file = value.str();
    } else if (entry.key() == "offset" || entry.key() == "length") {
      if (value.getAsInteger(10, number))
        return errors.badInput(what + " has the external data " + entry.key() +
                               " " + quote(value) + "; expected a number");
      if (entry.key() == "offset")
        result.offset = number;
      else
        result.length = number;
    }
    // Other keys (checksum, extensions of frameworks) are irrelevant for the
    // location.
  }
  StringRef file = result.file;
  if (file.empty())
    return errors.badInput(what + " is stored in another file, but no "
                                  "location is given");
  bool escapes =
      path::is_absolute(file) || file.contains('\0') ||
      llvm::is_contained(llvm::make_range(path::begin(file), path::end(file)),
                         "..");
  if (escapes)
    return errors.badInput(what + " is stored in the file " + quote(file) +
                           "; expected a path below the model's folder, "
                           "without '..'");
  return result;
}

/// Returns the folders that may hold the data of a model: its own and, if it is
/// a symbolic link, the folder of the link's target.
static SmallVector<SmallString<128>> getFolders(StringRef modelPath) {
  StringRef named = path::parent_path(modelPath);
  SmallVector<SmallString<128>> folders(1, named.empty() ? "." : named);
  SmallString<128> real;
  if (fs::is_symlink_file(modelPath) && !fs::real_path(modelPath, real))
    folders.push_back(path::parent_path(real));
  return folders;
}

/// Returns whether a real path is below one of the folders.
static bool isBelow(StringRef file, ArrayRef<SmallString<128>> folders) {
  return llvm::any_of(folders, [&](StringRef folder) {
    SmallString<128> real;
    if (fs::real_path(folder, real))
      return false;
    StringRef rest = file;
    return rest.consume_front(StringRef(real).rtrim('/')) &&
           rest.starts_with("/");
  });
}

LogicalResult importer::readExternalData(ImportErrors &errors,
                                         const Twine &what,
                                         const TensorProto &tensor,
                                         StringRef modelPath,
                                         MutableArrayRef<char> to) {
  FailureOr<ExternalLocation> location =
      parseExternalLocation(errors, what, tensor);
  if (failed(location))
    return failure();
  if (location->length && *location->length != to.size())
    return errors.badInput(what + " has " + Twine(*location->length) +
                           " bytes of external data, but its type needs " +
                           Twine(to.size()));
  std::string source = "its file " + quote(location->file);
  SmallVector<SmallString<128>> folders = getFolders(modelPath);
  SmallString<128> path;
  fs::file_status status;
  std::error_code error;
  for (StringRef folder : folders) {
    path = folder;
    path::append(path, location->file);
    error = fs::status(path, status);
    if (error != std::errc::no_such_file_or_directory)
      break;
  }
  if (error)
    return errors.badInput(what + ": " + source +
                           " cannot be read: " + error.message());
  // Reading a pipe or a device could hang.
  if (!fs::is_regular_file(status))
    return errors.badInput(what + ": " + source + " is no regular file");
  SmallString<128> real;
  llvm::Expected<fs::file_t> file =
      fs::openNativeFileForRead(path, fs::OF_None, &real);
  if (!file)
    return errors.badInput(what + ": " + source + " cannot be read: " +
                           llvm::toString(file.takeError()));
  llvm::scope_exit close([&] { (void)fs::closeFile(*file); });
  if (!isBelow(real, folders))
    return errors.badInput(what + " is stored in the file " +
                           quote(location->file) + ", a symbolic link to " +
                           quote(real) +
                           "; expected a file below the model's folder");
  uint64_t size = status.getSize();
  if (location->offset > size || to.size() > size - location->offset)
    return errors.badInput(what + " needs " + Twine(to.size()) +
                           " bytes from offset " + Twine(location->offset) +
                           " of " + source + ", which has only " + Twine(size));
  for (size_t done = 0; done != to.size();) {
    llvm::Expected<size_t> count = fs::readNativeFileSlice(
        *file, to.drop_front(done), location->offset + done);
    if (!count || *count == 0) {
      std::string reason =
          count ? "it became shorter" : llvm::toString(count.takeError());
      return errors.badInput(what + ": " + source +
                             " cannot be read: " + reason);
    }
    done += *count;
  }
  return success();
}
