//===- Epilogue.cpp - Bias, residual and activation -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace uma::draft;
using llvm::Twine;

/// Activations by the words in the names of their constants.
static constexpr struct {
  llvm::StringLiteral words, others, op, expression;
} kActivations[] = {
    {"relu6", "", "clip({0}, a_min=0, a_max=6)",
     "{0} < 0 ? 0 : {0} > 6 ? 6 : {0}"},
    {"relu", "leaky param 6", "relu({0})", "{0} < 0 ? 0 : {0}"},
    {"sigmoid", "hard", "sigmoid({0})", "1.0f / (1.0f + expf(-{0}))"},
    {"logistic", "", "sigmoid({0})", "1.0f / (1.0f + expf(-{0}))"},
    {"tanh", "hard", "tanh({0})", "tanhf({0})"},
};

/// Returns the constants that are flags according to their names.
static std::vector<const Constant *> getFlags(const Signature &signature,
                                              const Slot &slot) {
  std::vector<const Constant *> constants = signature.getConstants(slot);
  if (slot.type.kind != CType::Enum)
    llvm::erase_if(constants, [](const Constant *constant) {
      auto words = splitName(constant->name);
      return !llvm::is_contained(words, "flag") &&
             !llvm::is_contained(words, "flags");
    });
  return constants;
}

Epilogue::Epilogue(Signature &signature, Draft &draft)
    : signature(signature), draft(draft), bias(signature.find(Role::Bias)),
      residual(signature.find(Role::Residual)),
      flags(signature.find(Role::Flags)) {
  if (flags) {
    auto names = getFlags(signature, *flags);
    biasFlag = Signature::match(names, "bias");
    for (StringRef word : {"residual", "skip", "add", "sum", "accumulate"})
      if (residualFlag.empty())
        residualFlag = Signature::match(names, word);
  }
  findActivation();
}

void Epilogue::findActivation() {
  const Slot *slot = signature.find(Role::Activation);
  activation = slot                           ? Enum
               : flags                        ? Flag
               : signature.has(Role::HasRelu) ? Bool
               : signature.has(Role::Minimum) && signature.has(Role::Maximum)
                   ? Range
                   : None;
  if (activation == Bool)
    choices = {{"relu({0})", "{0} < 0 ? 0 : {0}", ""}};
  if (activation != Enum && activation != Flag)
    return;
  auto constants =
      slot ? signature.getConstants(*slot) : getFlags(signature, *flags);
  if (slot && slot->type.kind != CType::Enum)
    llvm::erase_if(constants, [](const Constant *constant) {
      return !StringRef(constant->name).contains_insensitive("act");
    });
  for (auto &known : kActivations) {
    std::string name = Signature::match(constants, known.words, known.others);
    if (!name.empty())
      choices.push_back({known.op, known.expression, name});
  }
  for (StringRef word : {"none", "identity", "linear", "no", "off"})
    if (none.empty() && slot)
      none = Signature::match(constants, word);
  if (choices.empty())
    activation = None;
}

bool Epilogue::isOptional(PatternText &pattern, const Slot &slot,
                          StringRef flag) {
  if (!flag.empty())
    return true;
  bool isNull = StringRef(signature.function.comment).contains("null");
  if (isNull)
    pattern.guess("the header allows NULL: a layer without '" + slot.name +
                  "' is taken, too");
  else
    pattern.guess("'" + slot.name +
                  "' is always there; write 'optional' if the device takes "
                  "NULL for none");
  return isNull;
}

void Epilogue::add(PatternText &pattern, StringRef channels,
                   ArrayRef<std::string> shape, StringRef axis,
                   StringRef type) {
  // No size of an operator has the name c, t, u or y.
  std::string tensor = "c";
  std::vector<std::string> flagValues;
  auto useConstant = [&](const std::string &name) {
    if (!name.empty() && name != "0")
      draft.useConstant(name);
    return name.empty() ? std::string("0") : name;
  };
  auto next = [&](bool isLast, StringRef name) {
    return isLast ? std::string("y") : name.str();
  };
  auto addFlag = [&](StringRef result, const std::string &flag) {
    if (!flag.empty())
      flagValues.push_back(printWhich(result, {useConstant(flag), "0"}));
  };
  if (bias) {
    pattern.addInput("b", bias->type.elements.front().getElementName(),
                     {channels.str()}, /*isConst=*/true);
    bool isOpt = isOptional(pattern, *bias,
                            signature.has(Role::HasBias) ? "set" : biasFlag);
    std::string result = next(!residual && activation == None, "t");
    pattern.add(result + " = " + (isOpt ? "optional " : "") + "bias_add(" +
                tensor + ", b" + (axis.empty() ? "" : ", " + axis.str()) + ")");
    signature.set(Role::Bias, "b");
    signature.set(Role::HasBias, "present(" + result + ")");
    addFlag(result, biasFlag);
    tensor = result;
  }
  if (residual) {
    std::string element =
        residual->type.elements.front().getElementName().str();
    pattern.addInput("r", type.empty() ? element : element + type.str(),
                     type.empty() ? shape : ArrayRef<std::string>());
    pattern.guess("'" + residual->name +
                  "' is added before the activation, as in ResNet");
    bool isOpt = isOptional(pattern, *residual, residualFlag);
    std::string result = next(activation == None, "u");
    pattern.add(result + " = " + (isOpt ? "optional " : "") + "add(" + tensor +
                ", r)");
    // Without types that give the sizes, either tensor could broadcast.
    if (type.empty())
      pattern.add(llvm::Twine("require ") + (isOpt ? "!present(r) || " : "") +
                  "elements(r) == elements(" + result + ") && elements(" +
                  tensor + ") == elements(" + result +
                  "),\n    \"the added tensor has the result's shape\"");
    signature.set(Role::Residual, "r");
    addFlag(result, residualFlag);
    tensor = result;
  }
  if (activation == Range) {
    pattern.guess("layers without limits are not taken: which numbers stand "
                  "for none?");
    pattern.add("y = clip(" + tensor + ", a_min=lo, a_max=hi)");
    signature.set(Role::Minimum, "lo");
    signature.set(Role::Maximum, "hi");
  } else if (activation != None) {
    std::vector<std::string> operators, names;
    for (const Choice &choice : choices) {
      auto [before, after] = choice.op.split("{0}");
      std::string op = (before + tensor + after).str();
      // If two constants select one operator, use the first.
      if (llvm::is_contained(operators, op))
        continue;
      operators.push_back(op);
      names.push_back(choice.constant);
    }
    pattern.add("y = optional " + llvm::join(operators, " | "));
    if (activation == Bool) {
      signature.set(Role::HasRelu, "present(y)");
    } else {
      for (std::string &name : names)
        name = useConstant(name);
      if (activation == Enum && none.empty())
        pattern.guess("0 is no activation");
      names.push_back(useConstant(none));
      std::string value = printWhich("y", names);
      if (activation == Enum)
        signature.set(Role::Activation, value);
      else
        flagValues.push_back(value);
    }
  }
  if (!flagValues.empty())
    signature.set(Role::Flags, llvm::join(flagValues, " + "));
}

void Epilogue::add(ModelText &model, StringRef channel, StringRef position) {
  std::string word = flags ? flags->access : "", sum = model.local("sum");
  auto test = [&](const std::string &flag, const Slot &slot) {
    return flag.empty() ? slot.access : word + " & " + flag;
  };
  if (bias) {
    std::string condition = signature.has(Role::HasBias)
                                ? signature.access(Role::HasBias)
                                : test(biasFlag, *bias);
    model.add("if (" + condition + ")");
    model.add("  " + sum + " += " + model.tensor(Role::Bias) + "[" + channel +
              "];");
  }
  if (residual) {
    model.add("if (" + test(residualFlag, *residual) + ")");
    model.add("  " + sum + " += " + model.tensor(Role::Residual) + "[" +
              position + "];");
  }
  if (activation == Range) {
    std::string low = signature.access(Role::Minimum);
    std::string high = signature.access(Role::Maximum);
    model.add(sum + " = " + sum + " < " + low + " ? " + low + " : " + sum +
              " > " + high + " ? " + high + " : " + sum + ";");
    return;
  }
  bool isFirst = true;
  for (const Choice &choice : choices) {
    std::string condition =
        activation == Bool ? signature.access(Role::HasRelu)
        : activation == Enum
            ? signature.access(Role::Activation) + " == " + choice.constant
            : word + " & " + choice.constant;
    draft.needsMath |= choice.expression.contains("f(");
    model.add(Twine(isFirst ? "if (" : "else if (") + condition + ")");
    model.add(
        "  " + sum + " = " +
        llvm::formatv(/*Validate=*/false, choice.expression.data(), sum).str() +
        ";");
    isFirst = false;
  }
  if (activation == Enum && !none.empty()) {
    model.add("else if (" + signature.access(Role::Activation) + " != " + none +
              ")");
    model.add("  " + model.fail());
  }
}
