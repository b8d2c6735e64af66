//===- FunctionText.h - Text in the C of one function -*- C++ -*-----------===//
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

/// What the conversions of a module's functions share.
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
  /// Start of the names of the network's functions, `NET_`.
  std::string prefix;
  /// Names at file level, of functions, globals and extern functions.
  CNameTable names;
  llvm::DenseMap<mlir::Operation *, std::string> functionNames;
  /// Functions that call a device, by their text without the name.
  llvm::StringMap<std::string> deviceFunctions;
  /// Of each memref.global, the emitc.global.
  llvm::StringMap<mlir::emitc::GlobalOp> globals;
};

/// A function in the making, and the text that is printed into it.
struct FunctionText {
  FunctionText(mlir::OpBuilder &builder, tir::FuncOp function,
               ModuleContext &context)
      : builder(builder), function(function), context(context),
        scalars(builder, context.prologue) {}

  /// Prints `text`, in which `{}` stands for the next of `arguments`.
  void verbatim(const llvm::Twine &text, mlir::ValueRange arguments = {});
  /// Returns `text` for a format string, in which braces are placeholders.
  static std::string escape(llvm::StringRef text);
  /// Prints the C in an attribute of the function, an array of strings.
  void printCode(llvm::StringRef attribute);
  /// Returns what stands in front of a return, as a format string.
  std::string getEpilogue(llvm::StringRef indent);
  /// Emits an early return of `status` if it is non-zero, and the error hook
  /// for `layer` unless that is empty.
  void returnOnError(mlir::Value status, llvm::StringRef layer);
  /// Calls a hook with the addresses of the parameters, in a function whose
  /// calls to a device `uma run --compare` can check.
  void callDeviceHook(llvm::StringRef hook);

  mlir::OpBuilder &builder;
  tir::FuncOp function;
  ModuleContext &context;
  ScalarConverter scalars;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONTEXT_H
