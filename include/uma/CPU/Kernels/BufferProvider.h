//===- BufferProvider.h - Buffers and functions for kernels -*- C++ -*-----===//
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

/// A buffer and the layout of the tensor in it.
struct PlacedTensor {
  mlir::Value buffer;
  BufferLayout layout;
};

/// Interface through which a kernel gets buffers and functions from its caller.
/// Tensors are values of the calling function.
class BufferProvider {
public:
  virtual ~BufferProvider() = default;
  /// Returns the tensor in the layout `wanted`; copies it if it is stored in
  /// another one.
  virtual PlacedTensor request(mlir::Value tensor,
                               const BufferLayout &wanted) = 0;
  /// Returns the tensor as its layer writes it, without a layout copy.
  virtual PlacedTensor getStored(mlir::Value tensor) = 0;
  /// Replaces the buffer of `tensor`, which no layer may use yet, by one of
  /// another shape. Returns the new buffer with the tensor's layout.
  virtual PlacedTensor reshapeStored(mlir::Value tensor,
                                     llvm::ArrayRef<int64_t> shape) = 0;
  /// Returns a constant made at compile time.
  virtual mlir::Value makeConstant(mlir::ElementsAttr value,
                                   llvm::StringRef name) = 0;
  /// Declares that this user of a constant does not read its elements any more.
  virtual void releaseConstant(mlir::Value constant) = 0;
  /// Allocates a buffer that is live during the layer.
  virtual mlir::Value allocateBuffer(mlir::MemRefType type,
                                     llvm::StringRef label) = 0;
  /// Creates a function with parameters of the types `arguments`.
  virtual tir::FuncOp createFunction(mlir::Location loc, llvm::StringRef name,
                                     llvm::StringRef layer,
                                     mlir::TypeRange arguments) = 0;

  /// Creates a function and calls it with `arguments`.
  tir::FuncOp createLayer(mlir::Location loc, llvm::StringRef name,
                          llvm::StringRef layer, mlir::ValueRange arguments);

  /// Begins the tiling of the producer and the consumer of `tensor`: replaces
  /// its buffer by a rolling buffer for one tile, which is returned.
  PlacedTensor startPair(mlir::Value tensor, const TilePair &pair);
  /// Returns the tiling of the producer and the consumer of `tensor`, or null
  /// if they are not tiled together.
  const TilePair *getPair(mlir::Value tensor) const;
  /// Creates a function that computes one tile of the producer (first call) or
  /// the consumer (second call) of `tensor`. Its parameters are `arguments`
  /// followed by the indices of the pack and of the slab, each only if there
  /// are several. The second call also emits the loops over tiles, with calls
  /// to both functions.
  tir::FuncOp createPaired(mlir::Location loc, llvm::StringRef name,
                           llvm::StringRef layer, mlir::ValueRange arguments,
                           mlir::Value tensor);

protected:
  explicit BufferProvider(mlir::OpBuilder builder) : builder(builder) {}

  /// Inserts into the caller.
  mlir::OpBuilder builder;

private:
  /// A tiled producer and consumer. `writer` is null until the producer's
  /// function is created.
  struct PairedLayers {
    TilePair pair;
    tir::FuncOp writer;
    llvm::SmallVector<mlir::Value> arguments;
  };
  /// Tiled pairs, keyed by the tensor between the two layers.
  llvm::DenseMap<mlir::Value, PairedLayers> pairs;
};

/// Layers that a kernel has a part in; null if there are none.
struct LayerNeighbours {
  /// The depthwise convolution that a convolution is tiled with.
  const CPULayer *reader = nullptr;
  /// The elementwise layer that a convolution computes in its tiles.
  const CPULayer *producer = nullptr;
};

/// Builds the function of a layer that has a kernel.
void lowerLayer(const CPULayer &layer, const LayerNeighbours &neighbours,
                BufferProvider &provider);

/// Builds the loops that copy a tensor of `shape` from one layout to another.
void buildLayoutCopy(LayerBuilder &builder, llvm::ArrayRef<int64_t> shape,
                     const PlacedTensor &from, const PlacedTensor &to);

} // namespace uma

#endif // UMA_CPU_KERNELS_BUFFERPROVIDER_H
