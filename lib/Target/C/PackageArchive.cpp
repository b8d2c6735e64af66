//===- PackageArchive.cpp - Package as a tar file -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Writes POSIX's ustar format, with pax headers for long names and large files.
// Files are sorted and have no owner and no time, so that the same package
// gives the same bytes. llvm::TarWriter ends the process when a disk is full,
// and holds a file in memory.
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Support/OutputPath.h"
#include "uma/Support/Signals.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstring>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

static constexpr uint64_t kBlockBytes = 512;
/// Largest size that 11 octal digits hold.
static constexpr uint64_t kMaxUstarBytes = (uint64_t(1) << 33) - 1;

namespace {
/// Header of a file in a tar archive. All fields are text.
struct TarHeader {
  char name[100];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char mtime[12];
  char checksum[8];
  char type;
  char linkName[100];
  char magic[6];
  char version[2];
  char userName[32];
  char groupName[32];
  char deviceMajor[8];
  char deviceMinor[8];
  char prefix[155];
  char padding[12];
};
static_assert(sizeof(TarHeader) == kBlockBytes);
} // namespace

/// Writes octal digits that fill a field up to its final null.
template <size_t N>
static void setOctal(char (&field)[N], uint64_t value) {
  for (size_t i = N - 1; i-- > 0; value >>= 3)
    field[i] = static_cast<char>('0' + (value & 7));
}

static void writeHeader(llvm::raw_ostream &os, StringRef name, char type,
                        uint64_t size) {
  TarHeader header;
  std::memset(&header, 0, sizeof(header));
  std::memcpy(header.name, name.data(),
              std::min(name.size(), sizeof(header.name)));
  setOctal(header.mode, 0644);
  setOctal(header.uid, 0);
  setOctal(header.gid, 0);
  setOctal(header.size, std::min(size, kMaxUstarBytes));
  setOctal(header.mtime, 0);
  header.type = type;
  std::memcpy(header.magic, "ustar", 6);
  std::memcpy(header.version, "00", 2);
  // The checksum is computed with spaces in its own field.
  std::memset(header.checksum, ' ', sizeof(header.checksum));
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof(header); ++i)
    sum += reinterpret_cast<const unsigned char *>(&header)[i];
  char digits[7] = {};
  setOctal(digits, sum);
  std::memcpy(header.checksum, digits, sizeof(digits));
  os.write(reinterpret_cast<const char *>(&header), sizeof(header));
}

static void writePadding(llvm::raw_ostream &os, uint64_t size) {
  os.write_zeros(llvm::alignTo(size, kBlockBytes) - size);
}

/// Returns a record of a pax header, which begins with its own length.
static std::string getPaxRecord(StringRef key, const Twine &value) {
  std::string rest = (" " + key + "=" + value + "\n").str();
  size_t length = rest.size();
  while (length != rest.size() + std::to_string(length).size())
    length = rest.size() + std::to_string(length).size();
  return std::to_string(length) + rest;
}

static void writeMember(llvm::raw_ostream &os, StringRef name,
                        StringRef contents) {
  std::string records;
  if (name.size() > sizeof(TarHeader::name))
    records += getPaxRecord("path", name);
  if (contents.size() > kMaxUstarBytes)
    records += getPaxRecord("size", Twine(contents.size()));
  if (!records.empty()) {
    writeHeader(os, "pax", 'x', records.size());
    os << records;
    writePadding(os, records.size());
  }
  writeHeader(os, name, '0', contents.size());
  os << contents;
  writePadding(os, contents.size());
}

bool uma::isPackageArchive(StringRef outputDir) {
  return llvm::sys::path::extension(outputDir) == ".tar" &&
         !fs::is_directory(outputDir);
}

LogicalResult uma::checkPackageArchive(Location loc, StringRef archive) {
  llvm::ErrorOr<std::string> target = resolveOutputPath(archive);
  if (!target)
    return failToWrite(loc, archive, target.getError());
  if (fs::exists(*target) && !fs::is_regular_file(*target))
    return emitError(loc) << archive << ": is no regular file";
  StringRef folder = llvm::sys::path::parent_path(*target);
  if (!fs::is_directory(folder))
    return failToWrite(
        loc, archive,
        std::make_error_code(fs::exists(folder)
                                 ? std::errc::not_a_directory
                                 : std::errc::no_such_file_or_directory));
  return success();
}

LogicalResult uma::writePackageArchive(Location loc, StringRef archive,
                                       const PackageFiles &files) {
  if (failed(checkPackageArchive(loc, archive)))
    return failure();
  auto fail = [&](std::error_code error) {
    return failToWrite(loc, archive, error);
  };
  std::string target = *resolveOutputPath(archive);
  llvm::Expected<StagedFile> output = StagedFile::createFor(target);
  if (!output)
    return fail(llvm::errorToErrorCode(output.takeError()));
  llvm::raw_ostream &os = output->getStream();
  for (const auto &[name, contents] : files) {
    if (!contents.staged) {
      writeMember(os, name, contents.text);
      continue;
    }
    // Large files are mapped, not read.
    auto buffer = llvm::MemoryBuffer::getFile(contents.staged->getPath(),
                                              /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return fail(buffer.getError());
    writeMember(os, name, (*buffer)->getBuffer());
  }
  // Two empty blocks end the archive.
  os.write_zeros(2 * kBlockBytes);
  if (std::error_code error = output->finish())
    return fail(error);
  SignalBlock signals;
  if (std::error_code error = output->keep(target))
    return fail(error);
  return success();
}
