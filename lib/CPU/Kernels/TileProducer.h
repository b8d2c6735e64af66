//===- TileProducer.h - Elementwise layers in tiles -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_TILEPRODUCER_H
#define UMA_LIB_CPU_KERNELS_TILEPRODUCER_H

#include "LayerLowering.h"

namespace uma {

/// An elementwise layer whose elements the kernel of its reader computes.
class TileProducer : public LayerLowering {
public:
  TileProducer(const CPULayer &writer, BufferProvider &provider)
      : LayerLowering(writer, provider) {}
  /// The reader lowers it.
  void lower() override {}

  using LayerLowering::PointFn;

  /// Adds the operands to the arguments of the reader.
  void addTo(llvm::SmallVector<mlir::Value> &readerArguments);
  /// Returns how to compute the elements at the places that `getPoint` maps to
  /// indices of the tensor. `readerParameters` are those of the reader's
  /// function.
  Contraction::Producer get(LayerBuilder &b,
                            llvm::ArrayRef<mlir::Value> readerParameters,
                            const PointFn &getPoint, bool isFlat);
  /// Adds the names of the operators to those that `reader` computes.
  void addNames(tir::FuncOp reader) const;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_TILEPRODUCER_H
