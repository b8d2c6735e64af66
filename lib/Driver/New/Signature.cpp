//===- Signature.cpp - A function and the roles of its arguments ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include "llvm/ADT/STLExtras.h"

using namespace uma::draft;
using llvm::is_contained;

Signature::Signature(const Header &header, const Function &function)
    : header(header), function(function), meaning(getMeaning(function.name)) {
  for (const Variable &parameter : function.parameters) {
    const CType &type = parameter.type;
    const CType &pointee = type.isPointer() ? type.elements.front() : type;
    Argument &argument = arguments.emplace_back();
    argument.name = parameter.name;
    if (pointee.kind != CType::Record) {
      argument.slot = slots.size();
      addSlot(parameter, parameter.name);
      continue;
    }
    const Record &record = header.records[pointee.index];
    argument.isPointer = type.isPointer();
    argument.record = &record;
    if (!record.isStruct || record.fields.empty() ||
        (type.isPointer() && !pointee.isConst)) {
      problems.push_back("what is passed for '" + parameter.name + "' (" +
                         type.text + ")?");
      continue;
    }
    for (const Variable &field : record.fields) {
      argument.fields.push_back(slots.size());
      addSlot(field,
              parameter.name + (type.isPointer() ? "->" : ".") + field.name);
    }
  }
  if (function.isVariadic)
    problems.emplace_back("which arguments stand for '...'?");
  assignTensors();
}

void Signature::addSlot(const Variable &variable, const std::string &access) {
  Slot &slot = slots.emplace_back();
  slot.name = variable.name;
  slot.access = access;
  slot.type = variable.type;
  const CType &type = variable.type;
  if (type.kind == CType::Record || type.kind == CType::Other ||
      (type.isPointer() && type.elements.front().kind == CType::Pointer)) {
    problems.push_back("what is '" + access + "' (" + type.text + ")?");
    return;
  }
  slot.role = type.isPointer() ? getTensorRole(variable.name)
                               : getNumberRole(variable.name, meaning.meaning);
  // For enums, the type is more specific than the name.
  if (type.kind == CType::Enum && slot.role == Role::Pad)
    slot.role = Role::PadMode;
}

/// Assigns roles to pointers: by name, then by `const` and order.
void Signature::assignTensors() {
  bool isBinary = meaning.meaning == Meaning::Binary;
  bool hasWeights = meaning.meaning == Meaning::Product ||
                    meaning.meaning == Meaning::Dense ||
                    meaning.meaning == Meaning::Convolution ||
                    meaning.meaning == Meaning::Depthwise || isBinary;
  auto isTensor = [](const Slot &slot) { return slot.type.isPointer(); };
  auto isOutput = [](const Slot &slot) {
    return !slot.type.elements.front().isConst;
  };
  auto count = [&](Role role) {
    return llvm::count_if(slots, [&](const Slot &slot) {
      return isTensor(slot) && slot.role == role;
    });
  };
  // `b` is the bias if another tensor has the name of the weights.
  for (Slot &slot : slots)
    if (isTensor(slot) && slot.role == Role::Weight &&
        count(Role::Weight) > 1 && slot.name == "b")
      slot.role = Role::Bias;
  for (Slot &slot : slots) {
    if (!isTensor(slot))
      continue;
    // A written tensor is no input, and a pointer to const is no output.
    // Headers without any const are interpreted by names only.
    bool isInputRole = slot.role == Role::Input || slot.role == Role::Weight ||
                       slot.role == Role::Bias || slot.role == Role::Residual;
    bool hasConst = llvm::any_of(slots, [&](const Slot &other) {
      return isTensor(other) && !isOutput(other);
    });
    if (isOutput(slot) && isInputRole && hasConst)
      slot.role = Role::Output;
    if (!isOutput(slot) &&
        (slot.role == Role::Output || slot.role == Role::Scratch))
      slot.role = Role::Unknown;
  }
  // The only written tensor is the result, and the only read one is the input,
  // whatever their names.
  auto assignOnly = [&](Role role, bool isWritten) {
    Slot *only = nullptr;
    for (Slot &slot : slots)
      if (isTensor(slot) && isOutput(slot) == isWritten &&
          slot.role != Role::Scratch) {
        if (only)
          return;
        only = &slot;
      }
    if (only && count(role) == 0)
      only->role = role;
  };
  assignOnly(Role::Output, /*isWritten=*/true);
  assignOnly(Role::Input, /*isWritten=*/false);
  if (count(Role::Output) > 1)
    problems.emplace_back("which of the results is the operator's?");
  if (!hasWeights)
    return;
  // Assign the second of two tensors with an input's name, e.g. `in1` and
  // `in2`.
  for (Slot &slot : slots)
    if (isTensor(slot) && !isOutput(slot) &&
        (slot.role == Role::Unknown ||
         (slot.role == Role::Input && find(Role::Input) != &slot)))
      slot.role = count(Role::Input) == 0    ? Role::Input
                  : count(Role::Weight) == 0 ? Role::Weight
                  : isBinary                 ? Role::Unknown
                  : count(Role::Bias) == 0   ? Role::Bias
                                             : Role::Unknown;
}

const Slot *Signature::find(Role role) const {
  for (const Slot &slot : slots)
    if (slot.role == role)
      return &slot;
  return nullptr;
}

std::string Signature::access(Role role, StringRef otherwise) const {
  const Slot *slot = find(role);
  return slot ? slot->access : otherwise.str();
}

void Signature::set(Role role, StringRef value) {
  for (Slot &slot : slots)
    if (slot.role == role)
      slot.value = value.str();
}

std::vector<const Constant *> Signature::getConstants(const Slot &slot) const {
  std::vector<const Constant *> constants;
  for (const Constant &constant : header.constants)
    if (slot.type.kind != CType::Enum || constant.owner == slot.type.index)
      constants.push_back(&constant);
  return constants;
}

std::string Signature::match(ArrayRef<const Constant *> constants,
                             StringRef words, StringRef others) {
  llvm::SmallVector<StringRef> wanted, unwanted;
  words.split(wanted, ' ', -1, /*KeepEmpty=*/false);
  others.split(unwanted, ' ', -1, /*KeepEmpty=*/false);
  for (const Constant *constant : constants) {
    llvm::SmallVector<std::string> parts = splitName(constant->name);
    if (llvm::all_of(
            wanted,
            [&](StringRef word) { return is_contained(parts, word); }) &&
        llvm::none_of(unwanted, [&](StringRef word) {
          return is_contained(parts, word);
        }))
      return constant->name;
  }
  return "";
}
