//===- ModuleConverter.h - State of the conversion to TIR -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_MODULECONVERTER_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_MODULECONVERTER_H

#include "AcceleratorCalls.h"
#include "MappedCalls.h"
#include "TensorParts.h"

#include "uma/CPU/Kernels/BufferProvider.h"
#include "uma/Conversion/GraphToTIR/Strategy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace uma {

/// Attribute on functions during the pass: their final name, which they get
/// once no function of the graph has it.
inline constexpr llvm::StringLiteral kFutureNameAttrName = "uma.future_name";

/// Returns the buffer type of a tensor. Buffers hold signless integers:
/// signedness is a property of operations.
mlir::MemRefType getBufferType(mlir::Type type);

/// Returns the label of the buffer for a result of `op`, which is its name in
/// C.
std::string getBufferLabel(mlir::Operation *op);

/// Options of the conversion.
struct ConversionOptions {
  /// Use vectorized strategies if an operator has one.
  bool vectorize = false;
  /// Free weights after their last kernel has packed them.
  bool releaseConstants = false;
  /// Attach a description of their computation to functions that call a device.
  bool deviceReferences = false;
};

/// Converts the functions of one module.
class ModuleConverter : public BufferProvider {
public:
  ModuleConverter(mlir::ModuleOp module, const ConversionOptions &options);

  mlir::LogicalResult run();

  PlacedTensor request(mlir::Value tensor, const BufferLayout &wanted) override;
  PlacedTensor getStored(mlir::Value tensor) override;
  mlir::Value makeConstant(mlir::ElementsAttr value,
                           llvm::StringRef name) override;
  void releaseConstant(mlir::Value constant) override;
  mlir::Value allocateBuffer(mlir::MemRefType type,
                             llvm::StringRef label) override {
    return allocate(type, label, module.getLoc());
  }
  PlacedTensor reshapeStored(mlir::Value tensor,
                             llvm::ArrayRef<int64_t> shape) override;
  tir::FuncOp createFunction(mlir::Location loc, llvm::StringRef name,
                             llvm::StringRef layer,
                             mlir::TypeRange arguments) override;

private:
  /// Accelerator's function in TIR, with the arguments that its caller passes
  /// in addition to the operands and results of the call.
  struct AcceleratorFunction {
    tir::FuncOp function;
    /// Function that waits for the device, if the first one only launches it.
    tir::FuncOp await;
    llvm::SmallVector<graph::ConstantOp> constants;
    /// Names of further buffers, whose arguments follow the constants.
    llvm::SmallVector<std::string> intermediates;
    /// Argument used as scratch memory by one match after another.
    struct Scratch {
      mlir::BlockArgument argument;
      llvm::StringRef memory; ///< memory of the device
      mlir::Operation *user;  ///< last match that uses it
    };
    llvm::SmallVector<Scratch> scratches;
    /// Arrays of numbers that calls take, by match and `uma.accel.array`.
    llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>,
                   graph::ConstantOp>
        arrays;
    /// Commands of matches that are computed in tiles.
    MappedRegion mapped;
    /// Adds an argument.
    mlir::Value addIntermediate(mlir::MemRefType type, std::string label,
                                mlir::Location loc);
    /// Returns scratch memory for the calls of a match.
    mlir::Value getScratch(graph::CompositeOp composite,
                           accel::ScratchOp scratch, mlir::MemRefType type);
    /// Required alignments of arguments in bytes, by argument position.
    llvm::MapVector<unsigned, int64_t> alignments;
  };

  mlir::LogicalResult convertEntry(mlir::func::FuncOp entry);
  mlir::LogicalResult convertCall(mlir::func::CallOp call);
  /// Attaches the multiply-accumulates of an operator to its function.
  void recordMACs(mlir::Operation *op);
  /// Creates the function without its body.
  tir::FuncOp createEntry(mlir::func::FuncOp entry);
  /// Converts all operators to loops in one function, for a script to schedule.
  mlir::LogicalResult convertScripted(mlir::func::CallOp call,
                                      mlir::func::FuncOp callee);
  mlir::LogicalResult convertLayer(mlir::Operation *op);
  mlir::LogicalResult convertAcceleratorCall(mlir::func::CallOp call);
  mlir::FailureOr<AcceleratorFunction>
  createAcceleratorFunction(mlir::func::FuncOp callee, llvm::StringRef layer);
  /// Adds constants to the graph's function for the arrays that calls take.
  mlir::LogicalResult addArrays(mlir::func::FuncOp callee,
                                AcceleratorFunction &function);
  mlir::FailureOr<AcceleratorFunction>
  convertAccelerator(mlir::func::FuncOp callee, llvm::StringRef layer);
  mlir::LogicalResult beginRegion(mlir::OpBuilder &bodyBuilder,
                                  accel::AcceleratorOp accelerator,
                                  AcceleratorFunction &result);
  mlir::LogicalResult buildAwait(mlir::OpBuilder &bodyBuilder,
                                 accel::AcceleratorOp accelerator,
                                 const MappedRegion &mapped,
                                 llvm::StringRef condition = "");
  mlir::LogicalResult endRegion(mlir::OpBuilder &bodyBuilder,
                                accel::AcceleratorOp accelerator,
                                AcceleratorFunction &result);
  /// Marks a function that waits for a device, with the C that does so on the
  /// way out after an error. There is none if the description replaces it.
  void setCleanup(tir::FuncOp await);
  void describeMemories(AcceleratorFunction &function,
                        llvm::ArrayRef<PlacedBuffer> placed);
  void requireAlignment(mlir::Value buffer, int64_t alignment);

  /// Assigns the caller's output buffers to the results of layers that the
  /// entry function returns.
  void assignOutputs(mlir::func::ReturnOp returnOp, mlir::ValueRange outputs);
  /// Returns whether layers are computed with vectors.
  bool hasVectors();
  /// Returns the alignment in bytes of views, which layers may rely on.
  int64_t getViewAlignment();
  /// Copies the operands of a concatenation that are not computed in place.
  void convertConcatenate(graph::ConcatenateOp op);
  void convertConcatenate(const CPULayer &layer);
  /// Returns the row-major buffer of a tensor.
  mlir::Value getBuffer(mlir::Value tensor);
  /// Returns the layout in which the tensor's layer writes it.
  BufferLayout getLayout(mlir::Value tensor);
  /// Returns the label of a tensor's buffer, which is its name in C.
  std::string getLabel(mlir::Value tensor);
  /// Returns the elements of a buffer, from `offset` on, as another one.
  mlir::Value makeView(mlir::Value buffer, mlir::MemRefType type,
                       mlir::Location loc, int64_t offset = 0);
  mlir::Value allocate(mlir::MemRefType type, llvm::StringRef label,
                       mlir::Location loc);
  /// Builds and calls a separate layer that copies the buffer.
  void copyBuffer(mlir::Value from, mlir::Value to, mlir::Location loc,
                  llvm::StringRef name = "copy");
  mlir::FlatSymbolRefAttr getGlobal(graph::ConstantOp constant);
  mlir::memref::GlobalOp createGlobal(mlir::Location loc, llvm::StringRef name,
                                      mlir::ElementsAttr value,
                                      std::optional<int64_t> alignment);

  mlir::ModuleOp module;
  /// Number of constants that share a resource, by its key.
  llvm::StringMap<unsigned> resourceUses;
  ConversionOptions options;
  mlir::SymbolTable symbols;
  StrategyRegistry strategies;
  /// Strategies for loops that a script schedules.
  StrategyRegistry plainStrategies;
  /// Layer functions of the graph, by name.
  llvm::StringMap<mlir::func::FuncOp> layerFunctions;
  /// Layers of the entry function that have CPU kernels.
  std::unique_ptr<CPULayers> layers;
  /// Buffers of the entry function's tensors: the first is the one that the
  /// tensor's layer writes; others are copies in other layouts.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<PlacedTensor, 1>> buffers;
  /// Tensors of the entry function in the buffers of others.
  TensorParts parts;
  /// Output buffers of the caller for tensors that are stored in another
  /// layout.
  llvm::DenseMap<mlir::Value, mlir::Value> outputBuffers;
  llvm::DenseMap<mlir::Attribute, mlir::FlatSymbolRefAttr> globals;
  /// Constants that the stripes or steps of a layer share, by its name.
  llvm::StringMap<llvm::SmallVector<mlir::memref::GlobalOp, 2>> layerConstants;
  llvm::StringMap<AcceleratorFunction> acceleratorFunctions;
  /// Functions created for the current operator of the entry function.
  llvm::SmallVector<tir::FuncOp> createdFunctions;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_MODULECONVERTER_H
