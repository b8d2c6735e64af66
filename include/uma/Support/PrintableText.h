//===- PrintableText.h - Arbitrary text on terminals and in files -*- C++ -*-=//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Names in a model are arbitrary bytes: terminal escape sequences,
// bidirectional controls, thousands of letters. These functions make them
// visible and harmless.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_PRINTABLETEXT_H
#define UMA_SUPPORT_PRINTABLETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace uma {

/// Replaces every invisible character of `text`: control characters, characters
/// without a width or shape of their own (bidirectional controls, zero-width
/// spaces, variation selectors), unassigned code points, and bytes that are not
/// UTF-8. `escape` receives the code point, or the byte if `isByte`, and
/// returns the replacement.
std::string replaceInvisible(
    llvm::StringRef text,
    llvm::function_ref<std::string(uint32_t value, bool isByte)> escape);

/// Returns `text` for terminals and logs, with escapes such as `\x1B`, `\n` and
/// `\u202E` for invisible characters. Characters in `keep` stay.
std::string toPrintable(llvm::StringRef text, llvm::StringRef keep = "");

/// Returns `text` if it has at most `maxBytes` bytes, otherwise its beginning,
/// `mark` and a hash of the whole text, so that different texts stay different.
std::string shorten(llvm::StringRef text, size_t maxBytes,
                    llvm::StringRef mark = "~");

/// Returns one file name per name, with `extension`: without folders, leading
/// dots and invisible characters, of at most 200 bytes, and distinct even on
/// case-insensitive file systems. Ordinary names change only in that `/`
/// becomes `_`.
std::vector<std::string> toFileNames(llvm::ArrayRef<std::string> names,
                                     llvm::StringRef extension);

} // namespace uma

#endif // UMA_SUPPORT_PRINTABLETEXT_H
