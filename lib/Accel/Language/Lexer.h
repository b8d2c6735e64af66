//===- Lexer.h - Lexer of the description language -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_LEXER_H
#define UMA_LIB_ACCEL_LANGUAGE_LEXER_H

#include "uma/Accel/Language/DescriptionNames.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

#include <string>

namespace uma::accel::language {

/// Source buffer that converts positions to MLIR locations and starts error
/// messages.
class Source {
public:
  Source(llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context,
         llvm::ArrayRef<std::string> settings = {},
         DescriptionNames *names = nullptr)
      : sourceMgr(sourceMgr), context(context), settings(settings),
        names(names) {}

  llvm::StringRef getText() const;
  llvm::StringRef getFile() const;
  mlir::MLIRContext *getContext() const { return context; }
  /// Returns the settings of target attributes, `NAME=VALUE`.
  llvm::ArrayRef<std::string> getSettings() const { return settings; }
  /// Returns where the parser records names; null if nobody asks for them.
  DescriptionNames *getNames() const { return names; }
  mlir::Location getLocation(llvm::SMLoc loc) const;
  mlir::InFlightDiagnostic emitError(llvm::SMLoc loc) const {
    return mlir::emitError(getLocation(loc));
  }

private:
  llvm::SourceMgr &sourceMgr;
  mlir::MLIRContext *context;
  llvm::ArrayRef<std::string> settings;
  DescriptionNames *names;
};

struct Token {
  enum Kind {
    Error, ///< already reported
    EndOfFile,
    Newline, ///< line break or `;`: ends a statement
    Identifier,
    Integer,
    Float,
    String,
    Code,        ///< C code in braces, after the word `code`
    Punctuation, ///< `spelling` has the text
  };

  Kind kind = Error;
  llvm::StringRef spelling;

  llvm::SMLoc getLoc() const {
    return llvm::SMLoc::getFromPointer(spelling.data());
  }
  llvm::SMLoc getEndLoc() const {
    return llvm::SMLoc::getFromPointer(spelling.end());
  }
  bool is(Kind other) const { return kind == other; }
  bool is(llvm::StringRef punctuation) const {
    return kind == Punctuation && spelling == punctuation;
  }
  /// Returns a description of the token for error messages.
  std::string describe() const;
  /// Returns the value of a string token, without quotes and with escapes
  /// resolved.
  std::string getString() const;
};

/// Lexer of one buffer. Line breaks are tokens, except within parentheses and
/// brackets. At an invalid character, reports an error and skips to the next
/// brace or the end of the line.
class Lexer {
public:
  explicit Lexer(const Source &source)
      : source(source), text(source.getText()), position(text.begin()) {}

  Token lex();

  /// Treats all parentheses and brackets as closed, so that line breaks are
  /// tokens again.
  void closeAll() { nesting = 0; }
  /// Sets whether invalid characters are skipped without an error.
  void setQuiet(bool quiet) { isQuiet = quiet; }

private:
  Token make(Token::Kind kind, const char *start);
  Token fail(const char *at, const llvm::Twine &message);
  Token lexNumber(const char *start);
  Token lexString(const char *start);
  bool isAtCode() const;
  Token lexCode(const char *start);
  Token lexPunctuation(const char *start);

  const Source &source;
  llvm::StringRef text;
  const char *position;
  unsigned nesting = 0;
  bool isQuiet = false;
};

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_LEXER_H
