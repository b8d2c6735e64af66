//===- ModelText.h - Functions of a device in plain C -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_MODELTEXT_H
#define UMA_LIB_DRIVER_NEW_MODELTEXT_H

#include "Signature.h"

#include "llvm/ADT/StringSet.h"

namespace uma::draft {

/// Writes a function of the model, line by line.
class ModelText {
public:
  explicit ModelText(const Signature &signature);

  /// Adds a line in the current block.
  void add(const llvm::Twine &line);
  /// Opens a block: adds `line {`. close() ends it.
  void open(const llvm::Twine &line);
  void close();
  /// Opens a loop of `index` from 0 to `end`. close() ends it.
  void loop(StringRef index, const llvm::Twine &end);
  /// Declares a local variable of the integer type of indices. Returns its
  /// name, which differs from all parameters.
  std::string declare(StringRef name, const llvm::Twine &value,
                      bool isConst = true);
  /// Returns `name`, changed if it is the name of a parameter.
  std::string local(StringRef name) const;

  /// Returns a tensor as an array expression; casts `void *`.
  std::string tensor(Role role) const;
  /// Returns the accumulator type for products of a tensor's elements.
  StringRef getSumType() const;
  /// Return the statement that ends the function with a status.
  std::string succeed() const { return getReturn(/*isSuccess=*/true); }
  std::string fail() const { return getReturn(/*isSuccess=*/false); }
  /// Returns the function; open blocks are closed.
  std::string print() const;
  /// Returns the function with only an error and a hint in its body.
  static std::string printStub(const Signature &signature, StringRef question);

private:
  std::string getReturn(bool isSuccess) const;

  const Signature &signature;
  llvm::StringSet<> taken;
  std::string text;
  unsigned depth = 1;
};

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_MODELTEXT_H
