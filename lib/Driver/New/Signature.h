//===- Signature.h - A function and the roles of its arguments -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_SIGNATURE_H
#define UMA_LIB_DRIVER_NEW_SIGNATURE_H

#include "Header.h"
#include "Roles.h"

namespace uma::draft {

/// A parameter, or a field of a struct parameter, that gets a value.
struct Slot {
  std::string name;
  std::string access; ///< C expression in the function: `n`, `cfg->in_h`
  CType type;
  Role role = Role::Unknown;
  /// Expression of the description; empty if it is not known yet.
  std::string value;
};

/// An argument of the call: a slot, or a struct of slots.
struct Argument {
  std::string name; ///< name of the parameter
  size_t slot = 0;
  const Record *record = nullptr; ///< null for a plain argument
  bool isPointer = false;         ///< the struct is passed by its address
  std::vector<size_t> fields;
};

/// A function of the header with its parameters spelt out.
class Signature {
public:
  Signature(const Header &header, const Function &function);

  /// Returns the first slot of a role, null if there is none.
  const Slot *find(Role role) const;
  bool has(Role role) const { return find(role); }
  /// Returns the C expression of a role's slot, `otherwise` if there is none.
  std::string access(Role role, StringRef otherwise = "") const;
  /// Sets the value of all slots of a role.
  void set(Role role, StringRef value);

  /// Returns the constants of the slot's enum, or of all macros and enums if
  /// its type is no enum.
  std::vector<const Constant *> getConstants(const Slot &slot) const;
  /// Returns the first of `constants` that contains all words of `words` and
  /// none of `others`; empty if there is none. Words are separated by blanks.
  static std::string match(ArrayRef<const Constant *> constants,
                           StringRef words, StringRef others = "");

  const Header &header;
  const Function &function;
  FunctionMeaning meaning;
  std::vector<Slot> slots;
  std::vector<Argument> arguments;
  /// Questions about arguments that the call cannot express.
  std::vector<std::string> problems;

private:
  void addSlot(const Variable &variable, const std::string &access);
  void assignTensors();
};

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_SIGNATURE_H
