//===- TiledTranspose.h - Transposes by squares -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_TILEDTRANSPOSE_H
#define UMA_LIB_CPU_KERNELS_TILEDTRANSPOSE_H

#include "ContractionKernel.h"

namespace uma {

/// A dimension of a transpose, with the distances of its entries.
struct TiledDim {
  int64_t extent;
  int64_t sourceStride, targetStride;

  /// Returns the number of blocks; the last one also has the rest.
  int64_t getNumBlocks(int64_t block) const {
    return std::max<int64_t>(extent / block, 1);
  }
};

/// A transpose whose data and result have different last dimensions. Squares
/// that fit registers are transposed, block by block.
struct TiledTranspose {
  LayerBuilder &b;
  /// Flat buffers.
  mlir::Value data, result;
  /// Last dimension of the data, and of the result.
  TiledDim last, resultLast;
  llvm::SmallVector<TiledDim> others = {};
  /// First elements.
  int64_t first = 0, place = 0;
  /// Dimension that threads share if they can share it evenly, of the others,
  /// `last` and `resultLast`.
  std::optional<size_t> shared = std::nullopt;

  /// Returns whether the last dimensions are long enough for squares.
  bool isWorthTiling() const {
    constexpr int64_t shortest = 4;
    return last.extent >= shortest && resultLast.extent >= shortest;
  }
  /// Emits the transpose in a version for each instruction set.
  void build();

private:
  void build(const ISA &isa);
  /// Emits a loop over the squares of a block; `body` receives the first
  /// element of each. The last square may overlap the one before.
  void forBlock(const TiledDim &dim, mlir::Value number, int64_t block,
                int64_t size, llvm::function_ref<void(mlir::Value)> body);
  void copy(mlir::Value source, mlir::Value target, int64_t size);
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_TILEDTRANSPOSE_H
