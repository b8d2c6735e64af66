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
  /// Adds `line {`; the lines up to close() are in that block.
  void open(const llvm::Twine &line);
  void close();
  /// Adds a loop of `index` from 0 to `end`, which goes on until close().
  void loop(StringRef index, const llvm::Twine &end);
  /// Declares a local variable of the integer type of indices, and returns its
  /// name, which no parameter has.
  std::string declare(StringRef name, const llvm::Twine &value,
                      bool isConst = true);
  /// Returns `name`, changed if a parameter has it.
  std::string local(StringRef name) const;

  /// Returns a tensor as an array; `void *` is cast.
  std::string tensor(Role role) const;
  /// Returns the type in which products of a tensor's elements are added.
  StringRef getSumType() const;
  /// Returns the statement that ends the function with a status.
  std::string succeed() const { return getReturn(/*isSuccess=*/true); }
  std::string fail() const { return getReturn(/*isSuccess=*/false); }
  /// Returns the function; open blocks are closed.
  std::string print() const;
  /// Returns the function with nothing but an error in it and what to do.
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
