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
  int64_t getPreparedTiles(int64_t count) override;
  void buildTiles(KindFn getKind, llvm::function_ref<void()> body) override;
  void buildTile() override;
  /// Emits the sums of a tile, to `sums` from row `firstSum` on.
  void buildTileSums();
  /// Emits `lines` iterations of the last outer loop from `line` on, inside of
  /// the loops before it with `outerVars`.
  void buildLines(mlir::ValueRange outerVars, mlir::Value line, int64_t lines);
  void buildStep(mlir::ValueRange reduceVars) override;
  /// Emits a call of a part of the instruction, such as "_start", with the
  /// sizes of the tile behind `arguments`.
  void buildCall(llvm::StringRef part, llvm::ArrayRef<mlir::Value> arguments);
  /// Emits a call of a part that reads or writes the sums of the tile.
  void buildSumCall(llvm::StringRef part,
                    llvm::ArrayRef<mlir::Value> arguments = {});

  TileInstructionAttr instruction;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_TILEKERNEL_H
