//===- Documentation.h - Pages of docs/ in hovers -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_LSP_DOCUMENTATION_H
#define UMA_LIB_LSP_DOCUMENTATION_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace uma::lsp {

/// Returns the section of docs/generated/graph-ops.md about an operator, in
/// Markdown; empty for unknown ones.
std::string getOperatorDocumentation(llvm::StringRef name);
/// Returns what docs/description-language.md says about the statement or
/// function `word`; empty for other words.
std::string getStatementDocumentation(llvm::StringRef word);
/// Returns names and summaries of all operators.
std::vector<std::pair<llvm::StringRef, llvm::StringRef>> getOperators();
/// Returns the names of the functions that a C header declares, as parts of its
/// text: words in front of parentheses, in lines that are not indented.
std::vector<llvm::StringRef> getFunctions(llvm::StringRef header);

} // namespace uma::lsp

#endif // UMA_LIB_LSP_DOCUMENTATION_H
