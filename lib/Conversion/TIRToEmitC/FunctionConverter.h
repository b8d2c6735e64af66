//===- FunctionConverter.h - Convert a uma.tir.func to EmitC -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H

#include "CallConversion.h"

#include "uma/IR/WorkspaceMemories.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace uma {

/// Returns the product of vectors that is an operand of `op`, or null if there
/// is none.
mlir::arith::MulFOp getProduct(mlir::arith::AddFOp op);
/// Returns true for a product of vectors that is emitted together with its sum.
bool isPartOfMulAdd(mlir::Operation *op);
/// Returns true for the load and the sum of `variable = x * y + variable`,
/// which C has in one line.
bool isPartOfAccumulation(mlir::Operation *op);
/// Returns true for the comparison of a vector minimum or maximum, which is
/// emitted as one function: C compilers do not recognise the instruction in a
/// comparison and a select.
bool isPartOfMinMax(mlir::Operation *op);

/// Moves copies of constants into the loops that threads share.
void sinkConstants(tir::FuncOp function);

/// Calls that a function in C runs.
enum class CallRange {
  All,
  Given, ///< those from its parameter `first` to before `last`
};

/// Converts one function at the end of the builder's block.
class FunctionConverter : FunctionText {
public:
  FunctionConverter(mlir::OpBuilder &builder, tir::FuncOp function,
                    ModuleContext &context, CallRange range = CallRange::All)
      : FunctionText(builder, function, context), range(range),
        facts(context.analysis.getFacts(function)), calls(*this),
        names(&context.names) {}

  mlir::FailureOr<mlir::emitc::FuncOp> convert();

private:
  /// Returns the OpenMP directive before a loop, or nothing.
  llvm::StringRef getThreadDirective(tir::ForOp op) const;
  mlir::FailureOr<mlir::Type> convertArgumentType(unsigned index);
  mlir::Type getPointerType(unsigned index, llvm::StringRef element);
  void emitHead();
  /// Adds the parameters of a network's function after its tensors: workspace,
  /// weights and range.
  void addNetworkParameters(llvm::SmallVectorImpl<mlir::Type> &types) const;
  /// Converts a statement of a network's function, which runs only if its calls
  /// are in the given range.
  mlir::LogicalResult convertInRange(mlir::Operation *op, int64_t numCalls);
  bool hasWeights() const;

  mlir::LogicalResult convertBlock(mlir::Block &block);
  mlir::LogicalResult convertOp(mlir::Operation *op);
  mlir::LogicalResult convertFor(tir::ForOp op);
  mlir::LogicalResult convertIf(mlir::scf::IfOp op);
  mlir::LogicalResult convertAlloc(tir::AllocOp op);
  mlir::LogicalResult convertWorkspace(tir::AllocOp op);
  /// Maps a buffer that begins at an offset of the workspace to its pointer.
  mlir::LogicalResult placeInWorkspace(mlir::Operation *op, mlir::Value buffer,
                                       int64_t offset, llvm::StringRef label);
  mlir::LogicalResult convertLoad(mlir::memref::LoadOp op);
  mlir::LogicalResult convertStore(mlir::memref::StoreOp op);
  mlir::LogicalResult convertCopy(mlir::memref::CopyOp op);
  mlir::LogicalResult convertGetGlobal(mlir::memref::GetGlobalOp op);
  mlir::LogicalResult convertWholeView(mlir::Operation *op);
  mlir::LogicalResult convertView(tir::ViewOp op);
  mlir::LogicalResult convertPrefetch(tir::PrefetchOp op);
  mlir::LogicalResult convertTranspose(tir::TransposeOp op);
  mlir::LogicalResult convertLookup(tir::LookupOp op);
  mlir::LogicalResult convertCheckBounds(tir::CheckBoundsOp op);
  mlir::LogicalResult convertMultiversion(tir::MultiversionOp op);
  mlir::LogicalResult convertBroadcast(mlir::vector::BroadcastOp op);
  mlir::LogicalResult convertExtract(mlir::vector::ExtractOp op);
  mlir::LogicalResult convertVectorLoad(mlir::vector::LoadOp op);
  mlir::LogicalResult convertVectorStore(mlir::vector::StoreOp op);
  mlir::LogicalResult convertReduction(mlir::vector::ReductionOp op);
  mlir::LogicalResult convertShuffle(mlir::vector::ShuffleOp op);
  /// Emits `variable = x * y + variable` and returns true if `op` has this
  /// form.
  bool convertAccumulation(mlir::memref::StoreOp op);
  bool convertMinMax(mlir::Operation *op);
  mlir::LogicalResult convertMulAdd(mlir::arith::AddFOp op);
  mlir::LogicalResult checkVector(mlir::Operation *op, mlir::VectorType type);
  /// Returns the lvalue that a load reads or a store writes.
  mlir::FailureOr<mlir::Value>
  getElement(mlir::Operation *op, mlir::Value buffer, mlir::ValueRange indices);
  /// Returns the buffer as it is passed in C: the address of its first element.
  mlir::Value getPointer(mlir::Value buffer);
  mlir::Value lookup(mlir::Value value) { return values.lookup(value); }
  /// Returns the arguments of a call as they are passed in C.
  llvm::SmallVector<mlir::Value> getPointers(mlir::ValueRange arguments);

  CallRange range;
  const FunctionFacts &facts;
  CallConverter calls;
  /// Names in scope, which the function's variables must not shadow.
  CNameTable names;
  mlir::IRMapping values;
  /// Memories of the workspace, and image of weights, of a network's function.
  mlir::SmallVector<mlir::Value, 1> workspaces;
  mlir::Value weights;
  /// Memories of the workspace; none if it is one.
  std::vector<WorkspaceMemory> memories = getWorkspaceMemories(function);
  /// Range of calls to run.
  mlir::Value first, last;
};

/// Merges operations into C expressions of limited size that do not cause
/// warnings (`-Wparentheses`).
mlir::LogicalResult formExpressions(mlir::emitc::FuncOp function);

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_FUNCTIONCONVERTER_H
