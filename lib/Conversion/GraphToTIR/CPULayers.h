//===- CPULayers.h - Operators that one loop nest computes -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the CPU computes fast is decided for a whole function at once: which
// operators share a loop nest, and in which order each tensor lies in memory.
// All other operators keep their plain loops and row-major buffers.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_CPULAYERS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_CPULAYERS_H

#include "BufferLayout.h"
#include "CPUStrassen.h"

#include "uma/Conversion/GraphToTIR/Elements.h"
#include "uma/Conversion/GraphToTIR/TuningDatabase.h"
#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/DenseMap.h"

namespace uma {

class LayoutClasses;

/// Operators that one function computes.
struct CPULayer {
  enum class Kind {
    Conv,        ///< conv2d, conv2d_transpose
    Depthwise,   ///< conv2d with a group per channel
    Matrix,      ///< dense, batch_matmul
    Pool,        ///< pools of two dimensions
    Concatenate, ///< of images
    Interpolate, ///< of images, along rows or columns
    Recurrent,   ///< lstm, gru, rnn, alone
    Elementwise, ///< no anchor
  };

  Kind kind;
  /// In the order of the text. Only the result of the last one is used outside.
  llvm::SmallVector<mlir::Operation *, 4> ops;
  /// The operator that decides the loops; null for elementwise layers.
  mlir::Operation *anchor = nullptr;

  /// True where values only move, in whatever order of channels they lie.
  bool isMove() const {
    return kind == Kind::Concatenate || kind == Kind::Interpolate;
  }
  /// The only one, but for recurrent layers.
  mlir::Value getResult() const { return ops.back()->getResult(0); }
  mlir::RankedTensorType getType() const {
    return mlir::cast<mlir::RankedTensorType>(getResult().getType());
  }
};

/// A tensor from outside that elementwise operators of a layer read, with the
/// dimension of the result for each of its own, -1 where it is broadcast.
struct LayerOperand {
  mlir::Value tensor;
  llvm::SmallVector<int64_t, 4> dims;

  /// True if it has an element for each of the result.
  bool isFull(mlir::RankedTensorType result) const;
  /// True if it varies with the last dimension of the result at most.
  bool isRow(mlir::RankedTensorType result) const;
  /// The dimension of the result that is the only one it varies with, or -1
  /// for a scalar; nothing if there are several.
  std::optional<int64_t> getOnlyDim(mlir::RankedTensorType result) const;
};

/// What the user decides about the layers of the CPU.
struct CPUOptions {
  /// Winograd's and Strassen's algorithms wherever they pay: fewer products,
  /// more weights.
  bool winograd = false;
  /// Percent that weights may grow by for Strassen's algorithm otherwise.
  int64_t weightGrowth = 25;
  /// Schedules that were measured; the others are chosen by a model.
  const TuningDatabase *tuning = nullptr;
  /// Functions say which workload they compute.
  bool nameWorkloads = false;
  /// Two layers take turns, where what the first one writes is far more than
  /// what the second one makes of it.
  bool interleave = true;
  /// Weights are freed when they are packed.
  bool releaseConstants = false;
  /// Functions that call a device describe what they compute.
  bool deviceReferences = false;
};

/// The layers of a function and the order of its tensors in memory.
class CPULayers {
public:
  CPULayers(mlir::Block &block, const CPUOptions &options);
  CPULayers(const CPULayers &) = delete;

  const CPUOptions &getOptions() const { return options; }
  /// The layer of an operator, or null where it is lowered by itself.
  const CPULayer *lookup(mlir::Operation *op) const {
    auto entry = layerOf.find(op);
    return entry == layerOf.end() ? nullptr : &layers[entry->second];
  }
  /// The order that the layer which computes `tensor` writes it in.
  BufferLayout getLayout(mlir::Value tensor) const {
    auto entry = layouts.find(tensor);
    return entry == layouts.end() ? BufferLayout() : entry->second;
  }

  /// The product that Strassen's algorithm computes an operator by; null where
  /// it does not.
  const QuarterProduct *lookupProduct(mlir::Operation *op) const {
    auto entry = products.find(op);
    return entry == products.end() ? nullptr : &entry->second;
  }

  /// What the elementwise operators of `layer` read from outside, but for
  /// scalars that are known.
  static llvm::SmallVector<LayerOperand> getOperands(const CPULayer &layer);
  /// The addition of a bias right behind the anchor, which sums may start with;
  /// null if there is none.
  static mlir::Operation *getBias(const CPULayer &layer);
  /// The result's element from those of `first`, which is the anchor or the
  /// addition behind it, and of `operands`.
  mlir::Value evaluate(LayerBuilder &builder, const CPULayer &layer,
                       mlir::Operation *first, mlir::Value value,
                       llvm::ArrayRef<LayerOperand> operands,
                       mlir::ValueRange elements) const;

private:
  bool isElementwise(mlir::Operation *op) const;
  std::optional<CPULayer>
  makeLayer(llvm::ArrayRef<mlir::Operation *> ops) const;
  std::optional<CPULayer::Kind> getAnchorKind(mlir::Operation *op) const;
  void findLayers(mlir::Block &block);
  void planLayouts();
  /// The product that a layer is, nothing where it is none.
  std::optional<QuarterProduct> getProduct(const CPULayer &layer);
  /// Chooses what Strassen's algorithm computes.
  void planProducts(mlir::Block &block);
  /// Lets what layers that move values read lie like what they write; sets
  /// those where that cannot be.
  void joinMoves(LayoutClasses &classes,
                 llvm::MutableArrayRef<bool> isDropped) const;

  CPUOptions options;
  ElementFunctions functions;
  llvm::SmallVector<CPULayer> layers;
  llvm::DenseMap<mlir::Operation *, size_t> layerOf;
  llvm::DenseMap<mlir::Value, BufferLayout> layouts;
  llvm::DenseMap<mlir::Operation *, QuarterProduct> products;
};

/// A tensor of f32 with elements.
bool isFloatTensor(mlir::Value tensor);

/// True for constants whose elements are known: a dense_resource may be
/// missing, where somebody printed the module without it.
bool isKnownConstant(mlir::Value tensor);

/// True for recurrent layers that have a kernel with vectors: weights are
/// known, all sequences are of one length.
bool isVectorRecurrent(mlir::Operation *op);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_CPULAYERS_H
