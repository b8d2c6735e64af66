//===- CompilerLog.h - Output of a C compiler -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_COMPILERLOG_H
#define UMA_LIB_DRIVER_PACKAGE_COMPILERLOG_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace uma {

/// A diagnostic of gcc or clang.
struct CompilerMessage {
  enum Severity { Note, Warning, Error, Fatal };

  Severity severity = Note;
  std::string file;
  unsigned line = 0;
  unsigned column = 0; ///< 0 if the compiler prints none
  std::string text;    ///< without the flag
  std::string flag;    ///< name of the -W flag, empty for an error without one
  std::vector<CompilerMessage> notes;
  /// Line of the main file that includes `file`; 0 for the main file.
  unsigned includedAt = 0;

  bool isError() const { return severity >= Error && flag.empty(); }
  bool contains(llvm::StringRef words) const {
    return llvm::StringRef(text).contains(words);
  }
  /// Returns the quoted type after `words`, resolved (aka) if `isCanonical`;
  /// empty if neither the message nor a note has one.
  std::string getType(llvm::StringRef words, bool isCanonical = false) const;
};

/// Parses the diagnostics of gcc or clang about `mainFile`.
std::vector<CompilerMessage> parseCompilerLog(llvm::StringRef log,
                                              llvm::StringRef mainFile);

/// A declaration of a function in a header.
struct Prototype {
  std::string text; ///< in one line, empty if it cannot be read
  std::string result;
  std::vector<std::string> parameters;
  bool isVariadic = false;
};

/// Reads the declaration whose name is at a position of a header.
Prototype readPrototype(llvm::StringRef header, unsigned line, unsigned column);

/// Returns the names before a parenthesis in a header: its functions and
/// macros, among others.
std::vector<std::string> getFunctionNames(llvm::StringRef header);

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_COMPILERLOG_H
