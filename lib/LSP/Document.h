//===- Document.h - A description in an editor -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_LSP_DOCUMENT_H
#define UMA_LIB_LSP_DOCUMENT_H

#include "uma/Accel/Language/DescriptionNames.h"

#include "llvm/Support/JSON.h"

#include <optional>

namespace uma::lsp {

/// An open description. Its functions return values of the protocol. Positions
/// are lines and UTF-16 units from 0.
class Document {
public:
  Document() = default;
  Document(std::string uri, std::string contents);

  /// Returns the diagnostics, with those of the header if `withHeader`.
  llvm::json::Value check(bool withHeader);
  llvm::json::Value getHover(size_t offset) const;
  llvm::json::Value getCompletions(size_t offset) const;
  /// Returns the place of a name in the file, or of a function in a header.
  llvm::json::Value getDefinition(size_t offset) const;
  llvm::Expected<llvm::json::Value> rename(size_t offset,
                                           llvm::StringRef newName) const;
  llvm::json::Value getSymbols() const;
  /// Returns the sizes that the layers of a model bind, as hints behind the
  /// names in the lines of `range`; none without a model or if it cannot be
  /// read.
  llvm::json::Value getHints(llvm::StringRef model,
                             const llvm::json::Value *range);
  /// Returns the edits, or null if the text has errors.
  llvm::json::Value format() const;

  /// Returns the byte offset of a position, or std::nullopt if it is invalid.
  std::optional<size_t> getOffset(const llvm::json::Value *position) const;

private:
  llvm::json::Object getPosition(size_t offset) const;
  llvm::json::Object getRange(size_t begin, size_t end) const;
  /// Returns the range of the word at a line and column, from 1 in bytes.
  llvm::json::Object getWordRange(size_t line, size_t column) const;
  /// Calls `visit` with the path and text of each header that is found.
  void visitHeaders(
      llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> visit) const;

  /// A hint with its place in the text.
  struct Hint {
    size_t offset;
    std::string label, tooltip;
  };
  std::vector<Hint> findHints(llvm::StringRef model) const;

  std::string uri, file, text;
  std::string hintedModel; ///< the model of `hints`
  std::vector<Hint> hints;
  std::vector<size_t> lines; ///< offset of each line
  /// The last position, from which later ones of a long line are counted.
  mutable size_t lastOffset = 0, lastUnits = 0;
  accel::DescriptionNames names;
};

} // namespace uma::lsp

#endif // UMA_LIB_LSP_DOCUMENT_H
