//===- CArguments.cpp - C arguments of calls ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/CArguments.h"

#include "uma/Accel/IR/CodeTemplate.h"

#include "Verify.h"

#include "uma/Support/DidYouMean.h"
#include "uma/Support/ReservedNames.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

std::optional<CStruct> uma::accel::getStruct(Attribute element) {
  auto dictionary = dyn_cast<DictionaryAttr>(element);
  auto type = dictionary ? dictionary.getAs<StringAttr>(kStructKey) : nullptr;
  auto fields = type ? dictionary.getAs<ArrayAttr>(kFieldsKey) : nullptr;
  if (!fields || fields.size() % 2 != 0)
    return std::nullopt;
  CStruct result;
  result.type = type.getValue();
  result.isPointer = dictionary.contains(kPointerKey);
  for (size_t i = 0; i < fields.size(); i += 2) {
    auto designator = dyn_cast<StringAttr>(fields[i]);
    if (!designator)
      return std::nullopt;
    result.fields.push_back({designator.getValue(), fields[i + 1]});
  }
  return result;
}

SmallVector<Attribute> uma::accel::getCArguments(CallOp call) {
  if (ArrayAttr elements = call.getCArgumentsAttr())
    return llvm::to_vector(elements);
  Builder builder(call.getContext());
  SmallVector<Attribute> elements;
  for (size_t i = 0; i < call.getArguments().size(); ++i)
    elements.push_back(builder.getI64IntegerAttr(i));
  return elements;
}

/// Returns the elements of a sum or pick, or null for other elements.
static ArrayAttr getParts(Attribute element) {
  auto dictionary = dyn_cast<DictionaryAttr>(element);
  if (!dictionary)
    return nullptr;
  return dictionary.contains(kPickKey) ? dictionary.getAs<ArrayAttr>(kOfKey)
                                       : dictionary.getAs<ArrayAttr>(kSumKey);
}

SmallVector<StringRef> uma::accel::getConstants(Attribute element) {
  SmallVector<StringRef> names;
  if (auto name = dyn_cast<StringAttr>(element))
    names.push_back(name.getValue());
  if (std::optional<CStruct> type = getStruct(element))
    for (auto [designator, value] : type->fields)
      llvm::append_range(names, getConstants(value));
  else if (ArrayAttr parts = getParts(element))
    for (Attribute part : parts)
      llvm::append_range(names, getConstants(part));
  return names;
}

static std::string getVariable(unsigned index) {
  return "uma_arg" + std::to_string(index);
}

std::string uma::accel::getStructDeclaration(const CStruct &type,
                                             unsigned index) {
  std::string name = getVariable(index);
  return type.type.str() + " " + name + "; memset(&" + name + ", 0, sizeof " +
         name + ");";
}

std::string uma::accel::getField(unsigned index, StringRef designator) {
  return getVariable(index) + "." + designator.str();
}

std::string uma::accel::getStructArgument(const CStruct &type, unsigned index) {
  return (type.isPointer ? "&" : "") + getVariable(index);
}

std::string
uma::accel::getCText(Attribute element,
                     function_ref<std::string(unsigned)> getOperand,
                     function_ref<std::optional<int64_t>(unsigned)> getPick) {
  if (auto operand = dyn_cast<IntegerAttr>(element))
    return getOperand(operand.getInt());
  if (auto name = dyn_cast<StringAttr>(element))
    return name.str();
  ArrayAttr parts = getParts(element);
  SmallVector<std::string> texts;
  for (Attribute part : parts)
    texts.push_back(getCText(part, getOperand, getPick));
  auto pick = cast<DictionaryAttr>(element).getAs<IntegerAttr>(kPickKey);
  if (!pick)
    return "(" + llvm::join(texts, " + ") + ")";
  unsigned operand = pick.getInt();
  if (std::optional<int64_t> chosen = getPick(operand))
    return texts[std::clamp<int64_t>(*chosen, 0, texts.size() - 1)];
  std::string text = texts.back();
  for (size_t i = texts.size() - 1; i-- > 0;)
    text = "(" + getOperand(operand) + " == " + std::to_string(i) + " ? " +
           texts[i] + " : " + text + ")";
  return text;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Returns true for `name`, `name.part`, `name[0]` and their combinations.
static bool isDesignator(StringRef text) {
  auto takeName = [&] {
    StringRef name =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    text = text.drop_front(name.size());
    return isFieldNameInC(name);
  };
  if (!takeName())
    return false;
  while (!text.empty()) {
    if (text.consume_front(".")) {
      if (!takeName())
        return false;
      continue;
    }
    uint64_t index = 0;
    if (!text.consume_front("[") || text.consumeInteger(10, index) ||
        !text.consume_front("]"))
      return false;
  }
  return true;
}

namespace {
/// Verifier of a call's elements, which also checks that they use all operands.
class ArgumentVerifier {
public:
  explicit ArgumentVerifier(CallOp call)
      : call(call), used(call.getArguments().size()) {}

  LogicalResult verify();

private:
  InFlightDiagnostic fail() {
    return report(call) << "the call to '" << call.getCallee() << "' ";
  }
  LogicalResult verifyOperand(IntegerAttr operand);
  LogicalResult verifyPick(DictionaryAttr element);
  LogicalResult verifyElement(Attribute element, bool mayBeStruct);

  CallOp call;
  llvm::SmallBitVector used;
};
} // namespace

LogicalResult ArgumentVerifier::verifyOperand(IntegerAttr operand) {
  int64_t number = operand.getInt();
  if (number < 0 || number >= static_cast<int64_t>(used.size()))
    return fail() << "names operand " << number << ", but has " << used.size();
  used.set(number);
  return success();
}

LogicalResult ArgumentVerifier::verifyPick(DictionaryAttr element) {
  auto pick = element.getAs<IntegerAttr>(kPickKey);
  auto of = element.getAs<ArrayAttr>(kOfKey);
  if (!pick || !of || of.empty())
    return fail() << "has the argument " << element
                  << ", expected a pick of several elements";
  if (failed(verifyOperand(pick)))
    return failure();
  auto which = call.getArguments()[pick.getInt()].getDefiningOp<WhichOp>();
  auto choice =
      which ? which.getTensor().getDefiningOp<ChoiceOp>() : ChoiceOp();
  // The operand's verifier has reported this.
  if (which && !choice)
    return success();
  if (!which)
    return fail() << "picks by operand " << pick.getInt()
                  << ", which is no uma.accel.which";
  size_t expected =
      choice.getAlternatives().size() + (choice.getOtherwise() ? 1 : 0);
  if (of.size() != expected)
    return fail() << "picks one of " << of.size() << " values, but '"
                  << getTensorName(choice) << "' has " << expected
                  << (choice.getOtherwise()
                          ? " possibilities, that nothing is there included"
                          : " alternatives");
  return success();
}

LogicalResult ArgumentVerifier::verifyElement(Attribute element,
                                              bool mayBeStruct) {
  if (auto operand = dyn_cast<IntegerAttr>(element))
    return verifyOperand(operand);
  if (auto name = dyn_cast<StringAttr>(element)) {
    auto accelerator = call->getParentOfType<AcceleratorOp>();
    SmallVector<StringRef> known;
    for (auto constants : accelerator.getOps<ConstantsOp>())
      llvm::append_range(known,
                         constants.getNames().getAsValueRange<StringAttr>());
    if (llvm::is_contained(known, name.getValue()))
      return success();
    return fail() << "names '" << name.getValue()
                  << "', which is no constant of the description"
                  << didYouMean(name.getValue(), known);
  }
  auto dictionary = dyn_cast<DictionaryAttr>(element);
  if (dictionary && dictionary.contains(kPickKey) &&
      failed(verifyPick(dictionary)))
    return failure();
  if (std::optional<CStruct> type = getStruct(element); type && mayBeStruct) {
    llvm::StringSet<> seen;
    StringRef name = type->type;
    name.consume_front("struct ");
    if (!isFunctionNameInC(name))
      return fail() << "has a struct of the type '" << type->type
                    << "', which is no identifier of C";
    for (auto [designator, value] : type->fields) {
      if (!isDesignator(designator))
        return fail() << "sets the field '" << designator
                      << "', expected a name such as in_h, pad.top or "
                         "strides[0]";
      if (!seen.insert(designator).second)
        return fail() << "sets the field '" << designator << "' twice";
      if (failed(verifyElement(value, /*mayBeStruct=*/false)))
        return failure();
    }
    return success();
  }
  ArrayAttr parts = getParts(element);
  if (!parts || parts.empty())
    return fail() << "has the argument " << element
                  << ", expected the number of an operand, a constant, a sum, "
                     "a pick or a struct";
  return success(llvm::all_of(parts, [&](Attribute part) {
    return succeeded(verifyElement(part, /*mayBeStruct=*/false));
  }));
}

LogicalResult ArgumentVerifier::verify() {
  for (Attribute element : getCArguments(call))
    if (failed(verifyElement(element, /*mayBeStruct=*/true)))
      return failure();
  if (int unused = used.find_first_unset(); unused >= 0)
    return fail() << "does not use operand " << unused;
  return success();
}

/// Verifies the C code of a call.
static LogicalResult verifyCode(CallOp call) {
  auto pattern = dyn_cast<PatternOp>(call->getParentOp());
  if (!pattern)
    return report(call) << "C stands in a pattern; a region has a prologue and "
                           "an epilogue";
  auto fail = [&] {
    return report(call) << "the C of pattern '" << pattern.getSymName() << "' ";
  };
  if (call.getCArgumentsAttr())
    return fail() << "has arguments of its own";
  CodeTemplate code;
  std::string problem;
  if (failed(CodeTemplate::parse(*call.getCode(), code, problem)))
    return fail() << problem;
  size_t count = call.getArguments().size();
  if (code.getNumArguments() > count)
    return fail() << "names operand " << code.getNumArguments() - 1
                  << ", but has " << count;
  for (unsigned operand = 0; operand < count; ++operand)
    if (!llvm::is_contained(code.getArguments(), operand))
      return fail() << "does not use operand " << operand;
  return success();
}

LogicalResult CallOp::verify() {
  if (failed(verifyFunctionName(*this, getCallee())))
    return failure();
  if (getCodeAttr())
    return verifyCode(*this);
  return getCArgumentsAttr() ? ArgumentVerifier(*this).verify() : success();
}

LogicalResult ConstantsOp::verify() {
  llvm::StringSet<> seen;
  for (StringRef name : getNames().getAsValueRange<StringAttr>()) {
    if (!isFunctionNameInC(name))
      return report(*this) << "'" << name << "' is no constant of C";
    if (!seen.insert(name).second)
      return report(*this) << "the constant '" << name << "' is named twice";
  }
  return success();
}
