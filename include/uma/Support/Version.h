//===- Version.h - Versions of the project and of MLIR -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_VERSION_H
#define UMA_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace uma {

/// Returns the version of the project, e.g. `0.1.0`.
llvm::StringRef getVersion();

/// Returns the version of MLIR that the project is built with, e.g. `22.1.8`.
llvm::StringRef getMLIRVersion();

/// Returns what `tool --version` prints, without the end of the line, e.g.
/// `uma 0.1.0 (MLIR 22.1.8)`.
std::string getVersionLine(llvm::StringRef tool);

/// Makes `--version` print the line of `tool`, instead of LLVM's lines.
/// `tool` must live until the end of main.
void setVersionPrinter(llvm::StringLiteral tool);

} // namespace uma

#endif // UMA_SUPPORT_VERSION_H
