//===- AttributeText.cpp - Text of attributes in messages -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;

std::string uma::accel::getListText(ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(sizes, stream);
  stream << ']';
  return text;
}

std::string uma::accel::getAttributeText(Attribute attribute) {
  if (!attribute)
    return "not set";
  std::string text;
  llvm::raw_string_ostream stream(text);
  TypeSwitch<Attribute>(attribute)
      .Case([&](DenseI64ArrayAttr list) {
        stream << getListText(list.asArrayRef());
      })
      .Case([&](ArrayAttr list) {
        stream << '[';
        llvm::interleaveComma(list, stream, [&](Attribute element) {
          stream << getAttributeText(element);
        });
        stream << ']';
      })
      .Case([&](StringAttr string) { stream << string.getValue(); })
      .Case([&](FlatSymbolRefAttr dim) { stream << dim.getValue(); })
      .Default(
          [&](Attribute other) { other.print(stream, /*elideType=*/true); });
  return text;
}

std::optional<SmallVector<int64_t>>
uma::accel::getIntegers(Attribute attribute) {
  SmallVector<int64_t> integers;
  if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute)) {
    llvm::append_range(integers, list.asArrayRef());
    return integers;
  }
  auto list = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!list)
    return std::nullopt;
  for (Attribute element : list) {
    auto integer = dyn_cast<IntegerAttr>(element);
    if (!integer || !integer.getValue().isSignedIntN(64))
      return std::nullopt;
    integers.push_back(integer.getValue().getSExtValue());
  }
  return integers;
}

bool uma::accel::haveEqualValue(Attribute actual, Attribute wanted) {
  if (actual == wanted)
    return true;
  if (!actual || !wanted)
    return false;
  if (auto lhs = dyn_cast<IntegerAttr>(actual)) {
    auto rhs = dyn_cast<IntegerAttr>(wanted);
    // Distinguish a boolean true from the number -1.
    return rhs && lhs.getType().isInteger(1) == rhs.getType().isInteger(1) &&
           llvm::APSInt::isSameValue(llvm::APSInt(lhs.getValue(), false),
                                     llvm::APSInt(rhs.getValue(), false));
  }
  if (auto lhs = dyn_cast<FloatAttr>(actual)) {
    if (auto rhs = dyn_cast<FloatAttr>(wanted))
      return lhs.getValueAsDouble() == rhs.getValueAsDouble();
    if (auto rhs = dyn_cast<IntegerAttr>(wanted))
      return lhs.getValueAsDouble() == rhs.getValue().signedRoundToDouble();
    return false;
  }
  std::optional<SmallVector<int64_t>> lhs = getIntegers(actual),
                                      rhs = getIntegers(wanted);
  return lhs && rhs && *lhs == *rhs;
}
