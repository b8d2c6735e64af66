//===- MappingCache.cpp - Mappings of earlier searches --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/MappingCache.h"

#include "uma/Support/OutputFile.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <dlfcn.h>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

void uma::accel::printLayer(llvm::raw_ostream &os, Operation *op) {
  auto printType = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    os << RankedTensorType::get(type.getShape(),
                                getStorageElementType(type.getElementType()))
       << ' ';
  };
  os << op->getName() << ' ';
  llvm::for_each(op->getOperands(), printType);
  llvm::for_each(op->getResults(), printType);
  if (!op->hasTrait<OpTrait::ConstantLike>())
    os << op->getAttrDictionary();
}

/// No mapping has a longer text.
static constexpr uint64_t kMaxBytes = 1 << 16;

/// Returns a text that differs between builds of the search.
static const std::string &getBuild() {
  static const std::string build = [] {
    std::string text;
    Dl_info info;
    llvm::sys::fs::file_status status;
    if (::dladdr(reinterpret_cast<const void *>(&getBuild), &info) != 0 &&
        !llvm::sys::fs::status(info.dli_fname, status))
      text = std::to_string(status.getSize()) + ' ' +
             std::to_string(
                 status.getLastModificationTime().time_since_epoch().count());
    return text;
  }();
  return build;
}

std::string MappingCache::getPath(StringRef key) const {
  llvm::SHA256 hash;
  hash.update(key);
  hash.update(getBuild());
  SmallString<128> path(folder);
  llvm::sys::path::append(path, llvm::toHex(hash.final(), /*LowerCase=*/true));
  return path.str().str();
}

FailureOr<Mapping> MappingCache::find(StringRef key,
                                      const MatchSchedule &schedule) const {
  if (folder.empty())
    return failure();
  std::string path = getPath(key);
  uint64_t bytes = 0;
  if (llvm::sys::fs::file_size(path, bytes) || bytes > kMaxBytes)
    return failure();
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return failure();
  MLIRContext *context = schedule.getPattern()->getContext();
  // A damaged file is found by the parser; the search replaces it.
  ScopedDiagnosticHandler ignore(context, [](Diagnostic &) {});
  auto attribute = dyn_cast_or_null<MappingAttr>(
      parseAttribute((*file)->getBuffer().rtrim(), context));
  std::string problem;
  return attribute ? schedule.read(attribute, problem)
                   : FailureOr<Mapping>(failure());
}

void MappingCache::add(StringRef key, MappingAttr mapping) const {
  if (folder.empty() || llvm::sys::fs::create_directories(folder))
    return;
  std::string text;
  llvm::raw_string_ostream(text) << mapping << '\n';
  llvm::consumeError(writeFileAtomically(getPath(key), text));
}
