//===- DeviceFunction.cpp - C functions around device calls ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A call that needs more C than its arguments, such as one that takes a struct,
// becomes a static function before the network's: statements of the description
// with the call's operands as parameters. Layers that differ only in sizes
// share it.
//
//===----------------------------------------------------------------------===//

#include "CallConversion.h"

#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/LineDirectives.h"
#include "uma/IR/DeviceAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// Returns the C type of a parameter: a pointer to elements, or a number.
static std::string getParameterType(Type type, bool isUnsigned) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return isa<FloatType>(type) ? "double " : "int64_t ";
  Type element = buffer.getElementType();
  if (isUnsigned)
    element =
        IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth(),
                         IntegerType::Unsigned);
  return getCTypeName(element).str() + " *";
}

FailureOr<std::string>
CallConverter::defineDeviceFunction(tir::CallExternOp op) {
  auto body = op->getAttrOfType<StringAttr>(kBodyAttrName);
  auto names = op->getAttrOfType<ArrayAttr>(kParametersAttrName);
  accel::CodeTemplate code;
  std::string problem;
  if (!body || !names || names.size() != op.getArguments().size() ||
      !llvm::all_of(names, llvm::IsaPred<StringAttr>) ||
      failed(accel::CodeTemplate::parse(body.getValue(), code, problem)) ||
      code.getNumArguments() > names.size())
    return op.emitOpError("has the attribute ")
           << kBodyAttrName << ", expected the body of a function whose "
           << op.getArguments().size() << " parameters " << kParametersAttrName
           << " names";
  auto unsignedTensors =
      op->getAttrOfType<DenseI64ArrayAttr>(kUnsignedAttrName);
  CNameTable used(CNameTable::Kind::Parameter);
  SmallVector<std::string> parameters, declarations;
  for (auto [index, argument] : llvm::enumerate(op.getArguments())) {
    StringRef name = cast<StringAttr>(names[index]).getValue();
    bool isUnsigned =
        unsignedTensors && llvm::is_contained(unsignedTensors.asArrayRef(),
                                              static_cast<int64_t>(index));
    parameters.push_back(used.unique(name.empty() ? "value" : name));
    declarations.push_back(getParameterType(argument.getType(), isUnsigned) +
                           parameters.back());
  }

  std::string text =
      "(" + (declarations.empty() ? "void" : llvm::join(declarations, ", ")) +
      ") {\n";
  FileLineColLoc line = accel::getDescribedLine(op.getLoc());
  bool hasLine = line && context.lineDirectives;
  if (hasLine)
    text += "#line " + std::to_string(line.getLine()) + " " +
            toCString(toCComment(line.getFilename())) + "\n";
  for (auto [index, part] : llvm::enumerate(code.getTexts())) {
    text += part;
    if (index < code.getArguments().size())
      text += parameters[code.getArguments()[index]];
  }
  text += "\n}";
  if (hasLine)
    text += "\n" + kOwnLines.str();

  auto [entry, isNew] = context.deviceFunctions.try_emplace(text);
  if (!isNew)
    return entry->second;
  entry->second =
      context.names.unique(context.prefix + "call_" + op.getCallee().str());
  context.prologue.requireString();
  // Inline, since a file of a split network may call none of them.
  context.prologue.addDeviceFunction("static inline int32_t " + entry->second +
                                     text);
  return entry->second;
}
