//===- Operators.cpp - Shared parts of the drafts of operators ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "ModelText.h"

#include "llvm/ADT/STLExtras.h"

using namespace uma::draft;

PatternText uma::draft::makePattern(const Signature &signature, Draft &draft,
                                    StringRef ending) {
  // Names of functions of one kind differ after the prefix: conv2d, conv2d_s8.
  StringRef function = signature.function.name;
  StringRef name = function.drop_front(draft.prefix);
  std::string unique = (name.empty() ? function : name).str() + ending.str();
  if (!isNameInDescription(unique))
    unique = function.str() + ending.str();
  PatternText pattern(unique);
  pattern.prototype = signature.function.getPrototype();
  pattern.function = signature.function.name;
  pattern.place = signature.function.place;
  for (const std::string &problem : signature.problems)
    pattern.ask(problem);
  return pattern;
}

std::string uma::draft::getElementType(const Signature &signature, Role role,
                                       PatternText &pattern) {
  const Slot *slot = signature.find(role);
  StringRef what = role == Role::Input    ? "the input"
                   : role == Role::Weight ? "the second tensor"
                                          : "the result";
  if (!slot) {
    pattern.ask("which parameter is " + what + "?");
    return "f32";
  }
  const CType &element = slot->type.elements.front();
  if (element.kind == CType::Void) {
    pattern.guess("'" + slot->name + "' is void *: its elements are f32");
    return "f32";
  }
  StringRef name = element.getElementName();
  if (name.empty())
    pattern.ask("which of f16, bf16 and others are the elements of '" +
                slot->name + "' (" + slot->type.text + ")?");
  return name.empty() ? "f32" : name.str();
}

std::string uma::draft::getOutputType(const Signature &signature,
                                      PatternText &pattern) {
  std::string x = getElementType(signature, Role::Input, pattern);
  if (!signature.has(Role::Output)) {
    pattern.ask("which parameter is the result?");
    return "";
  }
  StringRef y =
      signature.find(Role::Output)->type.elements.front().getElementName();
  bool isInteger = x != "f16" && x != "f32" && x != "f64";
  if (y.empty() || (y == x && !isInteger))
    return "";
  if (isInteger && y != "i32" && y != "i64") {
    pattern.ask("how does the device round the sums of " + x + " products to " +
                y + "? Write that as operators behind this one");
    return "out_dtype=i32";
  }
  return "out_dtype=" + y.str();
}

void uma::draft::addCall(Signature &signature, PatternText &pattern,
                         Draft &draft) {
  for (Slot &slot : signature.slots) {
    if (!slot.value.empty())
      continue;
    if (slot.role == Role::Version) {
      std::vector<const Constant *> constants = signature.getConstants(slot);
      slot.value = Signature::match(constants, "version", "major minor");
      if (slot.value.empty())
        slot.value = Signature::match(constants, "version");
      if (!slot.value.empty()) {
        draft.useConstant(slot.value);
        pattern.guess("'" + slot.access + "' is " + slot.value);
        continue;
      }
    }
    if (slot.type.kind == CType::Enum) {
      slot.value = Signature::match(signature.getConstants(slot), "row major");
      if (!slot.value.empty()) {
        draft.useConstant(slot.value);
        continue;
      }
    }
    if (slot.role == Role::Reserved) {
      slot.value = "0";
      continue;
    }
    if (slot.role == Role::Scratch) {
      pattern.ask("which memory does '" + slot.access +
                  "' point to? Calls have no workspace of their own yet");
      slot.value = "0";
      continue;
    }
    if (slot.type.isPointer())
      pattern.ask("which tensor is '" + slot.access + "' (" + slot.type.text +
                  ")?");
    else
      pattern.add("# " + kOpen + ": what is '" + slot.access + "' (" +
                  slot.type.text + ")? 0 is passed");
  }
  pattern.add(printCall(signature));
}

void uma::draft::finish(const Signature &signature, PatternText pattern,
                        const std::string &model, Draft &draft) {
  const Function &function = signature.function;
  CType::Kind result = function.result.kind;
  if (result == CType::Void) {
    std::string arguments;
    for (size_t i = 0; i < function.parameters.size(); ++i)
      arguments += (i ? ", {" : "{") + std::to_string(i) + "}";
    std::string replace = "replace " + function.name + " \"" + function.name +
                          "(" + arguments + ");\"";
    if (pattern.isComplete() && !llvm::is_contained(draft.statements, replace))
      draft.statements.push_back(replace);
  } else if (result != CType::Integer && result != CType::Enum &&
             result != CType::Bool) {
    pattern.ask("the function returns " + function.result.text +
                "; how does it report an error?");
  }
  bool isComplete = pattern.isComplete();
  // The first matching pattern wins, so larger ones go first.
  size_t size = pattern.getSize();
  draft.patterns.insert(llvm::find_if(draft.patterns,
                                      [&](const PatternText &other) {
                                        return other.getSize() < size;
                                      }),
                        std::move(pattern));
  // The function is defined in the header, or another pattern has added it.
  if (function.isDefined || model.empty())
    return;
  draft.functions.push_back(
      isComplete
          ? model
          : ModelText::printStub(
                signature, "compute what the description's pattern says"));
}

void uma::draft::draftUnknown(const Signature &signature, Draft &draft) {
  PatternText pattern = makePattern(signature, draft);
  pattern.ask("which operator of uma.graph does this compute? Write it for "
              "OPERATOR");
  Signature filled = signature;
  filled.set(Role::Count, "elements(y)");
  std::string inputs;
  for (Slot &slot : filled.slots) {
    if (!slot.type.isPointer())
      continue;
    bool isInput = slot.type.elements.front().isConst;
    slot.value = isInput ? slot.name : "y";
    if (isInput) {
      StringRef type = slot.type.elements.front().getElementName();
      pattern.addInput(slot.name, type.empty() ? "f32" : type);
      inputs += (inputs.empty() ? "" : ", ") + slot.name;
    }
  }
  pattern.add("y = OPERATOR(" + inputs + ")");
  pattern.add(printCall(filled));
  finish(signature, std::move(pattern), "", draft);
}
