//===- DescriptionNames.h - Names of a description -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Editors need the places where a description defines and uses names, the words
// of the language, and what may stand at a position. These functions provide
// them for texts with errors, too.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_LANGUAGE_DESCRIPTIONNAMES_H
#define UMA_ACCEL_LANGUAGE_DESCRIPTIONNAMES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace uma::accel {

enum class NameKind { Pattern, Tensor, Size, Attribute, Operator, Function };

/// Names of a description with their byte offsets in the text.
struct DescriptionNames {
  /// Scope of the names that the whole file shares: attributes of the target.
  static constexpr size_t kFile = ~size_t(0);

  struct Use {
    std::string text;
    NameKind kind;
    size_t offset;
    size_t scope; ///< index into `scopes`, or kFile
    bool isDefinition;
  };
  /// A pattern.
  struct Scope {
    std::string name;
    NameKind kind;
    size_t begin, end; ///< from the name to the closing brace
    bool isWhole;      ///< whether it has no errors
  };

  std::vector<Use> uses;
  std::vector<Scope> scopes;

  /// Returns the use at `offset`, or null if there is no name.
  const Use *find(size_t offset) const;
  /// Returns the definition of the name that `use` means, or null.
  const Use *findDefinition(const Use &use) const;
  /// Returns the offsets of all uses of the same name, sorted, each once.
  std::vector<size_t> findAll(const Use &use) const;
};

/// Position in the text of a description.
struct Cursor {
  enum Kind {
    Nowhere,   ///< nothing can be suggested
    Item,      ///< start of a statement of the accelerator
    Statement, ///< start of a statement of a pattern
    Operator,
    Operand,  ///< tensor or attribute of `operation`
    Value,    ///< value of an attribute of `operation`
    Function, ///< a C function
    Expression,
    ElementType,
    Phase,
  };
  Kind kind = Nowhere;
  std::string operation; ///< operator around the position
  std::string prefix;    ///< start of the word that ends at the position
};

/// Returns what the word that ends at `offset` can be.
Cursor describeCursor(llvm::StringRef text, size_t offset,
                      mlir::MLIRContext *context);

/// Returns the keywords of statements: of an accelerator, and of a pattern.
llvm::ArrayRef<llvm::StringRef> getItemKeywords();
std::vector<llvm::StringRef> getStatementKeywords();
/// Returns the words of values and types, e.g. `same` and `f32`.
std::vector<llvm::StringRef> getValueWords();
llvm::ArrayRef<llvm::StringRef> getElementTypeNames();
/// Returns whether a word cannot be a name.
bool isReserved(llvm::StringRef word);

} // namespace uma::accel

#endif // UMA_ACCEL_LANGUAGE_DESCRIPTIONNAMES_H
