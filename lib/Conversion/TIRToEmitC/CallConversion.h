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

/// Returns true for entry points with a memory plan: the caller passes the
/// workspace that holds their buffers.
bool takesWorkspace(tir::FuncOp function);

/// Returns the offset in the workspace of an argument that is there, and so is
/// no parameter in C.
std::optional<int64_t> getWorkspaceOffset(tir::FuncOp function, unsigned index);

/// Converts the calls in one function.
class CallConverter {
public:
  explicit CallConverter(FunctionText &text)
      : text(text), context(text.context) {}

  /// Sets whether hooks announce each call to a device, which is needed if
  /// there are several.
  void setAnnounced(bool isAnnounced) { announcesCalls = isAnnounced; }

  /// Returns the number of calls with profile hooks so far.
  unsigned getNumProfiled() const { return numProfiled; }

  /// Converts a call to a function of the module. In a network's function,
  /// profile hooks are emitted around it.
  mlir::LogicalResult convert(tir::CallOp op,
                              llvm::ArrayRef<mlir::Value> operands);
  /// Converts a call to a device function with the arguments `pointers`.
  mlir::LogicalResult convert(tir::CallExternOp op,
                              llvm::ArrayRef<mlir::Value> pointers);

private:
  mlir::LogicalResult convertCall(tir::CallExternOp op,
                                  llvm::ArrayRef<mlir::Value> pointers);
  mlir::LogicalResult convertPlain(tir::CallOp op, tir::FuncOp callee,
                                   llvm::ArrayRef<mlir::Value> operands);
  /// Emits the text of a description instead of the call.
  mlir::LogicalResult convertReplaced(tir::CallExternOp op,
                                      mlir::ValueRange operands);
  /// Defines, once, the C function that wraps a call with a body, and returns
  /// its name. See DeviceFunction.cpp.
  mlir::FailureOr<std::string> defineDeviceFunction(tir::CallExternOp op);
  llvm::StringRef getLayer(tir::CallExternOp op);
  /// Prints the `#line` of the description before a call's C, and the mark that
  /// the file's own lines resume after it.
  void beginDescribed(tir::CallExternOp op);
  void endDescribed(tir::CallExternOp op);
  /// Calls the hook that announces the next call to a device.
  void announceCall(tir::CallExternOp op);

  FunctionText &text;
  ModuleContext &context;
  unsigned numProfiled = 0;
  bool announcesCalls = false;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_CALLCONVERSION_H
