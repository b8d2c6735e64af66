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
  /// Returns the tensor in a layout; copies it if it is stored in another one.
  virtual PlacedTensor request(mlir::Value tensor,
                               const BufferLayout &wanted) = 0;
  /// Returns the tensor as its layer writes it, without a layout copy.
  virtual PlacedTensor getStored(mlir::Value tensor) = 0;
  /// Replaces the buffer of `tensor`, which no layer uses yet, by one of
  /// another shape. Returns the new buffer with the tensor's layout.
  virtual PlacedTensor reshapeStored(mlir::Value tensor,
                                     llvm::ArrayRef<int64_t> shape) = 0;
  /// Returns a constant made at compile time.
  virtual mlir::Value makeConstant(mlir::ElementsAttr value,
                                   llvm::StringRef name) = 0;
  /// Marks a constant whose elements this user does not read again.
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

  /// Gives `tensor`, whose layer and reader are computed tile by tile, a buffer
  /// for one tile.
  PlacedTensor startPair(mlir::Value tensor, const TilePair &pair);
  /// Returns the tiling of the layer that writes `tensor` and of its reader, or
  /// null if they are not tiled together.
  const TilePair *getPair(mlir::Value tensor) const;
  /// Creates a function that computes a tile of one of the layers around
  /// `tensor`: the layer that writes it first, then the one that reads it. The
  /// indices of the pack and of the slab, if there are several, follow the
  /// arguments. The second call emits the loops over tiles, with calls to both
  /// functions.
  tir::FuncOp createPaired(mlir::Location loc, llvm::StringRef name,
                           llvm::StringRef layer, mlir::ValueRange arguments,
                           mlir::Value tensor);

protected:
  explicit BufferProvider(mlir::OpBuilder builder) : builder(builder) {}

  /// Inserts into the caller.
  mlir::OpBuilder builder;

private:
  /// Two layers that are computed tile by tile; `writer` is null until the
  /// first of them is created.
  struct PairedLayers {
    TilePair pair;
    tir::FuncOp writer;
    llvm::SmallVector<mlir::Value> arguments;
  };
  /// Keyed by the tensor between the two layers.
  llvm::DenseMap<mlir::Value, PairedLayers> pairs;
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
