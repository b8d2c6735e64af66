//===- CallConversion.h - Calls in C -*- C++ -*----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_CALLCONVERSION_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_CALLCONVERSION_H

#include "FunctionText.h"

namespace uma {

/// Returns true for entry points whose memory is planned: their buffers lie in
/// a workspace that the caller passes.
bool takesWorkspace(tir::FuncOp function);

/// Converts the calls in one function.
class CallConverter {
public:
  explicit CallConverter(FunctionText &text)
      : text(text), context(text.context) {}

  /// Lets hooks say which of several calls to a device comes next.
  void setAnnounced(bool isAnnounced) { announcesCalls = isAnnounced; }

  /// Converts a call to a function of the module, with profile hooks around it
  /// in a network's function.
  mlir::LogicalResult convert(tir::CallOp op,
                              llvm::ArrayRef<mlir::Value> operands);
  /// Converts a call to a function of a device; `pointers` are its arguments.
  mlir::LogicalResult convert(tir::CallExternOp op,
                              llvm::ArrayRef<mlir::Value> pointers);

private:
  mlir::LogicalResult convertPlain(tir::CallOp op, tir::FuncOp callee,
                                   llvm::ArrayRef<mlir::Value> operands);
  /// Writes the text of a description in the place of the call.
  mlir::LogicalResult convertReplaced(tir::CallExternOp op,
                                      mlir::ValueRange operands);
  /// Defines the function that makes a call with a body, once, and returns its
  /// name: DeviceFunction.cpp.
  mlir::FailureOr<std::string> defineDeviceFunction(tir::CallExternOp op);
  llvm::StringRef getLayer(tir::CallExternOp op);
  /// Prints, in front of the C of a call, the line of the description that it
  /// comes from, and behind it that the file's own lines go on.
  void beginDescribed(tir::CallExternOp op);
  void endDescribed(tir::CallExternOp op);
  /// Calls the hook that says which of several calls comes next.
  void announceCall(tir::CallExternOp op);

  FunctionText &text;
  ModuleContext &context;
  /// Number of calls that profile hooks stand around.
  unsigned numProfiled = 0;
  bool announcesCalls = false;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_CALLCONVERSION_H
