//===- OutputFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/OutputFile.h"

#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

Error uma::writeFileAtomically(StringRef path, StringRef contents) {
  Error error = writeToOutput(path, [&](raw_ostream &os) -> Error {
    os << contents;
    os.flush();
    // A stream destroyed with an error pending ends the process.
    auto &file = static_cast<raw_fd_ostream &>(os);
    std::error_code code = file.error();
    file.clear_error();
    return errorCodeToError(code);
  });
  if (!error)
    return Error::success();
  // The error names a file too, which may be a temporary one.
  return createStringError(path + ": cannot be written: " +
                           errorToErrorCode(std::move(error)).message());
}
