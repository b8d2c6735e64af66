//===- FunctionConverter.h - One uma.tir.func in EmitC -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H

#include "CallConversion.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace uma {

/// Returns the product of vectors that `op` adds to something, or null.
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
class FunctionConverter : FunctionText {
public:
  FunctionConverter(mlir::OpBuilder &builder, tir::FuncOp function,
                    ModuleContext &context)
      : FunctionText(builder, function, context),
        facts(context.analysis.getFacts(function)), calls(*this),
        names(context.names) {}

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
  mlir::LogicalResult convertPrefetch(tir::PrefetchOp op);
  mlir::LogicalResult convertCheckBounds(tir::CheckBoundsOp op);
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
  /// Returns the place in memory that a load reads or a store writes.
  mlir::FailureOr<mlir::Value>
  getElement(mlir::Operation *op, mlir::Value buffer, mlir::ValueRange indices);
  /// Returns the buffer as C passes it to functions: the address of its first
  /// element.
  mlir::Value getPointer(mlir::Value buffer);
  mlir::Value lookup(mlir::Value value) { return values.lookup(value); }
  /// Returns the arguments of a call as C passes them.
  llvm::SmallVector<mlir::Value> getPointers(mlir::ValueRange arguments);

  const FunctionFacts &facts;
  CallConverter calls;
  /// The names that the function's variables must not shadow, and their own.
  CNameTable names;
  mlir::IRMapping values;
  /// The last argument of a network's function.
  mlir::Value workspace;
};

/// Merges operations into C expressions of a size and shape that compilers do
/// not warn about (`-Wparentheses`).
mlir::LogicalResult formExpressions(mlir::emitc::FuncOp function);

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H
