//===- FunctionText.h - Text in a C function -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONTEXT_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONTEXT_H

#include "BufferAnalysis.h"
#include "ScalarConverter.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/Threads.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace uma {

/// State shared by the conversions of a module's functions.
struct ModuleContext {
  ModuleContext(const BufferAnalysis &analysis, Prologue &prologue,
                Threads threads, bool lineDirectives)
      : analysis(analysis), prologue(prologue), threads(threads),
        lineDirectives(lineDirectives) {}

  const BufferAnalysis &analysis;
  Prologue &prologue;
  Threads threads;
  /// Print `#line` around calls of descriptions.
  bool lineDirectives;
  /// Whether constants are in an image; see kImageOffsetAttrName.
  bool weightsParameter = false;
  /// Prefix of the names of the network's functions, `NET_`.
  std::string prefix;
  /// Names at file scope: functions, globals and extern functions.
  CNameTable names;
  llvm::DenseMap<mlir::Operation *, std::string> functionNames;
  /// Names of functions that wrap calls to a device, by their text without the
  /// name.
  llvm::StringMap<std::string> deviceFunctions;
  /// The emitc.global of each memref.global, by name.
  llvm::StringMap<mlir::emitc::GlobalOp> globals;
};

/// Function under construction, with helpers that print text into it.
struct FunctionText {
  FunctionText(mlir::OpBuilder &builder, tir::FuncOp function,
               ModuleContext &context)
      : builder(builder), function(function), context(context),
        scalars(builder, context.prologue) {}

  /// Prints `text`, replacing each `{}` by the next of `arguments`.
  void verbatim(const llvm::Twine &text, mlir::ValueRange arguments = {});
  /// Returns `text` with braces escaped, for use in a format string.
  static std::string escape(llvm::StringRef text);
  /// Prints the C code in an attribute of the function, an array of strings.
  void printCode(llvm::StringRef attribute);
  /// Returns the code before a return, as a format string.
  std::string getEpilogue(llvm::StringRef indent);
  /// Emits an early return of `status` if it is non-zero, and the error hook
  /// for `layer` unless that is empty.
  /// `cleanup` holds statements that run before.
  void returnOnError(mlir::Value status, llvm::StringRef layer,
                     mlir::ArrayAttr cleanup = nullptr);
  /// Returns the status if it is an error of one of several layers;
  /// `failedLayer` is the C function that returns the layer's number.
  void returnLayerOnError(mlir::Value status, llvm::StringRef failedLayer,
                          mlir::ArrayAttr layers);
  /// Emits a call to a hook with the addresses of the parameters, if `uma run
  /// --compare` can check the function's calls to a device.
  void callDeviceHook(llvm::StringRef hook);

  mlir::OpBuilder &builder;
  tir::FuncOp function;
  ModuleContext &context;
  ScalarConverter scalars;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONTEXT_H
