//===- CSV.h - Memory planning problems as files -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MiniMalloc's format: a header with the names of the columns in any order, and
// a line per buffer:
//
//   id,lower,upper,size,alignment,offset
//   b1,0,3,4,1,8
//
// | column              | meaning                                             |
// |---------------------|-----------------------------------------------------|
// | id, buffer, buffer_id | name                                              |
// | lower, start, begin | first time at which the buffer is live              |
// | upper               | time at which it no longer is                       |
// | end                 | last time at which it is, instead of `upper`        |
// | size                | bytes                                               |
// | alignment           | optional; the offset is a multiple of it            |
// | offset              | optional, may be empty; where the buffer is         |
// | hint                | optional; ignored                                   |
// | gaps                | optional; must be empty, gaps are not supported     |
//
// Source: src/converter.h of https://github.com/google/minimalloc.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_MEMORY_CSV_H
#define UMA_MEMORY_CSV_H

#include "uma/Memory/Problem.h"

#include "llvm/ADT/StringRef.h"

namespace uma::memory {

/// A problem and the text that it was read from.
struct CSVFile {
  /// Buffers with an offset in the file have it here, too.
  Problem problem;
  /// Names of the columns and fields of each buffer, as they were written.
  /// They refer to the text that was read.
  std::vector<llvm::StringRef> columns;
  std::vector<std::vector<llvm::StringRef>> rows;
};

/// Why a file cannot be read.
class CSVError : public llvm::ErrorInfo<CSVError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): LLVM's name
  CSVError(std::string text, bool isUnsupported)
      : text(std::move(text)), unsupported(isUnsupported) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  /// Returns whether the file is valid, but uses what is not supported.
  bool isUnsupported() const { return unsupported; }

private:
  std::string text;
  bool unsupported;
};

/// Reads `text`, which must outlive the result. Errors are CSVErrors that begin
/// with `name:line:column:`. Lines may end in CRLF; empty lines are skipped.
llvm::Expected<CSVFile> readCSV(llvm::StringRef text, llvm::StringRef name);

/// Returns the file with `offsets` in the column `offset`, which is added as
/// the last one if there is none. All other fields stay as they were written.
std::string writeCSV(const CSVFile &file, llvm::ArrayRef<int64_t> offsets);

} // namespace uma::memory

#endif // UMA_MEMORY_CSV_H
