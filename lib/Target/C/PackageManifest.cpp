//===- PackageManifest.cpp - Files of a folder that belong to uma ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The metadata is untrusted. A path in it is used only after its components are
// checked, and a file belongs to uma only if its checksum matches.
//
//===----------------------------------------------------------------------===//

#include "PackageManifest.h"

#include "uma/Support/Checksum.h"
#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::consumeError;
using llvm::ErrorOr;
using llvm::MemoryBuffer;
using llvm::SmallVector;
using llvm::StringRef;
using namespace uma;
namespace fs = llvm::sys::fs;

/// Returns whether a path is below the folder that it is relative to, provided
/// that no component is a symbolic link.
static bool isBelow(StringRef path) {
  SmallVector<StringRef> components;
  path.split(components, '/');
  return !path.contains('\0') && llvm::none_of(components, [](StringRef name) {
    return name.empty() || name == "." || name == "..";
  });
}

static bool isRegularFile(StringRef path) {
  fs::file_status status;
  return !fs::status(path, status, /*follow=*/false) &&
         status.type() == fs::file_type::regular_file;
}

std::optional<PackageManifest> uma::readManifest(StringRef folder) {
  std::string path = (folder + "/" + kMetadataName).str();
  if (!isRegularFile(path))
    return std::nullopt;
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return std::nullopt;
  auto metadata = parseJSON((*buffer)->getBuffer(), path);
  if (!metadata) {
    consumeError(metadata.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = metadata->getAsObject();
  // In the Model Library Format, our own metadata is one entry of it.
  if (object && object->getObject("uma"))
    object = object->getObject("uma");
  if (!object || object->getString("format") != StringRef("uma-package"))
    return std::nullopt;
  const llvm::json::Array *files = object->getArray("files");
  const llvm::json::Object *checksums = object->getObject("checksums");
  PackageManifest manifest;
  if (files)
    for (const llvm::json::Value &value : *files) {
      auto name = value.getAsString();
      if (!name || !isBelow(*name))
        continue;
      auto checksum = checksums ? checksums->getString(*name) : std::nullopt;
      manifest[name->str()] = checksum.value_or("").str();
    }
  manifest[kMetadataName.str()].clear();
  return manifest;
}

ErrorOr<std::string> uma::getRegularFileChecksum(StringRef path) {
  if (!isRegularFile(path))
    return std::make_error_code(std::errc::invalid_argument);
  return getFileChecksum(path);
}
