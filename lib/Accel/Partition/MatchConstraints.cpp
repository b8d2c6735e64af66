//===- MatchConstraints.cpp - Constraints on operators and tensors --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "Constants.h"
#include "MatchAttempt.h"

#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static std::string getTypeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

LogicalResult MatchAttempt::checkElementTypes() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input.getResult());
    if (!value)
      continue;
    Operation *user = firstUser.lookup(input.getResult());
    if (input.getConstant() && !isConstant(value) &&
        failed(fail(user, input.getName() +
                              " is not known at compile time, the pattern "
                              "wants a constant")))
      return failure();
    std::optional<ArrayAttr> wanted = input.getElementTypes();
    Type actual = getElementTypeOrSelf(value.getType());
    if (!wanted || llvm::is_contained(*wanted, TypeAttr::get(actual)))
      continue;
    std::string types;
    for (auto [index, type] :
         llvm::enumerate(wanted->getAsValueRange<TypeAttr>())) {
      if (index > 0)
        types += index + 1 == wanted->size() ? " or " : ", ";
      types += getTypeText(type);
    }
    if (failed(fail(user, input.getName() + " is " + getTypeText(actual) +
                              ", the pattern wants " + types)))
      return failure();
  }
  return success();
}

/// Converts an attribute to the value of a dim of `type`. Returns null if it
/// has none.
static TypedAttr toNumber(Attribute value, Type type) {
  Builder builder(type.getContext());
  if (auto flag = dyn_cast_or_null<BoolAttr>(value))
    return type.isInteger(1) ? flag : TypedAttr();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return type.isIndex() ? builder.getIndexAttr(integer.getInt())
                          : TypedAttr();
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return type.isF64() ? builder.getF64FloatAttr(number.getValueAsDouble())
                        : TypedAttr();
  return {};
}

LogicalResult MatchAttempt::checkAttributes() {
  for (OpOp opOp : pattern.getBody().getOps<OpOp>()) {
    Operation *op = bound.lookup(opOp);
    if (!op)
      continue;
    // A fresh operation has the defaults from ODS.
    OperationState state(op->getLoc(), op->getName());
    Operation *fresh = Operation::create(state);
    llvm::scope_exit destroyFresh([&] { fresh->destroy(); });
    DictionaryAttr written = opOp.getMatchedAttributesAttr();
    // The meaning of "same" padding depends on strides and dilations. Compare
    // padding last, so that the reason names the actual difference.
    SmallVector<StringAttr> names(op->getName().getAttributeNames());
    llvm::sort(names, [](StringAttr lhs, StringAttr rhs) {
      return std::pair(lhs == "padding", lhs.getValue()) <
             std::pair(rhs == "padding", rhs.getValue());
    });
    for (StringAttr name : names) {
      Attribute byDefault = fresh->getInherentAttr(name).value_or(Attribute());
      Attribute actual = op->getInherentAttr(name).value_or(Attribute());
      if (!actual)
        actual = byDefault;
      Attribute wanted = written ? written.get(name) : Attribute();
      LogicalResult result = wanted
                                 ? checkWritten(op, name, actual, wanted)
                                 : checkUnwritten(op, name, actual, byDefault);
      if (failed(result))
        return failure();
    }
  }
  return success();
}

LogicalResult MatchAttempt::checkUnwritten(Operation *op, StringRef name,
                                           Attribute actual,
                                           Attribute byDefault) {
  if (actual == byDefault)
    return success();
  if (byDefault)
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants its default " +
                        getAttributeText(byDefault));
  return fail(op, name + " is " + getAttributeText(actual) +
                      ", which the pattern does not mention; " + name +
                      "=any would take it");
}

LogicalResult MatchAttempt::checkWritten(Operation *op, StringRef name,
                                         Attribute actual, Attribute wanted) {
  if (auto keyword = dyn_cast<StringAttr>(wanted)) {
    if (keyword.getValue() == kAnyValue)
      return success();
    auto window = dyn_cast<graph::WindowOpInterface>(op);
    if (window && name == "padding" && keyword.getValue() == kSameValue) {
      if (window.isSamePadding())
        return success();
      return fail(op, "padding is " + getAttributeText(actual) +
                          ", the pattern wants same, which is " +
                          getListText(window.getWindow().getSamePadding()) +
                          " here");
    }
  }

  auto mismatch = [&] {
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants " + getAttributeText(wanted));
  };
  std::string place = (name + " of " + getOperatorKind(op)).str();
  auto matchElement = [&](Attribute element, Attribute value) {
    auto dim = dyn_cast<FlatSymbolRefAttr>(value);
    if (!dim)
      return haveEqualValue(element, value) ? success() : mismatch();
    DimOp dimOp = pattern.getDim(dim.getValue());
    TypedAttr number = dimOp ? toNumber(element, dimOp.getType()) : TypedAttr();
    return number ? bindDim(dimOp, number, op, place) : mismatch();
  };

  auto list = dyn_cast<ArrayAttr>(wanted);
  if (!list)
    return matchElement(actual, wanted);
  if (llvm::none_of(list, llvm::IsaPred<FlatSymbolRefAttr>))
    return haveEqualValue(actual, wanted) ? success() : mismatch();
  std::optional<SmallVector<int64_t>> integers = getIntegers(actual);
  if (!integers || integers->size() != list.size())
    return mismatch();
  Builder builder(op->getContext());
  for (auto [integer, value] : llvm::zip_equal(*integers, list))
    if (failed(matchElement(builder.getI64IntegerAttr(integer), value)))
      return failure();
  return success();
}

LogicalResult MatchAttempt::checkInputs() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input.getResult());
    // Its user is missing and has been reported.
    if (!value)
      continue;
    if (failed(checkInput(input, value)))
      return failure();
    if (!llvm::is_contained(match.inputs, value))
      match.inputs.push_back(value);
  }
  return success();
}

LogicalResult MatchAttempt::checkInput(InputOp input, Value value) {
  Operation *user = firstUser.lookup(input.getResult());
  StringRef name = input.getName();
  if (Operation *producer = value.getDefiningOp();
      producer && llvm::is_contained(match.ops, producer))
    return fail(user, name + " is the result of " + describeLayer(producer) +
                          ", which the pattern computes inside");
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return fail(user, name + " is not a ranked tensor");
  if (input.getAnyShape())
    return success();
  ArrayRef<int64_t> sizes = input.getStaticDims();
  if (type.getRank() != static_cast<int64_t>(sizes.size()))
    return fail(user, name + " has the shape " + getListText(type.getShape()) +
                          ", the pattern wants " + Twine(sizes.size()) +
                          (sizes.size() == 1 ? " dimension" : " dimensions"));
  Builder builder(input.getContext());
  auto dims = input.getDims().begin();
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    LogicalResult result = success();
    if (ShapedType::isDynamic(sizes[index]))
      result = bindDim((*dims++).getDefiningOp<DimOp>(),
                       builder.getIndexAttr(size), user, name);
    else if (size != sizes[index] && sizes[index] != InputOp::kAnySize)
      result = fail(user, name + " has size " + Twine(size) + " in dimension " +
                              Twine(index) + ", the pattern wants " +
                              Twine(sizes[index]));
    if (failed(result))
      return failure();
  }
  return success();
}
