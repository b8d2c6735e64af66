//===- CallConversion.cpp - Calls in C ------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CallConversion.h"

#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/LineDirectives.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;

bool uma::takesWorkspace(tir::FuncOp function) {
  return function->hasAttr(kNetworkAttrName) ||
         (function.isPublic() && function->hasAttr(kWorkspaceSizeAttrName));
}

std::optional<int64_t> uma::getWorkspaceOffset(tir::FuncOp function,
                                               unsigned index) {
  if (!takesWorkspace(function))
    return std::nullopt;
  auto offset = function.getArgAttrOfType<IntegerAttr>(index, kOffsetAttrName);
  return offset ? std::optional(offset.getInt()) : std::nullopt;
}

void CallConverter::announceCall(tir::CallExternOp op) {
  if (!announcesCalls)
    return;
  context.prologue.requireDeviceHooks();
  text.verbatim("UMA_DEVICE_CALL(" + toCString(toCComment(getLayer(op))) +
                ", " + toCString(op.getCallee()) + ");");
}

LogicalResult CallConverter::convert(tir::CallOp op, ArrayRef<Value> operands) {
  tir::FuncOp callee = context.analysis.getCallee(op);
  if (!text.function->hasAttr(kNetworkAttrName))
    return convertPlain(op, callee, operands);
  // Calls to one function may be different layers, so prefer the call's name.
  StringRef layer = getLayerName(op.getLoc());
  if (layer.empty())
    layer = callee.getLayer().value_or(callee.getName());
  std::string arguments =
      (Twine(numProfiled++) + ", " + toCString(toCComment(layer)) + ");").str();
  context.prologue.requireProfileHooks();
  text.verbatim("UMA_PROFILE_BEGIN(" + arguments);
  if (failed(convertPlain(op, callee, operands)))
    return failure();
  text.verbatim("UMA_PROFILE_END(" + arguments);
  return success();
}

LogicalResult CallConverter::convertPlain(tir::CallOp op, tir::FuncOp callee,
                                          ArrayRef<Value> operands) {
  if (takesWorkspace(callee))
    return op.emitOpError("calls the entry point '@")
           << op.getCallee() << "', which needs a workspace of its own";
  const std::string &name = context.functionNames[callee];
  bool hasStatus =
      callee.isPublic() || context.analysis.getFacts(callee).fallible;
  if (!hasStatus) {
    emitc::CallOpaqueOp::create(text.builder, op.getLoc(), TypeRange(), name,
                                operands);
    return success();
  }
  Value status = text.scalars.call(name, text.builder.getI32Type(), operands);
  // The callee that called the device has already called the error hook.
  text.returnOnError(status, "",
                     op->getAttrOfType<ArrayAttr>(kCleanupAttrName));
  return success();
}

/// Returns true for constants and for buffers that the function only reads.
static bool isPointerToConst(Value value) {
  if (value.getDefiningOp<emitc::GetGlobalOp>())
    return true;
  Type type = value.getType();
  if (auto pointer = dyn_cast<emitc::PointerType>(type))
    type = pointer.getPointee();
  auto opaque = dyn_cast<emitc::OpaqueType>(type);
  return opaque && opaque.getValue().starts_with("const ");
}

LogicalResult CallConverter::convert(tir::CallExternOp op,
                                     ArrayRef<Value> pointers) {
  auto condition = op->getAttrOfType<StringAttr>(kConditionAttrName);
  if (condition)
    text.verbatim(condition.getValue());
  if (failed(convertCall(op, pointers)))
    return failure();
  if (condition)
    text.verbatim("#endif");
  return success();
}

LogicalResult CallConverter::convertCall(tir::CallExternOp op,
                                         ArrayRef<Value> pointers) {
  if (op->hasAttr(kInstructionAttrName)) {
    emitc::CallOpaqueOp::create(text.builder, op.getLoc(), TypeRange(),
                                op.getCallee(), pointers);
    return success();
  }
  SmallVector<Value> operands;
  auto unsignedTensors =
      op->getAttrOfType<DenseI64ArrayAttr>(kUnsignedAttrName);
  for (auto [position, argument] : llvm::enumerate(op.getArguments())) {
    Value operand = pointers[position];
    auto buffer = dyn_cast<MemRefType>(argument.getType());
    bool isUnsigned =
        unsignedTensors && llvm::is_contained(unsignedTensors.asArrayRef(),
                                              static_cast<int64_t>(position));
    // Headers of devices rarely use const; the call's `writes` determines it.
    if (buffer && (isUnsigned || isPointerToConst(operand))) {
      Type element = buffer.getElementType();
      element =
          isUnsigned
              ? text.builder.getIntegerType(element.getIntOrFloatBitWidth(),
                                            /*isSigned=*/false)
              : convertElementType(element);
      operand = text.scalars.cast(operand, emitc::PointerType::get(element));
    }
    operands.push_back(operand);
  }
  announceCall(op);
  if (op->hasAttr(kCodeAttrName))
    return convertReplaced(op, operands);
  std::string callee = op.getCallee().str();
  if (op->hasAttr(kBodyAttrName)) {
    FailureOr<std::string> name = defineDeviceFunction(op);
    if (failed(name))
      return failure();
    callee = *name;
  }
  beginDescribed(op);
  if (op.getNoStatus()) {
    emitc::CallOpaqueOp::create(text.builder, op.getLoc(), TypeRange(),
                                op.getCallee(), operands);
    endDescribed(op);
    return success();
  }
  Value status = text.scalars.call(callee, text.builder.getI32Type(), operands);
  endDescribed(op);
  context.prologue.requireErrorHook();
  auto failed = op->getAttrOfType<StringAttr>(kFailedLayerAttrName);
  auto layers = op->getAttrOfType<ArrayAttr>(kWaitedLayersAttrName);
  if (failed && layers)
    text.returnLayerOnError(status, failed.getValue(), layers);
  else
    text.returnOnError(status, getLayer(op));
  return success();
}

void CallConverter::beginDescribed(tir::CallExternOp op) {
  FileLineColLoc line = accel::getDescribedLine(op.getLoc());
  if (line && context.lineDirectives)
    text.verbatim("#line " + Twine(line.getLine()) + " " +
                  toCString(toCComment(line.getFilename())));
}

void CallConverter::endDescribed(tir::CallExternOp op) {
  if (context.lineDirectives && accel::getDescribedLine(op.getLoc()))
    text.verbatim(kOwnLines);
}

StringRef CallConverter::getLayer(tir::CallExternOp op) {
  if (auto name = op->getAttrOfType<StringAttr>(kLayerAttrName))
    return name.getValue();
  return text.function.getLayer().value_or(op.getCallee());
}

LogicalResult CallConverter::convertReplaced(tir::CallExternOp op,
                                             ValueRange operands) {
  auto attribute = op->getAttrOfType<StringAttr>(kCodeAttrName);
  accel::CodeTemplate code;
  std::string problem;
  if (!attribute ||
      failed(accel::CodeTemplate::parse(attribute.getValue(), code, problem)))
    return op.emitOpError("has the attribute ")
           << kCodeAttrName << " that is no text of C: "
           << (attribute ? problem : "it is no string");
  if (code.getNumArguments() > operands.size())
    return op.emitOpError("has ")
           << operands.size() << " arguments, but its " << kCodeAttrName
           << " names {" << code.getNumArguments() - 1 << "}";
  if (code.isStatement() != op.getNoStatus())
    return op.emitOpError(code.isStatement()
                              ? "is written as a statement, which has no "
                                "status; say no_status"
                              : "says no_status, but is written as an "
                                "expression; end the text with ';'");
  std::string line;
  SmallVector<Value> arguments;
  for (auto [index, part] : llvm::enumerate(code.getTexts())) {
    // Without placeholders, verbatim() prints the text unchanged.
    line += code.getArguments().empty() && code.isStatement()
                ? part
                : text.escape(part);
    if (index < code.getArguments().size()) {
      line += "{}";
      arguments.push_back(operands[code.getArguments()[index]]);
    }
  }
  if (code.isStatement()) {
    beginDescribed(op);
    text.verbatim(line, arguments);
    endDescribed(op);
    return success();
  }
  context.prologue.requireErrorHook();
  Value status = emitc::VariableOp::create(
      text.builder, op.getLoc(),
      emitc::LValueType::get(text.builder.getI32Type()),
      emitc::OpaqueAttr::get(op.getContext(), "0"));
  arguments.insert(arguments.begin(), status);
  beginDescribed(op);
  text.verbatim("{} = " + line + ";", arguments);
  endDescribed(op);
  text.returnOnError(status, getLayer(op));
  return success();
}
