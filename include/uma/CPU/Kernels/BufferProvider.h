//===- BufferProvider.h - What a kernel needs of its caller -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_KERNELS_BUFFERPROVIDER_H
#define UMA_CPU_KERNELS_BUFFERPROVIDER_H

#include "uma/CPU/Model/TilePair.h"
#include "uma/TIR/Builder/LayerBuilder.h"

namespace uma {

/// A buffer and the order of the elements in it.
struct PlacedTensor {
  mlir::Value buffer;
  BufferLayout layout;
};

/// Gives a kernel the buffers and functions of its caller. Tensors are values
/// of that function.
class BufferProvider {
public:
  virtual ~BufferProvider() = default;
  /// The tensor in a layout; copied where it lies in another one.
  virtual PlacedTensor request(mlir::Value tensor,
                               const BufferLayout &wanted) = 0;
  /// The tensor where its layer writes it.
  virtual PlacedTensor getStored(mlir::Value tensor) = 0;
  /// A constant made at compile time.
  virtual mlir::Value makeConstant(mlir::ElementsAttr value,
                                   llvm::StringRef name) = 0;
  /// Marks a constant whose elements this user does not read again.
  virtual void releaseConstant(mlir::Value constant) = 0;
  /// A buffer for the time of the layer.
  virtual mlir::Value allocateBuffer(mlir::MemRefType type,
                                     llvm::StringRef label) = 0;
  /// A function that is called with `arguments`.
  virtual tir::FuncOp createLayer(mlir::Location loc, llvm::StringRef name,
                                  llvm::StringRef layer,
                                  mlir::ValueRange arguments) = 0;

  /// Gives `tensor`, whose layer and reader are computed tile by tile, a buffer
  /// for one tile.
  virtual PlacedTensor startPair(mlir::Value tensor, const TilePair &pair) = 0;
  /// Returns the tiling of the layer of `tensor` and its reader, null where
  /// they have none.
  virtual const TilePair *getPair(mlir::Value tensor) const = 0;
  /// A function that computes a tile of one of the layers around `tensor`, the
  /// one that writes it first: behind the arguments come the numbers of the
  /// pack and of the slab, where there are several. Both are called from where
  /// the second one is created.
  virtual tir::FuncOp createPaired(mlir::Location loc, llvm::StringRef name,
                                   llvm::StringRef layer,
                                   mlir::ValueRange arguments,
                                   mlir::Value tensor) = 0;
};

/// Builds the function of a layer that has a kernel. `reader` is the layer that
/// it is computed tile by tile with, or null.
void lowerLayer(const CPULayer &layer, const CPULayer *reader,
                BufferProvider &provider);

/// Copies a tensor of `shape` from one layout to another one.
void buildLayoutCopy(LayerBuilder &builder, llvm::ArrayRef<int64_t> shape,
                     const PlacedTensor &from, const PlacedTensor &to);

} // namespace uma

#endif // UMA_CPU_KERNELS_BUFFERPROVIDER_H
