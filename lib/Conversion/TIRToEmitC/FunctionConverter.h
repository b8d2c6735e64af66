//===- FunctionConverter.h - One uma.tir.func in EmitC -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H

#include "BufferAnalysis.h"
#include "ScalarConverter.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/Threads.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

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

/// The product of vectors that `op` adds to something, or null.
mlir::arith::MulFOp getProduct(mlir::arith::AddFOp op);
/// True for a product of vectors that is written together with its sum.
bool isPartOfMulAdd(mlir::Operation *op);
/// True for the load and the sum of `variable = x * y + variable`, which C has
/// in one line.
bool isPartOfAccumulation(mlir::Operation *op);
/// True for the comparison of a minimum or maximum of vectors, which is one
/// instruction where C compilers do not see it in a comparison and a select.
bool isPartOfMinMax(mlir::Operation *op);

/// Converts one function at the end of the builder's block.
class FunctionConverter {
public:
  FunctionConverter(mlir::OpBuilder &builder, tir::FuncOp function,
                    ModuleContext &context)
      : builder(builder), function(function), context(context),
        facts(context.analysis.getFacts(function)),
        scalars(builder, context.prologue), names(context.names) {}

  mlir::FailureOr<mlir::emitc::FuncOp> convert();

private:
  mlir::FailureOr<mlir::Type> convertArgumentType(unsigned index);
  mlir::Type getPointerType(unsigned index, llvm::StringRef element);
  void emitHead();

  mlir::LogicalResult convertBlock(mlir::Block &block);
  mlir::LogicalResult convertOp(mlir::Operation *op);
  mlir::LogicalResult convertFor(tir::ForOp op);
  mlir::LogicalResult convertIf(mlir::scf::IfOp op);
  mlir::LogicalResult convertAlloc(tir::AllocOp op);
  mlir::LogicalResult convertWorkspace(tir::AllocOp op);
  mlir::LogicalResult convertLoad(mlir::memref::LoadOp op);
  mlir::LogicalResult convertStore(mlir::memref::StoreOp op);
  mlir::LogicalResult convertCopy(mlir::memref::CopyOp op);
  mlir::LogicalResult convertGetGlobal(mlir::memref::GetGlobalOp op);
  mlir::LogicalResult convertView(mlir::Operation *op);
  mlir::LogicalResult convertCall(tir::CallOp op);
  mlir::LogicalResult convertPlainCall(tir::CallOp op, tir::FuncOp callee);
  mlir::LogicalResult convertPrefetch(tir::PrefetchOp op);
  mlir::LogicalResult convertCheckBounds(tir::CheckBoundsOp op);
  mlir::LogicalResult convertCallExtern(tir::CallExternOp op);
  mlir::LogicalResult convertMultiversion(tir::MultiversionOp op);
  mlir::LogicalResult convertBroadcast(mlir::vector::BroadcastOp op);
  mlir::LogicalResult convertExtract(mlir::vector::ExtractOp op);
  mlir::LogicalResult convertVectorLoad(mlir::vector::LoadOp op);
  mlir::LogicalResult convertVectorStore(mlir::vector::StoreOp op);
  mlir::LogicalResult convertReduction(mlir::vector::ReductionOp op);
  /// Writes `variable = x * y + variable`, if that is what `op` does.
  bool convertAccumulation(mlir::memref::StoreOp op);
  bool convertMinMax(mlir::Operation *op);
  mlir::LogicalResult convertMulAdd(mlir::arith::AddFOp op);
  mlir::LogicalResult checkVector(mlir::Operation *op, mlir::VectorType type);
  mlir::LogicalResult convertReplacedCall(tir::CallExternOp op,
                                          mlir::ValueRange operands);
  llvm::StringRef getLayer(tir::CallExternOp op);
  /// Prints, in front of the C of a call, the line of the description that it
  /// comes from, and behind it that the file's own lines go on.
  void beginDescribed(tir::CallExternOp op);
  /// Defines the function that makes a call with a body, once, and returns its
  /// name: DeviceFunction.cpp.
  mlir::FailureOr<std::string> defineDeviceFunction(tir::CallExternOp op);
  void endDescribed(tir::CallExternOp op);
  /// Calls a hook with the addresses of the parameters, in a function whose
  /// calls of a device `uma run --compare` can check.
  void callDeviceHook(llvm::StringRef hook);
  /// Calls the hook that says which of several calls comes next.
  void announceCall(tir::CallExternOp op);
  /// Prints the C of the function's attribute, an array of strings.
  void printCode(llvm::StringRef attribute);
  /// What stands in front of a return, as a format string.
  std::string getEpilogue(llvm::StringRef indent);

  /// The place in memory that a load reads or a store writes.
  mlir::FailureOr<mlir::Value>
  getElement(mlir::Operation *op, mlir::Value buffer, mlir::ValueRange indices);
  /// The buffer as C passes it to functions: the address of its first element.
  mlir::Value getPointer(mlir::Value buffer);
  mlir::Value lookup(mlir::Value value) { return values.lookup(value); }
  /// Ends the function with `status` where it is not 0.
  void returnOnError(mlir::Value status, llvm::StringRef layer);
  void verbatim(const llvm::Twine &text, mlir::ValueRange arguments = {});

  mlir::OpBuilder &builder;
  tir::FuncOp function;
  ModuleContext &context;
  const FunctionFacts &facts;
  ScalarConverter scalars;
  /// The names that the function's variables must not shadow, and their own.
  CNameTable names;
  mlir::IRMapping values;
  /// The last argument of a network's function.
  mlir::Value workspace;
  /// Calls that the profile hooks stand around.
  unsigned numProfiled = 0;
  /// Whether hooks say which of several calls of a device comes next.
  bool announcesCalls = false;
};

/// Merges operations into C expressions of a size and shape that compilers do
/// not warn about (`-Wparentheses`).
mlir::LogicalResult formExpressions(mlir::emitc::FuncOp function);

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H
