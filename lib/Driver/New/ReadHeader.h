//===- ReadHeader.h - Reads a C header with libclang -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_READHEADER_H
#define UMA_LIB_DRIVER_NEW_READHEADER_H

#include "Header.h"

#include "llvm/Support/Error.h"

namespace uma::draft {

/// Returns true if this build has libclang.
bool canReadHeaders();

/// Parses the header `file` as C, with the flags of the environment's CPPFLAGS
/// and CFLAGS, and returns its declarations. Fails with the text of clang's
/// first error at `file:line:col`.
llvm::Expected<Header> readHeader(StringRef file);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_READHEADER_H
