//===- ModuleConverter.h - The state of the conversion -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_MODULECONVERTER_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_MODULECONVERTER_H

#include "AcceleratorCalls.h"

#include "uma/CPU/Kernels/BufferProvider.h"
#include "uma/Conversion/GraphToTIR/Strategy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace uma {

/// On functions during the pass: the name that they get at its end, when the
/// graph's functions no longer have it.
inline constexpr llvm::StringLiteral kFutureNameAttrName = "uma.future_name";

/// Returns the buffer type of a tensor. C tells signedness apart by operation,
/// so buffers hold signless integers.
mlir::MemRefType getBufferType(mlir::Type type);

/// What the buffer of a result of `op` is called in the C.
std::string getBufferLabel(mlir::Operation *op);

/// What the user decides about the conversion.
struct ConversionOptions {
  /// Strategies with vectors, for operators that have one.
  bool vectorize = false;
  /// Free weights after the last kernel has made its own form of them.
  bool releaseConstants = false;
  /// Functions that call a device describe what they compute.
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
  /// An accelerator's function in TIR and what its caller has to pass beside
  /// the operands and results of the call.
  struct AcceleratorFunction {
    tir::FuncOp function;
    llvm::SmallVector<graph::ConstantOp> constants;
    /// Names of what it needs beside that, the arguments behind those.
    llvm::SmallVector<std::string> intermediates;
    /// Arguments that are memory of one match after another.
    struct Scratch {
      mlir::BlockArgument argument;
      llvm::StringRef memory; ///< of the device
      mlir::Operation *user;  ///< the last match
    };
    llvm::SmallVector<Scratch> scratches;
    /// Adds an argument.
    mlir::Value addIntermediate(mlir::MemRefType type, std::string label,
                                mlir::Location loc);
    /// Returns memory for the calls of a match.
    mlir::Value getScratch(graph::CompositeOp composite,
                           accel::ScratchOp scratch, mlir::MemRefType type);
    /// Of the arguments that the device asks an alignment of, in bytes.
    llvm::MapVector<unsigned, int64_t> alignments;
  };

  mlir::LogicalResult convertEntry(mlir::func::FuncOp entry);
  mlir::LogicalResult convertCall(mlir::func::CallOp call);
  /// Returns the function without its body.
  tir::FuncOp createEntry(mlir::func::FuncOp entry);
  /// The loops of all operators in one function, for a script.
  mlir::LogicalResult convertScripted(mlir::func::CallOp call,
                                      mlir::func::FuncOp callee);
  mlir::LogicalResult convertLayer(mlir::Operation *op);
  mlir::LogicalResult convertAcceleratorCall(mlir::func::CallOp call);
  mlir::FailureOr<AcceleratorFunction>
  createAcceleratorFunction(mlir::func::FuncOp callee, llvm::StringRef layer);
  mlir::FailureOr<AcceleratorFunction>
  convertAccelerator(mlir::func::FuncOp callee, llvm::StringRef layer);
  mlir::LogicalResult beginRegion(mlir::OpBuilder &bodyBuilder,
                                  accel::AcceleratorOp accelerator,
                                  AcceleratorFunction &result);
  void describeMemories(AcceleratorFunction &function,
                        llvm::ArrayRef<PlacedBuffer> placed);
  void requireAlignment(mlir::Value buffer, int64_t alignment);

  /// Gives the results of the layers that the entry function returns the
  /// buffers that the caller passes for them.
  void assignOutputs(mlir::func::ReturnOp returnOp, mlir::ValueRange outputs);
  /// Returns the row-major buffer of a tensor.
  mlir::Value getBuffer(mlir::Value tensor);
  /// Returns the layout that the tensor's layer writes it in.
  BufferLayout getLayout(mlir::Value tensor);
  /// What the buffer of a tensor is called in the C.
  std::string getLabel(mlir::Value tensor);
  mlir::Value makeView(mlir::Value buffer, mlir::MemRefType type,
                       mlir::Location loc);
  mlir::Value allocate(mlir::MemRefType type, llvm::StringRef label,
                       mlir::Location loc);
  /// Calls a layer of its own.
  void copyBuffer(mlir::Value from, mlir::Value to, mlir::Location loc);
  mlir::FlatSymbolRefAttr getGlobal(graph::ConstantOp constant);
  mlir::memref::GlobalOp createGlobal(mlir::Location loc, llvm::StringRef name,
                                      mlir::ElementsAttr value,
                                      std::optional<int64_t> alignment);

  mlir::ModuleOp module;
  /// The number of constants with the elements of a resource, by its key.
  llvm::StringMap<unsigned> resourceUses;
  ConversionOptions options;
  mlir::SymbolTable symbols;
  StrategyRegistry strategies;
  /// Those for loops that a script changes.
  StrategyRegistry plainStrategies;
  /// The graph's layers, by name.
  llvm::StringMap<mlir::func::FuncOp> layerFunctions;
  /// The layers of the entry function that have kernels.
  std::unique_ptr<CPULayers> layers;
  /// The buffers of the entry function's tensors, the first one where its layer
  /// writes it, the others copies in other layouts.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<PlacedTensor, 1>> buffers;
  /// Where the caller wants tensors that lie in another layout.
  llvm::DenseMap<mlir::Value, mlir::Value> outputBuffers;
  llvm::DenseMap<mlir::Attribute, mlir::FlatSymbolRefAttr> globals;
  llvm::StringMap<AcceleratorFunction> acceleratorFunctions;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_MODULECONVERTER_H
