//===- TargetAttributes.cpp - Target attributes from options --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

bool uma::accel::isAttributeSetting(StringRef entry) {
  auto [name, value] = entry.split('=');
  return name.size() < entry.size() && !name.empty() &&
         !llvm::isDigit(name.front()) &&
         llvm::all_of(
             name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult uma::accel::setTargetAttribute(AcceleratorOp accelerator,
                                             StringRef setting,
                                             EmitErrorFn emitError) {
  // Lambdas cannot capture structured bindings.
  StringRef name = setting.split('=').first, text = setting.split('=').second;
  AttributeOp attribute = accelerator.getAttribute(name);
  if (!attribute) {
    SmallVector<StringRef> names;
    for (auto known : accelerator.getOps<AttributeOp>())
      names.push_back(known.getName());
    std::string hint = didYouMean(name, names);
    InFlightDiagnostic error = emitError()
                               << "accelerator '" << accelerator.getSymName()
                               << "' has no attribute '" << name << "'" << hint;
    if (hint.empty())
      error << "; it has "
            << (names.empty() ? "none" : llvm::join(names, ", "));
    return error;
  }
  Builder builder(accelerator.getContext());
  Attribute before = attribute.getValue();
  auto mismatch = [&](StringRef expected) -> LogicalResult {
    InFlightDiagnostic error = emitError()
                               << "attribute '" << name << "' of accelerator '"
                               << accelerator.getSymName() << "' is '" << text
                               << "', expected " << expected;
    error.attachNote(attribute.getLoc()) << "declared here";
    return error;
  };
  if (isa<StringAttr>(attribute.getValue())) {
    if (text.size() > 1 && text.front() == '"' && text.back() == '"')
      text = text.drop_front().drop_back();
    attribute.setValueAttr(builder.getStringAttr(text));
  } else if (isa<BoolAttr>(attribute.getValue())) {
    if (text != "true" && text != "false")
      return mismatch("true or false");
    attribute.setValueAttr(builder.getBoolAttr(text == "true"));
  } else {
    int64_t value;
    if (text.getAsInteger(10, value))
      return mismatch("an integer");
    attribute.setValueAttr(builder.getI64IntegerAttr(value));
  }
  if (attribute.getFixed() && attribute.getValue() != before) {
    attribute.setValueAttr(before);
    return emitError() << "attribute '" << name << "' of accelerator '"
                       << accelerator.getSymName()
                       << "' is part of layouts and cannot change after the "
                          "description is read; set it where the "
                          "accelerator is named first";
  }
  return success();
}
