//===- Draft.cpp - The first draft of an accelerator ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Draft.h"
#include "ModelText.h"
#include "Operators.h"

#include "uma/Support/PrintableText.h"
#include "uma/Support/ReservedNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace uma::draft;

/// Maximum number of patterns for unknown operators; further functions of the
/// header are only listed.
static constexpr unsigned kMaxUnknown = 20;

/// Returns whether a function reads a tensor and writes one.
static bool isComputation(const Signature &signature) {
  unsigned tensors = 0, results = 0;
  for (const Slot &slot : signature.slots) {
    if (!slot.type.isPointer())
      continue;
    const CType &element = slot.type.elements.front();
    bool isTensor = element.kind == CType::Void ||
                    element.kind == CType::Integer ||
                    element.kind == CType::Float || element.kind == CType::Bool;
    tensors += isTensor;
    results += isTensor && !element.isConst;
  }
  return tensors > 1 && results > 0;
}

/// Adds `init` or `await`, which run before and after the layers of a region.
static void addSurrounding(const Signature &signature, StringRef keyword,
                           Draft &draft) {
  const Function &function = signature.function;
  std::string call = (keyword + " " + function.name).str();
  if (!signature.arguments.empty()) {
    draft.notes.push_back((kOpen + ": which numbers does " + function.name +
                           " (" + function.place + ") get? Then write '" +
                           call + "(...)'")
                              .str());
    return;
  }
  bool isTaken = llvm::any_of(draft.statements, [&](StringRef statement) {
    return statement.starts_with(keyword);
  });
  if (isTaken) {
    draft.notes.push_back(function.name + " (" + function.place +
                          ") is not called");
    return;
  }
  draft.statements.push_back(call + "()");
  if (function.result.kind == CType::Void)
    draft.statements.push_back("replace " + function.name + " \"" +
                               function.name + "();\"");
  if (function.isDefined)
    return;
  ModelText model(signature);
  draft.functions.push_back(model.print());
}

static void addFunction(const Signature &signature, Draft &draft,
                        std::vector<std::string> &others, unsigned &unknown) {
  switch (signature.meaning.meaning) {
  case Meaning::Product:
  case Meaning::Dense:
    return draftProduct(signature, draft);
  case Meaning::Convolution:
  case Meaning::Depthwise:
    return draftConvolution(signature, draft);
  case Meaning::MaxPool:
  case Meaning::AveragePool:
  case Meaning::GlobalAveragePool:
    return draftPool(signature, draft);
  case Meaning::Unary:
  case Meaning::Binary:
    return draftElementwise(signature, draft);
  case Meaning::Softmax:
    return draftSoftmax(signature, draft);
  case Meaning::Init:
    return addSurrounding(signature, "init", draft);
  case Meaning::Await:
    return addSurrounding(signature, "await", draft);
  case Meaning::Unknown:
    if (unknown++ < kMaxUnknown)
      return draftUnknown(signature, draft);
    break;
  case Meaning::Query:
    break;
  }
  others.push_back(signature.function.name);
}

/// Returns the length of the common prefix of all names, up to and including a
/// `_`.
static size_t getCommonPrefix(ArrayRef<Function> functions) {
  StringRef prefix = functions.front().name;
  for (const Function &function : functions) {
    StringRef name = function.name;
    while (!name.starts_with(prefix))
      prefix = prefix.drop_back();
  }
  // For a single function, the first word names the device.
  return (functions.size() == 1 ? prefix.find('_') : prefix.rfind('_')) + 1;
}

Draft uma::draft::makeDraft(StringRef name, StringRef header,
                            const Header &declarations) {
  Draft draft;
  draft.name = name.str();
  draft.header = header.str();
  draft.prefix = getCommonPrefix(declarations.functions);
  std::vector<std::string> others;
  unsigned unknown = 0;
  for (const Function &function : declarations.functions) {
    Signature signature(declarations, function);
    // A query writes no tensor, e.g. `dev_conv_status(...)`.
    bool computes = isComputation(signature);
    if (!computes && signature.meaning.meaning != Meaning::Init &&
        signature.meaning.meaning != Meaning::Await)
      signature.meaning = {Meaning::Query, ""};
    if (computes && signature.meaning.meaning >= Meaning::Init)
      signature.meaning = {};
    // The description or the emitted C cannot use such a name.
    if (!isFunctionNameInC(function.name) ||
        !isNameInDescription(function.name))
      signature.meaning = {Meaning::Query, ""};
    addFunction(signature, draft, others, unknown);
  }
  constexpr size_t maxNames = 50;
  size_t count = others.size();
  others.resize(std::min(count, maxNames));
  if (count > 0)
    draft.notes.push_back(
        "Not called: " + uma::toPrintable(llvm::join(others, ", ")) +
        (count > maxNames ? " and " + std::to_string(count - maxNames) + " more"
                          : ""));
  return draft;
}

void Draft::useConstant(const std::string &constant) {
  if (!llvm::is_contained(constants, constant))
    constants.push_back(constant);
}

std::string Draft::printModel() const {
  std::string text =
      "/* A model of the device in plain C: what 'uma run' and 'uma test' call "
      "where there is no device.\n   Written by 'uma new'; it is yours to "
      "change. */\n";
  text += "#include \"" + header + "\"\n\n#include <stddef.h>\n";
  text += "#include <stdint.h>\n";
  if (needsMath)
    text.insert(text.find("#include <stddef.h>"), "#include <math.h>\n");
  for (const std::string &function : functions)
    text += "\n" + function;
  return text;
}
