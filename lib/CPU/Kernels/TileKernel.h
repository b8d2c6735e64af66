//===- TileKernel.h - Contractions by a tile instruction -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_TILEKERNEL_H
#define UMA_LIB_CPU_KERNELS_TILEKERNEL_H

#include "KernelBuilder.h"

namespace uma {

/// Builds a version of a contraction whose sums an instruction with operands in
/// memory computes.
class TileKernelBuilder : public KernelBuilder {
public:
  TileKernelBuilder(LayerBuilder &b, const Contraction &c, VersionAttr version,
                    TileInstructionAttr instruction);

private:
  void prepareRows() override;
  void buildTile() override;
  void buildStep(mlir::ValueRange reduceVars) override;
  /// Emits a call of a part of the instruction, such as "_start", with the
  /// sizes of the tile behind `arguments`. The part writes the sums if they
  /// are an argument.
  void buildCall(llvm::StringRef part,
                 llvm::SmallVector<mlir::Value> arguments);

  TileInstructionAttr instruction;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_TILEKERNEL_H
