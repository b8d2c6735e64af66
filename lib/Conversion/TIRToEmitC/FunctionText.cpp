//===- FunctionText.cpp - Text in a C function ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FunctionText.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/IR/DeviceAttributes.h"

using namespace mlir;
using namespace uma;

void FunctionText::verbatim(const Twine &text, ValueRange arguments) {
  emitc::VerbatimOp::create(builder, function.getLoc(),
                            builder.getStringAttr(text), arguments);
}

std::string FunctionText::escape(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '{' ? "{{" : std::string(1, c);
  return result;
}

std::string FunctionText::getEpilogue(StringRef indent) {
  std::string text;
  if (auto codes = function->getAttrOfType<ArrayAttr>(kEpilogueAttrName))
    for (auto code : codes.getAsRange<StringAttr>())
      text += (indent + escape(code.getValue()) + "\n").str();
  return text;
}

void FunctionText::callDeviceHook(StringRef hook) {
  if (!function->hasAttr(kReferencesAttrName))
    return;
  context.prologue.requireDeviceHooks();
  Block *body = builder.getInsertionBlock();
  ValueRange parameters =
      body->getArguments().take_front(function.getNumArguments());
  std::string text = hook.str() + "(";
  for (size_t i = 0; i < parameters.size(); ++i)
    text += i == 0 ? "&{}" : ", &{}";
  verbatim(text + ");", parameters);
}

void FunctionText::printCode(StringRef attribute) {
  if (auto codes = function->getAttrOfType<ArrayAttr>(attribute))
    for (auto code : codes.getAsRange<StringAttr>())
      verbatim(code.getValue());
}

void FunctionText::returnLayerOnError(Value status, StringRef failedLayer,
                                      ArrayAttr layers) {
  std::string names;
  for (auto name : layers.getAsRange<StringAttr>())
    names += (names.empty() ? "" : ", ") +
             escape(toCString(toCComment(name.getValue())));
  // Without a hook, only the status is used.
  std::string number = std::to_string(layers.size());
  std::string text =
      "if ({} != 0) {{\n  static const char *const layers[] = {{" + names +
      "};\n  int32_t layer = " + failedLayer.str() +
      "();\n  (void)layers;\n  (void)layer;\n"
      "  UMA_ON_ERROR(layers[layer >= 0 && layer < " +
      number + " ? layer : 0], {});\n" + getEpilogue("  ") + "  return {};\n}";
  verbatim(text, {status, status, status});
}

void FunctionText::returnOnError(Value status, StringRef layer,
                                 ArrayAttr cleanup) {
  std::string hook;
  if (!layer.empty())
    hook =
        "  UMA_ON_ERROR(" + escape(toCString(toCComment(layer))) + ", {});\n";
  if (cleanup)
    for (auto statement : cleanup.getAsRange<StringAttr>())
      hook += "  " + escape(statement.getValue()) + "\n";
  std::string text =
      "if ({} != 0) {{\n" + hook + getEpilogue("  ") + "  return {};\n}";
  SmallVector<Value> arguments(layer.empty() ? 2 : 3, status);
  verbatim(text, arguments);
}
